import type { Definition } from "../id/definition.ts";

/** When a value was written; when the entity got the definition; when it lost it. */
export const CHANGED = "changed";
export const ADDED = "added";
export const REMOVED = "removed";
export type TrackKind = typeof CHANGED | typeof ADDED | typeof REMOVED;

/** A row's block in a track is its number without so many low bits. */
export const BLOCK_BITS = 6;
export const BLOCK_ROWS: number = 2 ** BLOCK_BITS;
/** More rows than this are filled by the engine, fewer by a loop. */
const BULK = 32;

/** Counts the ticks of a world: looks for changes, not time. Who looks lets it go on; nobody else does. */
export interface Clock {
  /** From 1. What happens now is stamped with it. */
  now: number;
}

/** One kind of thing that is tracked in all archetypes. */
export interface Tracked {
  readonly definition: Definition;
  readonly kind: TrackKind;
  /** How many want it; with the last one the tracks go. */
  users: number;
}

/** What is tracked in a world. */
export interface Tracking {
  readonly clock: Clock;
  /** Gives an archetype that is founded its tracks; there as soon as something was tracked. */
  found: ((tracking: Tracking, archetype: TrackedArchetype) => void) | undefined;
  /** Each definition and kind once; empty in most worlds. */
  readonly tracked: Tracked[];
}

/**
 * When something last happened to each row of one archetype, as far as one definition is concerned.
 *
 *   rows      0  0  7  0 ...  | 0  0  0 ...  | 3  9 ...
 *   blocks    7               | 0            | 9          last 9
 *
 * Ticks of rows are exact; free rows keep old ones. Those of blocks, and the last one, may be too high: who left took theirs.
 */
export interface Track {
  /** Number of the definition. */
  readonly definition: number;
  readonly kind: TrackKind;
  readonly clock: Clock;
  /** Tick by absolute row; 0 for never. As long as the columns: another array whenever these are others. */
  rows: Float64Array<ArrayBuffer>;
  /** At least the highest tick of each `BLOCK_ROWS` rows. */
  blocks: Float64Array<ArrayBuffer>;
  /** At least the highest tick of all. */
  last: number;
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
  readonly rows: number;
  readonly lanes: { readonly capacity: number; tracks: Tracks | undefined };
}

/** What is stored as bits never is. */
function isIn({ places }: TrackedArchetype, definition: number): boolean {
  return definition < places.length && places[definition] !== 0;
}

/**
 * All tracks of a founded archetype, while something is tracked in its world. Of CHANGED and ADDED there is one for each
 * definition that it has; of REMOVED only archetypes without it have one, once somebody came there who had lost it; of tags
 * that are stored as bits any archetype, once somebody there got or lost it, or came after that. Programs that look for no
 * changes ship none of this.
 */
export class Tracks {
  list: readonly Track[] = [];
  private readonly tracking: Tracking;
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

  /** What is tracked from now on, in an archetype that has it: rows that are there count as changed and added now. */
  start({ definition, kind }: Tracked): void {
    const track = this.open(definition, kind);
    if (this.archetype.rows > 0) markRows(track, 0, track.rows.length, track.clock.now);
  }

  end({ definition, kind }: Tracked): void {
    this.list = this.list.filter((track) => track.definition !== definition.id || track.kind !== kind);
  }

  /** The columns are others: tracks begin anew; if memory is refused, none has changed. @returns those of the former columns. */
  renew(capacity: number): Tracks {
    const former = new Tracks(this.tracking, this.archetype);
    former.list = this.list.map((track) => ({ ...track }));
    const ticks = this.list.map(() => noTicks(capacity));
    for (const [at, track] of this.list.entries()) Object.assign(track, ticks[at]);
    return former;
  }

  /** Rows `to ..` get ticks of these or of former tracks; in the same ones pieces may overlap if `to` is below `from`. */
  copyRows(source: Tracks, from: number, to: number, count: number): void {
    for (let at = 0; at < this.list.length; at++) {
      const { rows } = source.list[at]!;
      for (let row = 0; row < count; row++) markRow(this.list[at]!, to + row, rows[from + row]!);
    }
  }

  /** Rows of newborns. */
  markSpawned(first: number, end: number): void {
    const { list } = this;
    for (let at = 0; at < list.length; at++) {
      markRows(list[at]!, first, end, list[at]!.kind === REMOVED ? 0 : list[at]!.clock.now);
    }
  }

  written(definition: number, row: number): void {
    const track = this.of(definition, CHANGED);
    if (track !== undefined) markRow(track, row, track.clock.now);
  }

  /** Rows `first .. end`, which are there already, got or lost a tag that is stored as bits. */
  turned(definition: Definition, first: number, end: number, on: boolean): void {
    const kind = on ? ADDED : REMOVED;
    const { tracked, clock } = this.tracking;
    if (!tracked.some((one) => one.definition === definition && one.kind === kind)) return;
    markRows(this.of(definition.id, kind) ?? this.open(definition, kind), first, end, clock.now);
  }

  /**
   * After a row of another archetype came: what it got or lost is stamped, other ticks go along. Cost: the tracks of both
   * archetypes.
   */
  arrive(origin: TrackedArchetype, fromRow: number, row: number): void {
    this.openLost(origin, fromRow);
    for (const track of this.list) {
      const { definition, kind, clock } = track;
      const had = isIn(origin, definition);
      const isNow = had !== isIn(this.archetype, definition) && had === (kind === REMOVED);
      markRow(track, row, isNow ? clock.now : tickOf(origin, definition, kind, fromRow));
    }
  }

  /** There are tracks for what a row has lost that comes, now or earlier, and for what it has in bits. */
  private openLost(origin: TrackedArchetype, row: number): void {
    for (const { definition, kind } of this.tracking.tracked) {
      const { id, storage } = definition;
      if ((kind !== REMOVED && storage !== "bits") || isIn(this.archetype, id)) continue;
      if (this.of(id, kind) !== undefined) continue;
      if (isIn(origin, id) || tickOf(origin, id, kind, row) > 0) this.open(definition, kind);
    }
  }
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

/** Gives an archetype that is founded while something is tracked the tracks of what it has. */
export function openTracks(tracking: Tracking, archetype: TrackedArchetype): void {
  archetype.lanes.tracks = new Tracks(tracking, archetype);
  for (const one of tracking.tracked) {
    if (one.kind !== REMOVED && isIn(archetype, one.definition.id)) archetype.lanes.tracks.start(one);
  }
}
