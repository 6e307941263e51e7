import {
  BLOCK_ROWS,
  type Clock,
  markRow,
  markRows,
  REMOVED,
  type Ticks,
  type Track,
  type TrackKind,
  type TrackWork,
  trackWork,
} from "./tracks.ts";

/** From now on there may be tracks. */
export function bringTracks(): void {
  trackWork.brought = WORK;
}

export function createTrack(definition: number, kind: TrackKind, clock: Clock, capacity: number): Track {
  bringTracks();
  return { definition, kind, clock, ...noTicks(capacity) };
}

function noTicks(capacity: number): Ticks {
  return {
    rows: new Float64Array(capacity),
    blocks: new Float64Array(Math.ceil(capacity / BLOCK_ROWS)),
    last: 0,
  };
}

function stampBorn(tracks: readonly Track[], first: number, end: number): void {
  for (let at = 0; at < tracks.length; at++) {
    const track = tracks[at]!;
    markRows(track, first, end, track.kind === REMOVED ? 0 : track.clock.now);
  }
}

export function copyTicksOfRows(
  source: readonly Track[],
  from: number,
  target: readonly Track[],
  to: number,
  count: number,
): void {
  for (let at = 0; at < target.length; at++) {
    const { rows } = source[at]!;
    for (let row = 0; row < count; row++) markRow(target[at]!, to + row, rows[from + row]!);
  }
}

const WORK: TrackWork = { noTicks, stampBorn, copyTicksOfRows };
