import {
  add,
  ChildOf,
  clone,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  get,
  Parent,
  remove,
  type SpawnTerm,
  set,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { changed, destroy, eachRun, entities, query } from "@treeline/query";
import { attach, detach } from "@treeline/query/hierarchy";
import { describe, expect, it } from "vitest";
import {
  Bounds3D,
  boundsOf,
  Local3D,
  propagate,
  updateBounds,
  World3D,
  WorldBounds3D,
} from "../../src/3d.ts";
import { expectSound } from "../support.ts";
import { type Box, KITS } from "./kits.ts";

const Folder = tag("Folder");
const EMPTY = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];

const at = (...position: number[]): SpawnTerm => Local3D({ position });
/** A cube with sides of two. */
const cube = (): SpawnTerm => Bounds3D({ min: [-1, -1, -1], max: [1, 1, 1] });

function boxOf(world: World, entity: Entity): number[] {
  const { min, max } = get(world, entity, WorldBounds3D)!;
  return [...min, ...max];
}

/** The interval of a box along x. */
function widthOf(world: World, entity: Entity): number[] {
  const box = boxOf(world, entity);
  return [box[0]!, box[3]!];
}

function update(world: World): number {
  propagate(world);
  return updateBounds(world);
}

/**
 * A fleet with a box, with two ships that have boxes, at 0 and at 100 along x. In each ship are cubes: at 0, 10 and 20.
 *
 *   Fleet
 *     Ship    bow 0, hull 10, stern 20
 *     Tug     at 100, the same
 */
