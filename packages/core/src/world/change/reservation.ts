import {
  type Arrivals,
  closeIfIdle,
  endReservation,
  reserveRows,
  type TableType,
} from "../../graph/table-graph.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import { enterLimbo, leaveLimbo } from "../state/limbo.ts";
import type { Effects, Group } from "../state/plans.ts";
import type { World } from "../state/world.ts";
import { loosePairOfTerms, wantPairsOfTerms } from "./destination.ts";

/**
 * Reserves rows of several types at once, and calls `commit` with their tables.
 *
 * @param made pairs that may be new, or 0: those that nobody has in the end go.
 * @throws TreelineError `capacity`, what the memory throws, and what `commit` throws.
 */
export function withReserved(
  { graph }: World,
  arrivals: readonly Arrivals[],
  made: readonly PairNumber[],
  commit: (tables: TableNumber[]) => void,
): void {
  try {
    const tables = reserveRows(graph, arrivals);
    try {
      commit(tables);
    } finally {
      endReservation(graph);
    }
  } finally {
    for (const pair of made) if (pair !== 0 && graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
  }
}

/**
 * Reserves rows for groups of new entities, and for all that changes with them, and calls `commit`. Entities without an index get one
 * first, so that the other sides of symmetric pairs know whom they get.
 */
export function withManyRows(
  world: World,
  groups: readonly Group[],
  commit: (effects?: Effects) => void,
): void {
  const { graph, slots } = world;
  const fresh: number[] = [];
  try {
    for (const { indexes } of groups) {
      for (let at = 0; at < indexes.length; at++) {
        if (indexes[at] === 0) fresh.push((indexes[at] = enterLimbo(world)));
      }
    }
    const types = groups.map(({ plan: { shape }, terms }): TableType => {
      const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
      return { shape, pairs: [...graph.wanted.subarray(0, count)] };
    });
    for (const group of groups)
      group.valuePair = group.plan.shape.isLoose ? loosePairOfTerms(world, group.terms) : 0;
    const was: TableType = { shape: graph.root, pairs: [] };
    const changes = groups.flatMap(({ indexes }, at) =>
      indexes.map((index) => ({ index, was, is: types[at]! })),
    );
    const effects = slots.symmetric?.plan(world, changes);
    const arrivals = types.map((type, at) => ({ type, count: groups[at]!.indexes.length }));
    const made = [...types.flatMap(({ pairs }) => pairs), ...groups.map(({ valuePair }) => valuePair)];
    withReserved(
      world,
      [...arrivals, ...(effects?.arrivals ?? [])],
      [...made, ...(effects?.made ?? [])],
      (tables) => {
        groups.forEach((group, at) => {
          group.table = tables[at]!;
        });
        commit(effects?.in(tables.slice(groups.length)));
      },
    );
  } finally {
    for (const index of fresh) leaveLimbo(world, index);
  }
}
