// Changes entities of a list one after another, all or none: reserves rows by destination first (`changeList`).
import { type Arrivals, findTable, type TableType } from "../graph/graph.ts";
import { PAIR_EXCLUSIVE, type PlainTerm } from "../id/definition.ts";
import { findPair } from "../id/pair-index.ts";
import { addJoins, type Joins } from "../records/families.ts";
import { NEEDS_SYMMETRIC } from "../storage/archetype.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { changeEntity } from "../world/change/change-entity.ts";
import { collectValues } from "../world/change/collect.ts";
import { typeOf } from "../world/change/effects.ts";
import { withReserved } from "../world/change/insert.ts";
import { defer, whileChanging } from "../world/state/lock.ts";
import { notifyAll } from "../world/state/notify.ts";
import type { Change, ChangeEvents, Effects, Goal, TypeChange } from "../world/state/plans.ts";
import { NO_CHANGES } from "../world/state/plans.ts";
import { rememberOrder, sortedPairs } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";

/** `termsOf` of changes that write nothing. */
export const NOTHING = (): readonly PlainTerm[] => [];

/** A change of several entities. Everything has been checked. */
export interface ListChange {
  /** Each once, in the order in which they change. */
  readonly indexes: readonly number[];
  /** The same number for entities that get the same table, with other numbers for others. */
  readonly keyOf: (index: number, table: TableNumber, at: number) => number;
  /** What an entity will become. */
  readonly goalOf: (index: number, at: number) => Goal;
  /** What is written into an entity, by its place among `indexes`; values are plain. */
  readonly termsOf: (at: number) => readonly PlainTerm[];
  /** By index: what hooks have accepted. */
  readonly calls: ReadonlyMap<number, readonly Change[]>;
  /** Changes an entity in another way than `changeEntity`. */
  readonly commit?: ((world: World, index: number, at: number) => void) | undefined;
  /** Is called after all have changed. */
  readonly end?: (() => void) | undefined;
}

interface Kind {
  readonly type: TableType;
  /** The pair of the parent that they will have, in either storage; 0 for none. */
  readonly parent: PairNumber;
  readonly isMove: boolean;
  count: number;
}

/**
 * Changes several entities one after another, all or none: rows for all of them, and for the other sides of symmetric pairs, are
 * reserved before the first one changes. Changes that observers make follow at the end.
 *
 * @throws TreelineError `capacity`, and what the memory throws. Nothing has changed then.
 */
export function changeList(world: World, change: ListChange): void {
  const { indexes, keyOf, goalOf } = change;
  const { graph, entities } = world;
  const kinds = new Map<number, Kind>();
  const made: PairNumber[] = [];
  const joins: Joins = new Map();
  let needs = 0;
  let last = -1;
  let known: Kind | undefined;
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    const table = entities.table[index]!;
    const key = keyOf(index, table, at);
    if (key !== last) known = kinds.get(key);
    last = key;
    if (known !== undefined) {
      known.count++;
      if (entities.family[index] !== known.parent) addJoins(joins, known.parent, 1);
      continue;
    }
    const goal = goalOf(index, at);
    needs |= goal.needs;
    const { archetype, count, parentPair } = goal;
    const pairs = [...graph.wanted.subarray(0, count)];
    const isMove = findTable(graph, archetype, count) !== table;
    known = { type: { archetype, pairs }, parent: parentPair, isMove, count: 1 };
    if (entities.family[index] !== parentPair) addJoins(joins, parentPair, 1);
    kinds.set(key, known);
    for (const pair of pairs) made.push(pair);
    if (parentPair !== 0) made.push(parentPair);
  }
  const arrivals: Arrivals[] = [...kinds.values()].filter(({ isMove }) => isMove);
  const own = arrivals.length;
  let effects: Effects | undefined;
  let changes: readonly TypeChange[] = [];
  if ((needs & NEEDS_SYMMETRIC) !== 0) {
    changes = indexes.map((index, at) => {
      const { type } = kinds.get(keyOf(index, entities.table[index]!, at))!;
      return { index, was: typeOf(world, index), is: type };
    });
    effects = world.slots.symmetric!.plan(world, changes);
    arrivals.push(...(effects?.arrivals ?? []));
    made.push(...(effects?.made ?? []));
  }
  defer(world, () =>
    withReserved(world, arrivals, made, joins, (tables) => {
      whileChanging(world, () => {
        commitList(world, change);
        change.end?.();
      });
      const events: ChangeEvents = { removed: [], added: [] };
      if (effects !== undefined) {
        effects.tables = tables.slice(own);
        effects.list(events);
        notifyAll(world, events.removed);
        effects.commit();
      }
      orderFirstSides(world, changes);
      notifyAll(world, events.added);
    }),
  );
}

/**
 * The other sides of symmetric pairs are added after the whole list. For an entity of it, those that earlier entities gave it come
 * before its own pairs, as if the entities had changed one by one.
 */
function orderFirstSides(world: World, changes: readonly TypeChange[]): void {
  const { graph, entities, orders } = world;
  const { relation: relationOf, target: targetOf, traits } = graph.pairs;
  const turns = new Map(changes.map(({ index }, at) => [index, at]));
  const sides = new Map<number, PairNumber[]>();
  for (const [at, { index, was, is }] of changes.entries()) {
    for (const pair of is.pairs) {
      const target = targetOf[pair]!;
      if ((turns.get(target) ?? 0) <= at || was.pairs.includes(pair)) continue;
      const { symmetric, exclusive, id } = is.archetype.definitions.find(
        (definition) => definition.id === relationOf[pair],
      )!;
      if (!symmetric || exclusive) continue;
      const side = findPair(graph.pairs, id, index);
      const known = sides.get(target);
      if (known === undefined) sides.set(target, [side]);
      else known.push(side);
    }
  }
  for (const { index, was } of changes) {
    const first = sides.get(index);
    if (first === undefined) continue;
    const own = sortedPairs(world, entities.table[index]!, orders.get(index)).filter(
      (pair) => (traits[pair]! & PAIR_EXCLUSIVE) === 0 && !was.pairs.includes(pair) && !first.includes(pair),
    );
    rememberOrder(world, index, [...first, ...own]);
  }
}

function commitList(world: World, { indexes, goalOf, termsOf, calls, commit }: ListChange): void {
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at]!;
    if (commit !== undefined) {
      commit(world, index, at);
      continue;
    }
    const terms = termsOf(at);
    if (terms.length > 0) collectValues(world, terms);
    const goal = goalOf(index, at);
    goal.needs &= ~NEEDS_SYMMETRIC;
    changeEntity(world, index, goal, terms, calls.get(index) ?? NO_CHANGES);
  }
}
