/** The disabled state where `DisabledTree` also follows other relations: an entity may be below several targets. */
import { refuseDefinition } from "../../base/error.ts";
import { CHILD_OF, ChildOf, DisabledFromAbove, isBuiltin, Parent } from "../../id/builtins.ts";
import { type Definition, isDefinition, PAIR_DISABLES } from "../../id/definition.ts";
import { firstPairOf } from "../../id/pair-index.ts";
import { NEEDS_BUILTIN } from "../../storage/archetype.ts";
import { setBits } from "../../storage/bits.ts";
import type { PairNumber } from "../../storage/table.ts";
import { notifyChange } from "../state/notify.ts";
import { refuseCycle } from "../state/require.ts";
import { pairsOfTable, parentPairAt, subjectIndexes } from "../state/targets.ts";
import { archetypeAt, hasBitAt, rowAt } from "../state/values.ts";
import type { Slots, World } from "../state/world.ts";
import { disablesBelow, isDisabling } from "./disabled.ts";

const followed: WeakSet<Definition> = new WeakSet();

/**
 * Lets `DisabledTree` follow a relation as it follows ChildOf: an entity is disabled while a target of it has the tag, or is
 * below one that has, along any mix of ChildOf and such relations. With several targets, one that disables is enough.
 *
 * ChildOf and these relations are one hierarchy then: a pair that would close a cycle across them is refused as `cycle`.
 * Call it once, at module level, before the relation is used.
 *
 * @cost in worlds that use the relation, adding `DisabledTree` and removing it updates each entity below by itself, and giving
 *   another target to an entity that is one looks at everything above.
 * @returns the relation.
 * @throws TreelineError `bad-definition` unless it is a traversable relation that `DisabledTree` does not follow yet.
 *
 * @example
 * const In = withDisabledTree(relation("In", { traversable: true }));
 * spawn(world, In(chest)); // disabled while the chest is
 */
export function withDisabledTree<R extends Definition & { readonly kind: "relation" }>(relation: R): R {
  if (!isDefinition(relation) || !relation.traversable)
    refuseDefinition("withDisabledTree takes a traversable relation");
  if (isBuiltin(relation) || followed.has(relation))
    refuseDefinition(`DisabledTree follows ${relation.name} already; call withDisabledTree once`);
  followed.add(relation);
  const { id, installs } = relation as Definition;
  relation.installs = (slots, archetype) => {
    installs?.(slots);
    const filled = slots as Slots;
    filled.setBits ??= setBits;
    filled.settleDisabled = settle;
    filled.disableBelow = settle;
    filled.requireNotAbove = requireNotAbove;
    (filled.disabling ??= new Map()).set(id, relation.name);
    if (archetype !== undefined) archetype.fixedNeeds |= NEEDS_BUILTIN;
  };
  return relation;
}

/** Does a `DisabledTree` at or above the target of such a pair disable its subjects? */
function isFollowed({ graph, slots }: World, pair: PairNumber): boolean {
  const relation = graph.pairs.relation[pair]!;
  return relation === CHILD_OF || slots.disabling!.has(relation);
}

/** The followed pairs that the entity at an index has: with its parent, in either storage, and with its other targets. */
function pairsAbove(world: World, index: number): PairNumber[] {
  const found = pairsOfTable(world.graph, world.entities.table[index]!).filter((pair) =>
    isFollowed(world, pair),
  );
  const parent = parentPairAt(world, index);
  return parent === 0 || found.includes(parent) ? [...found] : [...found, parent];
}

/**
 * After an entity got other targets, or its row, or began or ceased to disable by itself: updates whether it, and what is below
 * it, is disabled from above. The pairs above a new subject learn the state of their targets here. No row moves.
 *
 * @cost the pairs of the entity; if they change, each entity below with all of its pairs.
 */
function settle(world: World, index: number): void {
  const { pairs } = world.graph;
  for (const pair of pairsAbove(world, index))
    if (isDisabling(world, pair) !== disablesBelow(world, pairs.target[pair]!))
      pairs.traits[pair]! ^= PAIR_DISABLES;
  const stack = [index];
  update(world, index);
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    const on = disablesBelow(world, at);
    for (let pair = firstPairOf(pairs, at); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if (!isFollowed(world, pair) || isDisabling(world, pair) === on) continue;
      pairs.traits[pair]! ^= PAIR_DISABLES;
      for (const subject of subjectIndexes(world, pair)) if (update(world, subject)) stack.push(subject);
    }
  }
}

/** Disables an entity from above, or ends that, as the traits of its pairs say. @returns whether that has changed anything. */
function update(world: World, index: number): boolean {
  const on = pairsAbove(world, index).some((pair) => isDisabling(world, pair));
  if (hasBitAt(world, index, DisabledFromAbove) === on) return false;
  const row = rowAt(world, index);
  setBits(archetypeAt(world, index), DisabledFromAbove, row, row + 1, on);
  notifyChange(world, on ? "added" : "removed", index, DisabledFromAbove);
  return true;
}

/**
 * Refuses a pair that would close a cycle across the followed relations.
 *
 * @param moved entity -> the parent that it will have before.
 * @throws TreelineError `cycle`.
 */
function requireNotAbove(
  world: World,
  relation: Definition,
  source: number,
  target: number,
  moved?: ReadonlyMap<number, number>,
): void {
  const { slots, graph } = world;
  if (relation !== ChildOf && relation !== Parent && !slots.disabling!.has(relation.id)) return;
  const cameFrom = new Map<number, number>([[target, 0]]);
  for (const at of cameFrom.keys()) {
    const parent = moved?.get(at);
    const others = pairsAbove(world, at)
      .filter((pair) => parent === undefined || graph.pairs.relation[pair] !== CHILD_OF)
      .map((pair) => graph.pairs.target[pair]!);
    for (const next of parent === undefined ? others : [parent, ...others]) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      if (next !== source) continue;
      const chain = [source];
      for (let step = at; step !== 0; step = cameFrom.get(step)!) chain.push(step);
      const name = [ChildOf.name, ...slots.disabling!.values()].join(", ");
      refuseCycle(world, { name }, chain.reverse());
    }
  }
}
