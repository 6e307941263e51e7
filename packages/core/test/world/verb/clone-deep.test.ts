import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, defer, type Entity, observe, set, spawn, spawnMany } from "../../../src/index.ts";
import { array, component, entity, f32, relation, withHooks } from "../../defining.ts";
import { Any, ChildOf, DockedTo, Frozen, Likes, OrderedChildren, Parent } from "../../definitions.ts";
import { dock, setShipAndDock, ship, world } from "../../fixture.ts";
import {
  asTag,
  get,
  has,
  isAlive,
  parentOf,
  subjectsOf,
  targetOf,
  targetsOf,
  verify,
} from "../../reading.ts";
import { livingTables } from "../snapshot.ts";

const Position = component("Position", { x: f32, cells: array(f32, 2) });
const Title = withHooks(component<string>("Title"), { identifies: "siblings" });
const Refuser = withHooks(component<string>("Refuser"), {
  check: (_, __, value) => {
    if (value === "bad") throw new Error("refused");
  },
});
const Aim = component("Aim", { at: entity, by: entity, x: f32 });
const Damage = relation("Damage", { fields: { amount: f32, by: entity } });

beforeEach(setShipAndDock);

describe("a deep clone", () => {
  it("has a copy of everything below, siblings in order, each in its storage", () => {
    const kinds = [ChildOf, Parent, Parent, ChildOf, Parent];
    const children = kinds.map((storage, at) =>
      spawn(world, storage(ship), Position({ x: at }), Title(`c${at}`)),
    );
    const grand = kinds.map((storage, at) => spawn(world, storage(children[1]!), Position({ x: 10 + at })));
    add(world, children[0]!, ChildOf(dock));
    add(world, children[0]!, ChildOf(ship));

    const copy = clone(world, ship, { deep: true });

    const copies = subjectsOf(world, copy, ChildOf);
    expect(copies.map((one) => get(world, one, Position)!.x)).toEqual([1, 2, 3, 4, 0]);
    expect(copies.map((one) => has(world, one, Parent(copy)))).toEqual([true, true, false, true, false]);
    expect(copies.map((one) => get(world, one, Title))).toEqual(["c1", "c2", "c3", "c4", "c0"]);
    const below = subjectsOf(world, copies[0]!, ChildOf);
    expect(below.map((one) => get(world, one, Position)!.x)).toEqual([10, 11, 12, 13, 14]);
    expect(subjectsOf(world, children[1]!, ChildOf)).toEqual(grand);
    expect(verify(world)).toEqual([]);
  });

  it("points inside where its original points inside, and outside where that does", () => {
    const [deck, seat] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];
    add(world, deck, Likes(dock), Likes(seat), Likes(ship), DockedTo(seat));
    add(world, seat, Damage(deck, { amount: 2, by: ship }), Aim({ at: deck, by: dock }));
    add(world, ship, Likes(seat), Aim({ at: seat }), asTag(deck));

    const copy = clone(world, ship, { deep: true });

    const [deck2, seat2] = subjectsOf(world, copy, ChildOf) as [Entity, Entity];
    expect([targetsOf(world, deck2, Likes), targetOf(world, deck2, DockedTo)]).toEqual([
      [dock, seat2, copy],
      seat2,
    ]);
    expect(get(world, seat2, Damage(deck2))).toEqual({ amount: 2, by: copy });
    expect([get(world, seat2, Aim)!.at, get(world, seat2, Aim)!.by]).toEqual([deck2, dock]);
    expect([targetsOf(world, copy, Likes), get(world, copy, Aim)!.at]).toEqual([[seat2], seat2]);
    expect([has(world, copy, asTag(deck2)), has(world, copy, asTag(deck))]).toEqual([true, false]);
    expect([targetsOf(world, deck, Likes), targetsOf(world, ship, Likes)]).toEqual([
      [dock, seat, ship],
      [seat],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("does not copy entities outside that point at it", () => {
    const [deck, friend] = [spawn(world, ChildOf(ship)), spawn(world)];
    add(world, friend, Likes(deck));

    clone(world, ship, { deep: true });

    expect(targetsOf(world, friend, Likes)).toEqual([deck]);
  });

  it("keeps the list of an entity with OrderedChildren", () => {
    const children = spawnMany(world, 3, ChildOf(ship));
    add(world, ship, OrderedChildren);

    const copy = clone(world, ship, { deep: true });

    expect([subjectsOf(world, copy, ChildOf).length, has(world, copy, OrderedChildren)]).toEqual([3, true]);
    expect([subjectsOf(world, ship, ChildOf), verify(world)]).toEqual([children, []]);
  });

  it("may be put below its own original: it copies what was there before", () => {
    spawn(world, Parent(ship), Frozen);

    const copy = clone(world, ship, { deep: true, with: [ChildOf(ship)] });

    expect([subjectsOf(world, ship, ChildOf).length, subjectsOf(world, copy, ChildOf).length]).toEqual([
      2, 1,
    ]);
    expect(parentOf(world, copy)).toBe(ship);
  });

  it("of which one part is refused leaves nothing, and no observer is notified", () => {
    const deck = spawn(world, ChildOf(ship), Refuser("good"));
    spawn(world, Parent(deck), Refuser("good"));
    const last = spawn(world, ChildOf(ship), Refuser("good"));
    const bad = withHooks(component<{ word: string }>("Bad"), {
      check: (_, entity) => {
        if (entity === undefined && armed) throw new Error("refused");
      },
    });
    let armed = false;
    add(world, last, bad({ word: "x" }), Likes(deck));
    armed = true;
    const calls: string[] = [];
    observe(world, { added: Any, removed: Any }, ({ kind, definition }) =>
      calls.push(`${kind} ${definition.name}`),
    );
    const before = [livingTables(world), world.entities.alive];

    expect(() => clone(world, ship, { deep: true })).toThrow("refused");

    expect([livingTables(world), world.entities.alive]).toEqual(before);
    expect([calls, verify(world)]).toEqual([[], []]);
  });

  it("of a chain of 30,000 in alternating storages is one as long", () => {
    let last = ship;
    for (let at = 1; at < 30_000; at++) last = spawn(world, (at % 2 ? ChildOf : Parent)(last));

    let at: Entity | undefined = clone(world, ship, { deep: true });

    let length = 0;
    for (; at !== undefined; at = subjectsOf(world, at, ChildOf)[0]) length++;
    expect([length, world.entities.alive]).toEqual([30_000, 60_001]);
  });

  it("inside an iteration is alive at once, and has at its end what the original has then", () => {
    const deck = spawn(world, Parent(ship), Position({ x: 1 }));

    const copy = defer(world, () => {
      const pending = clone(world, ship, { deep: true, with: [Frozen] });
      set(world, deck, Position, { x: 2 });
      spawn(world, ChildOf(ship));
      expect([
        isAlive(world, pending),
        has(world, pending, Frozen),
        subjectsOf(world, pending, ChildOf),
      ]).toEqual([true, true, []]);
      return pending;
    });

    expect(has(world, copy, Frozen)).toBe(true);
    expect(subjectsOf(world, copy, ChildOf).map((one) => get(world, one, Position))).toEqual([
      { x: 1, cells: Float32Array.of(0, 0) },
    ]);
  });

  it("inside an iteration that is refused at its end is not alive, and leaves nothing", () => {
    spawn(world, ChildOf(ship), Refuser("good"));
    const armed = withHooks(component<string>("Armed"), {
      check: () => {
        if (isArmed) throw new Error("refused");
      },
    });
    let isArmed = false;
    spawn(world, ChildOf(ship), armed("x"));
    isArmed = true;
    const before = [livingTables(world), world.entities.alive];
    let copy: Entity | undefined;

    expect(() =>
      defer(world, () => {
        copy = clone(world, ship, { deep: true });
      }),
    ).toThrow("refused");

    expect([isAlive(world, copy!), livingTables(world), world.entities.alive]).toEqual([false, ...before]);
  });
});

describe("a given exclusive symmetric pair", () => {
  it("wins over one that is copied from below", () => {
    const MarriedTo = relation("MarriedTo", { symmetric: true, exclusive: true });
    const below = spawn(world, ChildOf(ship), MarriedTo(ship));
    const other = spawn(world);

    const copy = clone(world, ship, { deep: true, with: [MarriedTo(other)] });

    const [copyBelow] = subjectsOf(world, copy, ChildOf);
    expect([targetOf(world, copy, MarriedTo), targetOf(world, other, MarriedTo)]).toEqual([other, copy]);
    expect(targetOf(world, copyBelow!, MarriedTo)).toBeUndefined();
    expect(targetOf(world, ship, MarriedTo)).toBe(below);
    expect(verify(world)).toEqual([]);
  });
});

describe("hooks and observers", () => {
  it("are called for a clone as for a spawn, parents before children", () => {
    const deck = spawn(world, ChildOf(ship), Frozen);
    spawn(world, Parent(deck), Frozen, Refuser("good"));
    add(world, ship, Frozen);
    const calls: unknown[] = [];
    observe(world, { added: Frozen, set: Refuser }, ({ kind, entity }) =>
      calls.push([kind, parentOf(world, entity)]),
    );

    const copy = clone(world, ship, { deep: true });

    const [deck2] = subjectsOf(world, copy, ChildOf);
    expect(calls).toEqual([
      ["added", undefined],
      ["added", copy],
      ["added", deck2],
      ["set", deck2],
    ]);
  });
});
