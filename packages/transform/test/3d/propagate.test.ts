import {
  add,
  ChildOf,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  get,
  Parent,
  remove,
  set,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { changed, destroy, eachRun, entities, query } from "@treeline/query";
import { attach, detach } from "@treeline/query/hierarchy";
import { describe, expect, it } from "vitest";
import { Local3D, Matrix3D, propagate, World3D, worldOf } from "../../src/3d.ts";
import { Dice, expectSound } from "../support.ts";

const at = (...position: number[]) => Local3D({ position });
const Folder = tag("Folder");

function placeOf(world: World, entity: Entity): number[] {
  return [...get(world, entity, World3D)!.matrix.subarray(12, 15)];
}

/** A ship at 10 0 0 with a crane at 0 5 0 with a hook at 0 0 1; and an island at 100 0 0. All in place. */
function plantShip(storage: typeof ChildOf = ChildOf) {
  const world = createWorld();
  const ship = spawn(world, at(10, 0, 0), World3D);
  const crane = spawn(world, at(0, 5, 0), World3D, storage(ship));
  const hook = spawn(world, at(0, 0, 1), World3D, storage(crane));
  const island = spawn(world, at(100, 0, 0), World3D);
  propagate(world);
  return { world, ship, crane, hook, island };
}

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
])("propagate, with parents stored by %s", (_, storage) => {
  it("computes all at first, parents before children, and then nothing", () => {
    const { world, ship, crane, hook } = plantShip(storage);

    expect([ship, crane, hook].map((entity) => placeOf(world, entity))).toEqual([
      [10, 0, 0],
      [10, 5, 0],
      [10, 5, 1],
    ]);
    expect(propagate(world)).toBe(0);
    expectSound(world);
  });

  it("computes what moved and what is below it", () => {
    const { world, ship, crane, hook } = plantShip(storage);

    set(world, crane, Local3D, { position: [0, 6, 0] });

    expect(propagate(world)).toBe(2);
    expect([ship, crane, hook].map((entity) => placeOf(world, entity))).toEqual([
      [10, 0, 0],
      [10, 6, 0],
      [10, 6, 1],
    ]);
  });

  it("computes an entity once that moved below another one that moved", () => {
    const { world, ship, hook } = plantShip(storage);

    set(world, hook, Local3D, { position: [0, 0, 2] });
    set(world, ship, Local3D, { position: [20, 0, 0] });

    expect(propagate(world)).toBe(3);
    expect(placeOf(world, hook)).toEqual([20, 5, 2]);
  });

  it("follows entities to other parents", () => {
    const { world, crane, hook, island } = plantShip(storage);

    attach(world, crane, island);

    expect(propagate(world)).toBe(2);
    expect(placeOf(world, hook)).toEqual([100, 5, 1]);
  });

  it("takes a new root as one without ancestors", () => {
    const { world, crane, hook } = plantShip(storage);

    detach(world, crane);

    expect(propagate(world)).toBe(2);
    expect(placeOf(world, hook)).toEqual([0, 5, 1]);
  });

  it("computes a spawned entity alone", () => {
    const { world, hook } = plantShip(storage);

    const crate = spawn(world, at(0, -1, 0), World3D, storage(hook));

    expect(propagate(world)).toBe(1);
    expect(placeOf(world, crate)).toEqual([10, 4, 1]);
  });

  it("computes nothing for destroyed entities", () => {
    const { world, crane } = plantShip(storage);

    destroy(world, crane);

    expect(propagate(world)).toBe(0);
  });

  it("moves disabled entities, so that they are in place when they are enabled", () => {
    const { world, ship, crane, hook } = plantShip(storage);
    add(world, crane, DisabledTree);
    add(world, hook, Disabled);
    propagate(world);

    set(world, ship, Local3D, { position: [20, 0, 0] });
    propagate(world);
    remove(world, crane, DisabledTree);

    expect(propagate(world)).toBe(0);
    expect(placeOf(world, hook)).toEqual([20, 5, 1]);
  });

  it("passes on the place of the nearest ancestor through entities without a world transform", () => {
    const { world, ship, island } = plantShip(storage);
    const folder = spawn(world, Folder, storage(ship));
    const inner = spawn(world, Folder, storage(folder));
    const crate = spawn(world, at(0, 1, 0), World3D, storage(inner));
    propagate(world);

    set(world, ship, Local3D, { position: [20, 0, 0] });
    propagate(world);
    const before = placeOf(world, crate);
    attach(world, folder, island);

    expect(propagate(world)).toBe(1);
    expect([before, placeOf(world, crate)]).toEqual([
      [20, 1, 0],
      [100, 1, 0],
    ]);
  });

  it("computes what is below an entity that gets or loses its world transform", () => {
    const { world, crane, hook } = plantShip(storage);

    remove(world, crane, World3D);
    const first = propagate(world);
    const between = placeOf(world, hook);
    add(world, crane, World3D);

    expect([first, propagate(world)]).toEqual([1, 2]);
    expect([between, placeOf(world, hook)]).toEqual([
      [10, 0, 1],
      [10, 5, 1],
    ]);
  });

  it("moves what is below an entity without a local transform when its world transform is written", () => {
    const { world, hook } = plantShip(storage);
    const body = spawn(world, World3D, storage(hook));
    const lamp = spawn(world, at(0, 1, 0), World3D, storage(body));
    propagate(world);

    set(world, body, World3D, { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 7, 8, 9, 1] });

    expect(propagate(world)).toBe(1);
    expect([placeOf(world, body), placeOf(world, lamp)]).toEqual([
      [7, 8, 9],
      [7, 9, 9],
    ]);
  });
});

