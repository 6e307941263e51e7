import { TreelineError } from "../base/error.ts";
import { shown } from "../base/shown.ts";
import { shapeWith } from "../graph/edges.ts";
import { ChildOf, isInternal, Parent } from "../id/builtins.ts";
import { ANY, Any, type Definition, type Term } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { findPair } from "../id/pair-book.ts";
import type { Column } from "../storage/lane-plan.ts";
import { columnOf, type Shape } from "../storage/shape.ts";
import type { TableNumber } from "../storage/table.ts";
import { stampWritten } from "../storage/tracks.ts";
import {
  bitTagsOf,
  definitionOfTerm,
  type PlainTerm,
  refuseTwice,
  refuseTwoParents,
  type SpawnTerm,
  targetOfTerm,
} from "./destination.ts";
import { type Gathered, gatheredObject, gatherValue, writeFields } from "./gathered.ts";
import { requireAlive } from "./require.ts";
import { pairColumn } from "./values.ts";
import type { SpawnPlan, World } from "./world.ts";

/** `pairAt` of a plan with several pairs. */
export const SEVERAL = -2;

/** More plans than this are not kept; the oldest goes. Programs that spawn more kinds in turn pay for each anew. */
const MOST_PLANS = 64;

/** The plan for these terms; `undefined` if there is none so far. */
export function knownPlan(world: World, terms: readonly SpawnTerm[]): SpawnPlan | undefined {
  const last = world.lastPlan;
  if (last !== undefined && isFor(last, terms)) return last;
  const { plans } = world;
  for (let at = 0; at < plans.length; at++) {
    if (isFor(plans[at]!, terms)) {
      world.lastPlan = plans[at];
      return plans[at];
    }
  }
  return undefined;
}

function isFor({ definitions }: SpawnPlan, terms: readonly SpawnTerm[]): boolean {
  if (definitions.length !== terms.length) return false;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as PlainTerm | undefined | null;
    if (term === undefined || term === null) return false;
    if ((typeof term === "function" ? term : (term as Term).definition) !== definitions[at]) return false;
  }
  return true;
}

/**
 * A plan for terms that have been checked one by one.
 *
 * @throws TreelineError `bad-term` for what is given twice, and for two parents.
 */
export function newPlan(world: World, terms: readonly PlainTerm[]): SpawnPlan {
  const definitions = terms.map(definitionOfTerm);
  const shape = shapeOfTerms(world, terms);
  const pairs = definitions.filter(({ kind }) => kind === "relation").length;
  const plan: SpawnPlan = {
    definitions,
    shape,
    tags: bitTagsOf(terms),
    pairAt: pairs > 1 ? SEVERAL : definitions.findIndex(({ kind }) => kind === "relation"),
    flatLanes: flatLanesOf(shape, definitions),
    lastPair: 0,
    lastTable: 0,
  };
  if (world.plans.length === MOST_PLANS) world.plans.shift();
  world.plans.push(plan);
  return plan;
}

/** A plan for entities of an archetype that get nothing else. */
export function barePlan(shape: Shape): SpawnPlan {
  return {
    definitions: [],
    shape,
    tags: [],
    pairAt: -1,
    flatLanes: new Int32Array(0),
    lastPair: 0,
    lastTable: 0,
  };
}

function flatLanesOf(shape: Shape, definitions: readonly Definition[]): Int32Array {
  const fields = definitions.flatMap((definition) => columnOf(shape, definition)?.fields ?? []);
  const all = shape.lanes.plan.columns.flatMap((column) => column.fields);
  const isFlat =
    shape.lanes.plan.plain && fields.length === all.length && fields.every(({ kind }) => kind === "f32");
  return Int32Array.from(isFlat ? fields.map(({ lane }) => lane) : []);
}

/** The archetype of a new entity with these terms, which have been checked one by one. */
function shapeOfTerms(world: World, terms: readonly PlainTerm[]): Shape {
  const { graph } = world;
  let shape = graph.root;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.storage === "bits") {
      if (terms.filter((other) => definitionOfTerm(other) === definition).length > 1) refuseTwice(definition);
      continue;
    }
    const next = shapeWith(graph, shape, definition);
    if (next === shape && (definition.kind !== "relation" || definition.exclusive)) refuseTwice(definition);
    if (definition === Parent && shape.hasPairs) refuseTwoParents(terms);
    if (definition === ChildOf && shape.isLoose) refuseTwoParents(terms);
    shape = next;
  }
  return shape;
}

/**
 * Reads and checks terms, values first: getters run here. What was read stays in `world.gathered` from its present place on,
 * until something else is gathered.
 *
 * @throws TreelineError `bad-term`, `bad-value`, `dead-entity`.
 */
