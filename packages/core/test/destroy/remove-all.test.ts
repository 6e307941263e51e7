import { beforeEach, describe, expect, it } from "vitest";
import { add, observe, release, set, spawn, spawnMany, type TermPattern } from "../../src/index.ts";
import { component, withHooks } from "../defining.ts";
import { Any, ChildOf, Damage, Frozen, Knows, Parent, Position } from "../definitions.ts";
import { dock, type Entity, setShipAndDock, ship, world } from "../fixture.ts";
import { indexOf } from "../handles.ts";
import { moveAll, parseTerm, removeFromAll } from "../internal.ts";
import { asTag, get, has, isAlive, parentOf, subjectsOf, targetsOf, verify } from "../reading.ts";
import { snapshot } from "../world/snapshot.ts";
import { Likes, Owns } from "./target-policies.ts";

let refused: unknown;
let checks: unknown[] = [];
const Hooked = withHooks(component<string>("Hooked"), {
  check: (_, entity, value, parent) => {
    if (entity !== undefined) checks.push([value, parent]);
    if (value === refused) throw new Error("stay");
  },
});

beforeEach(setShipAndDock);
beforeEach(() => {
  refused = undefined;
  checks = [];
});

function removeAll(what: TermPattern): void {
  removeFromAll(world, parseTerm(world, what));
}

