// Finds what was written to arrays that were passed (`HandedArrays`): compares blocks of rows with a copy before changes are read.
import type { Definition } from "../id/definition.ts";
import type { Archetype } from "./archetype.ts";
import { type LaneField, type Lanes, numbersOf } from "./lanes.ts";
import { type Stores, storeOf } from "./sparse.ts";
import {
  BLOCK_BITS,
  BLOCK_ROWS,
  CHANGED,
  type Clock,
  type HandedRows,
  isInRows,
  markRow,
  type Track,
  type Tracking,
  Tracks,
} from "./tracks.ts";

/*
 * Row views pass an `array` field as a typed array over the column, and nothing tells of a write to its numbers. So before changes are
 * read, the blocks of rows of which arrays were handed out are compared with a copy. Only while changes of the component are tracked:
 * `array` brings this.
 */

/**
 * States of a block. Above are ticks: of the iteration that was handed an array of it since the last comparison, 0 for one that does not
 * read changes. From QUIET down to OLD it counts comparisons that have found nothing since then.
 */
const UNWATCHED = -1;
const QUIET = -2;
const OLD = -66;

/** So many old blocks of a field are compared each time, in turn. */
const OLD_BLOCKS = 256;

/** Where writes are marked. The tick of a block is at least the highest of its rows. */
interface Ticks {
  /** They are not read any more. */
  areOver(): boolean;
  ofBlock(block: number): number;
  ofRow(row: number): number;
  mark(row: number, tick: number): void;
}

/** An `array` field whose numbers were handed out: the column as last compared. */
export class HandedField {
  readonly field: LaneField;
  /** By block of rows. */
  readonly state: Float64Array<ArrayBuffer>;
  readonly lanes: Lanes;
  private readonly ticks: Ticks;
  private readonly clock: Clock;
  /** The column at a version of the lanes, bit by bit. */
  private words: Int32Array | Int8Array;
  private version: number;
  /** As last compared; of unwatched blocks it means nothing. */
  private readonly copy: Int32Array | Int8Array;
  /** Words of a row. */
  private readonly size: number;
  /** The tick of the last comparison. */
  private since = 0;
  /** The block at which the next comparison of old blocks begins. */
  private next = 0;
  /** Nothing is watched any more, and others take its place. */
  isDropped = false;

  constructor(lanes: Lanes, field: LaneField, ticks: Ticks, clock: Clock) {
    this.lanes = lanes;
    this.field = field;
    this.ticks = ticks;
    this.clock = clock;
    this.version = lanes.version;
    this.words = wordsOf(lanes, field);
    this.copy = new (this.words.constructor as Int32ArrayConstructor)(this.words.length);
    this.size = this.words.length / lanes.capacity;
    this.state = new Float64Array(Math.ceil(lanes.capacity / BLOCK_ROWS)).fill(UNWATCHED);
  }

  /** An array of a row in a block is handed out. @param tick of the iteration, or 0. */
  handOut(block: number, tick: number): void {
    const { state } = this;
    const was = state[block]!;
    if (was === UNWATCHED) this.copyRows(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS);
    else if (was >= 0 || tick > 0) this.compare(block, was, this.clock.now);
    state[block] = tick;
  }

  /** Arrays of all rows were handed out before. */
  handOutAll(): void {
    this.copyRows(0, this.lanes.capacity);
    this.state.fill(QUIET);
  }

  /**
   * Marks what was written since the last comparison.
   *
   * @param tick of an iteration that ends, which has marked its other writes with it; or 0.
   * @returns false if it is over.
   */
  settle(tick: number): boolean {
    const { state, lanes, ticks, clock, since } = this;
    if (this.isDropped || ticks.areOver()) return this.drop();
    if (lanes.version !== this.version) {
      // The memory has moved as a whole.
      this.version = lanes.version;
      this.words = wordsOf(lanes, this.field);
    }
    const { now } = clock;
    const known = ownTick(now, tick);
    let old = OLD_BLOCKS;
    const { length } = state;
    for (let at = 0, block = this.next; at < length; at++, block = block + 1 < length ? block + 1 : 0) {
      const was = state[block]!;
      if (was === UNWATCHED) continue;
      if (was === OLD && ticks.ofBlock(block) < since) {
        if (old === 0) continue;
        if (--old === 0) this.next = block;
      }
      if (this.compare(block, was, known) || was >= 0) state[block] = was > 0 && was !== tick ? was : QUIET;
      else if (was > OLD) state[block] = was - 1;
    }
    this.since = now;
    return true;
  }

