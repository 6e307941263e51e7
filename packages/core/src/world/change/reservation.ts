import {
  type Arrivals,
  closeIfIdle,
  endReservation,
  reserveRows,
  type TableType,
} from "../../graph/table-graph.ts";
import type { PairNumber, TableNumber } from "../../storage/table.ts";
import type { Group, ReservedRows } from "../state/plans.ts";
import type { World } from "../state/world.ts";
import { loosePairOfTerms, wantPairsOfTerms } from "./destination.ts";

/** Of pairs that may have got their number for a change that was refused: those that nobody has go. */
function closeIdlePairs({ graph }: World, pairs: readonly PairNumber[]): void {
  for (const pair of pairs) if (pair !== 0 && graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
}

/**
 * Reserves rows of several types at once, and calls `commit` with their tables.
 *
 * @param made pairs that may be new: those that nobody has in the end go.
 * @throws TreelineError `capacity`, what the memory throws, and what `commit` throws.
 */
export function withReserved(
  world: World,
  arrivals: readonly Arrivals[],
  made: readonly PairNumber[],
  commit: (tables: TableNumber[]) => void,
): void {
  try {
    const tables = reserveRows(world.graph, arrivals);
    try {
      commit(tables);
    } finally {
      endReservation(world.graph);
    }
  } finally {
    closeIdlePairs(world, made);
  }
}

/** What groups of new entities will be, with their pairs interned. */
export interface GroupTypes {
  readonly types: readonly TableType[];
  /** Of each group: the pair of the parent if it is stored by value, else 0. */
  readonly valuePairs: readonly PairNumber[];
  readonly arrivals: readonly Arrivals[];
  /** All these pairs. */
  readonly made: readonly PairNumber[];
}

export function typesOfGroups(world: World, groups: readonly Group[]): GroupTypes {
  const { graph } = world;
  const types = groups.map(({ plan: { shape }, terms }): TableType => {
    const count = shape.hasPairs ? wantPairsOfTerms(world, terms) : 0;
    return { shape, pairs: [...graph.wanted.subarray(0, count)] };
  });
  const valuePairs = groups.map(({ plan, terms }) =>
    plan.shape.isLoose ? loosePairOfTerms(world, terms) : 0,
  );
  const arrivals = types.map((type, at) => ({ type, count: groups[at]!.indexes.length }));
  return { types, valuePairs, arrivals, made: [...types.flatMap(({ pairs }) => pairs), ...valuePairs] };
}

/** Reserves rows for several groups of entities, or for one while other rows come, and calls `commit`. */
export function withManyRows(
  world: World,
  groups: readonly Group[],
  commit: (rows: ReservedRows) => void,
): void {
  const { valuePairs, arrivals, made } = typesOfGroups(world, groups);
  withReserved(world, arrivals, made, (tables) => commit({ tables, valuePairs, effects: undefined }));
}
