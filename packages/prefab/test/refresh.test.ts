import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  entity,
  f32,
  get,
  has,
  Parent,
  parentOf,
  relation,
  remove,
  set,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { restore, snapshot } from "@treeline/document/snapshot";
import { Name } from "@treeline/names";
import { children, destroy, setChildOrder } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { afterEach, describe, expect, test } from "vitest";
import {
  applyToPrefab,
  autoOverride,
  IsA,
  instantiate,
  overridesOf,
  partOf,
  prefab,
  refreshInstances,
  revert,
} from "../src/index.ts";

const Position = component("Position", { x: f32, y: f32 });
const Mesh = component("Mesh", { lod: f32(1), id: f32 }, { onInstantiate: "inherit" });
const Aim = component("Aim", { at: entity });
const Title = component<string>("Title");
const Armed = tag("Armed");
const Near = relation("Near");

let world: World;

function tankWith(): { tank: Entity; turret: Entity; barrel: Entity } {
  world = createWorld();
  const tank = prefab(world, Position({ x: 1, y: 1 }), Mesh({ id: 1 }), Name("Tank"));
  const turret = spawn(world, ChildOf(tank), Name("Turret"), Position({ x: 2, y: 2 }), Aim({ at: tank }));
  const barrel = spawn(world, ChildOf(turret), Name("Barrel"), Position({ x: 3, y: 3 }), Mesh({ id: 3 }));
  return { tank, turret, barrel };
}

function namesBelow(parent: Entity): (string | undefined)[] {
  return children(world, parent).map((child) => get(world, child, Name));
}

afterEach(() => {
  expect(verify(world)).toEqual([]);
});

