// Checks and collects terms (`bad-term`), writes them; caches `MOST_PLANS` spawn plans.
import { TreelineError } from "../../base/error.ts";
import { grownInt32 } from "../../base/growing.ts";
import { archetypeWith } from "../../graph/graph.ts";
import { ChildOf, isInternal, Parent } from "../../id/builtins.ts";
import type { Definition, PlainTerm, SpawnTerm, Term } from "../../id/definition.ts";
import { ANY, Any, PAIR_EXCLUSIVE } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { NO_DEFAULT } from "../../id/field.ts";
import { findPair } from "../../id/pair-index.ts";
import { isLiving } from "../../records/entity-index.ts";
import { type Archetype, columnOf, NEEDS_PAIR_VALUES } from "../../storage/archetype.ts";
import type { SparseWork } from "../../storage/sparse.ts";
import type { PairNumber } from "../../storage/table.ts";
import { collectValue, writeFields } from "../state/collected-values.ts";
import { hooksOf } from "../state/hooks.ts";
import { requireOneOfEachName } from "../state/one-definition.ts";
import type { SpawnPlan } from "../state/plans.ts";
import { refuseTerm, requireAlive } from "../state/require.ts";
import { rememberOrder } from "../state/targets.ts";
import { definitionOfTerm, targetOfTerm } from "../state/terms.ts";
import { seenAt, valueAt } from "../state/values.ts";
import type { World } from "../state/world.ts";
import { wantPair } from "./goal.ts";
import { ensurePair } from "./pair.ts";

export {
  copyTerms,
  definitionOfTerm,
  isWhole,
  liveTerms,
  targetOfTerm,
  valueOfTerm,
} from "../state/terms.ts";

/** Replaces entities as tags by what they mean. Returns a new list only if there are any. */
export function plainTerms(world: World, terms: readonly SpawnTerm[]): readonly PlainTerm[] {
  for (let at = 0; at < terms.length; at++) {
    // Any value may be passed. No function of its own: every spawn comes here.
    if ((terms[at] as Partial<Term> | null)?.definition?.meaning !== undefined)
      return (terms as readonly (Term | null)[]).map(
        (term) => (term?.definition?.meaning?.(world, term.target) ?? term) as unknown as PlainTerm,
      );
  }
  return terms as readonly PlainTerm[];
}

/** Is it one of the two parent relations, ChildOf or Parent? */
export function isParental(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent;
}

/**
 * Refuses terms that cannot be added; not needed for terms of a known plan.
 *
 * @param hasHidden they may name hidden definitions. @throws TreelineError `bad-term`.
 */
export function checkTerms(world: World, terms: readonly SpawnTerm[], hasHidden = false): void {
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as PlainTerm | undefined | null;
    const definition = term && definitionOfTerm(term);
    if (definition?.kind === undefined || (!hasHidden && isInternal(definition))) refuseTerm(world, term);
    if (definition.kind === "relation" && typeof term === "function") refusePair(definition, 0);
  }
}

function refusePair(definition: Definition, target: number): never {
  const isAny = definition === Any || target === ANY;
  let text = isAny ? "Any is only for queries and remove" : `${definition.name} needs a target`;
  CHECK: text += isAny ? "; add a pair with an entity: ChildOf(entity)" : `: ${definition.name}(entity)`;
  throw new TreelineError("bad-term", text);
}

/** @throws TreelineError `bad-term` for a term that appears twice, and for two parents. */
export function requireDifferent(terms: readonly PlainTerm[]): void {
  for (let at = 0; at < terms.length; at++) {
    const definition = definitionOfTerm(terms[at]!);
    if ((definition.store as SparseWork | undefined)?.requireDifferent?.(terms)) return;
    for (let other = 0; other < at; other++) {
      const earlier = definitionOfTerm(terms[other]!);
      const isOther = definition.kind === "relation" && !definition.exclusive;
      if (earlier === definition) {
        if (isOther && targetOfTerm(terms[other]!) !== targetOfTerm(terms[at]!)) continue;
        throw new TreelineError("bad-term", `${definition.name} appears twice; pass it once`);
      }
      if (isParental(definition) && isParental(earlier)) {
        let text = "an entity has one parent";
        CHECK: text += ", by ChildOf or Parent";
        throw new TreelineError("bad-term", text);
      }
    }
  }
}

