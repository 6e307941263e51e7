// What has a component, tag or pair (`hasAt`); the cost of a pair (`costOfPair`); the world's cursors.
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
  SubjectCursor,
  slotsOf,
  tableAt,
  worldState,
} from "@treeline/core/internal";

// What has a component, tag or pair, and which pairs a relation and a target mean: `ChildOf` covers both storages of parents,
// `Parent` the one by value, `Any` all relations but that of entities used as tags.

// ---- archetypes and entities -----------------------------------------------------------------------------

/** Does the archetype have the component, tag, or a pair of the relation? All have Life; tags stored as bits belong to rows. */
export function archetypeHas(archetype: ArchetypeView, definition: Definition): boolean {
  if (definition === ChildOf) return archetype.hasParent;
  if (definition === Any) return archetype.definitions.some((one) => one.kind === "relation" && one !== Is);
  return definition === Life || hasDefinition(archetype, definition);
}

/** Does the relation include parents? */
export function includesParents(definition: Definition): boolean {
  return definition === ChildOf || definition === Parent || definition === Any;
}

/** Can rows of an archetype differ in having a pair with a given target, or what is in bits? */
export function differsByRow(definition: Definition): boolean {
  return definition.storage !== "table" || definition.kind === "relation";
}

/**
 * The end of the adjacent rows, from one on, that have the same pairs.
 *
 * @param readsParents their parents must be the same as well.
 */
export function endOfAlike(
  world: World,
  { lanes, hasPairs, hasParent }: ArchetypeView,
  row: number,
  end: number,
  readsParents: boolean,
): number {
  const isByParent = readsParents && hasParent;
  if (!hasPairs && !isByParent) return end;
  const { i32 } = lanes;
  const pairs = pairCursor(world);
  const table = tableAt(world, i32[row]!);
  const parent = isByParent ? pairs.parentAt(i32[row]!) : 0;
  let next = row + 1;
  for (; next < end; next++) {
    const index = i32[next]!;
    if (tableAt(world, index) !== table || (isByParent && pairs.parentAt(index) !== parent)) break;
  }
  return next;
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

/** Does the entity at an index have the pair, with its parent, in its type, or in a sparse store? Reflexivity is ignored. */
export function hasStored(world: World, index: number, definition: Definition, target: number): boolean {
  const pairs = pairCursor(world);
  const parent = includesParents(definition) ? pairs.parentAt(index, definition) : 0;
  return (
    (parent !== 0 && pairs.target(parent) === target) ||
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

/** How many entities have pairs with the target at an index, which a relation means; 0 if there are none. */
export function costOfPair(world: World, definition: Definition, target: number): number {
  const pairs = pairCursor(world);
  let cost = definition.reflexive ? 1 : 0;
  let pair = nextPair(world, definition, target);
  for (; pair !== 0; pair = nextPair(world, definition, target, pair)) cost += pairs.count(pair);
  return cost;
}

/** The first pair with a target that an entity has, of any relation: that of its parent comes first. */
export function firstPairTo(world: World, index: number, target: number): PairId {
  const pairs = pairCursor(world);
  const parent = pairs.parentAt(index);
  if (parent !== 0 && pairs.target(parent) === target) return parent;
  return pairIn(world, tableAt(world, index), Any, target);
}

/** The cursor of a world, for loops that call nothing that may use it as well. */
export const subjectsIn: (world: World) => SubjectCursor = /* @__PURE__ */ worldState(
  (world) => new SubjectCursor(world),
);
