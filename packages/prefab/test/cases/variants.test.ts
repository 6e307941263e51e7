import { add, ChildOf, type Entity, get, has, Parent, remove, set, spawn, targetOf } from "@treeline/core";
import { childNamed, Name } from "@treeline/names";
import { children, collect, count, destroy, query } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import {
  IsA,
  instancesOf,
  instantiate,
  Prefab,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
  Slot,
  slotOf,
} from "../../src/index.ts";
import { Armed, drawn, expectRefusal, Mesh, newWorld, Position, tankIn, world } from "./fixture.ts";

describe("a variant", () => {
  test("has copies of the parts of its base as its own parts, with their names, and is left out of queries", () => {
    const { tank, turret } = tankIn();
    const positions = query(world, Position);
    const heavy = prefab(world, IsA(tank), Name("Heavy"));
    expect(drawn(heavy)).toBe("Turret\n  Barrel\nTracks");
    expect(children(world, heavy).every((part) => has(world, part, Prefab))).toBe(true);
    expect(count(positions)).toBe(0);
    expect(prefabOf(world, children(world, heavy)[0]!)).toBe(turret);
    expect(get(world, heavy, Position)).toEqual({ x: 1, y: 1 });
    expect(get(world, heavy, Mesh)!.id).toBe(1);
  });

  test("gives its own values and parts to its instances, and inherits the rest, along any number of variants", () => {
    const { tank, turret } = tankIn();
    const heavy = prefab(world, IsA(tank));
    const huge = prefab(world, IsA(heavy));
    set(world, partOf(world, heavy, turret)!, Mesh, { lod: 5 });
    spawn(world, ChildOf(huge), Name("Radar"), Mesh({ id: 30 }));
    const one = instantiate(world, huge);
    expect(drawn(one)).toBe("Turret\n  Barrel\nTracks\nRadar");
    set(world, tank, Mesh, { id: 10 });
    set(world, turret, Mesh, { id: 20 });
    expect(get(world, one, Mesh)).toEqual({ lod: 1, id: 10 });
    expect(get(world, partOf(world, one, turret)!, Mesh)).toEqual({ lod: 5, id: 2 });
    expect(partOf(world, one, partOf(world, heavy, turret)!)).toBe(children(world, one)[0]);
    expect(partOf(world, one, partOf(world, huge, turret)!)).toBe(children(world, one)[0]);
    expect(
      collect(query(world, Mesh))
        .map(([{ id }]) => id)
        .sort(),
    ).toEqual([10, 2, 30, 4]);
  });

  test("that removed a part has instances without it, also after its base was edited", () => {
    const { tank, turret, tracks } = tankIn();
    const light = prefab(world, IsA(tank));
    destroy(world, partOf(world, light, tracks)!);
    set(world, tracks, Mesh, { id: 99 });
    spawn(world, ChildOf(turret), Name("Hatch"));
    refreshInstances(world, tank);
    expect(drawn(light)).toBe("Turret\n  Barrel\n  Hatch");
    expect(drawn(instantiate(world, light))).toBe("Turret\n  Barrel\n  Hatch");
  });

  test("finds slots of its base", () => {
    const { tank, turret } = tankIn();
    add(world, turret, Slot("head"));
    const heavy = prefab(world, IsA(tank));
    const one = instantiate(world, heavy);
    expect(slotOf(world, one, "head")).toBe(children(world, one)[0]);
    expect(slotOf(world, heavy, "head")).toBe(children(world, heavy)[0]);
  });

  test("of a variant follows both, and keeps its own changes and those in between", () => {
    const { tank, turret } = tankIn();
    const heavy = prefab(world, IsA(tank));
    const huge = prefab(world, IsA(heavy));
    const one = instantiate(world, huge);
    set(world, partOf(world, heavy, turret)!, Position, { x: 50 });
    set(world, partOf(world, huge, turret)!, Position, { y: 60 });
    refreshInstances(world, heavy);
    set(world, turret, Position, { x: 7, y: 7 });
    refreshInstances(world, tank);
    const read = (top: Entity): unknown => get(world, partOf(world, top, turret)!, Position);
    expect([read(heavy), read(huge), read(one)]).toEqual([
      { x: 50, y: 7 },
      { x: 50, y: 60 },
      { x: 50, y: 60 },
    ]);
  });
});