/**
 * Reads the values of terms, each field once, and checks them; then it checks targets, since a getter may have destroyed one. The
 * collected values stay in `world.collected` from its present place on, until something else is collected.
 *
 * @param taker the index of the entity that gets the terms, 0 for a new one; if it lacks an object component, that needs a value
 *   or a default. Without an index that is not checked: the terms have been collected before, or are copies of values.
 * @throws TreelineError `bad-value`, `bad-term`, `dead-entity`; in checked builds `bad-definition`.
 */
export function collectValues(world: World, terms: readonly PlainTerm[], taker = -1): void {
  const { collected } = world;
  const { fields, count, terms: first } = collected;
  const { length } = terms;
  let hasPairs = false;
  let isInOrder = true;
  CHECK: requireOneOfEachName(world, terms.map(definitionOfTerm));
  if (first + length > collected.ends.length) collected.ends = grownInt32(collected.ends, first + length);
  try {
    for (let at = 0; at < length; at++) {
      const term = terms[at]!;
      const definition = typeof term === "function" ? (term as Definition) : (term as Term).definition; // no call
      const { value } = term as Term; // a definition has none
      if (definition.kind === "relation") {
        if (typeof term === "function") refusePair(definition, 0);
        hasPairs = true;
      }
      collected.terms = first + at;
      if (value === undefined) {
        if (taker >= 0 && definition.fields[0]?.[1] === NO_DEFAULT) requireValue(world, definition, taker);
      } else {
        collected.isInOrder = true;
        collectValue(collected, definition, value);
        if (!collected.isInOrder) isInOrder = false;
      }
      collected.ends[first + at] = collected.fields;
    }
  } finally {
    collected.fields = fields;
    collected.count = count;
    collected.terms = first;
  }
  collected.isInOrder = isInOrder;
  if (hasPairs) checkTargets(world, terms);
}

/** An object component without a default needs a value, unless it is there already, or its `check` hook decides. */
function requireValue(world: World, definition: Definition, taker: number): void {
  if (hooksOf(definition).check !== undefined) return;
  if (taker !== 0 && seenAt(world, taker, definition, 0) !== undefined) return;
  throw new TreelineError("bad-value", `${definition.name} needs a value`);
}

function checkTargets(world: World, terms: readonly PlainTerm[]): void {
  for (let at = 0; at < terms.length; at++) {
    const { definition, target } = terms[at]! as unknown as Term;
    if (typeof terms[at] === "function" || definition.kind !== "relation") continue;
    if (target === ANY || definition === Any) refusePair(definition, target);
    if (!isLiving(world.entities, target)) requireAlive(world, target as Entity);
  }
}

/**
 * Writes the values that `collectValues` has read, with nothing else collected since, into a row of an entity that has all of the
 * terms.
 */
export function writeTerms(
  world: World,
  archetype: Archetype,
  terms: readonly PlainTerm[],
  row: number,
): void {
  const { collected } = world;
  const { lanes } = archetype;
  let field = collected.fields;
  let number = collected.count;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]!;
    if (typeof term === "function") continue;
    const { definition, target, value } = term as Term;
    if (value === undefined || definition.holds === "nothing") continue;
    const end = collected.ends[collected.terms + at]!;
    let column = columnOf(archetype, definition)!;
    let own = lanes;
    let place = row;
    if (column === undefined || definition.kind === "relation")
      ({ lanes: own, column, row: place } = valueAt(world, lanes.i32[row]!, definition, target)!);
    if (column.objectSlot >= 0) own.objects[column.objectSlot]![place] = value;
    else number = writeFields(collected, field, end, number, own, column, place);
    lanes.tracks?.written(definition, row);
    field = end;
  }
}

/**
 * Writes a row of an all-f32 archetype at once; it needs no defaults.
 *
 * @returns false, with nothing written, unless all fields were collected in the order of the schemas.
 */
export function writeWhole(
  { collected }: World,
  { flatLanes, archetype }: SpawnPlan,
  terms: number,
  row: number,
): boolean {
  const { length } = flatLanes;
  const { numbers, count, ends, fields } = collected;
  if (!collected.isInOrder || ends[collected.terms + terms - 1]! - fields !== length) return false;
  const { f32, stride } = archetype.lanes;
  for (let at = 0; at < length; at++) f32[flatLanes[at]! * stride + row] = numbers[count + at]!;
  return true;
}

