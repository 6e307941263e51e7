import { describe, expect, it } from "vitest";
import { component, f32, type Memory } from "../../../src/index.ts";
import { copyRow, copyRows } from "../../../src/storage/copy-rows.ts";
import { bytesOfLanes, Lanes, planLanes, replaceLanes } from "../../../src/storage/lanes.ts";
import {
  ADDED,
  BLOCK_ROWS,
  CHANGED,
  type Clock,
  markRow,
  markRows,
  REMOVED,
  type Track,
  type TrackKind,
  Tracks,
} from "../../../src/storage/tracks.ts";
import { memories } from "../memory/memories.ts";

const Position = component("Position", { x: f32, y: f32 });
const Label = component<string>("Label");

/** Tracks of Position, of each kind, in columns of so many rows. */
function tracksOf(capacity: number, ...kinds: TrackKind[]): Tracks {
  const clock: Clock = { now: 9 };
  const lanes = { capacity, tracks: undefined };
  const archetype = {
    places: new Uint16Array(0),
    hasValueParent: false,
    inherited: [],
    rows: 0,
    bits: undefined,
    lanes,
  };
  const tracks = new Tracks({ clock, found: undefined, tracked: [], disabledEdition: 0 }, archetype);
  for (const kind of kinds) tracks.start({ definition: Position, kind, users: 1, at: 0, lost: true });
  return tracks;
}

function trackOf(kind: TrackKind = CHANGED, capacity = 192): Track {
  return tracksOf(capacity, kind).list[0]!;
}

describe("a track", () => {
  it("starts with no event", () => {
    const { rows, blocks, last } = trackOf(CHANGED, 80);

    expect([rows.length, blocks.length, last]).toEqual([80, 2, 0]);
    expect([...rows, ...blocks].every((tick) => tick === 0)).toBe(true);
  });

  it("has one block more for the rows that do not fill one", () => {
    expect([16, 64, 80, 128].map((capacity) => trackOf(CHANGED, capacity).blocks.length)).toEqual([
      1, 1, 2, 2,
    ]);
  });

  it("keeps the tick of a row, and raises its block and the last tick", () => {
    const track = trackOf();

    markRow(track, BLOCK_ROWS + 3, 5);

    expect([track.rows[BLOCK_ROWS + 2], track.rows[BLOCK_ROWS + 3]]).toEqual([0, 5]);
    expect([[...track.blocks], track.last]).toEqual([[0, 5, 0], 5]);
  });

  it("lets a row go back to an earlier tick, but not its block", () => {
    const track = trackOf();
    markRow(track, 3, 5);

    markRow(track, 3, 2);

    expect([track.rows[3], track.blocks[0], track.last]).toEqual([2, 5, 5]);
  });

  it("marks a range, with all blocks that it touches and no others", () => {
    const track = trackOf();

    markRows(track, BLOCK_ROWS - 1, 2 * BLOCK_ROWS, 5);

    expect([...track.rows].flatMap((tick, row) => (tick === 5 ? [row] : []))).toEqual(
      Array.from({ length: BLOCK_ROWS + 1 }, (_, at) => BLOCK_ROWS - 1 + at),
    );
    expect([[...track.blocks], track.last]).toEqual([[5, 5, 0], 5]);
  });

  it("is left alone by an empty range", () => {
    const track = trackOf();

    markRows(track, 64, 64, 5);

    expect([[...track.blocks], track.last]).toEqual([[0, 0, 0], 0]);
  });

  it("is found by definition and kind", () => {
    const tracks = tracksOf(192, CHANGED, ADDED);

    expect(tracks.of(Position.id, ADDED)).toBe(tracks.list[1]);
    expect(tracks.of(Position.id, REMOVED)).toBeUndefined();
    expect(tracks.of(Position.id + 1, ADDED)).toBeUndefined();
  });
});

describe("rows of spawned entities", () => {
  it("are changed and added now, and have lost nothing", () => {
    const tracks = tracksOf(192, CHANGED, ADDED, REMOVED);
    for (const track of tracks.list) markRows(track, 0, 10, 4);

    tracks.markSpawned(2, 4);

    expect(tracks.list.map(({ rows }) => [...rows.subarray(1, 5)])).toEqual([
      [4, 9, 9, 4],
      [4, 9, 9, 4],
      [4, 0, 0, 4],
    ]);
  });
});

