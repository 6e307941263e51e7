import { type Component, TreelineError } from "@treeline/core";
import { type Archetype, clockOf, markRow, markRows, shown, trackOf } from "@treeline/core/internal";
import { ownTick } from "../query/outputs/row-view.ts";
import type { Scene } from "../query/state/scene.ts";

/** How runs, stretches and levels are visited. */
export interface VisitOptions {
  /** Components whose columns the visitor writes: all rows that were visited count as changed. Default none. */
  readonly writes?: readonly Component[];
}

/** @throws TreelineError `bad-query` for what is no component with values. */
export function requireWrites(options: VisitOptions): readonly Component[] | undefined {
  const { writes } = options;
  if (writes !== undefined && !Array.isArray(writes)) {
    throw new TreelineError("bad-query", "writes is a list: { writes: [Position] }");
  }
  if (writes === undefined || writes.length === 0) return undefined;
  for (const one of writes) {
    if (one?.kind === "component" && one.holds !== "nothing") continue;
    throw new TreelineError("bad-query", `writes takes components that have values, not ${shown(one)}`);
  }
  return writes;
}

/** Notes that absolute rows `first .. end` were written. @param tick of the visit; 0 for the clock's. */
export function markRun(
  shape: Archetype,
  writes: readonly Component[],
  first: number,
  end: number,
  tick: number,
): void {
  for (let at = 0; at < writes.length; at++) {
    const track = trackOf(shape, writes[at]!, "changed");
    if (track !== undefined) markRows(track, first, end, ownTick(track.clock.now, tick));
  }
}

/** The same of the positions of a span. */
export function markScene(scene: Scene, writes: readonly Component[], tick: number): void {
  const { shape, from, to, rows, query } = scene;
  if (rows === undefined) {
    markRun(shape, writes, from, to, tick);
    return;
  }
  const now = ownTick(clockOf(query.world).now, tick);
  for (let place = 0; place < writes.length; place++) {
    const track = trackOf(shape, writes[place]!, "changed");
    if (track === undefined) continue;
    for (let at = from; at < to; at++) markRow(track, rows[at]!, now);
  }
}