describe("propagate", () => {
  it("does not move an entity without a local transform with its parent", () => {
    const { world, ship } = plantShip();
    const body = spawn(world, World3D, ChildOf(ship));
    propagate(world);

    set(world, ship, Local3D, { position: [20, 0, 0] });
    propagate(world);

    expect(placeOf(world, body)).toEqual([0, 0, 0]);
  });

  it("corrects a world transform that was written beside a local one", () => {
    const { world, crane } = plantShip();

    set(world, crane, World3D, { matrix: new Float32Array(16) });

    expect(propagate(world)).toBe(2);
    expect(placeOf(world, crane)).toEqual([10, 5, 0]);
  });

  it("sees what loops write that declare it", () => {
    const { world, hook } = plantShip();

    eachRun(
      query(world, Local3D),
      (run) => {
        const { position } = run.columns(Local3D);
        for (let row = run.first; row < run.end; row++) position[row * 3 + 2]! += 1;
      },
      { writes: [Local3D] },
    );
    propagate(world);

    expect(placeOf(world, hook)).toEqual([10, 5, 4]);
  });

  it("computes a scaled, rotated and mirrored entity with its shear", () => {
    const world = createWorld();
    const half = Math.SQRT1_2;
    const parent = spawn(world, Local3D({ scale: [2, 1, -1] }), World3D);
    const child = spawn(world, Local3D({ rotation: [0, 0, half, half], position: [1, 0, 1] }), World3D);
    attach(world, child, parent);

    propagate(world);

    const { matrix } = get(world, child, World3D)!;
    const wanted = [0, 1, 0, 0, -2, 0, 0, 0, 0, 0, -1, 0, 2, 0, -1, 1];
    for (const [place, one] of wanted.entries()) expect(matrix[place]).toBeCloseTo(one, 6);
  });

  it("places an entity by its parts if it has a matrix as well, and by the matrix when the parts are gone", () => {
    const world = createWorld();
    const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 3, 0, 0, 1];
    const one = spawn(world, at(1, 0, 0), Matrix3D({ matrix }), World3D);
    propagate(world);
    const before = placeOf(world, one);

    remove(world, one, Local3D);

    expect(propagate(world)).toBe(1);
    expect([before, placeOf(world, one)]).toEqual([
      [1, 0, 0],
      [3, 0, 0],
    ]);
  });

  it("tells queries for changes what it has computed", () => {
    const { world, crane, hook } = plantShip();
    const moved = query(world, World3D, changed(World3D));
    eachRun(moved, () => {});

    set(world, crane, Local3D, { position: [0, 6, 0] });
    propagate(world);

    expect(entities(moved)).toEqual([crane, hook]);
  });

  it("computes everything after a restore", () => {
    const { world, ship, hook } = plantShip();
    const before = snapshot(world);
    set(world, ship, Local3D, { position: [20, 0, 0] });
    propagate(world);

    restore(world, before);

    expect(propagate(world)).toBe(4);
    expect(placeOf(world, hook)).toEqual([10, 5, 1]);
  });

  it("computes the same in worlds that got the same calls", () => {
    const matrices = [0, 1].map(() => {
      const { world, ship, hook } = plantShip();
      set(world, ship, Local3D, { rotation: [0, 0.6, 0, 0.8] });
      propagate(world);
      return [...get(world, hook, World3D)!.matrix];
    });

    expect(matrices[0]).toEqual(matrices[1]);
  });

  it("computes a chain of 20,000 entities", () => {
    const world = createWorld();
    let last = spawn(world, at(1, 0, 0), World3D);
    const top = last;
    for (let depth = 1; depth < 20_000; depth++) last = spawn(world, at(0, 0, 0), World3D, Parent(last));

    expect(propagate(world)).toBe(20_000);
    set(world, top, Local3D, { position: [2, 0, 0] });
    expect(propagate(world)).toBe(20_000);
    expect(placeOf(world, last)).toEqual([2, 0, 0]);
  });
});