describe("a row whose value was written", () => {
  it("is changed now, in the track of that component alone", () => {
    const tracks = tracksOf(16, ADDED, CHANGED);
    tracks.start({ definition: Label, kind: CHANGED, users: 1, at: 0, lost: true });

    tracks.written(Position, 3);

    expect(tracks.list.map(({ rows }) => rows[3])).toEqual([0, 9, 0]);
  });
});

describe("ticks of many rows", () => {
  it("are copied to other rows, and the blocks there are updated", () => {
    const [source, target] = [tracksOf(192, CHANGED), tracksOf(192, CHANGED)];
    const [from, to] = [source.list[0]!, target.list[0]!];
    for (let row = 0; row < 100; row++) markRow(from, row, row + 1);

    target.copyRows(source, 60, 120, 20);

    expect([...to.rows.subarray(119, 141)]).toEqual([
      0,
      ...Array.from({ length: 20 }, (_, at) => 61 + at),
      0,
    ]);
    expect([[...to.blocks], to.last]).toEqual([[0, 68, 80], 80]);
  });

  it("may be copied down onto themselves", () => {
    const tracks = tracksOf(192, CHANGED);
    const track = tracks.list[0]!;
    for (let row = 0; row < 100; row++) markRow(track, row, row + 1);

    tracks.copyRows(tracks, 10, 3, 50);

    expect([...track.rows.subarray(3, 53)]).toEqual(Array.from({ length: 50 }, (_, at) => 11 + at));
  });
});

describe.each(memories)("lanes with tracks on %s memory", (_, createMemory) => {
  function opened(memory: Memory, capacity: number): { lanes: Lanes; track: Track } {
    const lanes = new Lanes(planLanes([{ definition: Position, occurrence: 0 }]), memory);
    replaceLanes(lanes, capacity);
    lanes.tracks = tracksOf(capacity, CHANGED);
    return { lanes, track: lanes.tracks.list[0]! };
  }

  it("copy the ticks of a row with it", () => {
    const { lanes, track } = opened(createMemory(), 128);
    markRow(track, 1, 5);

    copyRow(lanes, 1, 100);

    expect([track.rows[100], track.blocks[1]]).toEqual([5, 5]);
  });

  it("copy the ticks of many rows with them", () => {
    const { lanes, track } = opened(createMemory(), 128);
    markRows(track, 0, 40, 5);

    copyRows(lanes, 0, lanes, 80, 40);

    expect([...track.rows.subarray(79, 121)]).toEqual([0, ...new Array<number>(40).fill(5), 0]);
  });

  it("keep their tracks when they move to other buffers, and clear what was not copied", () => {
    const { lanes, track } = opened(createMemory(), 128);
    markRow(track, 2, 5);
    markRow(track, 120, 8);

    replaceLanes(lanes, 256, (old) => copyRows(old, 0, lanes, 64, 4));

    expect(lanes.tracks!.list[0]).toBe(track);
    expect([track.rows.length, track.rows[66], track.rows[2], track.rows[120]]).toEqual([256, 5, 0, 0]);
    expect([[...track.blocks], track.last]).toEqual([[0, 5, 0, 0], 5]);
  });

  it("keep their tracks, without any rows, when they free their buffers", () => {
    const { lanes, track } = opened(createMemory(), 128);
    markRow(track, 2, 5);

    replaceLanes(lanes, 0);

    expect(lanes.tracks!.list[0]).toBe(track);
    expect([track.rows.length, track.blocks.length, track.last]).toEqual([0, 0, 0]);
  });

  it("count the bytes of ticks", () => {
    const { lanes } = opened(createMemory(), 128);
    const all = bytesOfLanes(lanes);
    lanes.tracks = undefined;

    expect(all - bytesOfLanes(lanes)).toBe(128 * 8 + 2 * 8);
  });

  it("leave ticks as they are if there is no memory for other buffers", () => {
    const memory = createMemory();
    let isEmpty = false;
    const short: Memory = {
      ...memory,
      allocate: (bytes, moved) => {
        if (isEmpty) throw new Error("no memory");
        return memory.allocate(bytes, moved);
      },
    };
    const { lanes, track } = opened(short, 128);
    markRow(track, 2, 5);
    isEmpty = true;

    expect(() => replaceLanes(lanes, 256, (old) => copyRows(old, 0, lanes, 0, 4))).toThrow("no memory");
    expect([track.rows.length, track.rows[2], track.last]).toEqual([128, 5, 5]);
  });
});