function plantFleet(storage: typeof ChildOf = ChildOf) {
  const world = createWorld();
  const fleet = spawn(world, Local3D, World3D, WorldBounds3D);
  const shipAt = (place: number) => {
    const ship = spawn(world, at(place, 0, 0), World3D, WorldBounds3D, storage(fleet));
    const parts = [0, 10, 20].map((x) => spawn(world, at(x, 0, 0), World3D, cube(), storage(ship)));
    return [ship, ...parts] as [Entity, Entity, Entity, Entity];
  };
  const [ship, bow, hull, stern] = shipAt(0);
  const [tug] = shipAt(100);
  update(world);
  return { world, fleet, ship, bow, hull, stern, tug };
}

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("updateBounds, with parents stored by %s", (_, storage) => {
  it("computes the box around everything in a subtree, and then nothing", () => {
    const { world, fleet, ship, tug } = plantFleet(storage);

    expect([fleet, ship, tug].map((entity) => boxOf(world, entity))).toEqual([
      [-1, -1, -1, 121, 1, 1],
      [-1, -1, -1, 21, 1, 1],
      [99, -1, -1, 121, 1, 1],
    ]);
    expect(update(world)).toBe(0);
    expectSound(world);
  });

  it("computes only the boxes around what moved", () => {
    const { world, fleet, stern } = plantFleet(storage);

    set(world, stern, Local3D, { position: [20, 50, 0] });

    expect(update(world)).toBe(2);
    expect(boxOf(world, fleet)).toEqual([-1, -1, -1, 121, 51, 1]);
  });

  it("computes nothing if what moved stays inside", () => {
    const { world, hull } = plantFleet(storage);

    set(world, hull, Local3D, { position: [12, 0, 0] });

    expect(update(world)).toBe(0);
  });

  it("ends at the first box that stays the same", () => {
    const { world, ship, stern } = plantFleet(storage);

    set(world, stern, Local3D, { position: [30, 0, 0] });

    expect(update(world)).toBe(1);
    expect(widthOf(world, ship)).toEqual([-1, 31]);
  });

  it("makes boxes smaller when what was at their border moves inside", () => {
    const { world, fleet, ship, bow } = plantFleet(storage);

    set(world, bow, Local3D, { position: [5, 0, 0] });

    expect(update(world)).toBe(2);
    expect([widthOf(world, ship), widthOf(world, fleet)]).toEqual([
      [4, 21],
      [4, 121],
    ]);
  });

  it("follows a local box that becomes another one, is added or is removed", () => {
    const { world, ship, stern } = plantFleet(storage);

    set(world, stern, Bounds3D, { max: [5, 1, 1] });
    update(world);
    const larger = widthOf(world, ship);
    remove(world, stern, Bounds3D);
    update(world);
    const without = widthOf(world, ship);
    add(world, stern, Bounds3D);
    update(world);

    expect([larger, without, widthOf(world, ship)]).toEqual([
      [-1, 25],
      [-1, 11],
      [-1, 20],
    ]);
  });

  it("follows what is spawned and destroyed", () => {
    const { world, ship, fleet, tug } = plantFleet(storage);

    const mast = spawn(world, at(0, 9, 0), World3D, cube(), storage(ship));
    expect(update(world)).toBe(2);
    expect(boxOf(world, ship)).toEqual([-1, -1, -1, 21, 10, 1]);

    destroy(world, mast);
    expect(update(world)).toBe(2);
    expect(boxOf(world, ship)).toEqual([-1, -1, -1, 21, 1, 1]);

    destroy(world, tug);
    expect(update(world)).toBe(1);
    expect(boxOf(world, fleet)).toEqual([-1, -1, -1, 21, 1, 1]);
  });

  it("follows subtrees to other parents", () => {
    const { world, ship, tug, stern, fleet } = plantFleet(storage);

    attach(world, stern, tug);
    expect(update(world)).toBe(1);
    expect([ship, tug, fleet].map((entity) => widthOf(world, entity))).toEqual([
      [-1, 11],
      [99, 121],
      [-1, 121],
    ]);

    detach(world, tug);
    update(world);
    expect([tug, fleet].map((entity) => widthOf(world, entity))).toEqual([
      [99, 121],
      [-1, 11],
    ]);
  });

  it("passes through entities without a box, also when they move to another parent", () => {
    const { world, ship, tug } = plantFleet(storage);
    const folder = spawn(world, Folder, storage(ship));
    const inner = spawn(world, at(0, 20, 0), World3D, storage(folder));
    spawn(world, at(0, 5, 0), World3D, cube(), storage(inner));
    update(world);
    const before = boxOf(world, ship);

    attach(world, folder, tug);
    update(world);

    expect([before, boxOf(world, ship), boxOf(world, tug)]).toEqual([
      [-1, -1, -1, 21, 26, 1],
      [-1, -1, -1, 21, 1, 1],
      [99, -1, -1, 121, 26, 1],
    ]);
  });

  it("gives what is below an entity another box when the entity gets or loses one", () => {
    const { world, fleet, ship, bow } = plantFleet(storage);

    remove(world, ship, WorldBounds3D);
    expect(update(world)).toBe(1);
    set(world, bow, Local3D, { position: [-50, 0, 0] });
    expect(update(world)).toBe(1);
    const without = widthOf(world, fleet);
    add(world, ship, WorldBounds3D);
    expect(update(world)).toBe(2);

    expect([without, widthOf(world, fleet), widthOf(world, ship)]).toEqual([
      [-51, 121],
      [-51, 121],
      [-51, 21],
    ]);
  });

  it("takes a local box out of a box that gets another home in the same update", () => {
    const { world, fleet, ship, bow } = plantFleet(storage);
    add(world, bow, WorldBounds3D);
    const dock = spawn(world, Local3D, World3D, WorldBounds3D);
    const group = spawn(world, Local3D, World3D, storage(ship));
    const boat = spawn(world, at(0, 50, 0), World3D, WorldBounds3D, cube(), storage(group));
    update(world);

    remove(world, boat, Bounds3D);
    add(world, group, WorldBounds3D);
    remove(world, bow, Bounds3D);
    attach(world, bow, dock);
    update(world);

    expect([boat, group, bow, dock].map((one) => boxOf(world, one))).toEqual([EMPTY, EMPTY, EMPTY, EMPTY]);
    expect(boxOf(world, ship)).toEqual([9, -1, -1, 21, 1, 1]);
    expect(boxOf(world, fleet)).toEqual([9, -1, -1, 121, 1, 1]);
  });

  it("makes the box around smaller when a box is removed, added again and loses its local box", () => {
    const { world, fleet, ship, stern } = plantFleet(storage);
    add(world, stern, WorldBounds3D);
    update(world);

    remove(world, stern, WorldBounds3D);
    add(world, stern, WorldBounds3D);
    remove(world, stern, Bounds3D);
    update(world);

    expect(boxOf(world, stern)).toEqual(EMPTY);
    expect(widthOf(world, ship)).toEqual([-1, 11]);
    expect(widthOf(world, fleet)).toEqual([-1, 121]);
  });

  it("gives an entity a box below a folder that moves at the same time", () => {
    const { world, fleet, ship } = plantFleet(storage);
    const group = spawn(world, Local3D, World3D, storage(ship));
    const folder = spawn(world, Folder, storage(group));
    // Of an archetype of its own, which is younger than that of the folder.
    const boat = spawn(world, at(0, 30, 0), World3D, Folder, storage(folder));
    const sail = spawn(world, at(0, 5, 0), World3D, cube(), storage(boat));
    update(world);

    attach(world, folder, fleet);
    add(world, boat, WorldBounds3D);
    update(world);
    set(world, sail, Local3D, { position: [0, 9, 0] });
    update(world);

    expect(boxOf(world, boat)).toEqual([-1, 38, -1, 1, 40, 1]);
    expect(boxOf(world, ship)).toEqual([-1, -1, -1, 21, 1, 1]);
    expect(boxOf(world, fleet)).toEqual([-1, -1, -1, 121, 40, 1]);
  });

  it("places a local box without a world transform by its nearest ancestor with one", () => {
    const { world, ship, tug, fleet } = plantFleet(storage);
    const folder = spawn(world, Folder, storage(ship));
    const keel = spawn(world, Bounds3D({ min: [0, -9, 0], max: [1, 0, 1] }), storage(folder));
    update(world);
    const first = boxOf(world, ship);

    set(world, ship, Local3D, { position: [0, -1, 0] });
    update(world);
    const moved = boxOf(world, ship);
    attach(world, folder, tug);
    update(world);
    const other = boxOf(world, tug);
    attach(world, keel, fleet);
    update(world);

    expect([first[1], moved[1], other[1], boxOf(world, tug)[1], boxOf(world, fleet)[1]]).toEqual([
      -9, -10, -9, -1, -9,
    ]);
  });

  it("counts disabled entities", () => {
    const { world, ship, bow } = plantFleet(storage);
    add(world, ship, DisabledTree);
    add(world, bow, Disabled);
    update(world);

    set(world, bow, Local3D, { position: [-5, 0, 0] });

    expect(update(world)).toBe(2);
    expect(widthOf(world, ship)).toEqual([-6, 21]);
  });
});

