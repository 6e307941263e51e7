import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  get,
  Parent,
  set,
  spawn,
  targetOf,
  type World,
} from "@treeline/core";
import { SavedWorld } from "@treeline/core/internal";
import { Name, rename } from "@treeline/names";
import { destroy } from "@treeline/query";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  bytesOf,
  checksum,
  keep,
  restore,
  rollBack,
  type SnapshotRing,
  snapshot,
  snapshotRing,
  withTransient,
} from "../../src/snapshot.ts";
import { Aims, codeOf, Likes, Lit, Position, smallWorld, Target } from "../small-world.ts";

let world: World;
let ship: Entity;
let gun: Entity;
beforeEach(() => {
  ({ world, ship, gun } = smallWorld());
});

it("a checksum differs with the target of a pair that is stored by entity, and is the same after a restore", () => {
  add(world, gun, Aims(ship));
  const [taken, before] = [snapshot(world), checksum(world)];
  add(world, gun, Aims(gun));
  const after = checksum(world);

  restore(world, taken);

  expect([after === before, checksum(world) === before, targetOf(world, gun, Aims)]).toEqual([
    false,
    true,
    ship,
  ]);
});

describe("a ring of snapshots", () => {
  /** Frames 0 to 4, each after a `keep`: x is then 5. */
  function play(ring: SnapshotRing): void {
    for (let frame = 0; frame < 5; frame++) {
      keep(ring);
      set(world, ship, Position, { x: frame + 1 });
    }
  }

  it.each([0, 1, 3, 5])("goes back exactly as many frames as it is told: %d", (count) => {
    const ring = snapshotRing(world, { frames: 5 });
    set(world, ship, Position, { x: 0 });
    play(ring);

    rollBack(ring, count);

    expect([get(world, ship, Position)!.x, ring.snapshots.length]).toEqual([5 - count, 5 - count]);
  });

  it("counts frames that were played again after it has rolled back", () => {
    const ring = snapshotRing(world, { frames: 10 });
    set(world, ship, Position, { x: 0 });
    play(ring);
    rollBack(ring, 3);
    play(ring);

    rollBack(ring, 6);

    expect([get(world, ship, Position)!.x, ring.snapshots.length]).toEqual([1, 1]);
  });

  it.each([4, -1, 0.5, Number.NaN, undefined])("refuses to go back %s frames if it holds three", (count) => {
    const ring = snapshotRing(world, { frames: 3 });
    play(ring);

    expect(codeOf(() => rollBack(ring, count as number))).toBe("bad-value");
    expect([get(world, ship, Position)!.x, ring.snapshots.length]).toEqual([5, 3]);
  });

  it("measures each snapshot once if it may have so many bytes, and none without a limit", () => {
    const measured = vi.spyOn(SavedWorld.prototype, "bytes", "get");
    const free = snapshotRing(world, { frames: 2 });
    play(free);
    const sums = [measured.mock.calls.length];
    const ring = snapshotRing(world, { frames: 60, bytes: 1e9 });
    for (let turn = 0; turn < 20; turn++) play(ring);
    sums.push(measured.mock.calls.length, ring.snapshots.length);
    measured.mockRestore();

    expect(sums).toEqual([0, 100, 60]);
  });

  it("drops the oldest ones by their bytes after it has rolled back, too", () => {
    const one = bytesOf(snapshot(world));
    const ring = snapshotRing(world, { frames: 60, bytes: one * 3.5 });
    play(ring);
    rollBack(ring, 2);
    const left = ring.snapshots.length;
    play(ring);

    expect([left, ring.snapshots.length]).toEqual([1, 3]);
  });

  it("holds fewer if they have more bytes than it may have, but always the newest", () => {
    const one = bytesOf(snapshot(world));
    const ring = snapshotRing(world, { frames: 60, bytes: one * 2.5 });
    for (let turn = 0; turn < 5; turn++) keep(ring);
    const tiny = snapshotRing(world, { frames: 60, bytes: 1 });
    keep(tiny);
    keep(tiny);

    expect([ring.snapshots.length, tiny.snapshots.length]).toEqual([2, 1]);
  });

  it("refuses no frames and no bytes", () => {
    expect(codeOf(() => snapshotRing(world, { frames: 0 }))).toBe("bad-value");
    expect(codeOf(() => snapshotRing(world, { frames: 1, bytes: 0 }))).toBe("bad-value");
  });
});

describe("a checksum", () => {
  it("is the same after a restore and the same calls, and another one after other calls", () => {
    const play = (by: number): void => {
      for (let frame = 0; frame < 20; frame++) {
        spawn(world, Position({ x: frame * by }), ChildOf(frame % 2 === 0 ? ship : gun), Name(`${frame}`));
        set(world, gun, Position, { y: frame * by });
      }
    };
    const taken = snapshot(world);
    const sums = [1, 1, 2].map((by) => {
      restore(world, taken);
      play(by);
      return checksum(world);
    });

    expect(sums[1]).toBe(sums[0]);
    expect(sums[2]).not.toBe(sums[0]);
  });

  it("is that of another world with the same calls", () => {
    const sums = [createWorld(), createWorld()].map((one) => {
      const top = spawn(one, Name("Top"), Position({ x: 1 }));
      destroy(one, spawn(one, ChildOf(top), Target({ x: 2 })));
      add(one, spawn(one, Parent(top), Lit), Likes(top));
      return checksum(one);
    });

    expect(sums[0]).toBe(sums[1]);
  });

  it.each<[string, () => void]>([
    ["a value", () => set(world, ship, Position, { x: 8 })],
    ["two values with another sign each", () => set(world, ship, Position, { x: -1, y: -2 })],
    ["a name", () => rename(world, ship, "Boat")],
    ["a parent", () => add(world, ship, ChildOf(spawn(world)))],
    ["a tag in bits", () => add(world, ship, Lit)],
    ["a sparse value", () => add(world, ship, Target({ x: 1 }))],
    ["a pair", () => add(world, ship, Likes(gun))],
    ["handles to come", () => destroy(world, spawn(world))],
  ])("differs with %s", (_, change) => {
    const before = checksum(world);

    change();

    expect(checksum(world)).not.toBe(before);
  });

  it("takes -0 for 0 and all NaN for one, and does not see transient values", () => {
    const Shown = withTransient(component("Shown", { x: 0 }));
    const Precise = component("Precise", { at: 0 });
    add(world, ship, Shown, Precise);
    set(world, ship, Position, { x: 0, y: Number.NaN });
    const before = checksum(world);

    set(world, ship, Position, { x: -0, y: -Number.NaN });
    set(world, ship, Precise, { at: -0 });
    set(world, ship, Shown, { x: 8 });

    expect(checksum(world)).toBe(before);
  });
});