describe("a nested prefab", () => {
  /** A gun, a tank with two guns, and an army with a tank. */
  function nested(): {
    gun: Entity;
    muzzle: Entity;
    tank: Entity;
    left: Entity;
    right: Entity;
    army: Entity;
  } {
    newWorld();
    const gun = prefab(world, Name("Gun"), Mesh({ id: 1 }), Position({ x: 1 }));
    const muzzle = spawn(world, ChildOf(gun), Name("Muzzle"), Mesh({ id: 2 }), Position({ x: 2 }));
    const tank = prefab(world, Name("Tank"));
    const left = instantiate(world, gun, { parent: tank, with: [Name("Left")] });
    const right = instantiate(world, gun, { parent: tank, with: [Name("Right")], storage: Parent });
    const army = prefab(world, Name("Army"));
    instantiate(world, tank, { parent: army, with: [Name("Chief")] });
    return { gun, muzzle, tank, left, right, army };
  }

  test("is copied with all its parts, and each instance inside is one of its own prefab", () => {
    const { gun, left, right, tank, army } = nested();
    const one = instantiate(world, army);
    expect(drawn(one)).toBe("Chief\n  Left\n    Muzzle\n  Right\n    Muzzle");
    const chief = childNamed(world, one, "Chief")!;
    expect(targetOf(world, chief, IsA)).toBe(tank);
    const [ownLeft, ownRight] = children(world, chief);
    expect([targetOf(world, ownLeft!, IsA), targetOf(world, ownRight!, IsA)]).toEqual([gun, gun]);
    expect(instancesOf(world, gun)).toContain(ownLeft);
    expect([partOf(world, chief, left), partOf(world, chief, right)]).toEqual([ownLeft, ownRight]);
  });

  test("inherits from what it is an instance of, unless the outer prefab overrides it", () => {
    const { gun, muzzle, left, army } = nested();
    set(world, left, Mesh, { lod: 7 });
    const one = instantiate(world, army);
    const [ownLeft, ownRight] = children(world, children(world, one)[0]!) as [Entity, Entity];
    set(world, gun, Mesh, { id: 50 });
    set(world, muzzle, Mesh, { id: 60 });
    expect([ownLeft, ownRight].map((own) => get(world, own, Mesh))).toEqual([
      { lod: 7, id: 1 },
      { lod: 1, id: 50 },
    ]);
    expect(children(world, ownLeft).map((own) => get(world, own, Mesh)!.id)).toEqual([60]);
  });

  test("that is edited reaches all that contain it by one refreshInstances", () => {
    const { gun, muzzle, tank, army } = nested();
    const one = instantiate(world, army);
    set(world, muzzle, Position, { y: 9 });
    spawn(world, ChildOf(gun), Name("Sight"));
    refreshInstances(world, gun);
    expect(drawn(tank)).toBe("Left\n  Muzzle\n  Sight\nRight\n  Muzzle\n  Sight");
    expect(drawn(one)).toBe("Chief\n  Left\n    Muzzle\n    Sight\n  Right\n    Muzzle\n    Sight");
    const ownLeft = children(world, children(world, one)[0]!)[0]!;
    expect(get(world, children(world, ownLeft)[0]!, Position)).toEqual({ x: 2, y: 9 });
  });

  test("can be attached to a prefab as a part that became an instance by IsA", () => {
    const { gun, tank } = nested();
    const third = spawn(world, ChildOf(tank), Name("Third"));
    add(world, third, IsA(gun));
    expect(drawn(instantiate(world, tank))).toBe("Left\n  Muzzle\nRight\n  Muzzle\nThird\n  Muzzle");
  });

  test("whose instance loses IsA in the outer prefab stays there as plain parts", () => {
    const { gun, left, tank } = nested();
    remove(world, left, IsA(gun));
    const one = instantiate(world, tank);
    expect(drawn(one)).toBe("Left\n  Muzzle\nRight\n  Muzzle");
    const [ownLeft] = children(world, one);
    expect(has(world, ownLeft!, IsA(gun))).toBe(false);
    expect(prefabOf(world, ownLeft!)).toBe(left);
    expect(has(world, ownLeft!, Mesh)).toBe(false);
  });
});

describe("a prefab that would contain itself is refused", () => {
  test("by instantiate below it or below a part of it", () => {
    const { tank, barrel } = tankIn();
    expectRefusal("cycle", () => instantiate(world, tank, { parent: tank }));
    expectRefusal("cycle", () => instantiate(world, tank, { parent: barrel }));
    expectRefusal("cycle", () => instantiate(world, tank, { with: [Parent(barrel)], count: 3 }));
  });

  test("by IsA of itself, of a part of it, or of what contains it", () => {
    const { tank, turret, barrel } = tankIn();
    expectRefusal("cycle", () => add(world, tank, IsA(tank)));
    expectRefusal("cycle", () => add(world, barrel, IsA(tank)));
    expectRefusal("cycle", () => add(world, tank, IsA(turret)));
    const army = prefab(world);
    instantiate(world, tank, { parent: army });
    expectRefusal("cycle", () => instantiate(world, army, { parent: turret }));
    expectRefusal("cycle", () => add(world, barrel, IsA(army)));
    expectRefusal("cycle", () => spawn(world, ChildOf(barrel), IsA(army)));
    expectRefusal("cycle", () => add(world, tank, IsA(army)));
  });

  test("by attaching an instance, or what contains one, below a part of its prefab", () => {
    const { tank, barrel } = tankIn();
    const one = instantiate(world, tank);
    const scene = spawn(world);
    attach(world, one, scene);
    expectRefusal("cycle", () => attach(world, scene, barrel));
    expectRefusal("cycle", () => attach(world, one, tank, Parent));
  });

  test("through variants and several prefabs", () => {
    const { tank, turret } = tankIn();
    const heavy = prefab(world, IsA(tank));
    const army = prefab(world);
    instantiate(world, heavy, { parent: army });
    expectRefusal("cycle", () => instantiate(world, army, { parent: turret }));
    expectRefusal("cycle", () => add(world, tank, IsA(heavy)));
    expectRefusal("cycle", () => instantiate(world, heavy, { parent: turret }));
  });
});

test("two kinds of prefabs may contain the same one, and one prefab many instances of another", () => {
  const { tank } = tankIn();
  const [first, second] = [prefab(world), prefab(world)];
  instantiate(world, tank, { parent: first, count: 3 });
  instantiate(world, tank, { parent: second, count: 2, with: [Armed] });
  instantiate(world, first, { parent: second });
  const one = instantiate(world, second);
  expect(children(world, one)).toHaveLength(3);
  expect(children(world, children(world, one)[2]!)).toHaveLength(3);
});