describe("updateBounds", () => {
  it("makes a box empty that has nothing in it", () => {
    const world = createWorld();
    const alone = spawn(world, Local3D, World3D, WorldBounds3D);
    const crate = spawn(world, Local3D, World3D, cube(), ChildOf(alone));
    update(world);

    set(world, crate, Bounds3D, { min: [1, 0, 0], max: [0, 1, 1] });
    update(world);
    expect(boxOf(world, alone)).toEqual(EMPTY);

    set(world, crate, Bounds3D, { min: [0, 0, 0] });
    update(world);
    expect(boxOf(world, alone)).toEqual([0, 0, 0, 0, 1, 1]);

    destroy(world, crate);
    update(world);
    expect(boxOf(world, alone)).toEqual(EMPTY);
  });

  it("surrounds boxes that are turned and scaled", () => {
    const world = createWorld();
    const half = Math.SQRT1_2;
    const rotation = [0, 0, Math.sin(Math.PI / 8), Math.cos(Math.PI / 8)];
    const crate = spawn(world, Local3D({ rotation, scale: [2, 2, -1] }), World3D, cube(), WorldBounds3D);
    update(world);

    for (const [side, one] of [-4 * half, -4 * half, -1, 4 * half, 4 * half, 1].entries())
      expect(boxOf(world, crate)[side]).toBeCloseTo(one, 5);
  });

  it.each(KITS)("leaves out what is nowhere, because a number is NaN, in $name", (kit) => {
    const { Placed, Bounds, WorldBounds, axes } = kit;
    const world = createWorld();
    const group = spawn(world, kit.at(0, 0, 0), Placed, WorldBounds);
    const parts = [-5, 5].map((x) => spawn(world, kit.at(x, 0, 0), Placed, Bounds, ChildOf(group)));
    const ends = (): unknown[] => {
      kit.propagate(world);
      kit.updateBounds(world);
      const { min, max } = get(world, group, WorldBounds) as Box;
      const fresh = kit.boundsOf(world, group);
      return [min[0], max[0], fresh[0], fresh[axes]];
    };
    expect(ends()).toEqual([-5, 5, -5, 5]);

    add(world, parts[0]!, kit.at(Number.NaN, 0, 0));
    expect(ends()).toEqual([5, 5, 5, 5]);

    add(world, parts[0]!, kit.at(-2, 0, 0));
    expect(ends()).toEqual([-2, 5, -2, 5]);
  });

  it("needs no propagate: it takes world transforms as they are", () => {
    const { world, ship, stern } = plantFleet();
    set(world, stern, Local3D, { position: [30, 0, 0] });

    expect(updateBounds(world)).toBe(0);
    expect(widthOf(world, ship)).toEqual([-1, 21]);
    expect(update(world)).toBe(1);
  });

  it("sees what loops write into columns that they declare", () => {
    const { world, fleet } = plantFleet();

    eachRun(
      query(world, Bounds3D),
      (run) => {
        const { max } = run.columns(Bounds3D);
        for (let row = run.first; row < run.end; row++) max[row * 3 + 1] = 7;
      },
      { writes: [Bounds3D] },
    );

    expect(update(world)).toBe(3);
    expect(boxOf(world, fleet)).toEqual([-1, -1, -1, 121, 7, 1]);
  });

  it("makes boxes that are other ones findable by changed", () => {
    const { world, ship, stern } = plantFleet();
    const found = query(world, WorldBounds3D, changed(WorldBounds3D));
    entities(found);

    set(world, stern, Local3D, { position: [30, 0, 0] });
    update(world);

    expect(entities(found)).toEqual([ship]);
  });

  it("replaces what a program writes into a box", () => {
    const { world, ship } = plantFleet();

    set(world, ship, WorldBounds3D, { min: [7, 7, 7] });
    update(world);

    expect(boxOf(world, ship)).toEqual([-1, -1, -1, 21, 1, 1]);
  });

  it("writes no box that becomes what the program has put there", () => {
    const { world, stern } = plantFleet();
    add(world, stern, WorldBounds3D);
    update(world);
    const found = query(world, WorldBounds3D, changed(WorldBounds3D));

    remove(world, stern, Bounds3D);
    set(world, stern, WorldBounds3D, {
      min: [Infinity, Infinity, Infinity],
      max: [-Infinity, -Infinity, -Infinity],
    });
    entities(found);
    update(world);

    expect(boxOf(world, stern)).toEqual(EMPTY);
    expect(entities(found)).not.toContain(stern);
  });

  it("computes the boxes of a copied subtree", () => {
    const { world, ship, fleet } = plantFleet();

    const copy = clone(world, ship, { deep: true });
    set(world, copy, Local3D, { position: [200, 0, 0] });
    update(world);

    expect([widthOf(world, copy), widthOf(world, fleet)]).toEqual([
      [199, 221],
      [-1, 221],
    ]);
  });

  it("computes everything after a restore", () => {
    const { world, fleet, ship, stern } = plantFleet();
    const before = snapshot(world);
    set(world, stern, Local3D, { position: [300, 0, 0] });
    destroy(world, ship);
    update(world);

    restore(world, before);

    expect(update(world)).toBe(3);
    expect(widthOf(world, fleet)).toEqual([-1, 121]);
    set(world, stern, Local3D, { position: [300, 0, 0] });
    expect(update(world)).toBe(2);
  });

  it("computes a box at each of 20,000 entities of a chain", () => {
    const world = createWorld();
    let last = spawn(world, Local3D, World3D, WorldBounds3D);
    const top = last;
    for (let depth = 1; depth < 20_000; depth++)
      last = spawn(world, Local3D, World3D, WorldBounds3D, Parent(last));
    add(world, last, Bounds3D);

    expect(update(world)).toBe(20_000);
    set(world, last, Local3D, { position: [3, 0, 0] });
    expect(update(world)).toBe(20_000);
    expect(widthOf(world, top)).toEqual([3, 3]);
  });

  it("finds the box around a chain of 20,000 entities without boxes", () => {
    const world = createWorld();
    const top = spawn(world, Local3D, World3D, WorldBounds3D);
    let last = top;
    update(world);
    for (let depth = 1; depth < 20_000; depth++)
      last = spawn(world, Local3D, World3D, Bounds3D, Parent(last));

    expect(update(world)).toBe(1);
    set(world, last, Local3D, { position: [3, 0, 0] });
    expect(update(world)).toBe(1);
    expect(widthOf(world, top)).toEqual([0, 3]);
  });
});

describe("boundsOf", () => {
  it("is right between a move and the next update, for any entity", () => {
    const { world, ship, stern } = plantFleet();

    set(world, stern, Local3D, { position: [30, 0, 0] });

    expect([...boundsOf(world, ship)]).toEqual([-1, -1, -1, 31, 1, 1]);
    expect([...boundsOf(world, stern)]).toEqual([29, -1, -1, 31, 1, 1]);
    expect(widthOf(world, ship)).toEqual([-1, 21]);
  });

  it("is empty if there are no boxes, and writes into the array that it is given", () => {
    const { world } = plantFleet();
    const into = new Float64Array(6);

    expect(boundsOf(world, spawn(world, Folder), into)).toBe(into);
    expect([...into]).toEqual(EMPTY);
  });

  it("refuses entities that are not alive", () => {
    const { world, ship } = plantFleet();
    destroy(world, ship);

    expect(() => boundsOf(world, ship)).toThrow(expect.objectContaining({ code: "dead-entity" }));
  });
});
