import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  f32,
  get,
  has,
  isAlive,
  observe,
  Parent,
  parentOf,
  relation,
  remove,
  set,
  spawn,
  targetOf,
} from "@treeline/core";
import { Name } from "@treeline/names";
import { children, destroy, setChildOrder } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import {
  IsA,
  instancesOf,
  instantiate,
  overridesOf,
  Prefab,
  partOf,
  prefab,
  refreshInstances,
} from "../../src/index.ts";
import {
  Aim,
  Armed,
  drawn,
  expectRefusal,
  Fuel,
  Lit,
  Mesh,
  Near,
  Notes,
  newWorld,
  Position,
  Title,
  tankIn,
  world,
} from "./fixture.ts";

describe("a prefab may be edited after it was instantiated", () => {
  test("by adding, removing, moving and changing parts: new instances have the new tree", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    const one = instantiate(world, tank);
    spawn(world, ChildOf(barrel), Name("Tip"), Position({ x: 8 }));
    attach(world, barrel, tank);
    destroy(world, tracks);
    set(world, turret, Position, { x: 20 });
    const two = instantiate(world, tank);
    expect(drawn(two)).toBe("Turret\nBarrel\n  Tip");
    expect(get(world, partOf(world, two, turret)!, Position)!.x).toBe(20);
    expect(drawn(one)).toBe("Turret\n  Barrel\nTracks");
    refreshInstances(world, tank);
    expect([drawn(one), drawn(two)]).toEqual(Array(2).fill("Turret\nBarrel\n  Tip"));
  });

  test("by removing components of its parts", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    remove(world, turret, Position);
    remove(world, turret, Mesh);
    const two = instantiate(world, tank);
    expect([
      has(world, children(world, two)[0]!, Position),
      has(world, children(world, two)[0]!, Mesh),
    ]).toEqual([false, false]);
    expect(has(world, children(world, one)[0]!, Position)).toBe(true);
    refreshInstances(world, tank);
    expect(has(world, children(world, one)[0]!, Position)).toBe(false);
  });

  test("also by instantiating a part of it elsewhere after it was moved out", () => {
    const { tank, turret, barrel } = tankIn();
    const one = instantiate(world, tank);
    attach(world, turret, spawn(world));
    add(world, turret, Prefab);
    const two = instantiate(world, turret);
    expect(partOf(world, two, barrel)).toBe(children(world, two)[0]);
    refreshInstances(world, tank);
    expect(drawn(one)).toBe("Tracks");
    expect(drawn(two)).toBe("Barrel");
  });
});