describe("removing from all entities", () => {
  it("removes a component, a tag or an entity as a tag from all entities, which keep the rest", () => {
    const crowd = [
      spawn(world, Position({ x: 1 }), Frozen, asTag(ship)),
      spawn(world, Position({ x: 2 }), asTag(ship), Parent(dock)),
    ];

    removeAll(Frozen);
    removeAll(asTag(ship));

    expect(
      crowd.map((one) => [
        has(world, one, Frozen),
        has(world, one, asTag(ship)),
        get(world, one, Position)!.x,
      ]),
    ).toEqual([
      [false, false, 1],
      [false, false, 2],
    ]);
    removeAll(Position);
    expect(crowd.map((one) => has(world, one, Position))).toEqual([false, false]);
    expect([parentOf(world, crowd[1]!), verify(world)]).toEqual([dock, []]);
  });

  it("makes the children of a parent roots, in both storages, and keeps them alive", () => {
    const children = [
      spawn(world, ChildOf(ship)),
      spawn(world, Parent(ship)),
      spawn(world, ChildOf(ship), Frozen),
    ];
    const below = spawn(world, Parent(children[1]!));
    const other = spawn(world, Parent(dock));

    removeAll(ChildOf(ship));

    expect(children.map((one) => [isAlive(world, one), parentOf(world, one)])).toEqual(
      children.map(() => [true, undefined]),
    );
    expect([parentOf(world, below), parentOf(world, other), subjectsOf(world, ship, ChildOf)]).toEqual([
      children[1],
      dock,
      [],
    ]);
    expect(verify(world)).toEqual([]);
    release(world, ship);
  });

  it("of Parent removes that storage only", () => {
    const [typed, byValue] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

    removeAll(Parent(ship));

    expect([parentOf(world, typed), parentOf(world, byValue)]).toEqual([ship, undefined]);
    removeAll(Parent(Any));
    expect(parentOf(world, typed)).toBe(ship);
  });

  it.each<[string, () => TermPattern, string[]]>([
    ["one pair", () => Likes(ship), ["a likes dock", "a child", "b child", "b damages", "c owns"]],
    ["a relation with any target", () => Likes(Any), ["a child", "b child", "b damages", "c owns"]],
    ["any relation with a target", () => Any(ship), ["a likes dock", "b damages"]],
    ["any pair", () => Any(Any), []],
    ["any parent", () => ChildOf(Any), ["a likes ship", "a likes dock", "b damages", "c owns"]],
    [
      "a pair with data",
      () => Damage(dock),
      ["a likes ship", "a likes dock", "a child", "b child", "c owns"],
    ],
    [
      "an unused term",
      () => Likes(a),
      ["a likes ship", "a likes dock", "a child", "b child", "b damages", "c owns"],
    ],
  ])("removes %s", (_, what, left) => {
    plant();

    removeAll(what());

    expect([inspect(), verify(world)]).toEqual([left, []]);
  });

  let a: Entity;
  let b: Entity;
  let c: Entity;

  function plant(): void {
    a = spawn(world, Likes(ship), Likes(dock), ChildOf(ship));
    b = spawn(world, Parent(ship), Damage(dock, { amount: 2 }));
    c = spawn(world, Owns(ship), Frozen);
  }

  function inspect(): string[] {
    return [
      has(world, a, Likes(ship)) && "a likes ship",
      has(world, a, Likes(dock)) && "a likes dock",
      has(world, a, ChildOf(ship)) && "a child",
      has(world, b, ChildOf(ship)) && "b child",
      get(world, b, Damage(dock))?.amount === 2 && "b damages",
      has(world, c, Owns(ship)) && "c owns",
    ].filter((text) => text !== false);
  }

  it("keeps entities that are used as tags, whatever pairs it removes", () => {
    const one = spawn(world, asTag(ship), Likes(dock));

    removeAll(Any(Any));
    removeAll(Any(ship));

    expect([has(world, one, asTag(ship)), has(world, one, Likes(dock))]).toEqual([true, false]);
  });

  it("removes both sides of symmetric pairs, once", () => {
    const crowd = spawnMany(world, 3, Knows(ship));
    const recorded: string[] = [];
    observe(world, { removed: Knows }, () => recorded.push("removed"));

    removeAll(Knows(Any));

    expect([[ship, ...crowd].map((one) => targetsOf(world, one, Knows)), recorded.length]).toEqual([
      [[], [], [], []],
      6,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("notifies observers of all entities while they still have it", () => {
    const children = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];
    const recorded: unknown[] = [];
    observe(world, { removed: ChildOf }, ({ entity }) => recorded.push([entity, parentOf(world, entity)]));

    removeAll(ChildOf(ship));

    expect(recorded.toSorted()).toEqual(children.map((one) => [one, ship]).toSorted());
  });

  it("calls check hooks of all future roots before the first change, and changes nothing if one refuses", () => {
    spawnMany(world, 2, ChildOf(ship), Hooked("good"));
    const bad = spawn(world, Parent(ship), Hooked("bad"));
    spawn(world, Likes(ship), Hooked("elsewhere"));
    refused = "bad";
    const before = snapshot(world);

    expect(() => removeAll(ChildOf(ship))).toThrow("stay");
    expect(() => removeAll(Any(ship))).toThrow("stay");
    expect(() => removeAll(Any(Any))).toThrow("stay");

    expect(snapshot(world)).toEqual(before);
    set(world, bad, Hooked, "better");
    checks = [];
    removeAll(ChildOf(ship));
    expect(checks.toSorted()).toEqual([
      ["better", undefined],
      ["good", undefined],
      ["good", undefined],
    ]);
  });

  it("does not call hooks of entities that keep their parents", () => {
    spawn(world, ChildOf(dock), Likes(ship), Hooked("x"));
    checks = [];

    removeAll(Likes(ship));

    expect(checks).toEqual([]);
  });

  it("goes in order of spawn or last attach, so that the order of new roots is predictable", () => {
    const children = [ChildOf, Parent, ChildOf, Parent, ChildOf].map((storage, at) =>
      spawn(world, storage(at % 2 ? ship : dock), ...(at % 3 ? [Frozen] : [])),
    );
    add(world, children[1]!, ChildOf(dock));
    const wanted = [0, 2, 3, 4, 1].map((at) => children[at]!);
    const recorded: Entity[] = [];
    observe(world, { removed: ChildOf }, ({ entity }) => recorded.push(entity));

    removeAll(ChildOf(Any));

    const { order } = world.entities;
    expect(recorded).toEqual(wanted);
    expect(children.toSorted((one, other) => order[indexOf(one)]! - order[indexOf(other)]!)).toEqual(wanted);
  });

  it("defers changes made by observers until all entities are done", () => {
    const crowd = spawnMany(world, 3, Frozen);
    observe(world, { removed: Frozen }, ({ entity }) => {
      if (entity === crowd[0]) add(world, entity, Frozen);
    });

    removeAll(Frozen);

    expect(crowd.map((one) => has(world, one, Frozen))).toEqual([true, false, false]);
  });
});

function makeRoots(...entities: Entity[]): void {
  moveAll(
    world,
    entities.map((one) => [one, undefined]),
  );
}

describe("entities that lose their parents", () => {
  it("lose their parents, in both storages, and roots are left alone", () => {
    const children = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship)), spawn(world, Parent(dock))];

    makeRoots(dock, ...children.slice(0, 2));

    expect(children.map((one) => parentOf(world, one))).toEqual([undefined, undefined, dock]);
    expect(verify(world)).toEqual([]);
  });

  it("are all checked before the first one loses its parent", () => {
    const [good, bad] = [
      spawn(world, ChildOf(ship), Hooked("good")),
      spawn(world, Parent(ship), Hooked("bad")),
    ];
    refused = "bad";
    const before = snapshot(world);

    expect(() => makeRoots(good, bad)).toThrow("stay");

    expect(snapshot(world)).toEqual(before);
  });

  it("are checked all at once by a component that has such a hook", () => {
    const calls: unknown[] = [];
    const Flock = withHooks(component<string>("Flock"), {
      check: () => {
        calls.push("check");
      },
      checkMoves: (_, moves) => {
        calls.push(moves);
      },
    });
    const spawned = [spawn(world, Flock("a"), ChildOf(ship)), spawn(world, Flock("b"), Parent(ship))];
    calls.length = 0;

    makeRoots(...spawned);

    expect(calls).toEqual([
      [
        { entity: spawned[0], value: "a", parent: undefined },
        { entity: spawned[1], value: "b", parent: undefined },
      ],
    ]);
  });
});
