import { ChildOf, Life } from "../id/builtins.ts";
import { ANY, type Definition } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { columnOf, type Shape } from "../storage/shape.ts";
import type { TableNumber } from "../storage/table.ts";
import { checkValue, gather } from "./check-value.ts";
import {
  bitTagsOf,
  definitionOfTerm,
  type PlainTerm,
  type SpawnTerm,
  targetOfTerm,
  valueOfTerm,
} from "./destination.ts";
import { listenersOf } from "./event-list.ts";
import { requireAlive } from "./require.ts";
import { rowAt, writeValue } from "./values.ts";
import type { BirthPlan, World } from "./world.ts";

/**
 * More plans than this are not kept; the oldest goes. Programs that spawn more kinds of entities in turn pay for each
 * anew.
 */
const MOST_PLANS = 64;

/** The plan for these terms, or `undefined`. */
export function knownPlan(world: World, terms: readonly SpawnTerm[]): BirthPlan | undefined {
  let plan = world.lastPlan;
  if (plan === undefined || !isFor(plan, terms)) {
    plan = findPlan(world.plans, terms);
    if (plan === undefined) return undefined;
    world.lastPlan = plan;
  }
  return plan.pairAt < 0 || isPair(terms[plan.pairAt] as PlainTerm) ? plan : undefined;
}

function findPlan(plans: readonly BirthPlan[], terms: readonly SpawnTerm[]): BirthPlan | undefined {
  for (let at = 0; at < plans.length; at++) if (isFor(plans[at]!, terms)) return plans[at];
  return undefined;
}

/** Not a relation without target, and no wildcard: those are refused elsewhere. */
function isPair(term: PlainTerm): boolean {
  return typeof term !== "function" && targetOfTerm(term) !== ANY;
}

function isFor({ definitions }: BirthPlan, terms: readonly SpawnTerm[]): boolean {
  if (definitions.length !== terms.length) return false;
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at] as PlainTerm | undefined | null;
    if (term === undefined || term === null || definitionOfTerm(term) !== definitions[at]) return false;
  }
  return true;
}

/** Keeps a plan for checked terms, if they lead to a row and nothing else. */
export function keepPlan(world: World, shape: Shape, terms: readonly PlainTerm[]): void {
  if (shape.isSpecial || shape.isSymmetric || shape.isLimited || bitTagsOf(terms).length > 0) return;
  const definitions = terms.map(definitionOfTerm);
  const pairs = definitions.filter(({ kind }) => kind === "relation");
  if (pairs.length > 1 || shape.hasDataPairs) return;
  if (world.plans.length === MOST_PLANS) world.plans.shift();
  world.plans.push({
    definitions,
    shape,
    columns: definitions.map((definition) => columnOf(shape, definition)),
    flatLanes: flatLanesOf(shape, definitions),
    isHooked: shape.hooked.length > 0,
    pairAt: definitions.findIndex(({ kind }) => kind === "relation"),
    lastPair: 0,
    lastTable: 0,
    listeners: world.events.listeners,
    isHeard: world.events.listeners.length > 0 && caresFor(world, shape),
  });
}

/** Does nobody hear of a birth by this plan? */
export function isUnheard(world: World, plan: BirthPlan): boolean {
  const { listeners } = world.events;
  if (listeners.length === 0) return true;
  if (plan.listeners !== listeners) {
    plan.listeners = listeners;
    plan.isHeard = caresFor(world, plan.shape);
  }
  return !plan.isHeard;
}

/** May a listener care for anything that an entity of a shape has? */
export function caresFor({ events }: World, { definitions, isLoose }: Shape): boolean {
  const isHeard = (definition: Definition): boolean => listenersOf(events, definition).length > 0;
  return isHeard(Life) || (isLoose && isHeard(ChildOf)) || definitions.some(isHeard);
}

function flatLanesOf(shape: Shape, definitions: readonly Definition[]): Int32Array {
  const fields = definitions.flatMap((definition) => columnOf(shape, definition)?.fields ?? []);
  const all = shape.lanes.plan.columns.flatMap((column) => column.fields);
  const isFlat =
    shape.lanes.plan.plain && fields.length === all.length && fields.every(({ kind }) => kind === "f32");
  return Int32Array.from(isFlat ? fields.map(({ lane }) => lane) : []);
}

/**
 * Checks the values of terms and keeps their numbers, if all fields are given.
 *
 * @returns which gathering it was, or 0 if the terms must be checked and written one by one.
 */
export function gatherPlanned(
  { gathered }: World,
  { flatLanes, definitions, columns }: BirthPlan,
  terms: readonly PlainTerm[],
): number {
  if (flatLanes.length === 0) return 0;
  let count = 0;
  for (let at = 0; at < terms.length; at++) {
    if (columns[at] === undefined) continue;
    const found = gather(gathered, definitions[at]!, valueOfTerm(terms[at]!), count);
    if (found < definitions[at]!.fields.length) return 0;
    count += found;
  }
  return count === flatLanes.length ? gathered.times : 0;
}

/** Writes a row as it was gathered: all its columns. */
export function writeGathered({ gathered }: World, { flatLanes, shape }: BirthPlan, row: number): void {
  const { f32, stride } = shape.lanes;
  const { numbers } = gathered;
  for (let at = 0; at < flatLanes.length; at++) f32[flatLanes[at]! * stride + row] = numbers[at]!;
}

/**
 * The checks that are left when a list of terms is known.
 *
 * @throws TreelineError `dead-entity`, `bad-value`.
 */
export function checkPlanned(world: World, plan: BirthPlan, terms: readonly PlainTerm[]): void {
  for (let at = 0; at < terms.length; at++) {
    const term = terms[at]!;
    if (at === plan.pairAt) requireAlive(world, targetOfTerm(term) as Entity);
    const value = valueOfTerm(term);
    if (value !== undefined) checkValue(plan.definitions[at]!, value);
  }
}

/** The table of a plan, if it is the one of the last time; else 0. */
export function rememberedTable({ graph }: World, plan: BirthPlan, target: number): TableNumber {
  const { tables, records, pairs } = graph;
  const table = plan.lastTable;
  const pair = plan.lastPair;
  if (table === 0 || pairs.target[pair] !== indexOf(target)) return 0;
  const isSame =
    pairs.relation[pair] === plan.definitions[plan.pairAt]!.id &&
    tables.shape[table] === plan.shape.number &&
    tables.pairs[table] === 1 &&
    records.nodePair[tables.nodes[table]!] === pair;
  return isSame ? table : 0;
}

export function remember({ graph }: World, plan: BirthPlan, table: TableNumber): void {
  if (plan.pairAt < 0) return;
  plan.lastTable = table;
  plan.lastPair = graph.records.nodePair[graph.tables.nodes[table]!]!;
}

/** Writes the values of terms into the row of a newborn. */
export function writePlanned(
  world: World,
  plan: BirthPlan,
  index: number,
  terms: readonly PlainTerm[],
): void {
  const { columns, shape } = plan;
  const row = rowAt(world, index);
  for (let at = 0; at < terms.length; at++) {
    const column = columns[at];
    if (column === undefined) continue;
    const value = valueOfTerm(terms[at]!);
    if (value !== undefined) writeValue(shape.lanes, column, row, value);
  }
}
