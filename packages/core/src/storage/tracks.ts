// When each row last changed, was added, removed or retargeted (`markRow`); ticks per row and per block of `BLOCK_ROWS`.
import { CHILD_OF } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { JournalReader } from "./journal.ts";

/**
 * When a value was written, when the entity got the definition, and when it lost it; of an exclusive relation, when the entity
 * got it or another target, or, if it is sparse, lost it. Parents of both storages are tracked as those of `ChildOf`.
 */
export const CHANGED = "changed";
export const ADDED = "added";
export const REMOVED = "removed";
export const RETARGETED = "retargeted";
export type TrackKind = typeof CHANGED | typeof ADDED | typeof REMOVED | typeof RETARGETED;

/** The block of a row in a track is its row number without this many low bits. */
export const BLOCK_BITS = 6;
export const BLOCK_ROWS = 64; // 2 ** BLOCK_BITS, as a literal: bundlers keep what they would have to compute
/** More rows than this are written by the engine, fewer by a loop. */
const BULK = 32;

/** Counts the ticks of a world: reads of changes, not time. Only reading changes advances it. */
export interface Clock {
  /** From 1. The tick of changes that happen now. */
  now: number;
}

/** One definition and kind of change that is tracked in all archetypes. Those of targets are readers of the journal. */
export interface Tracked extends JournalReader {
  readonly definition: Definition;
  readonly kind: TrackKind;
  /** The number of users; after the last one the tracks are dropped. */
  users: number;
}

/** What is tracked in a world. */
export interface Tracking {
  readonly clock: Clock;
  /** Gives a newly founded archetype its tracks; set once something was tracked. */
  found: ((tracking: Tracking, archetype: TrackedArchetype) => void) | undefined;
  /** Each definition and kind once; empty in most worlds. */
  readonly tracked: Tracked[];
  /** Grows, while anything is tracked, whenever rows may have become disabled or enabled. */
  disabledEdition: number;
  /** Set once an array over a column was handed out. */
  handed?: Handed;
}

/** The arrays over columns that callbacks got, to whose numbers they may write: see `HandedArrays`, which `array` brings. */
interface Handed {
  /**
   * Marks what was written to them. Called before changes are read.
   *
   * @param tick of an iteration that ends, which has marked its other writes with it; or 0.
   */
  settle(tick: number): void;
  /** Changes of a component are tracked from now on: its arrays may have been kept. */
  begin(definition: Definition): void;
}

/** Those over one set of columns. */
export interface HandedRows {
  /** Marks what was written to rows `first .. end`, before they move or get other values. */
  settleRows(first: number, end: number): void;
  /** Rows have values and ticks from elsewhere. */
  copyRows(first: number, end: number): void;
  /** The world was restored. */
  rebase(): void;
  /** The columns will be replaced. */
  drop(): void;
}

/**
 * The tick of the last change of each row of one archetype, for one definition and kind of change.
 *
 *   rows      0  0  7  0 ...  | 0  0  0 ...  | 3  9 ...
 *   blocks    7               | 0            | 9          last 9
 *
 * Ticks of used rows are exact; free rows keep old ones. Ticks of blocks and `last` may be too high, because rows with higher
 * ticks have left.
 */
export interface Track {
  /** Number of the definition. */
  readonly definition: number;
  readonly kind: TrackKind;
  readonly clock: Clock;
  /** Tick by absolute row; 0 for never. As long as the columns, and replaced together with them. */
  rows: Float64Array<ArrayBuffer>;
  /** At least the highest tick of each `BLOCK_ROWS` rows. */
  blocks: Float64Array<ArrayBuffer>;
  /** At least the highest tick of all. */
  last: number;
}

export function isTracked({ tracked }: Tracking, definition: Definition, kind: TrackKind): boolean {
  return tracked.some((one) => one.definition === definition && one.kind === kind);
}

function noTicks(capacity: number): Pick<Track, "rows" | "blocks" | "last"> {
  const blocks = new Float64Array(Math.ceil(capacity / BLOCK_ROWS));
  return { rows: new Float64Array(capacity), blocks, last: 0 };
}

export function markRow(track: Track, row: number, tick: number): void {
  const { rows, blocks } = track;
  const block = row >> BLOCK_BITS;
  rows[row] = tick;
  if (tick > blocks[block]!) blocks[block] = tick;
  if (tick > track.last) track.last = tick;
}