/** Interns the pairs among the terms into `graph.wanted`, except that of the parent. @returns how many. */
export function wantPairsOfTerms(world: World, terms: readonly PlainTerm[]): number {
  let count = 0;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation" || isParental(definition) || definition.storage !== "table") continue;
    count = wantPair(world, ensurePair(world, definition, indexOf(targetOfTerm(term))), count);
  }
  return count;
}

export function parentOfTerms(terms: readonly PlainTerm[]): Entity | undefined {
  for (let at = 0; at < terms.length; at++) {
    if (isParental(definitionOfTerm(terms[at]!))) return targetOfTerm(terms[at]!) as Entity;
  }
  return undefined;
}

/** Remembers the order in which an entity got its pairs of relations with many targets. */
export function keepAddingOrder(world: World, index: number, terms: readonly PlainTerm[]): void {
  const { pairs } = world.graph;
  const added: PairNumber[] = [];
  for (let at = 0; at < terms.length; at++) {
    const { id, kind, pairTraits, storage } = definitionOfTerm(terms[at]!);
    if (kind !== "relation" || (pairTraits & PAIR_EXCLUSIVE) !== 0 || storage !== "table") continue;
    added.push(findPair(pairs, id, indexOf(targetOfTerm(terms[at]!) as Entity)));
  }
  if (added.length > 1) rememberOrder(world, index, added);
}

/** Maximum number of cached plans. Programs that spawn more kinds in turn compute a new plan for each. */
const MOST_PLANS = 64;

/** The plan for these terms; `undefined` if there is none yet. Moves the plan to the front of the list. */
export function knownPlan({ plans }: World, terms: readonly SpawnTerm[]): SpawnPlan | undefined {
  for (let at = 0; at < plans.length; at++) {
    const plan = plans[at]!;
    if (!isFor(plan, terms)) continue;
    plans[at] = plans[0]!;
    plans[0] = plan;
    return plan;
  }
  return undefined;
}

function isFor({ definitions }: SpawnPlan, terms: readonly SpawnTerm[]): boolean {
  if (definitions.length !== terms.length) return false;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as Term | undefined | null;
    if ((typeof term === "function" ? term : term?.definition) !== definitions[at]) return false;
  }
  return true;
}

/**
 * A plan for terms that have been checked one by one, and what they require.
 * @throws TreelineError as `requireDifferent`; `bad-value`, `bad-definition` for what is required.
 */
export function newPlan(world: World, terms: readonly PlainTerm[]): SpawnPlan {
  requireDifferent(terms);
  const definitions = terms.map(definitionOfTerm);
  const all = [...definitions];
  let archetype = world.graph.root;
  let given = all.length;
  for (const definition of all) {
    // What becomes an instance gets what its prefab has first.
    if (!world.slots.templates?.completes(definitions)) definition.requires?.(all);
    if (given-- < 1 && definition.fields[0]?.[1] === NO_DEFAULT) requireValue(world, definition, 0);
    if (definition.storage !== "table") definition.installs?.(world.slots);
    archetype = archetypeWith(world.graph, archetype, definition);
  }
  const plan: SpawnPlan = {
    definitions,
    all,
    archetype,
    tags: all.filter(({ storage }) => storage !== "table"),
    parentAt: definitions.findIndex(isParental),
    hasPairs: archetype.hasPairs,
    flatLanes: flatLanesOf(archetype, definitions),
  };
  if (world.plans.length === MOST_PLANS) world.plans.pop();
  world.plans.unshift(plan);
  return plan;
}

function flatLanesOf(archetype: Archetype, definitions: readonly Definition[]): Int32Array {
  const fields = definitions.flatMap((definition) => columnOf(archetype, definition)?.fields ?? []);
  const all = archetype.lanes.plan.columns.flatMap((column) => column.fields);
  const isFlat =
    archetype.lanes.plan.plain &&
    (archetype.fixedNeeds & NEEDS_PAIR_VALUES) === 0 &&
    fields.length === all.length &&
    fields.every(({ kind }) => kind === "f32");
  return Int32Array.from(isFlat ? fields.map(({ lane }) => lane) : []);
}
