// Scopes along relations (`containAlong`): what contains an entity, and what destroying a container changes (`leave`).
import type { Definition, PlainTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, sortByOrder } from "../records/entity-index.ts";
import type { PairNumber } from "../storage/table.ts";
import { losePairs } from "../world/change/change-entity.ts";
import { callChecks, checkTogether, keptChanges } from "../world/change/hook-calls.ts";
import { definitionOfTerm, parentOfTerms, targetOfTerm } from "../world/change/terms.ts";
import { hooksOf } from "../world/state/hooks.ts";
import type { Change } from "../world/state/plans.ts";
import { pairAt, pairsAt, parentAt, parentPairAt, subjectIndexes } from "../world/state/targets.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { ContainerWork, World } from "../world/state/world.ts";
import { usersOf } from "../world/verb/component-entity.ts";
import { type DeletionSet, isDestroyed, remainingOf } from "./deletion-set.ts";

/**
 * From now on, an entity without a parent is in the scope of its target along the first of these relations that it has: `check` hooks
 * are called when that changes.
 *
 * @param along exclusive relations other than `ChildOf`.
 */
export function containAlong(world: World, along: readonly Definition[]): ContainerWork | undefined {
  world.slots.scopes = along.length === 0 ? undefined : containerWork(along);
  return world.slots.scopes;
}

function containerWork(along: readonly Definition[]): ContainerWork {
  const at = (
    world: World,
    index: number,
    terms: readonly PlainTerm[] = [],
    lost: readonly PairNumber[] = [],
  ): Entity | undefined => {
    for (const relation of along) {
      const term = terms.find((one) => definitionOfTerm(one) === relation);
      if (term !== undefined) return targetOfTerm(term) as never;
      const pair = index === 0 ? 0 : pairAt(world, index, relation);
      if (pair !== 0 && !lost.includes(pair))
        return handleAt(world.entities, world.graph.pairs.target[pair]!);
    }
    return undefined;
  };
  const isMoved = (world: World, index: number, lost: readonly PairNumber[]): boolean =>
    parentPairAt(world, index) === 0 && at(world, index) !== at(world, index, [], lost);

  const isInScope = ({ definition }: Change): boolean => hooksOf(definition).identifies === "siblings";
  /** Changes whose scopes are known: an entity may leave what contains it now. */
  const decided = new WeakSet<Change>();
  const enter: ContainerWork["enter"] = (world, index, changes, scope) => {
    if (index !== 0 && scope !== (parentAt(world, index) ?? at(world, index))) {
      for (const kept of keptChanges(world, index, undefined)) {
        const isKnown = changes.some(({ definition }) => definition === kept.definition);
        if (!isKnown && isInScope(kept)) changes.push(kept);
      }
    }
    for (const change of changes) {
      if (isInScope(change)) change.parent = scope;
      decided.add(change);
    }
  };
  const extend: ContainerWork["extend"] = (world, index, changes, terms) => {
    const parent = parentOfTerms(terms) ?? (index === 0 ? undefined : parentAt(world, index));
    if (parent === undefined) enter(world, index, changes, at(world, index, terms));
  };
  const fill: ContainerWork["fill"] = (world, changes) => {
    for (const change of changes) {
      const { entity, parent } = change;
      if (parent === undefined && entity !== undefined && !decided.has(change) && isInScope(change))
        change.parent = at(world, indexOf(entity));
    }
  };

  let destruction: DeletionSet | undefined;
  const checkLosses: ContainerWork["checkLosses"] = (world, indexes, lostBy, left = []) => {
    const accepted = new Map<number, readonly Change[]>();
    for (const index of indexes) {
      const lost = lostBy(index);
      const parent = parentPairAt(world, index);
      const isOrphaned = parent !== 0 && lost.includes(parent);
      if (archetypeAt(world, index).hooked.length === 0 || !(isOrphaned || isMoved(world, index, lost)))
        continue;
      const scope = at(world, index, [], lost);
      const calls = isOrphaned ? [...keptChanges(world, index, undefined)] : [];
      enter(world, index, calls, scope);
      const isKept = ({ definition }: Change): boolean =>
        destruction?.definitions.includes(definition) !== true && !left.includes(definition);
      accepted.set(index, calls.filter(isKept));
    }
    const run = destruction !== undefined || indexes.length > 1 ? checkTogether : undefined;
    if (accepted.size > 0) callChecks(world, [...accepted.values()].flat(), run);
    return accepted;
  };

  const leave = (world: World, set: DeletionSet): void => {
    const lost = new Map<number, PairNumber[]>();
    const lose = (index: number, pairs: readonly PairNumber[]): void => {
      lost.set(index, [...(lost.get(index) ?? []), ...pairs]);
    };
    const isAlong = (pair: PairNumber): boolean =>
      along.some(({ id }) => id === world.graph.pairs.relation[pair]);
    for (const pair of set.pairs.filter(isAlong)) {
      for (const index of remainingOf(world, set, subjectIndexes(world, pair))) lose(index, [pair]);
    }
    for (const relation of set.definitions.filter((one) => along.includes(one))) {
      for (const index of remainingOf(world, set, usersOf(world, relation)))
        lose(index, pairsAt(world, index, relation));
    }
    const indexes = sortByOrder([...lost.keys()], world.entities.order);
    destruction = set;
    try {
      const checked = checkLosses(world, indexes, (index) => lost.get(index)!);
      for (const [index, calls] of checked) losePairs(world, index, [...new Set(lost.get(index))], calls);
    } finally {
      destruction = undefined;
    }
  };
  return {
    along,
    fill,
    extend,
    enter,
    checkLosses,
    isDestroyed: (world, index) => destruction !== undefined && isDestroyed(world, destruction, index),
    leave: leave as ContainerWork["leave"],
  };
}