export function gatherTerms(world: World, terms: readonly PlainTerm[]): void {
  const { gathered } = world;
  const { fields, count, terms: first } = gathered;
  let pairs = 0;
  try {
    for (let at = 0; at < terms.length; at++) {
      const term = terms[at]! as PlainTerm | undefined | null;
      const definition =
        term && (typeof term === "function" ? (term as Definition) : (term as Term).definition);
      if (definition?.kind === undefined || isInternal(definition)) refuseTerm(term);
      if (definition.kind === "relation") {
        pairs++;
        if (typeof term === "function" || (term as { target: number }).target === ANY || definition === Any)
          refusePair(definition, targetOfTerm(term as PlainTerm));
      }
      if (typeof term !== "function") {
        const { value } = term as { readonly value: unknown };
        if (value !== undefined) gatherValue(gathered, definition, value);
      }
      if (gathered.terms === gathered.ends.length) growEnds(gathered);
      gathered.ends[gathered.terms++] = gathered.fields;
    }
  } finally {
    gathered.fields = fields;
    gathered.count = count;
    gathered.terms = first;
  }
  // A getter may have destroyed a target.
  for (let at = 0; pairs > 0; at++) {
    const term = terms[at]!;
    if (definitionOfTerm(term).kind !== "relation") continue;
    requireAlive(world, targetOfTerm(term) as Entity);
    pairs--;
  }
}

function growEnds(gathered: Gathered): void {
  const longer = new Uint16Array(gathered.terms * 2);
  longer.set(gathered.ends);
  gathered.ends = longer;
}

/**
 * Writes what `gatherTerms` read, and since when nothing else was gathered, into a row of an entity that has all of it.
 */
export function writeTerms(
  world: World,
  shape: Shape,
  terms: readonly PlainTerm[],
  table: TableNumber,
  row: number,
): void {
  const { gathered } = world;
  const { lanes } = shape;
  let field = gathered.fields;
  let number = gathered.count;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]!;
    if (typeof term === "function") continue;
    const { definition, value } = term as Term;
    if (value === undefined || definition.holds === "nothing") continue;
    const end = gathered.ends[gathered.terms + at]!;
    const column =
      definition.kind === "relation"
        ? columnOfPair(world, shape, table, term as Term)!
        : columnOf(shape, definition)!;
    if (column.objectSlot >= 0) lanes.objects[column.objectSlot]![row] = value;
    else number = writeFields(gathered, field, end, number, lanes, column, row);
    if (lanes.tracks !== undefined) stampWritten(lanes.tracks, definition.id, row);
    field = end;
  }
}

function columnOfPair(
  world: World,
  shape: Shape,
  table: TableNumber,
  { definition, target }: Term,
): Column | undefined {
  return pairColumn(
    world,
    shape,
    table,
    findPair(world.graph.pairs, definition.id, indexOf(target as Entity)),
  );
}

/**
 * The same terms with plain copies of their values, after `gatherTerms`: what is deferred, or shown to hooks and observers
 * first, is written as it was checked.
 */
export function keptTerms({ gathered }: World, terms: readonly PlainTerm[]): readonly PlainTerm[] {
  let field = gathered.fields;
  let number = gathered.count;
  return terms.map((term, at) => {
    const end = gathered.ends[gathered.terms + at]!;
    if (end === field && (typeof term === "function" || (term as Term).value === undefined)) return term;
    const { definition, target, value } = term as Term;
    if (definition.holds !== "fields") return term;
    const copy = gatheredObject(gathered, definition, field, end, number);
    for (; field < end; field++) number += definition.fields[gathered.places[field]!]![1].length;
    return value === undefined ? term : ({ definition, target, value: copy } as Term as PlainTerm);
  });
}

/** Were all fields of an all-f32 archetype gathered? Then `writeFlat` writes its row, which needs no defaults. */
export function isWhole({ gathered }: World, { flatLanes }: SpawnPlan, terms: number): boolean {
  return (
    flatLanes.length > 0 && gathered.ends[gathered.terms + terms - 1]! - gathered.fields === flatLanes.length
  );
}

export function writeFlat(
  { gathered }: World,
  { flatLanes, definitions, shape }: SpawnPlan,
  row: number,
): void {
  const { f32, stride } = shape.lanes;
  const { numbers, places, ends, terms } = gathered;
  let from = gathered.fields;
  let number = gathered.count;
  let base = 0;
  for (let at = 0; at < definitions.length; at++) {
    const end = ends[terms + at]!;
    for (; from < end; from++) f32[flatLanes[base + places[from]!]! * stride + row] = numbers[number++]!;
    base += definitions[at]!.fields.length;
  }
}

function refuseTerm(term: unknown): never {
  throw new TreelineError(
    "bad-term",
    `${shown(term)} is no component, tag or pair; use Position(), Frozen, ChildOf(e)`,
  );
}

function refusePair(definition: Definition, target: number): never {
  throw new TreelineError(
    "bad-term",
    definition === Any || target === ANY
      ? "Any is for questions and for removing; add a pair with an entity as its target: ChildOf(entity)"
      : `${definition.name} needs a target: ${definition.name}(entity)`,
  );
}