describe("worldOf", () => {
  it("is right between a move and the next propagate", () => {
    const { world, ship, hook } = plantShip();

    set(world, ship, Local3D, { position: [20, 0, 0] });

    expect([...worldOf(world, hook).subarray(12, 15)]).toEqual([20, 5, 1]);
    expect(placeOf(world, hook)).toEqual([10, 5, 1]);
  });

  it("is where the nearest ancestor is, for an entity without transforms", () => {
    const { world, hook } = plantShip();
    const folder = spawn(world, Folder, ChildOf(hook));

    expect([...worldOf(world, folder).subarray(12, 15)]).toEqual([10, 5, 1]);
    expect([...worldOf(world, spawn(world))]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  });

  it("writes into the array that it is given", () => {
    const { world, hook } = plantShip();
    const into = new Float64Array(16);

    expect(worldOf(world, hook, into)).toBe(into);
    expect([...into.subarray(12, 15)]).toEqual([10, 5, 1]);
  });

  it("refuses entities that are not alive", () => {
    const { world, hook } = plantShip();
    destroy(world, hook);

    expect(() => worldOf(world, hook)).toThrow(expect.objectContaining({ code: "dead-entity" }));
  });
});

describe("propagate in large trees", () => {
  const COUNT = 3_000;

  it.each([
    ["a star", () => 0],
    ["a binary tree", (node: number) => (node - 1) >> 1],
    ["chains", (node: number) => (node % 100 === 0 ? -1 : node - 1)],
  ])("computes what moved and what is below it, however much that is: %s", (_, parentOf) => {
    const world = createWorld();
    const nodes: Entity[] = [];
    for (let node = 0; node < COUNT; node++) {
      const parent = node === 0 ? -1 : parentOf(node);
      nodes.push(spawn(world, at(1, 2, 3), World3D, ...(parent < 0 ? [] : [ChildOf(nodes[parent]!)])));
    }
    propagate(world);
    const dice = new Dice(COUNT);

    for (const share of [0.001, 0.003, 0.01, 0.03, 0.1, 1]) {
      const moves = new Set<number>();
      for (let move = 0; move < COUNT * share; move++) moves.add(dice.below(COUNT));
      for (const node of moves) set(world, nodes[node]!, Local3D, { position: [dice.below(9), 2, 3] });
      const isMoved = nodes.map(() => false);
      for (let node = 0; node < COUNT; node++)
        isMoved[node] = moves.has(node) || (node > 0 && isMoved[parentOf(node)] === true);

      expect(propagate(world)).toBe(isMoved.filter(Boolean).length);
      const wrong = nodes.filter(
        (node) => `${placeOf(world, node)}` !== `${worldOf(world, node).subarray(12, 15)}`,
      );
      expect(wrong).toEqual([]);
    }
  });
});
