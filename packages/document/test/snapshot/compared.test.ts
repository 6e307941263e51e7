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
import { Name, rename } from "@treeline/names";
import { destroy } from "@treeline/query";
import { beforeEach, describe, expect, it } from "vitest";
import {
  bytesOf,
  checksum,
  keep,
  restore,
  rollBack,
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
  it("holds the last ones, and rolls back to one of them", () => {
    const ring = snapshotRing(world, { frames: 3 });
    for (let x = 0; x < 5; x++) {
      set(world, ship, Position, { x });
      keep(ring);
    }

    expect(codeOf(() => rollBack(ring, 3))).toBe("bad-value");
    rollBack(ring, 1);

    expect([get(world, ship, Position)!.x, ring.snapshots.length]).toEqual([3, 2]);
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
