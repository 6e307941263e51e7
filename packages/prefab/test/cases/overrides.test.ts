import {
  add,
  ChildOf,
  clone,
  component,
  type Entity,
  get,
  has,
  parentOf,
  remove,
  set,
  spawn,
  targetsOf,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { Alias, Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import { PrefabKey } from "../../src/document.ts";
import {
  applyToPrefab,
  autoOverride,
  IsA,
  instantiate,
  overridesOf,
  Prefab,
  partOf,
  prefab,
  refreshInstances,
  revert,
  Slot,
} from "../../src/index.ts";
import {
  Aim,
  Armed,
  Draft,
  drawn,
  expectRefusal,
  Fuel,
  Heavy,
  Lit,
  Mesh,
  Notes,
  newWorld,
  Paint,
  Position,
  Title,
  tankIn,
  world,
} from "./fixture.ts";

/** What an instance has changed, in short. */
function listed(instance: Entity): string[] {
  return overridesOf(world, instance).map(({ kind, entity, part, definition, fields }) => {
    const named = get(world, entity, Name) ?? (part !== undefined && get(world, part, Name)) ?? "?";
    return [kind, named, definition?.name, ...fields].filter((text) => text).join(" ");
  });
}

describe("an override is", () => {
  test("a value that differs from the prefab's, not one that was written and is equal", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, own, Position, { x: 2, y: 2 });
    set(world, own, Mesh, { id: 2 });
    expect(listed(one)).toEqual([]);
    set(world, own, Mesh, { id: 5 });
    set(world, own, Position, { y: 5 });
    expect(listed(one)).toEqual(["value Turret Position y", "value Turret Mesh id"]);
    set(world, own, Position, { y: 2 });
    set(world, turret, Mesh, { id: 5 });
    expect(listed(one)).toEqual([]);
  });

  test("no value that was not set: what an instance got stays no override when the prefab is edited", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    set(world, turret, Position, { x: 50 });
    set(world, turret, Mesh, { lod: 50 });
    add(world, turret, Title("later"));
    remove(world, tank, Position);
    expect(listed(one)).toEqual([]);
  });

  test("a component, tag, part or parent of its own, in any storage", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    add(world, turret, Lit, Fuel({ litres: 5 }), Armed);
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    add(world, one, Lit, Fuel({ litres: 1 }), Title("a"));
    remove(world, own, Lit);
    remove(world, own, Fuel);
    remove(world, own, Armed);
    attach(world, partOf(world, one, barrel)!, one);
    destroy(world, partOf(world, one, tracks)!);
    spawn(world, ChildOf(own), Name("Flag"));
    expect(listed(one).sort()).toEqual(
      [
        "added Tank Fuel",
        "added Tank Lit",
        "added Tank Title",
        "removed Turret Armed",
        "removed Turret Fuel",
        "removed Turret Lit",
        "attached Flag",
        "moved Barrel",
        "missing Tracks",
      ].sort(),
    );
  });

  test("kept when a part is renamed, in the prefab or in the instance", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, own, Position, { x: 20 });
    set(world, turret, Name, "Dome");
    refreshInstances(world, tank);
    expect(get(world, own, Name)).toBe("Dome");
    set(world, own, Name, "Mine");
    set(world, turret, Name, "Head");
    refreshInstances(world, tank);
    expect(listed(one).sort()).toEqual(["value Mine Name", "value Mine Position x"]);
    expect(get(world, own, Position)!.x).toBe(20);
  });

  test("kept when an instance is moved: its edited children stay with it", () => {
    const { tank, turret } = tankIn();
    const [left, right] = [spawn(world), spawn(world)];
    const one = instantiate(world, tank, { parent: left });
    const own = partOf(world, one, turret)!;
    set(world, own, Position, { x: 20 });
    const flag = spawn(world, ChildOf(own), Name("Flag"));
    const before = listed(one);
    attach(world, one, right);
    expect(listed(one)).toEqual(before);
    expect([partOf(world, one, turret), parentOf(world, flag)]).toEqual([own, own]);
    refreshInstances(world, tank);
    expect(listed(one)).toEqual(before);
  });

  test("of an entity field only what points elsewhere than the prefab's, seen from inside the instance", () => {
    const { tank, turret, barrel } = tankIn();
    set(world, tank, Position, { x: 0 });
    add(world, tank, Aim({ at: barrel }));
    const one = instantiate(world, tank);
    expect(listed(one)).toEqual([]);
    set(world, one, Aim, { at: barrel });
    expect(listed(one)).toEqual(["value Tank Aim at"]);
    set(world, one, Aim, { at: partOf(world, one, turret) });
    expect(listed(one)).toEqual(["value Tank Aim at"]);
  });

  test("of a value without fields the whole value, compared by its content", () => {
    newWorld();
    const base = prefab(world, Title("a"), Paint("red"));
    const one = instantiate(world, base);
    set(world, one, Title, "b");
    set(world, one, Paint, "red");
    expect(overridesOf(world, one).map(({ definition, fields }) => [definition, fields])).toEqual([
      [Title, []],
    ]);
  });

  test("listed for one part and what is below it, if that is asked for", () => {
    const { tank, turret, barrel } = tankIn();
    const one = instantiate(world, tank);
    set(world, one, Position, { x: 20 });
    set(world, partOf(world, one, barrel)!, Position, { x: 20 });
    expect(listed(partOf(world, one, turret)!)).toEqual(["value Barrel Position x"]);
  });
});