describe("refreshInstances", () => {
  test("values that are as published follow, field by field; others stay", () => {
    const { tank, turret } = tankWith();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    set(world, partOf(world, two, turret)!, Position, { x: 20 });
    set(world, turret, Position, { x: 5, y: 6 });
    expect(get(world, partOf(world, one, turret)!, Position)).toEqual({ x: 2, y: 2 });
    refreshInstances(world, tank);
    expect(get(world, partOf(world, one, turret)!, Position)).toEqual({ x: 5, y: 6 });
    expect(get(world, partOf(world, two, turret)!, Position)).toEqual({ x: 20, y: 6 });
    set(world, turret, Position, { x: 7 });
    refreshInstances(world, tank);
    expect(get(world, partOf(world, one, turret)!, Position)).toEqual({ x: 7, y: 6 });
    expect(get(world, partOf(world, two, turret)!, Position)).toEqual({ x: 20, y: 6 });
  });

  test("instances of several publications follow, each from its own", () => {
    const { tank } = tankWith();
    const first = instantiate(world, tank);
    set(world, tank, Position, { x: 10 });
    const second = instantiate(world, tank);
    set(world, tank, Position, { x: 100 });
    const third = instantiate(world, tank);
    set(world, second, Position, { x: 1 }); // the first publication, but an override here
    set(world, tank, Position, { x: 1000 });
    refreshInstances(world, tank);
    expect([first, second, third].map((one) => get(world, one, Position)!.x)).toEqual([1000, 1, 1000]);
    set(world, tank, Position, { x: 2000 });
    refreshInstances(world, tank);
    expect([first, second, third].map((one) => get(world, one, Position)!.x)).toEqual([2000, 1, 2000]);
  });

  test("parts that are new are spawned in their places, with what they point to", () => {
    const { tank, turret } = tankWith();
    const one = instantiate(world, tank);
    const flag = spawn(world, ChildOf(one), Name("Flag"));
    const hull = spawn(world, ChildOf(tank), Name("Hull"), Mesh({ id: 9 }));
    const gun = spawn(world, Parent(hull), Name("Gun"), Aim({ at: turret }), Near(hull));
    set(world, hull, Position, { x: 4 });
    add(world, hull, Aim({ at: gun }));
    setChildOrder(world, tank, [hull, turret]);
    refreshInstances(world, tank);
    expect(namesBelow(one)).toEqual(["Hull", "Turret", "Flag"]);
    const own = partOf(world, one, hull)!;
    const ownGun = partOf(world, one, gun)!;
    expect(get(world, own, Aim)).toEqual({ at: ownGun });
    expect(get(world, ownGun, Aim)).toEqual({ at: partOf(world, one, turret) });
    expect(has(world, ownGun, Near(own))).toBe(true);
    expect(get(world, own, Mesh)!.id).toBe(9);
    expect(parentOf(world, flag)).toBe(one);
    refreshInstances(world, tank);
    expect(namesBelow(one)).toEqual(["Hull", "Turret", "Flag"]);
  });

  test("parts that are gone are destroyed, unless they were changed or something was attached", () => {
    const { tank, turret, barrel } = tankWith();
    const [one, two, three] = instantiate(world, tank, { count: 3 }) as [Entity, Entity, Entity];
    set(world, partOf(world, two, barrel)!, Position, { x: 30 });
    const lamp = spawn(world, ChildOf(partOf(world, three, turret)!), Name("Lamp"));
    destroy(world, turret);
    refreshInstances(world, tank);
    expect(namesBelow(one)).toEqual([]);
    expect(namesBelow(two)).toEqual(["Turret"]);
    expect(namesBelow(children(world, two)[0]!)).toEqual(["Barrel"]);
    expect(parentOf(world, parentOf(world, lamp)!)).toBe(three);
    expect(namesBelow(parentOf(world, lamp)!)).toEqual(["Lamp"]);
  });

  test("parts that an instance removed stay removed", () => {
    const { tank, turret, barrel } = tankWith();
    const one = instantiate(world, tank);
    destroy(world, partOf(world, one, barrel)!);
    set(world, barrel, Position, { x: 8 });
    spawn(world, ChildOf(barrel), Name("Tip"));
    refreshInstances(world, tank);
    expect(namesBelow(partOf(world, one, turret)!)).toEqual([]);
  });

  test("parts move and are renamed, where the instance has left them", () => {
    const { tank, turret, barrel } = tankWith();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    const moved = partOf(world, two, barrel)!;
    const rack = spawn(world, ChildOf(two), Name("Rack"));
    attach(world, moved, rack);
    set(world, partOf(world, two, turret)!, Name, "Head");
    attach(world, barrel, tank);
    set(world, turret, Name, "Dome");
    refreshInstances(world, tank);
    expect(namesBelow(one)).toEqual(["Dome", "Barrel"]);
    expect(namesBelow(two)).toEqual(["Head", "Rack"]);
    expect(parentOf(world, moved)).toBe(rack);
    set(world, barrel, Position, { x: 50 });
    refreshInstances(world, tank);
    expect(get(world, moved, Position)!.x).toBe(50);
  });

  test("components, tags and pairs come and go", () => {
    const { tank, turret, barrel } = tankWith();
    add(world, turret, Near(barrel), Armed);
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    const own = partOf(world, one, turret)!;
    remove(world, partOf(world, two, turret)!, Armed);
    set(world, partOf(world, two, turret)!, Position, { x: 9 });
    add(world, turret, Title("gun"), Near(tank));
    remove(world, turret, Near(barrel));
    remove(world, turret, Position);
    refreshInstances(world, tank);
    expect(get(world, own, Title)).toBe("gun");
    expect(has(world, own, Near(one))).toBe(true);
    expect(has(world, own, Near(partOf(world, one, barrel)!))).toBe(false);
    expect(has(world, own, Position)).toBe(false);
    expect(get(world, partOf(world, two, turret)!, Position)!.x).toBe(9);
    expect(has(world, partOf(world, two, turret)!, Armed)).toBe(false);
    remove(world, turret, Armed);
    refreshInstances(world, tank);
    expect(has(world, own, Armed)).toBe(false);
  });

  test("variants and nested prefabs are refreshed with their own instances", () => {
    const { tank, turret } = tankWith();
    const big = prefab(world, IsA(tank), Name("Big"));
    set(world, partOf(world, big, turret)!, Position, { y: 77 });
    const army = prefab(world, Name("Army"));
    instantiate(world, big, { parent: army, with: [Name("Chief")] });
    const one = instantiate(world, army);
    const chief = children(world, one)[0]!;
    set(world, turret, Position, { x: 500, y: 501 });
    refreshInstances(world, tank);
    const own = children(world, chief)[0]!;
    expect(get(world, partOf(world, big, turret)!, Position)).toEqual({ x: 500, y: 77 });
    expect(get(world, own, Position)).toEqual({ x: 500, y: 77 });
  });
});

