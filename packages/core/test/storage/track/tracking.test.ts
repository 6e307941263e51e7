import { describe, expect, it } from "vitest";
import type { Definition } from "../../../src/index.ts";
import { Archetype } from "../../../src/storage/archetype.ts";
import { replaceLanes } from "../../../src/storage/lanes.ts";
import {
  ADDED,
  CHANGED,
  markRow,
  openTracks,
  REMOVED,
  type Tracking,
  type TrackKind,
  trackOf,
} from "../../../src/storage/tracks.ts";
import { Frozen, Position } from "../../definitions.ts";
import { memories } from "../memory/memories.ts";

describe.each(memories)("tracking on %s memory", (_, createMemory) => {
  function archetypeFor(...definitions: Definition[]): Archetype {
    const archetype = new Archetype(0, definitions, createMemory());
    replaceLanes(archetype.lanes, 80);
    return archetype;
  }

  function trackingOf(...tracked: (readonly [Definition, TrackKind])[]): Tracking {
    const tracking: Tracking = { clock: { now: 9 }, found: undefined, tracked: [], disabledEdition: 0 };
    for (const [definition, kind] of tracked)
      tracking.tracked.push({ definition, kind, users: 1, at: 0, lost: true });
    return tracking;
  }

  it("gives a new archetype the tracks of what it has, with nothing in them", () => {
    const archetype = archetypeFor(Position);

    openTracks(
      trackingOf([Position, CHANGED], [Position, ADDED], [Position, REMOVED], [Frozen, ADDED]),
      archetype,
    );

    expect(
      archetype.lanes.tracks?.list.map(({ definition, kind, last }) => [definition, kind, last]),
    ).toEqual([
      [Position.id, CHANGED, 0],
      [Position.id, ADDED, 0],
    ]);
  });

  it("gives a new archetype without the component no track, but the sign that something is tracked", () => {
    const archetype = archetypeFor(Frozen);

    openTracks(trackingOf([Position, CHANGED], [Frozen, REMOVED]), archetype);

    expect(archetype.lanes.tracks?.list).toEqual([]);
  });

  it("starts with all rows of an archetype that has some, as of now", () => {
    const tracking = trackingOf([Position, CHANGED]);
    const [full, empty] = [archetypeFor(Position), archetypeFor(Position)];
    full.rows = 1;

    for (const archetype of [full, empty]) openTracks(tracking, archetype);

    expect([full, empty].map((archetype) => trackOf(archetype, Position, CHANGED)!.last)).toEqual([9, 0]);
    expect([...trackOf(full, Position, CHANGED)!.blocks]).toEqual([9, 9]);
  });

  it("ends one track and keeps others", () => {
    const tracking = trackingOf([Position, CHANGED], [Position, ADDED]);
    const archetype = archetypeFor(Position);
    openTracks(tracking, archetype);

    archetype.lanes.tracks!.end(tracking.tracked[0]!);

    expect(archetype.lanes.tracks!.list).toEqual([trackOf(archetype, Position, ADDED)]);
  });

  it("creates a track of removals only for an archetype that gets an entity that lost the component", () => {
    const tracking = trackingOf([Position, REMOVED]);
    const [placed, bare, other] = [archetypeFor(Position), archetypeFor(), archetypeFor(Frozen)];

    for (const archetype of [placed, bare, other]) openTracks(tracking, archetype);
    bare.lanes.tracks!.arrive(other, 0, 0);
    const before = trackOf(bare, Position, REMOVED);
    bare.lanes.tracks!.arrive(placed, 0, 1);
    bare.lanes.tracks!.arrive(placed, 1, 2);

    expect([before, bare.lanes.tracks?.list.length, trackOf(bare, Position, REMOVED)!.rows.length]).toEqual([
      undefined,
      1,
      80,
    ]);
  });

  it("stamps what a row lost, and keeps that with the row", () => {
    const tracking = trackingOf([Position, REMOVED]);
    const [placed, bare, other] = [archetypeFor(Position), archetypeFor(), archetypeFor(Frozen)];

    for (const archetype of [placed, bare, other]) openTracks(tracking, archetype);
    bare.lanes.tracks!.arrive(placed, 3, 4);
    tracking.clock.now = 12;
    other.lanes.tracks!.arrive(bare, 4, 70);

    expect([bare, other].map((archetype) => trackOf(archetype, Position, REMOVED)!.rows[4])).toEqual([9, 0]);
    expect([...trackOf(other, Position, REMOVED)!.blocks]).toEqual([0, 9]);
  });

  it("stamps what a row got, and keeps the ticks of the rest", () => {
    const tracking = trackingOf([Position, ADDED], [Frozen, ADDED]);
    const [placed, both] = [archetypeFor(Position), archetypeFor(Frozen, Position)];
    for (const archetype of [placed, both]) openTracks(tracking, archetype);
    markRow(trackOf(placed, Position, ADDED)!, 3, 2);

    both.lanes.tracks!.arrive(placed, 3, 5);

    expect([Position, Frozen].map((definition) => trackOf(both, definition, ADDED)!.rows[5])).toEqual([2, 9]);
  });
});