/** Makes readers look at a row that has not changed now: its tick stays. */
export function markBlock(track: Track, row: number): void {
  const { now } = track.clock;
  track.blocks[row >> BLOCK_BITS] = now;
  track.last = now;
}

/** The same for rows `first .. end`. */
export function markRows(track: Track, first: number, end: number, tick: number): void {
  if (first >= end) return;
  const { rows, blocks } = track;
  if (end - first > BULK) rows.fill(tick, first, end);
  else for (let row = first; row < end; row++) rows[row] = tick;
  const lastBlock = (end - 1) >> BLOCK_BITS;
  for (let block = first >> BLOCK_BITS; block <= lastBlock; block++) {
    if (tick > blocks[block]!) blocks[block] = tick;
  }
  if (tick > track.last) track.last = tick;
}

export interface TrackedArchetype {
  readonly places: Uint16Array;
  readonly hasValueParent: boolean;
  readonly inherited: readonly { readonly id: number }[];
  readonly rows: number;
  readonly bits: { count(definition: Definition): number } | undefined;
  readonly lanes: { readonly capacity: number; tracks: Tracks | undefined };
}

/** Whether the archetype has a definition in its type, or for `ChildOf` a parent by value; never true of tags stored as bits. */
export function isIn({ places, hasValueParent }: TrackedArchetype, definition: number): boolean {
  return (
    (definition < places.length && places[definition] !== 0) || (hasValueParent && definition === CHILD_OF)
  );
}

/** Whether the archetype has the definition in its type, or rows of it have the definition as a bit. */
export function isInRows(archetype: TrackedArchetype, definition: Definition): boolean {
  if (definition.storage === "table") return isIn(archetype, definition.id);
  return (archetype.bits?.count(definition) ?? 0) > 0;
}

/** Whether that is the own one of its rows: not inherited. */
export function owns(archetype: TrackedArchetype, definition: number): boolean {
  return isIn(archetype, definition) && !archetype.inherited.some(({ id }) => id === definition);
}

/**
 * All tracks of a founded archetype, while something is tracked in its world. For all kinds but REMOVED there is one for each
 * definition that the archetype has, be it inherited. For REMOVED only archetypes whose rows do not own the definition have one, once a row arrives that has
 * lost it. For tags stored as bits any archetype has one, once a row there gets or loses the tag, or arrives after that. Programs
 * that read no changes do not bundle this.
 */
export class Tracks {
  list: readonly Track[] = [];
  handed: HandedRows | undefined = undefined;
  readonly tracking: Tracking;
  private readonly archetype: TrackedArchetype;

  constructor(tracking: Tracking, archetype: TrackedArchetype) {
    this.tracking = tracking;
    this.archetype = archetype;
  }

  of(definition: number, kind: TrackKind): Track | undefined {
    const { list } = this;
    for (let at = 0; at < list.length; at++) {
      const track = list[at]!;
      if (track.definition === definition && track.kind === kind) return track;
    }
    return undefined;
  }

  private open({ id: definition }: Definition, kind: TrackKind): Track {
    const { clock } = this.tracking;
    const track = { definition, kind, clock, ...noTicks(this.archetype.lanes.capacity) };
    this.list = [...this.list, track];
    return track;
  }

  /** Starts tracking, in an archetype that has the definition: its present rows count as changed and added now. */
  start({ definition, kind }: Tracked): void {
    const track = this.open(definition, kind);
    if (this.archetype.rows > 0) markRows(track, 0, track.rows.length, track.clock.now);
  }

  end({ definition, kind }: Tracked): void {
    this.list = this.list.filter((track) => track.definition !== definition.id || track.kind !== kind);
  }

  /** Resets all tracks for new columns; if allocation fails, none has changed. @returns the tracks of the former columns. */
  renew(capacity: number): Tracks {
    this.handed?.drop();
    this.handed = undefined;
    const former = new Tracks(this.tracking, this.archetype);
    former.list = this.list.map((track) => ({ ...track }));
    const ticks = this.list.map(() => noTicks(capacity));
    for (const [at, track] of this.list.entries()) Object.assign(track, ticks[at]);
    return former;
  }