  /** Marks what was written to rows `first .. end`, which will have other values. */
  settleRows(first: number, end: number): void {
    const { state, clock } = this;
    for (let row = first; row < end; row++) {
      const was = state[row >> BLOCK_BITS]!;
      if (was !== UNWATCHED) this.markRows(row, row + 1, was, clock.now);
    }
  }

  /** Rows `first .. end` have values, and ticks, from elsewhere. */
  copyRows(first: number, end: number): void {
    const { words, copy, size } = this;
    const last = Math.min(end * size, words.length);
    for (let at = first * size; at < last; at++) copy[at] = words[at]!;
  }

  /** The world was restored, perhaps with other columns. */
  rebase(): void {
    if (this.ticks.areOver()) this.drop();
    else this.copyRows(0, this.lanes.capacity);
  }

  /** The columns are replaced, or their changes not read any more. @returns false. */
  drop(): false {
    this.state.fill(UNWATCHED);
    this.isDropped = true;
    return false;
  }

  /**
   * Compares a block, and marks the rows that differ.
   *
   * @param known of quiet blocks: rows with this tick or a later one were marked when they were written.
   * @returns whether a row was marked.
   */
  private compare(block: number, state: number, known: number): boolean {
    const { words, copy, size } = this;
    let at = block * BLOCK_ROWS * size;
    const end = Math.min(at + BLOCK_ROWS * size, words.length);
    let differs = 0;
    for (; at + 3 < end; at += 4)
      differs |=
        (words[at]! ^ copy[at]!) |
        (words[at + 1]! ^ copy[at + 1]!) |
        (words[at + 2]! ^ copy[at + 2]!) |
        (words[at + 3]! ^ copy[at + 3]!);
    for (; at < end; at++) differs |= words[at]! ^ copy[at]!;
    const first = block * BLOCK_ROWS;
    return (
      differs !== 0 && this.markRows(first, Math.min(first + BLOCK_ROWS, this.lanes.capacity), state, known)
    );
  }

  private markRows(first: number, end: number, state: number, known: number): boolean {
    const { words, copy, size, ticks, clock } = this;
    const tick = state >= 0 ? ownTick(clock.now, state) : clock.now;
    const least = state >= 0 ? tick : known;
    let isMarked = false;
    for (let row = first; row < end; row++) {
      let differs = false;
      for (let at = row * size; at < (row + 1) * size; at++) {
        if (words[at] === copy[at]) continue;
        copy[at] = words[at]!;
        differs = true;
      }
      if (!differs || ticks.ofRow(row) >= least) continue;
      ticks.mark(row, tick);
      isMarked = true;
    }
    return isMarked;
  }
}

/** As in iterations: what one writes that has read changes up to a tick is not unread for it, unless others have read since. */
function ownTick(now: number, tick: number): number {
  return tick > 0 && now === tick + 1 ? tick : now;
}

function wordsOf(lanes: Lanes, field: LaneField): Int32Array | Int8Array {
  const { buffer, byteOffset } = numbersOf(lanes, field) as Int32Array;
  const { lane, width, length } = field;
  const bytes = length * width;
  const first = byteOffset + lane * lanes.stride * width;
  return bytes % 4 === 0
    ? new Int32Array(buffer, first, (lanes.capacity * bytes) / 4)
    : new Int8Array(buffer, first, lanes.capacity * bytes);
}

/** The fields of one set of columns. */
class HandedLanes implements HandedRows {
  readonly fields: HandedField[] = [];

  settleRows(first: number, end: number): void {
    for (const one of this.fields) one.settleRows(first, end);
  }

  copyRows(first: number, end: number): void {
    for (const one of this.fields) one.copyRows(first, end);
  }

  rebase(): void {
    for (const one of this.fields) one.rebase();
  }