describe("refreshInstances", () => {
  test("without an edit changes nothing and calls no observer", () => {
    const { tank } = tankIn();
    instantiate(world, tank, { count: 2 });
    let events = 0;
    observe(world, { set: Position, added: Position, removed: Position }, () => events++);
    observe(world, { added: ChildOf, removed: ChildOf, reordered: ChildOf }, () => events++);
    refreshInstances(world, tank);
    refreshInstances(world, tank);
    expect(events).toBe(0);
  });

  test("calls observers of set once for each value that follows", () => {
    const { tank, turret } = tankIn();
    const [one, two, three] = instantiate(world, tank, { count: 3 }) as [Entity, Entity, Entity];
    set(world, partOf(world, three, turret)!, Position, { x: 0, y: 0 });
    set(world, turret, Position, { x: 9 });
    const seen: Entity[] = [];
    observe(world, { set: Position }, ({ entity }) => seen.push(entity));
    refreshInstances(world, tank);
    expect(seen.sort()).toEqual([one, two].map((instance) => partOf(world, instance, turret)));
  });

  test("follows values of every storage, tags, pairs and their values, and entity fields", () => {
    newWorld();
    const Joint = relation("Joint", { fields: { angle: 0 } });
    const base = prefab(world, Title("a"), Fuel({ litres: 1 }), Lit);
    const part = spawn(world, ChildOf(base), Joint(base, { angle: 1 }), Aim({ at: base }));
    const other = spawn(world, ChildOf(base));
    const one = instantiate(world, base);
    const own = partOf(world, one, part)!;
    const ownOther = partOf(world, one, other)!;
    set(world, base, Title, "b");
    set(world, base, Fuel, { litres: 2 });
    remove(world, base, Lit);
    set(world, part, Joint(base), { angle: 2 });
    set(world, part, Aim, { at: other });
    add(world, part, Near(other));
    refreshInstances(world, base);
    expect([get(world, one, Title), get(world, one, Fuel), has(world, one, Lit)]).toEqual([
      "b",
      { litres: 2 },
      false,
    ]);
    expect(get(world, own, Joint(one))).toEqual({ angle: 2 });
    expect(get(world, own, Aim)).toEqual({ at: ownOther });
    expect(has(world, own, Near(ownOther))).toBe(true);
  });

  test("keeps what an instance has of its own, value by value, also if the prefab changes it again", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, own, Position, { x: 90 });
    for (const x of [3, 4, 90, 5]) {
      set(world, turret, Position, { x, y: x });
      refreshInstances(world, tank);
    }
    // It was equal to the prefab's for a moment: no override any more.
    expect(get(world, own, Position)).toEqual({ x: 5, y: 5 });
  });

  test("gives a component that the prefab got after the instance got it only what the instance has", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    add(world, own, Title("mine"));
    add(world, turret, Title("theirs"), Armed);
    refreshInstances(world, tank);
    expect([get(world, own, Title), has(world, own, Armed)]).toEqual(["mine", true]);
    expect(overridesOf(world, one).map(({ definition }) => definition)).toEqual([Title]);
  });

  test("does not give back a component that the instance has removed", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    remove(world, own, Position);
    set(world, turret, Position, { x: 55 });
    refreshInstances(world, tank);
    expect(has(world, own, Position)).toBe(false);
    expect(overridesOf(world, one).map(({ kind }) => kind)).toEqual(["removed"]);
  });

  test("keeps a part that the instance has moved where it is, and an order that it has changed", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    attach(world, partOf(world, one, barrel)!, partOf(world, one, tracks)!);
    setChildOrder(world, two, [partOf(world, two, tracks)!, partOf(world, two, turret)!]);
    const radio = spawn(world, ChildOf(tank), Name("Radio"));
    setChildOrder(world, tank, [radio, turret, tracks]);
    attach(world, barrel, radio);
    refreshInstances(world, tank);
    expect(drawn(one)).toBe("Radio\nTurret\nTracks\n  Barrel");
    expect(drawn(two)).toContain("Tracks\nTurret");
    expect(parentOf(world, partOf(world, two, barrel)!)).toBe(partOf(world, two, radio));
  });

  test("keeps the names of parts apart: a name that is taken in an instance is no error", () => {
    const { tank, turret, tracks } = tankIn();
    const one = instantiate(world, tank);
    spawn(world, ChildOf(one), Name("Dome"));
    spawn(world, ChildOf(one), Name("Radio"));
    set(world, turret, Name, "Dome");
    spawn(world, ChildOf(tank), Name("Radio"), Position({ x: 6 }));
    refreshInstances(world, tank);
    const names = children(world, one).map((child) => get(world, child, Name));
    expect(names).toContain("Dome");
    expect(get(world, partOf(world, one, turret)!, Name)).toBe("Turret");
    expect(partOf(world, one, tracks)).toBeDefined();
  });

  test("swaps the names of two parts", () => {
    const { tank, turret, tracks } = tankIn();
    const one = instantiate(world, tank);
    set(world, turret, Name, "X");
    set(world, tracks, Name, "Turret");
    set(world, turret, Name, "Tracks");
    refreshInstances(world, tank);
    expect(drawn(one)).toBe("Tracks\n  Barrel\nTurret");
  });

  test("refuses what is no prefab, a part of one, and what is not alive", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    expectRefusal("bad-term", () => refreshInstances(world, turret));
    expectRefusal("bad-term", () => refreshInstances(world, one));
    destroy(world, tank);
    expectRefusal("dead-entity", () => refreshInstances(world, tank));
  });

  test("of a part that is an instance of another prefab now changes what the part of the instance is", () => {
    const { tank } = tankIn();
    const other = prefab(world, Name("Other"), Mesh({ id: 60 }));
    spawn(world, ChildOf(other), Name("Wing"));
    const army = prefab(world, Name("Army"));
    const chief = instantiate(world, tank, { parent: army, with: [Name("Chief")] });
    const one = instantiate(world, army);
    const own = children(world, one)[0]!;
    remove(world, chief, IsA(tank));
    add(world, chief, IsA(other));
    refreshInstances(world, army);
    expect(targetOf(world, own, IsA)).toBe(other);
    expect(get(world, own, Mesh)!.id).toBe(60);
    expect(drawn(one)).toBe("Chief\n  Turret\n    Barrel\n  Tracks\n  Wing");
    expect(instancesOf(world, other)).toEqual([chief, own]);
  });

  test("of instances in several publications of nested prefabs keeps every override", () => {
    const { tank, turret } = tankIn();
    const army = prefab(world);
    const chief = instantiate(world, tank, { parent: army, with: [Name("Chief")] });
    const first = instantiate(world, army);
    set(world, partOf(world, chief, turret)!, Position, { x: 12 });
    const second = instantiate(world, army);
    const ownOf = (instance: Entity): Entity => children(world, children(world, instance)[0]!)[0]!;
    set(world, ownOf(first), Position, { y: 40 });
    set(world, turret, Position, { x: 1000, y: 1000 });
    refreshInstances(world, tank);
    expect([first, second].map((one) => get(world, ownOf(one), Position))).toEqual([
      { x: 12, y: 40 },
      { x: 12, y: 1000 },
    ]);
  });
});