describe("revert", () => {
  test("gives one component or tag of one entity what the prefab has now", () => {
    const { tank, turret } = tankIn();
    add(world, turret, Armed, Lit, Fuel({ litres: 5 }), Title("t"));
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, own, Position, { x: 20, y: 20 });
    set(world, own, Mesh, { id: 20 });
    set(world, own, Title, "mine");
    set(world, own, Fuel, { litres: 50 });
    for (const tag of [Armed, Lit]) remove(world, own, tag);
    add(world, own, Heavy);
    set(world, turret, Position, { x: 3 });
    for (const what of [Position, Mesh, Title, Fuel, Armed, Lit, Heavy]) revert(world, own, what);
    expect(get(world, own, Position)).toEqual({ x: 3, y: 2 });
    expect(get(world, own, Title)).toBe("t");
    expect(get(world, own, Fuel)).toEqual({ litres: 5 });
    expect([Armed, Lit, Heavy].map((tag) => has(world, own, tag))).toEqual([true, true, false]);
    set(world, turret, Mesh, { id: 9 });
    expect(get(world, own, Mesh)!.id).toBe(9);
    expect(listed(one)).toEqual([]);
  });

  test("of an instance brings back parts, places and values, and keeps what was attached", () => {
    const { tank, turret, barrel, tracks } = tankIn();
    add(world, tank, Aim({ at: barrel }));
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    const rack = spawn(world, ChildOf(one), Name("Rack"));
    attach(world, partOf(world, one, tracks)!, rack);
    destroy(world, partOf(world, one, barrel)!);
    set(world, own, Position, { x: 30 });
    revert(world, one);
    expect(drawn(one)).toBe("Turret\n  Barrel\nRack\nTracks");
    expect(get(world, own, Position)!.x).toBe(2);
    expect(get(world, one, Aim)!.at).toBe(partOf(world, one, barrel));
    expect(listed(one)).toEqual(["attached Rack"]);
  });

  test("of what instances do not get from their prefab changes nothing", () => {
    const { tank, turret } = tankIn();
    add(world, tank, Notes({ text: "n" }), PrefabKey("tank"), Slot("s"), Alias("t"));
    add(world, turret, Alias("u"));
    const one = instantiate(world, tank, { parent: spawn(world), with: [Name("One")] });
    const own = partOf(world, one, turret)!;
    add(world, own, Notes({ text: "mine" }));
    for (const what of [Name, Notes, PrefabKey, Slot, Alias, Prefab]) revert(world, one, what);
    expect(get(world, one, Name)).toBe("One");
    expect([Notes, PrefabKey, Slot, Alias, Prefab].filter((what) => has(world, one, what))).toEqual([]);
    for (const what of [Notes, Alias]) revert(world, own, what);
    expect(get(world, own, Notes)).toEqual({ text: "mine" });
    set(world, own, Name, "Gun");
    revert(world, own, Name);
    expect(get(world, own, Name)).toBe("Turret");
  });

  test("of an instance without overrides changes nothing", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank);
    revert(world, one);
    expect(drawn(one)).toBe("Turret\n  Barrel\nTracks");
  });
});

