import { beforeEach, describe, expect, it } from "vitest";
import { type Entity, remove, spawn, type World } from "../../src/index.ts";
import type { Track } from "../../src/storage/tracks.ts";
import { ADDED, CHANGED, clockOf, keepTicks, REMOVED, trackOf } from "../ticks.ts";
import { archetypeFor, brokenInvariants, Frozen, Position, plantHealthy } from "./healthy.ts";

describe("verify reports I20", () => {
  let world: World;
  let seat: Entity;
  let track: Track;

  beforeEach(() => {
    ({ world, seat } = plantHealthy());
    keepTicks(world, Position, CHANGED, true);
    keepTicks(world, Position, REMOVED, true);
    track = trackOf(archetypeFor(world, seat), Position, CHANGED)!;
  });

  it("nothing in a healthy world", () => {
    remove(world, spawn(world, Position, Frozen), Position);
    clockOf(world).now++;

    expect(brokenInvariants(world)).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    ["a track is shorter than the columns", () => Object.assign(track, { rows: track.rows.slice(1) })],
    ["there are too few blocks", () => Object.assign(track, { blocks: new Float64Array(0) })],
    ["a block is behind a row", () => track.blocks.fill(0)],
    ["the last tick is behind a block", () => Object.assign(track, { last: 0 })],
    [
      "something happens later than now",
      () => {
        track.blocks[0] = 2;
        track.last = 2;
      },
    ],
    ["a row was never added", () => track.rows.fill(0)],
    [
      "an archetype lacks a track",
      () => Object.assign(archetypeFor(world, seat).lanes.tracks!, { list: [] }),
    ],
    [
      "an archetype does not know that something is tracked",
      () => Object.assign(archetypeFor(world, spawn(world)).lanes, { tracks: undefined }),
    ],
    [
      "an archetype has a track twice",
      () => Object.assign(archetypeFor(world, seat).lanes.tracks!, { list: [track, track] }),
    ],
    [
      "an archetype has a track that is unused",
      () =>
        archetypeFor(world, seat).lanes.tracks!.start({
          definition: Position,
          kind: ADDED,
          users: 1,
          at: 0,
          lost: true,
        }),
    ],
    [
      "an archetype has a track of what it has as of something lost",
      () =>
        archetypeFor(world, seat).lanes.tracks!.start({
          definition: Position,
          kind: REMOVED,
          users: 1,
          at: 0,
          lost: true,
        }),
    ],
  ])("when %s", (_, harm) => {
    harm();

    expect(brokenInvariants(world)).toEqual(["I20"]);
  });
});