  drop(): void {
    for (const one of this.fields) {
      one.settle(0);
      one.drop();
    }
  }
}

/** What of a world is looked at. */
interface World {
  readonly graph: Stores & {
    readonly tracking: Tracking;
    readonly founded: readonly Archetype[];
    readonly archetypes: readonly Archetype[];
    readonly tables: { readonly archetype: { readonly [table: number]: number } };
  };
  readonly entities: Readonly<Record<"table" | "row", { readonly [index: number]: number }>>;
}

/** What of a world was handed out. */
export class HandedArrays {
  private readonly world: World;
  /** All of them, also of components that are not tracked. */
  private readonly known: { readonly definition: Definition; readonly place: number }[] = [];
  private fields: HandedField[] = [];

  constructor(world: World) {
    this.world = world;
  }

  note(definition: Definition, place: number): void {
    this.known.push({ definition, place });
  }

  begin(definition: Definition): void {
    for (const archetype of this.world.graph.founded)
      for (const one of this.known)
        if (one.definition === definition && isInRows(archetype, definition))
          this.fieldOf(archetype, definition, one.place)?.handOutAll();
  }

  settle(tick: number): void {
    if (tick >= 0) this.fields = this.fields.filter((one) => one.settle(tick));
  }

  /**
   * Of an archetype in which the definition is tracked; or of its store, if it is sparse.
   *
   * @param place in the schema.
   * @returns `undefined` if its rows inherit the definition.
   */
  fieldOf(archetype: Archetype, definition: Definition, place: number): HandedField | undefined {
    const { graph } = this.world;
    const isSparse = definition.storage === "sparse";
    const { lanes } = isSparse ? storeOf(graph, definition) : archetype;
    const field = lanes.plan.columns.find((column) => column.definition === definition)?.fields[place];
    if (field === undefined) return undefined;
    lanes.tracks ??= new Tracks(graph.tracking, archetype); // a store has no ticks of its own
    lanes.tracks.handed ??= new HandedLanes();
    const { fields } = lanes.tracks.handed as HandedLanes;
    const known = fields.find((one) => one.field === field && !one.isDropped);
    if (known !== undefined) return known;
    const made = new HandedField(
      lanes,
      field,
      this.ticksIn(lanes, definition, isSparse),
      graph.tracking.clock,
    );
    fields.push(made);
    this.fields.push(made);
    return made;
  }

  /** The ticks of rows; or of the entities at the places of a store. */
  private ticksIn(lanes: Lanes, definition: Definition, isSparse: boolean): Ticks {
    const { world } = this;
    const { tracked } = world.graph.tracking;
    const { tracks } = lanes;
    let row = 0;
    const trackAt = (place: number): Track | undefined => {
      row = place;
      let own = tracks;
      if (isSparse) {
        const { graph, entities } = world;
        const index = lanes.i32[place]!;
        const table = entities.table[index]!;
        row = entities.row[index]!;
        own = graph.archetypes[graph.tables.archetype[table]!]?.lanes.tracks; // none while it is destroyed
      }
      return own?.of(definition.id, CHANGED);
    };
    return {
      areOver: () =>
        lanes.tracks !== tracks ||
        !tracked.some((one) => one.definition === definition && one.kind === CHANGED),
      ofBlock: (block) => (isSparse ? Number.POSITIVE_INFINITY : trackAt(0)!.blocks[block]!),
      ofRow: (place) => trackAt(place)?.rows[row] ?? 0,
      mark(place, tick) {
        const track = trackAt(place);
        if (track !== undefined) markRow(track, row, tick);
      },
    };
  }
}

/** The columns of a row are passed on, with all numbers. @returns its fields, if changes of the definition are tracked. */
export function handedFields(
  world: World,
  archetype: Archetype,
  definition: Definition,
): readonly HandedField[] {
  const { tracking } = world.graph;
  if (!tracking.tracked.some((one) => one.definition === definition && one.kind === CHANGED)) return [];
  const handed = (tracking.handed ??= new HandedArrays(world)) as HandedArrays;
  return definition.fields.flatMap(([, { width }], place) =>
    width === 0 ? [] : (handed.fieldOf(archetype, definition, place) ?? []),
  );
}