describe("applyToPrefab", () => {
  test("gives the prefab values, components and tags of an instance, so that they are no overrides any more", () => {
    const { tank, turret } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    const own = partOf(world, one, turret)!;
    set(world, own, Position, { y: 8 });
    set(world, own, Mesh, { lod: 8 });
    add(world, own, Title("new"), Armed, Lit, Fuel({ litres: 3 }));
    remove(world, own, Name);
    applyToPrefab(world, own);
    expect(listed(one)).toEqual([]);
    expect(get(world, turret, Position)).toEqual({ x: 2, y: 8 });
    expect(get(world, turret, Mesh)).toEqual({ lod: 8, id: 2 });
    expect(get(world, turret, Title)).toBe("new");
    expect([has(world, turret, Armed), has(world, turret, Lit), has(world, turret, Name)]).toEqual([
      true,
      true,
      false,
    ]);
    const other = partOf(world, two, turret)!;
    expect(get(world, other, Mesh)!.lod).toBe(8);
    expect(get(world, other, Position)!.y).toBe(2);
    refreshInstances(world, tank);
    expect(get(world, other, Position)!.y).toBe(8);
    expect(get(world, other, Fuel)).toEqual({ litres: 3 });
    expect(has(world, other, Lit)).toBe(true);
  });

  test("shares what it has applied again: a later edit of the prefab arrives", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, own, Mesh, { lod: 8 });
    applyToPrefab(world, own, Mesh);
    set(world, turret, Mesh, { lod: 9 });
    expect(get(world, own, Mesh)!.lod).toBe(9);
    expect(get(world, instantiate(world, tank), Name)).toBeUndefined();
  });

  test("leaves what the prefab got after the instance was made", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, turret, Position, { x: 50 });
    set(world, own, Position, { y: 8 });
    applyToPrefab(world, own);
    expect(get(world, turret, Position)).toEqual({ x: 50, y: 8 });
  });

  test("does not name the prefab, nor share the name, of the root of an instance", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank, { with: [Name("One")] });
    set(world, one, Position, { x: 9 });
    applyToPrefab(world, one);
    expect(get(world, tank, Name)).toBe("Tank");
    expect(get(world, tank, Position)!.x).toBe(9);
  });

  test("is undone by restoring a snapshot", () => {
    const { tank, turret } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    set(world, partOf(world, one, turret)!, Mesh, { lod: 8 });
    const before = snapshot(world);
    applyToPrefab(world, partOf(world, one, turret)!);
    restore(world, before);
    expect(get(world, turret, Mesh)!.lod).toBe(1);
    expect(get(world, partOf(world, two, turret)!, Mesh)!.lod).toBe(1);
    expect(listed(one)).toEqual(["value Turret Mesh lod"]);
  });

  test("gives a value to the variant that the instance is of, not to what that is based on", () => {
    const { tank } = tankIn();
    const heavy = prefab(world, IsA(tank), Name("Heavy"));
    const one = instantiate(world, heavy);
    set(world, one, Mesh, { lod: 8 });
    applyToPrefab(world, one);
    expect([get(world, heavy, Mesh)!.lod, get(world, tank, Mesh)!.lod]).toEqual([8, 1]);
    expect(listed(heavy)).toEqual(["value Heavy Mesh lod"]);
  });
});

