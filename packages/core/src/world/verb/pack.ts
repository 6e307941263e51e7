import { shown, TreelineError } from "../../base/error.ts";
import { requireOptions } from "../../base/options.ts";
import { CHILD_OF } from "../../id/builtins.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { sortByOrder } from "../../records/entity-index.ts";
import { noteAll } from "../../storage/journal.ts";
import { applyLayout, createLayout } from "../../storage/slices.ts";
import type { TableNumber } from "../../storage/table.ts";
import { defer, deferCommand, mustDefer } from "../state/lock.ts";
import { eachTableOf, eachValueChild } from "../state/targets.ts";
import type { World } from "../state/world.ts";
import { giveBackSteps } from "./give-back.ts";
import { packWithin } from "./pack-steps.ts";

export interface PackOptions {
  /** Milliseconds, 0 or more, after which the call returns; it takes at least one step, of less than half a millisecond. */
  readonly budget?: number | undefined;
  /**
   * The time in milliseconds, from any start; default: `performance.now` of the platform. Only for `budget`. What it changes in the
   * world is deferred until the call ends.
   */
  readonly now?: (() => number) | undefined;
}

/** What is needed of the platform's clock; there may be none. */
declare const performance: { now(): number } | undefined;

/**
 * Stores the rows of all archetypes without gaps: by depth, then by the parent's archetype and row, siblings in order. Then it gives back
 * what destroyed entities and pairs have left in lists by number: those get about as long as the last number in use.
 * Only speed and memory change: the rows of tables are adjacent, and children are stored in the order of their parents; stale handles stay
 * stale. Call it after loading, when much was destroyed, or when the program is idle. Inside an iteration it is deferred to the end of the iteration.
 *
 * With a budget it takes small steps until so many milliseconds have passed: call it in every frame until it returns true. Between
 * two calls the world may be read and changed freely. After a structural change it begins again, with gaps first: where every
 * frame changes something, gaps are closed as far as a call gets, and order needs some quiet frames. From then on a call costs next to
 * nothing until the next change. Numbers are given back in one step at the end, of some 10 ns for each that was in use, so the handles that
 * later entities get depend on when that was: programs that must have the same handles elsewhere pass a `now` that counts calls. With a budget, columns keep their memory, except those of archetypes without rows; tables of more
 * than 1 MiB stay where they are; and the tables of an archetype stay in their order if its columns have more than 1 MiB and are
 * nearly full.
 *
 * @cost all rows are copied once; with a budget, usually twice, at 1 ms a call that takes some frames for 100,000 entities, and
 *   from the first such call the world notes which rows change.
 * @returns whether all rows are stored so: always without a budget; false if the call is deferred.
 * @throws TreelineError `bad-value` if `budget` is not a number of 0 or more, if `now` is not a function, or if it is missing and
 *   the platform has no clock; `iterating` in a strict world inside an iteration; and what a failed allocation throws: some
 *   archetypes are packed then, and the others unchanged.
 *
 * @example
 * function frame() {
 *   update(world);
 *   pack(world, { budget: 1 });
 * }
 */
export function pack(world: World, options: PackOptions = {}): boolean {
  CHECK: requireOptions("pack", options, ["budget", "now"]);
  const { budget, now } = options;
  const clock = budget === undefined ? undefined : clockFor(budget, now);
  const run = (): boolean =>
    clock === undefined ? packNow(world) : defer(world, () => packWithin(world, budget!, clock));
  if (world.deferDepth === 0 || !mustDefer(world)) return run();
  deferCommand(world, 0, run);
  return false;
}

function clockFor(budget: number, now: PackOptions["now"]): () => number {
  if (typeof budget !== "number" || !(budget >= 0)) {
    throw new TreelineError(
      "bad-value",
      `the budget of pack is a number of milliseconds, 0 or more, not ${shown(budget)}`,
    );
  }
  if (typeof now === "function") return now;
  if (now !== undefined) {
    throw new TreelineError(
      "bad-value",
      `now, for pack, is a function that returns milliseconds, not ${shown(now)}`,
    );
  }
  if (typeof performance === "undefined") {
    throw new TreelineError("bad-value", "this platform has no performance.now: give pack a function now");
  }
  return () => performance!.now();
}

function packNow(world: World): true {
  const { graph, entities } = world;
  const { tables, archetypes } = graph;
  const layouts = archetypes.map(createLayout);
  const newFirst = new Map<TableNumber, number>();
  /** Tables whose rows have different parents: their entities in the order in which they were found. */
  const rowsByValue = new Map<TableNumber, number[]>();
  const lay = (table: TableNumber, indexes: ArrayLike<number>): void => {
    const layout = layouts[tables.archetype[table]!]!;
    newFirst.set(table, layout.rows);
    for (let at = 0; at < indexes.length; at++)
      layout.from[layout.rows++] = tables.first[table]! + entities.row[indexes[at]!]!;
  };
  for (let level = rootTables(world); level.length > 0; ) {
    /** By archetype number, in the order of the parents' rows; read in the order of founding. */
    const below: number[][] = archetypes.map(() => []);
    for (const item of level) {
      if (item > 0) {
        const indexes = inSiblingOrder(world, item);
        lay(item, indexes);
        for (const index of indexes) collectBelow(world, index, below);
        continue;
      }
      const table = entities.table[-item]!;
      if (!rowsByValue.has(table)) rowsByValue.set(table, []);
      rowsByValue.get(table)!.push(-item);
      collectBelow(world, -item, below);
    }
    level = graph.founded.flatMap(({ number }) => below[number]!);
  }
  for (const [table, indexes] of rowsByValue) lay(table, indexes);

  // Archetype by archetype: if an allocation fails, each archetype is either packed or unchanged.
  try {
    archetypes.forEach((archetype, number) => {
      applyLayout(archetype, tables, layouts[number]!);
      const { i32 } = archetype.lanes;
      for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
        const first = newFirst.get(table)!;
        tables.first[table] = first;
        for (let row = 0; row < tables.count[table]!; row++) entities.row[i32[first + row]!] = row;
      }
    });
  } finally {
    noteAll(graph.journal);
  }
  for (const _ of giveBackSteps(world));
  return true;
}

/** The first level, of the roots. A level lists table numbers, and negative indexes of entities with a parent stored by value. */
function rootTables({ graph }: World): number[] {
  const found: TableNumber[] = [];
  for (const archetype of graph.founded) {
    if (archetype.hasValueParent) continue;
    for (let table = archetype.filled.first; table !== 0; table = graph.tables.next[table]!) {
      if (graph.tables.parentPair[table] === 0) found.push(table);
    }
  }
  return found;
}

function collectBelow(world: World, index: number, below: readonly number[][]): void {
  const { graph, entities } = world;
  const { tables, pairs, records } = graph;
  const pair = isTarget(pairs, index) ? findPair(pairs, CHILD_OF, index) : 0;
  if (pair === 0) return;
  eachTableOf(records, pair, (child) => {
    if (tables.count[child]! > 0) below[tables.archetype[child]!]!.push(child);
  });
  eachValueChild(world, pair, (child) => below[tables.archetype[entities.table[child]!]!]!.push(-child));
}

/** The entity indexes of a table of siblings, or of roots, in sibling order. */
function inSiblingOrder({ graph, entities }: World, table: TableNumber): Int32Array {
  const first = graph.tables.first[table]!;
  const { i32 } = graph.archetypes[graph.tables.archetype[table]!]!.lanes;
  return sortByOrder(i32.slice(first, first + graph.tables.count[table]!), entities.place);
}
