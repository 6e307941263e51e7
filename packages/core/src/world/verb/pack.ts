// `pack`: sorts rows breadth first, all at once (`packNow`) or within a budget; refuses a budget or clock that is none (`clockFor`).
import { shown, TreelineError } from "../../base/error.ts";
import { requireOptions } from "../../base/options.ts";
import { noteAll } from "../../storage/journal.ts";
import { packRows } from "../../storage/rows.ts";
import { defer, deferCommand, mustDefer } from "../state/lock.ts";
import type { World } from "../state/world.ts";
import { giveBackSteps } from "./give-back.ts";
import { packWithin, Walk } from "./pack-steps.ts";

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
 * Sorts the rows of each archetype breadth first: by depth, then in the order of the parents, siblings in theirs. Then it gives back what
 * destroyed entities and pairs have left in columns, and in lists by number: those get about as long as the last number in use.
 * Only speed and memory change: what is read together is stored together; stale handles stay stale. Call it after loading, when much
 * was moved or destroyed, or when the program is idle. Inside an iteration it is deferred to the end of the iteration.
 *
 * With a budget it takes small steps until so many milliseconds have passed: call it in every frame until it returns true. Between
 * two calls the world may be read and changed freely. After a structural change it begins again, from the roots, and skips the rows
 * that are in their places: where every frame changes something, it gets as far as a call does, and the rest needs some quiet frames.
 * Once it is done, a call costs next to nothing until the next change. Numbers are given back in one step at the end, of some 10 ns for each that was
 * in use, so the handles that later entities get depend on when that was: programs that must have the same handles elsewhere pass a
 * `now` that counts calls. With a budget, columns keep their memory, except those of archetypes without rows.
 *
 * @cost all rows are copied once, except in archetypes that are sorted already; with a budget, each row that is not in its place is exchanged
 *   with the one that is there, and from the first such call the world notes which rows change.
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
  const { graph } = world;
  const { archetypes } = graph;
  /** By archetype: new row -> former row. */
  const order = archetypes.map(({ rows }) => new Int32Array(rows));
  const placed = new Int32Array(archetypes.length);
  const walk = new Walk(world);
  while (walk.advance(world)) place(world, walk, order, placed);
  // Archetype by archetype: if an allocation fails, each archetype is either packed or unchanged.
  try {
    for (const archetype of archetypes) packRows(graph, archetype, order[archetype.number]!);
  } finally {
    noteAll(graph.journal);
  }
  for (const _ of giveBackSteps(world));
  return true;
}

/** Notes the rows that the found entities have. Apart, since engines compile what is called often sooner than what runs long. */
function place(
  { graph: { tables }, entities: { table, row } }: World,
  { found, count }: Walk,
  order: readonly Int32Array[],
  placed: Int32Array,
): void {
  for (let at = 0; at < count; at++) {
    const index = found[at]!;
    const number = tables.archetype[table[index]!]!;
    order[number]![placed[number]!++] = row[index]!;
  }
}