describe("autoOverride", () => {
  test("of a component that the part lacks gives instances its default, as an own value that is no override", () => {
    const { tank, barrel } = tankIn();
    autoOverride(world, barrel, Mesh);
    autoOverride(world, barrel, Heavy);
    const [one, other] = instantiate(world, tank, { count: 2 }).map((each) => partOf(world, each, barrel)!);
    expect([get(world, one!, Mesh), has(world, one!, Heavy), has(world, barrel, Mesh)]).toEqual([
      { lod: 1, id: 0 },
      true,
      false,
    ]);
    expect([listed(one!), listed(other!)]).toEqual([[], []]);

    set(world, one!, Mesh, { lod: 5 });
    remove(world, one!, Heavy);
    expect(listed(one!)).toEqual(["value Barrel Mesh lod", "removed Barrel Heavy"]);
    add(world, barrel, Mesh({ id: 7 }));
    refreshInstances(world, tank);
    expect([get(world, one!, Mesh), get(world, other!, Mesh)]).toEqual([
      { lod: 5, id: 7 },
      { lod: 1, id: 7 },
    ]);
    revert(world, one!);
    expect([get(world, one!, Mesh), has(world, one!, Heavy), listed(one!)]).toEqual([
      { lod: 1, id: 7 },
      true,
      [],
    ]);
  });

  test("of a component that instances skip is refused", () => {
    const { tank } = tankIn();
    expectRefusal("bad-term", () => autoOverride(world, tank, Notes));
    expectRefusal("bad-term", () => autoOverride(world, tank, Draft));
    autoOverride(world, tank, Notes, false);
  });

  test("gives new instances values of their own, which refreshInstances keeps up to date", () => {
    const { tank, turret } = tankIn();
    add(world, turret, Heavy);
    const before = instantiate(world, tank);
    autoOverride(world, turret, Mesh);
    autoOverride(world, turret, Heavy);
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    set(world, turret, Mesh, { id: 50 });
    expect(get(world, own, Mesh)!.id).toBe(2);
    expect(get(world, partOf(world, before, turret)!, Mesh)!.id).toBe(50);
    expect(listed(one)).toEqual([]);
    refreshInstances(world, tank);
    expect(get(world, own, Mesh)!.id).toBe(50);
    remove(world, turret, Heavy);
    expect(has(world, own, Heavy)).toBe(true);
    expect(has(world, partOf(world, before, turret)!, Heavy)).toBe(false);
  });

  test("of a component that a variant inherits gives instances of the variant their own", () => {
    const { tank } = tankIn();
    const heavy = prefab(world, IsA(tank));
    autoOverride(world, heavy, Mesh);
    const one = instantiate(world, heavy);
    set(world, tank, Mesh, { id: 77 });
    expect([get(world, heavy, Mesh)!.id, get(world, one, Mesh)!.id]).toEqual([77, 1]);
    autoOverride(world, heavy, Mesh, false);
    const two = instantiate(world, heavy);
    set(world, tank, Mesh, { id: 78 });
    expect(get(world, two, Mesh)!.id).toBe(78);
  });

  test.each([true, false])("is copied by clone, deep %s, and is then of the copy alone", (deep) => {
    const { tank, turret } = tankIn();
    for (const one of [tank, turret]) autoOverride(world, one, Mesh);
    const copy = clone(world, tank, { deep, with: [Name("Copy")] });
    for (const one of [tank, turret]) autoOverride(world, one, Mesh, false);
    const made = instantiate(world, copy);
    const parts = [copy, ...children(world, copy)];
    const own = [made, ...children(world, made)];
    expect(own.length).toBe(deep ? 3 : 1);
    const ids = own.map((one) => get(world, one, Mesh)?.id);
    for (const one of parts) if (has(world, one, Mesh)) set(world, one, Mesh, { id: 77 });
    expect(own.slice(0, 2).map((one) => get(world, one, Mesh)!.id)).toEqual(ids.slice(0, 2));
    const other = instantiate(world, tank);
    for (const one of [tank, turret]) set(world, one, Mesh, { id: 78 });
    expect([other, partOf(world, other, turret)!].map((one) => get(world, one, Mesh)!.id)).toEqual([78, 78]);
  });

  test("of a component that the part does not have concerns instances once it has it", () => {
    const { tank } = tankIn();
    autoOverride(world, tank, Paint);
    const one = instantiate(world, tank);
    expect(has(world, one, Paint)).toBe(false);
    add(world, tank, Paint("red"));
    const two = instantiate(world, tank);
    set(world, tank, Paint, "blue");
    expect(get(world, two, Paint)).toBe("red");
  });
});

test("a value that contains one object twice is compared in both places", () => {
  const Pockets = component<{ left: { coins: number }; right: { coins: number } }>("Pockets");
  const same = { coins: 1 };
  const coat = prefab(world, Pockets({ left: same, right: same }));
  const one = instantiate(world, coat);

  set(world, one, Pockets, { left: { coins: 1 }, right: { coins: 2 } });

  expect(listed(one)).toEqual(["value ? Pockets"]);
});

test("pairs are not listed as overrides, and skipped components are neither", () => {
  const { tank } = tankIn();
  add(world, tank, Notes({ text: "a" }));
  const one = instantiate(world, tank);
  add(world, one, Notes({ text: "b" }));
  add(world, one, Aim);
  expect(listed(one)).toEqual(["added Tank Aim"]);
  expect(targetsOf(world, one, IsA)).toEqual([tank]);
  expect(children(world, one)).toHaveLength(2);
});