test("what was attached to a part that is gone stays, with that part", () => {
  const { tank, turret } = tankIn();
  const one = instantiate(world, tank);
  const own = partOf(world, one, turret)!;
  const flag = spawn(world, Parent(own), Name("Flag"));
  destroy(world, turret);
  refreshInstances(world, tank);
  expect([isAlive(world, own), isAlive(world, flag)]).toEqual([true, true]);
  expect(drawn(one)).toBe("Turret\n  Flag\nTracks");
  expect(overridesOf(world, one).map(({ kind }) => kind)).toEqual(["attached"]);
});

test("skipped components are never given, whenever they come", () => {
  const { tank } = tankIn();
  const one = instantiate(world, tank);
  add(world, tank, Notes({ text: "a" }));
  refreshInstances(world, tank);
  expect(has(world, one, Notes)).toBe(false);
});

test("the value of a pair follows field by field, as that of a component does", () => {
  const Wants = relation("Wants", { fields: { count: f32, price: f32 } });
  const world = createWorld();
  const iron = spawn(world);
  const shop = prefab(world, Wants(iron, { count: 1, price: 2 }));
  const first = instantiate(world, shop);
  set(world, first, Wants(iron), { count: 5 });

  set(world, shop, Wants(iron), { count: 3, price: 4 });
  refreshInstances(world, shop);

  expect(get(world, first, Wants(iron))).toEqual({ count: 5, price: 4 });
});

test("a pair with a value that the prefab has lost goes, where the instance has not changed the value", () => {
  const Wants = relation("Wants", { exclusive: true, fields: { count: f32 } });
  newWorld();
  const iron = spawn(world);
  const shop = prefab(world, Wants(iron, { count: 1 }), Position);
  const [first, second] = instantiate(world, shop, { count: 2 }) as [Entity, Entity];
  set(world, second, Wants(iron), { count: 5 });

  remove(world, shop, Wants(iron));
  set(world, shop, Position, { x: 7 });
  refreshInstances(world, shop);

  expect([first, second].map((one) => get(world, one, Wants(iron)))).toEqual([undefined, { count: 5 }]);
  expect([first, second].map((one) => get(world, one, Position)!.x)).toEqual([7, 7]);
});
