import { bytesIn } from "../base/growing.ts";
import type { Archetype } from "../storage/archetype.ts";
import { copyRows } from "../storage/copy-rows.ts";
import { bytesOfLanes, Lanes, replaceLanes } from "../storage/lanes.ts";
import { plainMemory } from "../storage/memory.ts";
import { aligned } from "../storage/slices.ts";
import { isIn, REMOVED, type Track, type Tracked, type Tracking, Tracks } from "../storage/tracks.ts";
import { hooksOf } from "../world/state/hooks.ts";

/** What has columns: an archetype, or the store of a sparse definition. */
export interface Columned {
  lanes: Lanes;
}

/** A copy of rows, in memory of its own, and the capacity of the columns that had them. */
export class SavedColumns {
  private readonly copy: Lanes;
  private readonly owner: Columned;
  private capacity = 0;
  private rows = 0;
  /** New columns, where those of the owner have another capacity. */
  private fresh: Lanes | undefined;
  /** Values that `copy` hooks made, by slot. */
  private readonly made: unknown[][] = [];

  constructor(owner: Columned) {
    this.owner = owner;
    this.copy = new Lanes(owner.lanes.plan, plainMemory());
  }

  capture(rows: number): void {
    const { copy, owner } = this;
    const { lanes } = owner;
    if (copy.capacity < rows || copy.capacity > 4 * rows + 64) replaceLanes(copy, aligned(rows));
    copyRows(lanes, 0, copy, 0, rows);
    for (let slot = 0; slot < copy.objects.length; slot++) {
      const values = copy.objects[slot]!;
      if (rows < this.rows) values.fill(undefined, rows, Math.min(this.rows, values.length));
      const made = this.copied(slot, values, rows);
      if (made !== undefined) copy.objects[slot] = made;
    }
    this.rows = rows;
    this.capacity = lanes.capacity;
  }

  /** The values of a slot as its `copy` hook makes them; `undefined` without one. */
  private copied(slot: number, values: readonly unknown[], rows: number): unknown[] | undefined {
    const column = this.copy.plan.columns.find(({ objectSlot }) => objectSlot === slot);
    const { copy } = column === undefined ? {} : hooksOf(column.definition);
    if (copy === undefined) return undefined;
    return values.map((value, row) => (row < rows && value !== undefined ? copy(value) : undefined));
  }

  /** Allocates what `restore` needs. @throws what the memory throws. */
  prepare(): void {
    const { lanes } = this.owner;
    this.fresh = undefined;
    for (let slot = 0; slot < this.copy.objects.length; slot++) {
      const made = this.copied(slot, this.copy.objects[slot]!, this.rows);
      if (made !== undefined) this.made[slot] = made;
    }
    if (lanes.capacity === this.capacity) return;
    const fresh = new Lanes(lanes.plan, lanes.memory);
    replaceLanes(fresh, this.capacity);
    this.fresh = fresh;
  }

  /** Frees what `prepare` has allocated. */
  abandon(): void {
    if (this.fresh !== undefined) replaceLanes(this.fresh, 0);
    this.fresh = undefined;
    this.made.length = 0;
  }

  /** @param before how many rows the owner has had. */
  restore(before: number): void {
    const { copy, owner, rows, fresh, made } = this;
    const { lanes: former } = owner;
    former.tracks = undefined;
    if (fresh !== undefined) {
      fresh.version = former.version + 1;
      owner.lanes = fresh;
      replaceLanes(former, 0);
      this.fresh = undefined;
    }
    const { lanes } = owner;
    copyRows(copy, 0, lanes, 0, rows);
    for (let slot = 0; slot < lanes.objects.length; slot++) {
      const values = lanes.objects[slot]!;
      const own = made[slot];
      if (own !== undefined) for (let row = 0; row < rows; row++) values[row] = own[row];
      if (fresh === undefined) for (let row = rows; row < before; row++) values[row] = undefined;
    }
    made.length = 0;
  }

  get bytes(): number {
    return bytesOfLanes(this.copy);
  }
}

/** The ticks of an archetype's rows. */
export class SavedTracks {
  private list: Track[] = [];

  capture({ lanes }: Archetype): void {
    const former = this.list;
    this.list = (lanes.tracks?.list ?? []).map((track, at) => {
      const { rows, blocks } = former[at] ?? track;
      const isFitting = former[at] !== undefined && rows.length === track.rows.length;
      if (!isFitting) return { ...track, rows: track.rows.slice(), blocks: track.blocks.slice() };
      rows.set(track.rows);
      blocks.set(track.blocks);
      return { ...track, rows, blocks };
    });
  }

  /**
   * Gives an archetype ticks for what its world tracks now. What it did not track at the snapshot has not changed.
   * @param former the tracks that the archetype has had, whose arrays are used again.
   */
  restore(tracking: Tracking, archetype: Archetype, former: Tracks | undefined): void {
    const { lanes } = archetype;
    const { tracked, clock } = tracking;
    if (tracked.length === 0 || !archetype.founded) return;
    const tracks = new Tracks(tracking, archetype);
    tracks.list = tracked.flatMap((one) => {
      const saved = this.list.find((track) => isOf(track, one));
      if (saved === undefined && (one.kind === REMOVED || !isIn(archetype, one.definition.id))) return [];
      const old = former?.list.find((track) => isOf(track, one) && track.rows.length === lanes.capacity);
      const rows = old?.rows ?? new Float64Array(lanes.capacity);
      const blocks = old?.blocks ?? new Float64Array(Math.ceil(lanes.capacity / 64));
      if (saved === undefined) {
        rows.fill(0);
        blocks.fill(0);
      } else {
        rows.set(saved.rows);
        blocks.set(saved.blocks);
      }
      return [{ definition: one.definition.id, kind: one.kind, clock, rows, blocks, last: saved?.last ?? 0 }];
    });
    lanes.tracks = tracks;
  }

  get bytes(): number {
    return bytesIn(...this.list);
  }
}

function isOf({ definition, kind }: Track, one: Tracked): boolean {
  return definition === one.definition.id && kind === one.kind;
}
