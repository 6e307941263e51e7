import {
  add,
  ChildOf,
  clone,
  component,
  type Entity,
  get,
  has,
  set,
  spawn,
  targetOf,
  withHooks,
} from "@treeline/core";
import { restore, snapshot } from "@treeline/document/snapshot";
import { childNamed, configureNames, Name } from "@treeline/names";
import { changed, children, destroy, entities, query } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import {
  applyToPrefab,
  IsA,
  instancesOf,
  instantiate,
  overridesOf,
  Prefab,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
  revert,
} from "../../src/index.ts";
import { drawn, Mesh, Position, tankIn, world } from "./fixture.ts";

describe("a clone", () => {
  test("of an instance is an instance with the same overrides, parts and no others", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    set(world, partOf(world, one, turret)!, Mesh, { lod: 7 });
    set(world, one, Position, { x: 9 });
    const copy = clone(world, one, { deep: true });
    expect(drawn(copy)).toBe("Turret\n  Barrel\nTracks");
    expect(targetOf(world, copy, IsA)).toBe(tank);
    const own = partOf(world, copy, turret)!;
    expect(own).toBe(children(world, copy)[0]);
    expect(get(world, own, Mesh)).toEqual({ lod: 7, id: 2 });
    expect(get(world, copy, Position)!.x).toBe(9);
    set(world, tank, Mesh, { id: 40 });
    expect(get(world, copy, Mesh)!.id).toBe(40);
    expect(overridesOf(world, copy).map(({ kind }) => kind)).toEqual(["value", "value"]);
  });

  test("of one entity of an instance, without what is below it, inherits as that does", () => {
    const { tank, turret } = tankIn();
    const one = instantiate(world, tank);
    const copy = clone(world, partOf(world, one, turret)!, { with: [Name("Second")] });
    expect(children(world, copy)).toEqual([]);
    expect(get(world, copy, Mesh)!.id).toBe(2);
    expect(prefabOf(world, copy)).toBe(turret);
  });
});

describe("a snapshot", () => {
  test("has prefabs, links, publications and overrides: after a restore all is as if nothing had been done", () => {
    const { tank, turret, tracks } = tankIn();
    const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
    set(world, partOf(world, one, turret)!, Position, { x: 20 });
    set(world, turret, Position, { x: 5, y: 6 });
    const before = snapshot(world);
    refreshInstances(world, tank);
    destroy(world, tracks);
    set(world, turret, Mesh, { id: 77 });
    instantiate(world, tank);
    destroy(world, one);
    restore(world, before);
    expect(instancesOf(world, tank)).toEqual([one, two]);
    expect(drawn(one)).toBe("Turret\n  Barrel\nTracks");
    expect(get(world, partOf(world, two, turret)!, Mesh)!.id).toBe(2);
    expect(get(world, partOf(world, two, turret)!, Position)).toEqual({ x: 2, y: 2 });
    refreshInstances(world, tank);
    expect(get(world, partOf(world, one, turret)!, Position)).toEqual({ x: 20, y: 6 });
    expect(get(world, partOf(world, two, turret)!, Position)).toEqual({ x: 5, y: 6 });
  });

  test("of a world without prefabs takes away those that were made later", () => {
    const { tank } = tankIn();
    destroy(world, tank);
    const before = snapshot(world);
    const base = prefab(world, Mesh({ id: 3 }));
    const one = instantiate(world, base);
    restore(world, before);
    const again = prefab(world, Mesh({ id: 4 }));
    expect(get(world, instantiate(world, again), Mesh)!.id).toBe(4);
    expect(has(world, again, Prefab)).toBe(true);
    expect([one === again, base]).toBeDefined();
  });

  test("makes changed find what it has put back", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank);
    const unread = query(world, changed(Mesh));
    entities(unread);
    const before = snapshot(world);
    set(world, tank, Mesh, { id: 9 });
    expect(entities(unread)).toEqual([one]);
    restore(world, before);
    set(world, tank, Mesh, { id: 10 });
    expect(entities(unread)).toEqual([one]);
    expect(get(world, one, Mesh)!.id).toBe(10);
  });
});