describe("overrides", () => {
  test("are what differs from the prefab, by field", () => {
    const { tank, turret, barrel } = tankWith();
    const one = instantiate(world, tank);
    expect(overridesOf(world, one)).toEqual([]);
    const own = partOf(world, one, turret)!;
    const ownBarrel = partOf(world, one, barrel)!;
    set(world, own, Position, { x: 2, y: 8 });
    set(world, ownBarrel, Mesh, { lod: 4 });
    add(world, one, Armed);
    remove(world, ownBarrel, Position);
    const flag = spawn(world, ChildOf(one));
    const short = overridesOf(world, one).map(({ kind, entity, definition, fields }) => [
      kind,
      entity,
      definition?.name,
      fields.join(),
    ]);
    expect(short).toEqual([
      ["added", one, "Armed", ""],
      ["value", own, "Position", "y"],
      ["value", ownBarrel, "Mesh", "lod"],
      ["removed", ownBarrel, "Position", ""],
      ["attached", flag, undefined, ""],
    ]);
    set(world, turret, Position, { y: 8 });
    expect(overridesOf(world, one).some(({ entity }) => entity === own)).toBe(false);
  });

  test("are reverted, one or all", () => {
    const { tank, turret, barrel } = tankWith();
    const one = instantiate(world, tank);
    const own = partOf(world, one, turret)!;
    const ownBarrel = partOf(world, one, barrel)!;
    set(world, own, Position, { y: 8 });
    set(world, ownBarrel, Mesh, { lod: 4 });
    revert(world, ownBarrel, Mesh);
    set(world, barrel, Mesh, { id: 33 });
    expect(get(world, ownBarrel, Mesh)).toEqual({ lod: 1, id: 33 });
    add(world, one, Armed);
    remove(world, one, Position);
    destroy(world, ownBarrel);
    const flag = spawn(world, ChildOf(one));
    revert(world, one);
    expect(overridesOf(world, one).map(({ kind, entity }) => [kind, entity])).toEqual([["attached", flag]]);
    expect(get(world, own, Position)).toEqual({ x: 2, y: 2 });
    expect(get(world, partOf(world, one, barrel)!, Mesh)).toEqual({ lod: 1, id: 33 });
  });

  test("are applied to the prefab, and a snapshot undoes it", () => {
    const { tank, turret, barrel } = tankWith();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    const own = partOf(world, one, turret)!;
    const ownBarrel = partOf(world, one, barrel)!;
    set(world, own, Position, { y: 8 });
    set(world, own, Aim, { at: ownBarrel });
    set(world, ownBarrel, Mesh, { lod: 4 });
    const before = snapshot(world);
    applyToPrefab(world, own);
    applyToPrefab(world, ownBarrel, Mesh);
    refreshInstances(world, tank);
    expect(get(world, turret, Position)).toEqual({ x: 2, y: 8 });
    expect(get(world, turret, Aim)).toEqual({ at: barrel });
    const other = partOf(world, two, turret)!;
    expect(get(world, other, Position)).toEqual({ x: 2, y: 8 });
    expect(get(world, other, Aim)).toEqual({ at: partOf(world, two, barrel) });
    expect(get(world, partOf(world, two, barrel)!, Mesh)!.lod).toBe(4);
    expect(overridesOf(world, one)).toEqual([]);
    restore(world, before);
    expect(get(world, turret, Position)).toEqual({ x: 2, y: 2 });
    expect(get(world, partOf(world, two, turret)!, Position)).toEqual({ x: 2, y: 2 });
    expect(overridesOf(world, one)).toHaveLength(3);
    set(world, turret, Position, { x: 6 });
    refreshInstances(world, tank);
    expect(get(world, own, Position)).toEqual({ x: 6, y: 8 });
    expect(get(world, partOf(world, two, turret)!, Position)).toEqual({ x: 6, y: 2 });
  });

  test("autoOverride gives instances a value of their own", () => {
    const { tank } = tankWith();
    autoOverride(world, tank, Mesh);
    const one = instantiate(world, tank);
    set(world, tank, Mesh, { id: 12 });
    expect(get(world, one, Mesh)!.id).toBe(1);
    refreshInstances(world, tank);
    expect(get(world, one, Mesh)!.id).toBe(12);
    autoOverride(world, tank, Mesh, false);
    const two = instantiate(world, tank);
    set(world, tank, Mesh, { id: 13 });
    expect(get(world, two, Mesh)!.id).toBe(13);
  });
});
