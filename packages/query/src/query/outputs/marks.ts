// The shared row of views (`RowPointer`); how setters mark it as changed (`Marks`); the tick of own writes (`ownTick`).
import type { Definition, Numbers } from "@treeline/core";
import { type ArchetypeView, markRow, type Track, trackOf } from "@treeline/core/internal";

/** The absolute row of the views that share it. */
export class RowPointer {
  row = 0;
}

/** Where a view's setters mark what they change. */
export class Marks {
  /** In the current archetype; `undefined` if no query needs changes. */
  track: Track | undefined = undefined;
  /** The tick of what the iteration writes itself; 0 for the clock's. */
  tick = 0;
  /** The archetype and the definition whose rows are written; and the version of its columns that the view shows. */
  archetype: ArchetypeView | undefined = undefined;
  version = 0;
  readonly definition: Definition;
  /** Of values that the row inherits: what is passed in place of an array, by the place of its field. */
  declare lend?: (place: number, list: Numbers) => Numbers;
  /** The row that writing marks; `undefined` for views that do not write. */
  readonly rows: RowPointer | undefined;

  constructor(definition: Definition, rows: RowPointer | undefined) {
    this.definition = definition;
    this.rows = rows;
  }

  /** Marks the row; only while there is a track. */
  mark(): void {
    const track = this.track!;
    markRow(track, this.rows!.row, ownTick(track.clock.now, this.tick));
  }

  /** Reads again whether a query needs changes. */
  turn(): void {
    const track = this.archetype && trackOf(this.archetype, this.definition, "changed");
    // Writing an equal value has a cost: engines treat a field that never changes as a constant.
    if (this.track !== track) this.track = track;
  }
}

/**
 * What an iteration writes itself is not unread for its query: it gets the tick up to which that has read changes. If another
 * query has read changes meanwhile, it would miss the write: then the write gets the current tick.
 */
export function ownTick(now: number, tick: number): number {
  return tick > 0 && now === tick + 1 ? tick : now;
}