test("an instance that is attached to another prefab is a part of it, with its overrides", () => {
  const { tank, turret } = tankIn();
  const one = instantiate(world, tank, { with: [Name("One")] });
  set(world, partOf(world, one, turret)!, Mesh, { lod: 9 });
  const army = prefab(world);
  attach(world, one, army);
  const made = instantiate(world, army);
  const own = children(world, made)[0]!;
  expect(targetOf(world, own, IsA)).toBe(tank);
  expect(get(world, children(world, own)[0]!, Mesh)).toEqual({ lod: 9, id: 2 });
  add(world, spawn(world, ChildOf(made)), IsA(tank));
  expect(children(world, made)).toHaveLength(2);
});

test("a value with a copy hook is never shared by an instance and its prefab", () => {
  const copy = ({ items }: { items: number[] }): { items: number[] } => ({ items: [...items] });
  const Bag = withHooks(component<{ items: number[] }>("Bag"), { copy });
  const { tank, tracks } = tankIn();
  add(world, tank, Bag({ items: [1] }));
  const made = instantiate(world, tank, { count: 2 });
  const [one, two] = made as [Entity, Entity];
  const all = (): (readonly number[])[] =>
    [tank, tracks, ...made, ...made.map((each) => partOf(world, each, tracks)!)].flatMap((each) => {
      const bag = get(world, each, Bag);
      return bag === undefined ? [] : [bag.items];
    });
  const check = (...content: number[]): void => {
    expect(all().map(([item]) => item)).toEqual(content);
    expect(new Set(all()).size).toBe(content.length);
  };
  check(1, 1, 1);
  set(world, one, Bag, { items: [2] });
  revert(world, one, Bag);
  check(1, 1, 1);
  set(world, two, Bag, { items: [3] });
  applyToPrefab(world, two);
  check(3, 1, 3);
  refreshInstances(world, tank);
  check(3, 3, 3);
  add(world, tracks, Bag({ items: [4] }));
  refreshInstances(world, tank);
  check(3, 4, 3, 3, 4, 4);
});

test.each<[string, (n: number) => unknown, (value: never) => unknown]>([
  ["a map", (n) => new Map([["items", [n]]]), (map: Map<string, number[]>) => new Map(map)],
  ["a set", (n) => new Set([1, n]), (set: Set<number>) => new Set(set)],
  ["a date", (n) => new Date(2026, 1, n), (date: Date) => new Date(date)],
  [
    "a view of bytes",
    (n) => new DataView(new Uint8Array([1, n]).buffer),
    (view: DataView) => new DataView(view.buffer.slice(0)),
  ],
  ["a list of numbers", (n) => new Float32Array([n, Number.NaN]), (list: Float32Array) => list.slice()],
  ["an object with an empty name", (n) => ({ "": n }), (one: object) => ({ ...one })],
])("%s that is copied is no override until its content is another one", (_, made, copy) => {
  const Held = withHooks(component<{ held: unknown }>("Held"), {
    copy: ({ held }) => ({ held: copy(held as never) }),
  });
  const { tank } = tankIn();
  add(world, tank, Held({ held: made(2) }));
  const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
  expect(get(world, one, Held)!.held).not.toBe(get(world, tank, Held)!.held);
  expect([overridesOf(world, one), overridesOf(world, two)]).toEqual([[], []]);

  set(world, two, Held, { held: made(3) });
  set(world, tank, Held, { held: made(4) });
  expect(overridesOf(world, two).map(({ kind, definition }) => [kind, definition])).toEqual([
    ["value", Held],
  ]);
  refreshInstances(world, tank);

  expect([one, two].map((each) => get(world, each, Held)!.held)).toEqual([made(4), made(3)]);
  expect(overridesOf(world, one)).toEqual([]);
});

test("parts that share a name are found under it in each of many instances, one after another", () => {
  const { tank, tracks } = tankIn();
  configureNames(world, { collisions: "allow" });
  const second = spawn(world, ChildOf(tank), Name("Tracks"));
  for (const one of instantiate(world, tank, { count: 2 })) {
    expect(childNamed(world, one, "Tracks")).toBe(partOf(world, one, tracks));
    destroy(world, partOf(world, one, tracks)!);
    expect(childNamed(world, one, "Tracks")).toBe(partOf(world, one, second));
  }
});
