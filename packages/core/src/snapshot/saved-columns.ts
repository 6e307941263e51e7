// Copies of rows and ticks (`SavedColumns`, `SavedTracks`); where `copy` hooks are called.
import { bytesIn } from "../base/growing.ts";
import type { Archetype } from "../storage/archetype.ts";
import { copyNumbers } from "../storage/copy-rows.ts";
import { bytesOfLanes, type LaneField, Lanes, replaceLanes } from "../storage/lanes.ts";
import { plainMemory } from "../storage/memory.ts";
import { aligned } from "../storage/rows.ts";
import {
  isInRows,
  REMOVED,
  type Track,
  type Tracked,
  type Tracking,
  type Tracks,
} from "../storage/tracks.ts";
import { hooksOf } from "../world/state/hooks.ts";
import { copyValue } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { copyList, copyPart } from "./saved.ts";

/** What has columns: an archetype, or the store of a sparse definition. */
export interface Columned {
  lanes: Lanes;
}

/** Lane 0, with the entity indexes, as a field. */
const ENTITIES = { width: 4, length: 1, lane: 0, slot: -1 } as LaneField;

/** A copy of rows, in memory of its own, and the capacity of the columns that had them. */
export class SavedColumns {
  private readonly world: World;
  private readonly owner: Columned;
  /** Its lists are as long as there are rows. */
  private readonly copy: Lanes;
  private readonly fields: readonly LaneField[];
  private capacity = 0;
  private rows = 0;
  /** New columns, where those of the owner have another capacity. */
  private fresh: Lanes | undefined;
  /** Lists to restore, by slot. */
  private lists: readonly (readonly unknown[])[] = [];

  constructor(world: World, owner: Columned) {
    const { plan } = owner.lanes;
    const fields = plan.columns.flatMap((column) => column.fields);
    this.world = world;
    this.owner = owner;
    this.copy = new Lanes({ ...plan, objects: 0 }, plainMemory());
    this.fields = [ENTITIES, ...fields.filter(({ slot }) => slot < 0)];
  }

  capture(rows: number): void {
    const { copy, owner } = this;
    const { lanes } = owner;
    if (copy.capacity < rows || copy.capacity > 4 * rows + 64) {
      copy.objects = [];
      replaceLanes(copy, aligned(rows));
    }
    this.copyNumbers(lanes, copy, rows);
    for (let slot = 0; slot < lanes.objects.length; slot++)
      copy.objects[slot] = copyList(lanes.objects[slot]!, copy.objects[slot], rows);
    this.rows = rows;
    this.capacity = lanes.capacity;
    copy.objects = this.madeLists();
  }

  private copyNumbers(from: Lanes, to: Lanes, rows: number): void {
    for (const field of this.fields) copyNumbers(from, field, 0, to, field, 0, rows);
  }

  /** The lists of JavaScript values, with those that `copy` hooks make. */
  private madeLists(): unknown[][] {
    const { copy, world, rows } = this;
    const lists = [...copy.objects];
    for (const column of copy.plan.columns) {
      const { copy: make } = hooksOf(column.definition);
      const slots = column.fields.filter(({ slot }) => slot >= 0);
      if (make === undefined || slots.length === 0) continue;
      for (const { slot } of slots) lists[slot] = [...lists[slot]!];
      for (let row = 0; row < rows; row++) {
        if (slots.every(({ slot }) => lists[slot]![row] === undefined)) continue;
        const made = make(copyValue(world, { lanes: copy, column, row }));
        for (const { slot, name } of slots)
          lists[slot]![row] = column.objectSlot < 0 ? (made as { [name: string]: unknown })[name] : made;
      }
    }
    return lists;
  }

  /** Allocates what `restore` needs. @throws what the memory and `copy` hooks throw. */
  prepare(): void {
    const { lanes } = this.owner;
    this.fresh = undefined;
    this.lists = this.madeLists();
    if (lanes.capacity === this.capacity) return;
    const fresh = new Lanes(lanes.plan, lanes.memory);
    replaceLanes(fresh, this.capacity);
    this.fresh = fresh;
  }

  /** Frees what `prepare` has allocated. */
  abandon(): void {
    if (this.fresh !== undefined) replaceLanes(this.fresh, 0);
    this.fresh = undefined;
    this.lists = [];
  }

  /** @param before how many rows the owner has had. */
  restore(before: number): void {
    const { copy, owner, rows, fresh, lists } = this;
    const { lanes: former } = owner;
    former.tracks = undefined;
    if (fresh !== undefined) {
      fresh.version = former.version + 1;
      owner.lanes = fresh;
      replaceLanes(former, 0);
    }
    const { lanes } = owner;
    this.copyNumbers(copy, lanes, rows);
    for (let slot = 0; slot < lists.length; slot++) {
      const values = lanes.objects[slot]!;
      copyPart(lists[slot]!, values, rows);
      if (fresh === undefined) values.fill(undefined, rows, before);
    }
    this.fresh = undefined;
    this.lists = [];
  }

  get bytes(): number {
    return bytesOfLanes(this.copy);
  }
}

/** The first of every clock: older than all that is unread. */
const FIRST_TICK = 1;

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
    if (former === undefined) tracking.found!(tracking, archetype);
    else lanes.tracks = former;
    const tracks = lanes.tracks!;
    const present = tracks.list;
    tracks.list = tracked.flatMap((one) => {
      const saved = this.list.find((track) => isOf(track, one));
      if (saved === undefined && (one.kind === REMOVED || !isInRows(archetype, one.definition))) return [];
      const old = present.find((track) => isOf(track, one) && track.rows.length === lanes.capacity);
      const rows = old?.rows ?? new Float64Array(lanes.capacity);
      const blocks = old?.blocks ?? new Float64Array(Math.ceil(lanes.capacity / 64));
      if (saved === undefined) {
        rows.fill(FIRST_TICK);
        blocks.fill(FIRST_TICK);
      } else {
        rows.set(saved.rows);
        blocks.set(saved.blocks);
      }
      return [
        {
          definition: one.definition.id,
          kind: one.kind,
          clock,
          rows,
          blocks,
          last: saved?.last ?? FIRST_TICK,
        },
      ];
    });
    tracks.handed?.rebase();
  }

  get bytes(): number {
    return bytesIn(...this.list);
  }
}

function isOf({ definition, kind }: Track, one: Tracked): boolean {
  return definition === one.definition.id && kind === one.kind;
}