  /** Copies ticks of rows, from these or former tracks; within the same tracks the ranges may overlap if `to` is below `from`. */
  copyRows(source: Tracks, from: number, to: number, count: number): void {
    this.handed?.copyRows(to, to + count);
    for (let at = 0; at < this.list.length; at++) {
      const { rows } = source.list[at]!;
      for (let row = 0; row < count; row++) markRow(this.list[at]!, to + row, rows[from + row]!);
    }
  }

  /** Exchanges the ticks of two rows. */
  swapRows(one: number, other: number): void {
    this.handed?.copyRows(one, one + 1);
    this.handed?.copyRows(other, other + 1);
    for (const track of this.list) {
      const tick = track.rows[one]!;
      markRow(track, one, track.rows[other]!);
      markRow(track, other, tick);
    }
  }

  /** Marks the rows of spawned entities. */
  markSpawned(first: number, end: number = first + 1): void {
    const { list } = this;
    for (let at = 0; at < list.length; at++) {
      markRows(list[at]!, first, end, list[at]!.kind === REMOVED ? 0 : list[at]!.clock.now);
    }
  }

  /** A value was written: in a column of the row, or in a sparse store. */
  written(definition: Definition, row: number): void {
    const track = this.of(definition.id, CHANGED);
    if (track !== undefined) markRow(track, row, track.clock.now);
    else if (definition.storage !== "table") this.mark(definition, CHANGED, row, row + 1);
  }

  /** Marks existing rows that do not have the definition in their type, if such changes are tracked. */
  mark(definition: Definition, kind: TrackKind, first: number, end: number): void {
    if (!isTracked(this.tracking, definition, kind)) return;
    const { now } = this.tracking.clock;
    markRows(this.of(definition.id, kind) ?? this.open(definition, kind), first, end, now);
  }

  /**
   * A row arrived from another archetype: marks what it got or lost, and copies its other ticks. What is inherited is neither got nor lost, but a
   * value that is read from elsewhere has changed.
   *
   * @cost the tracks of both archetypes.
   */
  arrive(origin: TrackedArchetype, fromRow: number, row: number): void {
    origin.lanes.tracks?.handed?.settleRows(fromRow, fromRow + 1);
    this.handed?.copyRows(row, row + 1);
    this.openLost(origin, fromRow);
    for (const track of this.list) {
      const { definition, kind, clock } = track;
      const had = owns(origin, definition);
      const differs = had !== owns(this.archetype, definition);
      const isNew = kind === CHANGED && isIn(origin, definition) !== isIn(this.archetype, definition);
      const isNow = kind === CHANGED ? isNew || differs : differs && had === (kind === REMOVED);
      markRow(track, row, isNow ? clock.now : tickOf(origin, definition, kind, fromRow));
    }
  }

  /** Creates the missing tracks for what an arriving row has lost, now or earlier, and for its tags in bits. */
  private openLost(origin: TrackedArchetype, row: number): void {
    for (const { definition, kind } of this.tracking.tracked) {
      const { id, storage } = definition;
      if ((kind !== REMOVED && storage === "table") || owns(this.archetype, id)) continue;
      if (this.of(id, kind) !== undefined) continue;
      if (owns(origin, id) || tickOf(origin, id, kind, row) > 0) this.open(definition, kind);
    }
  }
}

/** The existing rows `first .. end` got or lost a tag that is stored as bits, or a sparse definition. */
export function markTurned(
  tracks: Tracks,
  definition: Definition,
  first: number,
  end: number,
  on: boolean,
): void {
  tracks.mark(definition, on ? ADDED : REMOVED, first, end);
  tracks.mark(definition, RETARGETED, first, end);
  if (on) tracks.mark(definition, CHANGED, first, end);
}

function tickOf({ lanes }: TrackedArchetype, definition: number, kind: TrackKind, row: number): number {
  return lanes.tracks?.of(definition, kind)?.rows[row] ?? 0;
}

export function trackOf(
  { lanes }: { readonly lanes: { readonly tracks: Tracks | undefined } },
  { id }: Definition,
  kind: TrackKind,
): Track | undefined {
  return lanes.tracks?.of(id, kind);
}

/** Creates the tracks of an archetype that is founded while something is tracked. */
export function openTracks(tracking: Tracking, archetype: TrackedArchetype): void {
  archetype.lanes.tracks = new Tracks(tracking, archetype);
  for (const one of tracking.tracked) {
    if (one.kind !== REMOVED && isIn(archetype, one.definition.id)) archetype.lanes.tracks.start(one);
  }
}
