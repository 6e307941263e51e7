/** The kinds of tracks: when a value was written; when the entity got the definition; when it lost it. */
export const CHANGED = "changed";
export const ADDED = "added";
export const REMOVED = "removed";
export type TrackKind = typeof CHANGED | typeof ADDED | typeof REMOVED;

/** A row's block is its number without so many low bits. */
export const BLOCK_BITS = 6;
/** Rows of one block of a track. */
export const BLOCK_ROWS: number = 2 ** BLOCK_BITS;
/** More rows than this are filled by the engine, fewer by a loop. */
const BULK = 32;

/** Counts the ticks of a world: looks for changes, not time. Who looks lets it go on; nobody else does. */
export interface Clock {
  /** From 1. What happens now is stamped with it. */
  now: number;
}

/**
 * When something last happened to each row of one shape, as far as one definition is concerned.
 *
 *   rows      0  0  7  0 ...  | 0  0  0 ...  | 3  9 ...
 *   blocks    7               | 0            | 9          last 9
 *
 * Ticks of rows are exact; free rows keep old ones. Those of blocks, and the last one, may be too high: who left took
 * its own tick along.
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

/** What a track begins with: nothing has ever happened. */
export type Ticks = Pick<Track, "rows" | "blocks" | "last">;

/**
 * What is done with the tracks of a shape, apart from single rows. Whoever makes the first one brings it, so that programs
 * that look for no changes ship none of it; while `lanes.tracks` is `undefined` nothing of it is called.
 */
export interface TrackWork {
  /** For columns of so many rows. */
  noTicks(capacity: number): Ticks;
  /** Rows `first .. end` are those of newborns. */
  stampBorn(tracks: readonly Track[], first: number, end: number): void;
  /**
   * The ticks of `count` rows go to others, within a shape or between two layouts of one; pieces may overlap as those of
   * `copyRows`.
   */
  copyTicksOfRows(
    source: readonly Track[],
    from: number,
    target: readonly Track[],
    to: number,
    count: number,
  ): void;
}

export const trackWork: { brought: TrackWork | undefined } = { brought: undefined };

/** The track of a definition among those of a shape. */
export function trackIn(
  tracks: readonly Track[] | undefined,
  definition: number,
  kind: TrackKind,
): Track | undefined {
  if (tracks === undefined) return undefined;
  for (let at = 0; at < tracks.length; at++) {
    const track = tracks[at]!;
    if (track.definition === definition && track.kind === kind) return track;
  }
  return undefined;
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

/** The value of a definition was written in a row. */
export function stampWritten(tracks: readonly Track[], definition: number, row: number): void {
  const track = trackIn(tracks, definition, CHANGED);
  if (track !== undefined) markRow(track, row, track.clock.now);
}

/** The ticks of one row go to another one of the same shape. */
export function copyTicks(tracks: readonly Track[], from: number, to: number): void {
  for (let at = 0; at < tracks.length; at++) markRow(tracks[at]!, to, tracks[at]!.rows[from]!);
}

/** Rows `first .. end` are those of newborns. */
export function stampBorn(tracks: readonly Track[], first: number, end: number): void {
  trackWork.brought!.stampBorn(tracks, first, end);
}
