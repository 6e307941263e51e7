import { Any, type Definition, type Entity, isAlive, type World } from "@treeline/core";
import type { ArchetypeView, PairId, TableId } from "@treeline/core/internal";
import {
  ANY,
  archetypeViewAt,
  ChildOf,
  hasDefinition,
  Is,
  indexOf,
  Life,
  Parent,
  pairCursor,
  rowAt,
  slotsOf,
  TableCursor,
  tableAt,
  ValueCursor,
  worldState,
} from "@treeline/core/internal";
import type { ByRow } from "../term/plan.ts";

// What has a component, tag or pair, and which pairs a relation and a target mean: `ChildOf` covers both storages of parents,
// `Parent` the one by value, `Any` all relations but that of entities used as tags.

/** The number of tables of a pair that are read to estimate the rows of the others. */
const SAMPLE = 8;

// ---- archetypes, tables and entities -----------------------------------------------------------------------------

/** Does the archetype have the component, tag, or a pair of the relation? All have Life; tags stored as bits belong to rows. */
export function archetypeHas(archetype: ArchetypeView, definition: Definition): boolean {
  if (definition === ChildOf) return archetype.hasValueParent || hasDefinition(archetype, ChildOf);
  if (definition === Any) return archetype.definitions.some((one) => one.kind === "relation" && one !== Is);
  return definition === Life || hasDefinition(archetype, definition);
}

/** Does the relation include parents that are stored as values? */
export function includesValueParents(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent || definition === Any;
}

/** Can rows of one table of an archetype differ in having a pair with a given target, or a tag that is stored as bits? */
export function differsByRow(definition: Definition, archetype: ArchetypeView): boolean {
  return (
    definition.storage !== "table" ||
    definition.reflexive ||
    (archetype.hasValueParent && includesValueParents(definition)) ||
    (definition === Any && archetype.bits !== undefined)
  );
}

/** The first pair in a table's type that a relation, or `Any`, means, with the target at an index; or 0. */
export function pairIn(world: World, table: TableId, definition: Definition, target: number): PairId {
  const pairs = pairCursor(world);
  let pair = pairs.inTable(table, 0);
  for (let place = 1; pair !== 0; pair = pairs.inTable(table, place++)) {
    if (pairs.target(pair) !== target) continue;
    if (definition === Any ? !pairs.isTag(pair) : pairs.relation(pair) === definition.id) break;
  }
  return pair;
}

/** Does the entity at an index have the pair, in its type, as its value pair, or in a sparse store? Reflexivity is ignored. */
export function hasStored(world: World, index: number, definition: Definition, target: number): boolean {
  const pairs = pairCursor(world);
  const valuePair = includesValueParents(definition) ? pairs.valueAt(index) : 0;
  return (
    (valuePair !== 0 && pairs.target(valuePair) === target) ||
    (definition !== Parent && pairIn(world, tableAt(world, index), definition, target) !== 0) ||
    slotsOf(world).sparsePairs?.hasWith(world, index, definition, target) === true
  );
}

/**
 * Does the entity at an index have a component, tag or pair, as core's `has` means it?
 *
 * @cost a read of its archetype; for a pair with a target also the pairs of its table. @param target of a pair: a handle, or ANY;
 *   one that is not alive is no target.
 */
export function hasAt(world: World, index: number, definition: Definition, target: number): boolean {
  if (definition.kind !== "relation" || target === ANY) {
    const archetype = archetypeViewAt(world, index);
    return (
      archetypeHas(archetype, definition) || archetype.bits?.has(definition, rowAt(world, index)) === true
    );
  }
  const targetIndex = indexIfAlive(world, target);
  if (targetIndex === 0) return false;
  if (definition.reflexive && targetIndex === index) return true;
  return hasStored(world, index, definition, targetIndex);
}

/** The index of the entity with a handle; 0 if it is not alive. */
export function indexIfAlive(world: World, handle: number): number {
  return isAlive(world, handle as Entity) ? indexOf(handle) : 0;
}

// ---- pairs with a target -----------------------------------------------------------------------------------------

/** The pair after `pair`, or the first one, that a relation, or `Any`, means, with the target at an index. 0 for none. */
export function nextPair(world: World, definition: Definition, target: number, pair: PairId = 0): PairId {
  const pairs = pairCursor(world);
  if (definition !== Any) return pair === 0 ? pairs.find(definition, target) : 0;
  let next = pair === 0 ? pairs.firstTo(target) : pairs.after(pair);
  while (next !== 0 && pairs.isTag(next)) next = pairs.after(next);
  return next;
}

/** Does an entity store a pair as a value that a relation means, with this target? For `Any`, it may be a sparse one as well. */
export function isStoredAsValue(world: World, definition: Definition, target: number): boolean {
  if (definition === Any) return true;
  const index = indexIfAlive(world, target);
  const pair = index === 0 ? 0 : pairCursor(world).find(ChildOf, index);
  return pair !== 0 && includesValueParents(definition) && pairCursor(world).values(pair) > 0;
}

/** The steps to go through all subjects of pairs with the target at an index; 0 if there are none. */
export function costOfPair(
  world: World,
  { tables }: Cursors,
  definition: Definition,
  target: number,
  byRow: ByRow,
): number {
  const pairs = pairCursor(world);
  let cost = definition.reflexive ? 1 : 0;
  let pair = nextPair(world, definition, target);
  for (; pair !== 0; pair = nextPair(world, definition, target, pair)) {
    if (definition !== Parent) {
      const count = pairs.tables(pair);
      cost += byRow === "never" || count === 0 ? count : estimateSteps(tables, pair, count, byRow);
    }
    if (pairs.values(pair) > 0) cost += pairs.listed(pair);
  }
  return cost;
}

/** @param count of the tables that have the pair. */
function estimateSteps(tables: TableCursor, pair: PairId, count: number, byRow: ByRow): number {
  let sum = 0;
  let read = 0;
  for (tables.ofPair(pair); read < SAMPLE && tables.next(); read++)
    sum += byRow === "always" || tables.archetype.hasValueParent ? tables.end - tables.first : 1;
  return read === 0 ? count : (sum * count) / read; // a sparse one is in no table
}

// ---- cursors -----------------------------------------------------------------------------------------------------

/** For loops that call nothing that may use them as well. */
export interface Cursors {
  readonly tables: TableCursor;
  readonly values: ValueCursor;
  /** For a loop that calls functions that use `tables`. */
  readonly outer: TableCursor;
}

/** The cursors of a world; queries and batches keep references to them. */
export const cursorsOf: (world: World) => Cursors = /* @__PURE__ */ worldState((world) => ({
  tables: new TableCursor(world),
  values: new ValueCursor(world),
  outer: new TableCursor(world),
}));

/** Where the rows of a table end. */
export function endOfTable({ tables }: Cursors, table: TableId): number {
  tables.turnTo(table);
  return tables.end;
}
