import { describe, expect, it } from "vitest";
import type { Definition } from "../../../src/index.ts";
import { openLanes } from "../../../src/storage/lanes.ts";
import { createShape, type Shape } from "../../../src/storage/shape.ts";
import {
  closeTracks,
  endTrack,
  moveTicks,
  openTracks,
  startTrack,
  startTracks,
} from "../../../src/storage/track-shapes.ts";
import { createTracking, type Tracking, trackOf } from "../../../src/storage/tracking.ts";
import { ADDED, CHANGED, markRow, REMOVED, type TrackKind } from "../../../src/storage/tracks.ts";
import { Frozen, Position } from "../../definitions.ts";
import { memories } from "../memory/memories.ts";

describe.each(memories)("tracking on %s memory", (_, createMemory) => {
  function shapeOf(...definitions: Definition[]): Shape {
    const shape = createShape(0, definitions, createMemory());
    openLanes(shape.lanes, 80);
    return shape;
  }

  function trackingOf(...tracked: (readonly [Definition, TrackKind])[]): Tracking {
    const tracking = createTracking();
    tracking.clock.now = 9;
    for (const [definition, kind] of tracked) tracking.tracked.push({ definition, kind, users: 1 });
    return tracking;
  }

  it("gives a new shape the tracks of what it has, with nothing in them", () => {
    const shape = shapeOf(Position);

    startTracks(
      trackingOf([Position, CHANGED], [Position, ADDED], [Position, REMOVED], [Frozen, ADDED]),
      shape,
    );

    expect(shape.lanes.tracks?.map(({ definition, kind, last }) => [definition, kind, last])).toEqual([
      [Position.id, CHANGED, 0],
      [Position.id, ADDED, 0],
    ]);
  });

  it("gives a new shape that has nothing of it none, but the sign that something is tracked", () => {
    const shape = shapeOf(Frozen);

    startTracks(trackingOf([Position, CHANGED], [Frozen, REMOVED]), shape);

    expect(shape.lanes.tracks).toEqual([]);
  });

  it("begins with all rows of a shape that has some, as of now", () => {
    const { tracked, clock } = trackingOf([Position, CHANGED]);
    const [full, empty] = [shapeOf(Position), shapeOf(Position)];
    full.rows = 1;

    for (const shape of [full, empty]) startTrack(shape, tracked[0]!, clock);

    expect([full, empty].map((shape) => trackOf(shape, Position, CHANGED)!.last)).toEqual([9, 0]);
    expect([...trackOf(full, Position, CHANGED)!.blocks]).toEqual([9, 9]);
  });

  it("ends one track and leaves others", () => {
    const tracking = trackingOf([Position, CHANGED], [Position, ADDED]);
    const shape = shapeOf(Position);
    startTracks(tracking, shape);

    endTrack(shape, tracking.tracked[0]!);

    expect(shape.lanes.tracks).toEqual([trackOf(shape, Position, ADDED)]);
  });

  it("ends altogether without a trace", () => {
    const shape = shapeOf(Position);
    startTracks(trackingOf([Position, CHANGED]), shape);

    closeTracks(shape);

    expect(shape.lanes.tracks).toBeUndefined();
  });

  it("begins with a sign in a shape, which leaves tracks that are there", () => {
    const shape = shapeOf(Position);
    openTracks(shape);
    const before = shape.lanes.tracks;
    startTracks(trackingOf([Position, CHANGED]), shape);
    openTracks(shape);

    expect([before, shape.lanes.tracks?.length]).toEqual([[], 1]);
  });

  it("makes a track of what is lost only where somebody comes who lost it", () => {
    const tracking = trackingOf([Position, REMOVED]);
    const [placed, bare, other] = [shapeOf(Position), shapeOf(), shapeOf(Frozen)];

    for (const shape of [placed, bare, other]) openTracks(shape);
    moveTicks(tracking, other, 0, bare, 0);
    const before = trackOf(bare, Position, REMOVED);
    moveTicks(tracking, placed, 0, bare, 1);
    moveTicks(tracking, placed, 1, bare, 2);

    expect([before, bare.lanes.tracks?.length, trackOf(bare, Position, REMOVED)!.rows.length]).toEqual([
      undefined,
      1,
      80,
    ]);
  });

  it("stamps what a row lost, and lets it take that along", () => {
    const tracking = trackingOf([Position, REMOVED]);
    const [placed, bare, other] = [shapeOf(Position), shapeOf(), shapeOf(Frozen)];

    for (const shape of [placed, bare, other]) openTracks(shape);
    moveTicks(tracking, placed, 3, bare, 4);
    tracking.clock.now = 12;
    moveTicks(tracking, bare, 4, other, 70);

    expect([bare, other].map((shape) => trackOf(shape, Position, REMOVED)!.rows[4])).toEqual([9, 0]);
    expect([...trackOf(other, Position, REMOVED)!.blocks]).toEqual([0, 9]);
  });

  it("stamps what a row got, and lets it keep when it got the rest", () => {
    const tracking = trackingOf([Position, ADDED], [Frozen, ADDED]);
    const [placed, both] = [shapeOf(Position), shapeOf(Frozen, Position)];
    for (const shape of [placed, both]) startTracks(tracking, shape);
    markRow(trackOf(placed, Position, ADDED)!, 3, 2);

    moveTicks(tracking, placed, 3, both, 5);

    expect([Position, Frozen].map((definition) => trackOf(both, definition, ADDED)!.rows[5])).toEqual([2, 9]);
  });
});
