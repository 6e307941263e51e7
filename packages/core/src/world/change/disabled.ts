// What is disabled by an ancestor (`isDisabled`); updates all entities below it, table by table (`disableBelow`).
import { CHILD_OF, Disabled, DisabledFromAbove, DisabledTree } from "../../id/builtins.ts";
import { PAIR_DISABLES } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-index.ts";
import { endOf, startOf } from "../../records/families.ts";
import { hasDefinition, NEEDS_BUILTIN } from "../../storage/archetype.ts";
import { bitsToTurn, countTurned, isSet, setBits } from "../../storage/bits.ts";
import type { PairNumber } from "../../storage/table.ts";
import { OBSERVES, observedOf } from "../state/event-list.ts";
import { notifyChange } from "../state/notify.ts";
import { requireAlive } from "../state/require.ts";
import { parentIndexAt } from "../state/targets.ts";
import { archetypeAt, hasAt, hasBitAt, rowAt } from "../state/values.ts";
import type { World, WorldState } from "../state/world.ts";

/**
 * Is the entity disabled: by itself, or by an entity above it?
 *
 * @cost constant; inside an iteration, of an entity that is pending, the steps to its root.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function isDisabled(world: World, entity: Entity): boolean {
  requireAlive(world, entity);
  let index = indexOf(entity);
  if (hasAt(world, index, Disabled)) return true;
  for (; world.slots.pending?.given.has(index); index = parentIndexAt(world, index))
    if (hasAt(world, index, DisabledTree)) return true;
  return index !== 0 && disablesBelow(world, index);
}

/** Does the entity at an index, or an entity above it, disable all entities below it? */
export function disablesBelow(world: World, index: number): boolean {
  const archetype = archetypeAt(world, index);
  if ((archetype.fixedNeeds & NEEDS_BUILTIN) !== 0 && hasDefinition(archetype, DisabledTree)) return true;
  return archetype.bits?.has(DisabledFromAbove, rowAt(world, index)) ?? false;
}

/** Are the subjects of a pair disabled from above? 0 is the pair of roots. */
export function isDisabling({ graph }: WorldState, pair: PairNumber): boolean {
  return (graph.pairs.traits[pair]! & PAIR_DISABLES) !== 0;
}

/**
 * After an entity got another parent, or its row: updates whether it, and the entities below it, are disabled from above. No row
 * moves.
 *
 * @cost a few reads; the rows below, if they change.
 * @param pair the pair of its parent; 0 for none.
 */
export function settleDisabled(world: World, index: number, pair: PairNumber): void {
  const on = isDisabling(world, pair);
  if (hasBitAt(world, index, DisabledFromAbove) === on) return;
  const row = rowAt(world, index);
  setBits(archetypeAt(world, index), DisabledFromAbove, row, row + 1, on);
  notifyChange(world, on ? "added" : "removed", index, DisabledFromAbove);
  disableBelow(world, index);
}

/**
 * After an entity has started or stopped disabling the entities below it: updates all of them, family by family,
 * except below entities whose children stay disabled anyway. Parents come before their children.
 *
 * @cost about 3 ns for each row that changes; if the changes are observed, one event for each.
 */
export function disableBelow(world: World, index: number): void {
  const { graph, entities } = world;
  const { pairs, tables, families } = graph;
  const { table } = entities;
  const top = findPair(pairs, CHILD_OF, index);
  if (top === 0) return;
  const on = disablesBelow(world, index);
  if (isDisabling(world, top) === on) return;
  const isObserved =
    (observedOf(world.events, DisabledFromAbove) & (on ? OBSERVES.added : OBSERVES.removed)) !== 0;
  const stack = [top];
  for (let pair = stack.pop(); pair !== undefined; pair = stack.pop()) {
    pairs.traits[pair]! ^= PAIR_DISABLES;
    const end = endOf(families, pair);
    for (let at = startOf(families, pair); at < end; ) {
      const number = tables.archetype[table[families.pool[at]!]!]!;
      const next = turnAlike(world, at, end, number, on, stack);
      for (; isObserved && at < next; at++) {
        const child = families.pool[at]!;
        if (child !== 0) notifyChange(world, on ? "added" : "removed", child, DisabledFromAbove);
      }
      at = next;
    }
  }
  graph.tracking.disabledEdition++;
}

/**
 * Turns the bits of the children from a place in the pool on, as long as they are of one archetype, and lists the pairs of their
 * children, unless they disable these themselves. A function of its own: in the loop over families it takes twice as long.
 *
 * @returns the place behind them.
 */
function turnAlike(
  { graph, entities }: World,
  from: number,
  end: number,
  number: number,
  on: boolean,
  stack: PairNumber[],
): number {
  const { pairs, tables, archetypes, families } = graph;
  const { pool } = families;
  const { firstOfTarget } = pairs; // calling `isTarget` for each row costs a third
  const { archetype: archetypeOf } = tables;
  const { row: rowOf, table } = entities;
  const archetype = archetypes[number]!;
  const column = bitsToTurn(archetype, DisabledFromAbove, on);
  const goesOn = !hasDefinition(archetype, DisabledTree);
  const words = column?.words ?? NO_WORDS;
  let turned = 0;
  let at = from;
  for (; at < end; at++) {
    const child = pool[at]!;
    if (child === 0) continue;
    if (archetypeOf[table[child]!] !== number) break;
    const row = rowOf[child]!;
    const word = row >>> 5;
    if (word < words.length && isSet(words, row) !== on) {
      words[word]! ^= 1 << row; // of the row, the low five bits
      turned++;
    }
    // Those that disable what is below them by themselves continue to do so.
    if (child >= firstOfTarget.length || firstOfTarget[child] === 0 || !goesOn) continue;
    const below = findPair(pairs, CHILD_OF, child);
    if (below !== 0) stack.push(below);
  }
  if (column !== undefined) countTurned(column, turned, on);
  return at;
}

const NO_WORDS = /* @__PURE__ */ new Int32Array(0);
