import {
  add,
  ChildOf,
  clone,
  createWorld,
  type Entity,
  Parent,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { restore, snapshot } from "@treeline/document/snapshot";
import { children, descendants, destroy } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { expect, test } from "vitest";
import {
  IsA,
  instantiate,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
  revert,
  Slot,
  slotOf,
} from "../src/index.ts";

interface Tank {
  readonly world: World;
  readonly tank: Entity;
  readonly turret: Entity;
  readonly barrel: Entity;
  readonly hatch: Entity;
}

/** A prefab: Tank, below it Turret and Hatch; below Turret, Barrel. */
function makeTank(below: typeof ChildOf = ChildOf): Tank {
  const world = createWorld();
  const tank = prefab(world);
  const turret = spawn(world, below(tank), Slot("gun"));
  const barrel = spawn(world, below(turret));
  const hatch = spawn(world, below(tank));
  return { world, tank, turret, barrel, hatch };
}

/** Leaves holes, so that the indexes of what is spawned next are not adjacent. */
function scatter(world: World, count = 20): void {
  const all = Array.from({ length: count }, () => spawn(world));
  for (const [at, entity] of all.entries()) if (at % 3 !== 0) destroy(world, entity);
}

/** All that were made from a part, in an instance: the slow way. */
function madeFrom(world: World, instance: Entity, part: Entity): Entity[] {
  return [instance, ...descendants(world, instance)].filter((one) => prefabOf(world, one) === part);
}

const STORAGES = [["ChildOf", ChildOf] as const, ["Parent", Parent] as const];

test.each(STORAGES)("a part is found before and after edits of its instance, stored by %s", (_, below) => {
  const { world, tank, turret, barrel, hatch } = makeTank(below);
  scatter(world);
  const instances = [...instantiate(world, tank, { count: 20 }), instantiate(world, tank)];
  for (const instance of instances) {
    const own = partOf(world, instance, barrel)!;
    expect(madeFrom(world, instance, barrel)).toEqual([own]);

    attach(world, own, partOf(world, instance, hatch)!); // elsewhere in the instance
    expect(partOf(world, instance, barrel)).toBe(own);
    spawn(world, ChildOf(own));
    expect(partOf(world, instance, turret)).toBe(madeFrom(world, instance, turret)[0]);

    attach(world, own, spawn(world)); // not in it any more
    expect(partOf(world, instance, barrel)).toBeUndefined();
    attach(world, own, instance);
    expect(partOf(world, instance, barrel)).toBe(own);

    destroy(world, own);
    const other = spawn(world, below(instance)); // gets the index
    expect(partOf(world, instance, barrel)).toBeUndefined();
    destroy(world, other);
    revert(world, instance);
    expect([partOf(world, instance, barrel)]).toEqual(madeFrom(world, instance, barrel));
  }
  expect(verify(world)).toEqual([]);
});

test("a part that moved to another instance belongs to that", () => {
  const { world, tank, turret, barrel } = makeTank();
  const [one, two] = instantiate(world, tank, { count: 2 }) as [Entity, Entity];
  const own = partOf(world, one, barrel)!;
  destroy(world, partOf(world, two, barrel)!);
  expect(partOf(world, two, barrel)).toBeUndefined();

  attach(world, own, partOf(world, two, turret)!);

  expect([partOf(world, one, barrel), partOf(world, two, barrel)]).toEqual([undefined, own]);
});

test("an instance that is attached below another one keeps its parts", () => {
  const { world, tank, turret, barrel } = makeTank();
  const outer = instantiate(world, tank);
  const inner = instantiate(world, tank, { parent: outer });
  expect(partOf(world, inner, barrel)).not.toBe(partOf(world, outer, barrel));

  destroy(world, partOf(world, outer, turret)!);

  expect([partOf(world, outer, turret), partOf(world, outer, barrel)]).toEqual([undefined, undefined]);
  expect([partOf(world, inner, barrel)]).toEqual(madeFrom(world, inner, barrel));
});

test("a reused index is never found", () => {
  const { world, tank, turret, barrel } = makeTank();
  const instances = instantiate(world, tank, { count: 10 });
  for (const instance of instances) partOf(world, instance, turret);
  for (const instance of instances) destroy(world, instance);

  const again = Array.from({ length: 10 }, () => instantiate(world, tank)).reverse();

  for (const instance of instances)
    expect(() => partOf(world, instance, barrel)).toThrow(expect.objectContaining({ code: "dead-entity" }));
  for (const instance of again) {
    for (const part of [turret, barrel])
      expect([partOf(world, instance, part)]).toEqual(madeFrom(world, instance, part));
  }
});

test("parts are found after a restore", () => {
  const { world, tank, turret, barrel } = makeTank();
  scatter(world);
  const instance = instantiate(world, tank);
  const own = partOf(world, instance, barrel)!;
  const before = snapshot(world);
  destroy(world, partOf(world, instance, turret)!);
  scatter(world, 50);
  const later = instantiate(world, tank);
  expect(partOf(world, instance, barrel)).toBeUndefined();
  expect(partOf(world, later, barrel)).toBeDefined();

  restore(world, before);

  expect(partOf(world, instance, barrel)).toBe(own);
  expect(() => partOf(world, later, barrel)).toThrow(expect.objectContaining({ code: "dead-entity" }));
  expect(partOf(world, instantiate(world, tank), turret)).toBeDefined();
});

test("variants, and prefabs in prefabs, have the parts of what they were made from", () => {
  const { world, tank, turret, barrel } = makeTank();
  const heavy = prefab(world, IsA(tank));
  const heavyTurret = partOf(world, heavy, turret)!;
  const army = prefab(world);
  const inner = [instantiate(world, heavy, { parent: army }), instantiate(world, heavy, { parent: army })];
  scatter(world);
  const instance = instantiate(world, heavy);
  const troop = instantiate(world, army);

  expect(prefabOf(world, partOf(world, instance, barrel)!)).toBe(partOf(world, heavy, barrel));
  expect(partOf(world, instance, turret)).toBe(partOf(world, instance, heavyTurret));
  expect(partOf(world, instance, heavy)).toBe(instance);
  const [first, second] = inner.map((one) => partOf(world, troop, one)!) as [Entity, Entity];
  expect(children(world, troop)).toEqual([first, second]);
  for (const tankOfTroop of [first, second]) {
    const own = partOf(world, tankOfTroop, turret)!;
    expect(descendants(world, tankOfTroop)).toContain(own);
    expect(partOf(world, tankOfTroop, heavyTurret)).toBe(own);
    expect(slotOf(world, tankOfTroop, "gun")).toBe(own);
  }
  expect(partOf(world, troop, turret)).toBe(partOf(world, first, turret));

  destroy(world, first);
  expect(partOf(world, troop, turret)).toBe(partOf(world, second, turret));
});

test("a part is found after the prefab was edited, refreshed and destroyed", () => {
  const { world, tank, turret, barrel, hatch } = makeTank();
  const instance = instantiate(world, tank);
  const own = partOf(world, instance, barrel)!;
  const lamp = spawn(world, ChildOf(hatch));
  attach(world, barrel, tank);
  expect([partOf(world, instance, barrel), partOf(world, instance, lamp)]).toEqual([own, undefined]);

  refreshInstances(world, tank);
  expect([partOf(world, instance, barrel), partOf(world, instance, lamp)]).toEqual([
    own,
    madeFrom(world, instance, lamp)[0],
  ]);

  destroy(world, tank); // then it is no instance any more
  expect(partOf(world, instance, turret)).toBeUndefined();
});

test("what follows no prefab has no parts", () => {
  const { world, tank, turret } = makeTank();
  const folder = spawn(world);
  const instance = instantiate(world, tank, { parent: folder });
  expect(partOf(world, folder, turret)).toBeUndefined();

  remove(world, instance, IsA(tank));
  expect(partOf(world, instance, turret)).toBeUndefined();

  add(world, instance, IsA(tank));
  expect(partOf(world, instance, turret)).toBe(children(world, instance).at(-2));
});

test("of a part and its clone, one is found as long as it is there", () => {
  const { world, tank, turret } = makeTank();
  const instance = instantiate(world, tank);
  const own = partOf(world, instance, turret)!;
  const copy = clone(world, own, { deep: true });
  attach(world, copy, instance);
  expect(partOf(world, instance, turret)).toBe(own);

  destroy(world, own);

  expect(partOf(world, instance, turret)).toBe(copy);
});

test("a slot that gets another name is found by that", () => {
  const { world, tank, turret, hatch } = makeTank();
  const instance = instantiate(world, tank);
  expect(slotOf(world, instance, "gun")).toBe(partOf(world, instance, turret));

  set(world, turret, Slot, "cannon");
  set(world, hatch, Slot, "gun");

  expect(slotOf(world, instance, "cannon")).toBe(partOf(world, instance, turret));
  expect(slotOf(world, instance, "gun")).toBe(partOf(world, instance, hatch));
});

test("parts of a chain of 20,000 are found", () => {
  const world = createWorld();
  const root = prefab(world);
  const parts = [root];
  for (let at = 0; at < 20_000; at++) parts.push(spawn(world, ChildOf(parts.at(-1)!)));
  const instance = instantiate(world, root);
  const last = partOf(world, instance, parts.at(-1)!)!;
  const middle = partOf(world, instance, parts[10_000]!)!;

  attach(world, last, instance);
  destroy(world, middle);

  expect(partOf(world, instance, parts.at(-1)!)).toBe(last);
  expect(partOf(world, instance, parts[13_000]!)).toBeUndefined();
  expect(prefabOf(world, partOf(world, instance, parts[7_000]!)!)).toBe(parts[7_000]);
});

test("many edited instances find their parts", () => {
  const { world, tank, turret, barrel, hatch } = makeTank();
  const instances = instantiate(world, tank, { count: 1_000 });
  const owns = instances.map((instance) => {
    destroy(world, partOf(world, instance, turret)!);
    revert(world, instance);
    return [turret, barrel, hatch].map((part) => partOf(world, instance, part));
  });

  for (const [at, instance] of instances.entries())
    expect([turret, barrel, hatch].map((part) => partOf(world, instance, part))).toEqual(owns[at]);
  expect(new Set(owns.flat()).size).toBe(3_000);
});
