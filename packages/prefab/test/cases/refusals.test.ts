import {
  add,
  ChildOf,
  component,
  type Entity,
  get,
  has,
  Parent,
  relation,
  spawn,
  TreelineError,
  targetOf,
  withHooks,
} from "@treeline/core";
import { configureNames, Name } from "@treeline/names";
import { children, destroy, each, query } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, test } from "vitest";
import {
  applyToPrefab,
  autoOverride,
  IsA,
  instantiate,
  overridesOf,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
  revert,
} from "../../src/index.ts";
import { drawn, expectRefusal, Mesh, newWorld, Position, tankIn, world } from "./fixture.ts";

describe("instantiate refuses, and changes nothing", () => {
  test("what is no prefab, a part of one, or not alive", () => {
    const { tank, turret } = tankIn();
    const plain = spawn(world);
    expectRefusal("bad-term", () => instantiate(world, plain));
    expectRefusal("bad-term", () => instantiate(world, turret));
    const one = instantiate(world, tank);
    expectRefusal("bad-term", () => instantiate(world, one));
  });

  test("a prefab, parent or target that is not alive", () => {
    const { tank } = tankIn();
    const [gone, plain] = [spawn(world), spawn(world)];
    destroy(world, gone);
    expectRefusal("dead-entity", () => instantiate(world, gone));
    expectRefusal("dead-entity", () => instantiate(world, tank, { parent: gone }));
    expectRefusal("dead-entity", () => instantiate(world, tank, { with: [ChildOf(gone)], count: 3 }));
    expectRefusal("dead-entity", () => add(world, plain, IsA(gone)));
  });

  test("bad options", () => {
    const { tank } = tankIn();
    const [left, right] = [spawn(world), spawn(world)];
    const bad = (options: unknown) => () => instantiate(world, tank, options as never);
    for (const count of [-1, 1.5, Number.NaN, "2"]) expectRefusal("bad-value", bad({ count }));
    expectRefusal("bad-value", bad({ with: Name("a") }));
    expectRefusal("bad-value", bad({ storage: relation("Other") }));
    expectRefusal("bad-value", bad({ parents: tank }));
    expectRefusal("bad-value", bad({ with: [Position({ z: 1 } as never)] }));
    expectRefusal("bad-term", bad({ with: [ChildOf(left), ChildOf(right)] }));
    expectRefusal("bad-term", bad({ parent: left, with: [ChildOf(right)] }));
  });

  test("a name that is taken, for the only or the second instance", () => {
    const { tank } = tankIn();
    spawn(world, Name("One"));
    expectRefusal("name-taken", () => instantiate(world, tank, { with: [Name("One")] }));
    expectRefusal("name-taken", () => instantiate(world, tank, { with: [Name("Two")], count: 2 }));
  });

  test("what a check hook refuses, for the root or for a part, whichever instance it is", () => {
    newWorld();
    const Checked = withHooks(component<number>("Checked"), {
      check: (_, __, value) => {
        if (value > 5) throw new TreelineError("refused", "too much");
      },
    });
    const base = prefab(world, Checked(1));
    spawn(world, ChildOf(base), Checked(2));
    expectRefusal("refused", () => instantiate(world, base, { with: [Checked(6)] }));
    expectRefusal("refused", () => instantiate(world, base, { with: [Checked(6)], count: 3 }));
    expect(children(world, instantiate(world, base))).toHaveLength(1);
  });

  test("more subjects than a relation allows", () => {
    newWorld();
    const Seat = relation("Seat", { maxSubjects: 1 });
    const bus = spawn(world);
    const base = prefab(world);
    spawn(world, ChildOf(base), Seat(bus));
    expectRefusal("full", () => instantiate(world, base));
  });

  test("the same for IsA: the entity stays what it was, and nothing is spawned", () => {
    const { tank } = tankIn();
    const plain = spawn(world, Position({ x: 9 }));
    spawn(world, ChildOf(plain), Name("Tracks"));
    expectRefusal("name-taken", () => add(world, plain, IsA(tank)));
    expect(has(world, plain, IsA(tank))).toBe(false);
    expect(drawn(plain)).toBe("Tracks");
    expectRefusal("name-taken", () => spawn(world, Name("Tank"), IsA(tank)));
  });
});

describe("overridesOf, revert, applyToPrefab and autoOverride refuse", () => {
  test("what belongs to no instance, and what is not alive", () => {
    const { tank, turret } = tankIn();
    const plain = spawn(world);
    const gone = instantiate(world, tank);
    destroy(world, gone);
    for (const call of [overridesOf, revert, applyToPrefab]) {
      expectRefusal("bad-term", () => call(world, plain));
      expectRefusal("bad-term", () => call(world, turret));
      expectRefusal("dead-entity", () => call(world, gone));
    }
    expectRefusal("dead-entity", () => autoOverride(world, gone, Mesh));
  });

  test("calls inside an iteration, which would read what is not done yet", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank);
    const positions = query(world, Position);
    for (const call of [
      () => refreshInstances(world, tank),
      () => revert(world, one),
      () => applyToPrefab(world, one),
    ])
      expectRefusal("iterating", () => each(positions, call));
  });
});

describe("another prefab that an instance cannot be one of", () => {
  const Guards = relation("Guards", { maxSubjects: 1 });

  test("because a target is full, leaves it an instance of the former one, with what it inherits", () => {
    const { tank, turret } = tankIn();
    const inner = prefab(world, Mesh({ id: 7 }));
    const other = prefab(world, Guards(spawn(world)));
    instantiate(world, inner, { parent: other });
    const one = instantiate(world, tank);
    expectRefusal("full", () => add(world, one, IsA(other)));
    expect(targetOf(world, one, IsA)).toBe(tank);
    expect(prefabOf(world, one)).toBe(tank);
    expect(get(world, one, Mesh)).toEqual(get(world, tank, Mesh));
    expect(prefabOf(world, partOf(world, one, turret)!)).toBe(turret);
  });

  test("leaves it an instance of one that is a part of another prefab by now", () => {
    const { tank } = tankIn();
    const one = instantiate(world, tank);
    attach(world, tank, prefab(world));
    const full = prefab(world, Guards(spawn(world)));
    expectRefusal("full", () => add(world, one, IsA(full)));
    expect([targetOf(world, one, IsA), prefabOf(world, one)]).toEqual([tank, tank]);
  });
});

describe("names that are taken", () => {
  test("get a suffix where the world says so, for roots of instances and for parts of what becomes one", () => {
    const { tank } = tankIn();
    configureNames(world, { collisions: "suffix" });
    const [one, two] = instantiate(world, tank, { count: 2, with: [Name("One")] }) as [Entity, Entity];
    const plain = spawn(world);
    spawn(world, ChildOf(plain), Name("Tracks"));
    add(world, plain, IsA(tank));
    const names = drawn(plain).split("\n");
    expect(new Set(names).size).toBe(names.length);
    expect(names).toHaveLength(4);
    expect(drawn(one)).toBe(drawn(two));
  });

  test("are shared where the world allows it: an equally named child stays, beside the part", () => {
    const { tank, tracks } = tankIn();
    configureNames(world, { collisions: "allow" });
    const plain = spawn(world);
    const mine = spawn(world, ChildOf(plain), Name("Tracks"));
    add(world, plain, IsA(tank));
    expect(drawn(plain)).toBe("Tracks\nTurret\n  Barrel\nTracks");
    expect(children(world, plain)[0]).toBe(mine);
    expect(partOf(world, plain, tracks)).toBe(children(world, plain)[2]);
    refreshInstances(world, tank);
    expect(drawn(plain)).toBe("Tracks\nTurret\n  Barrel\nTracks");
  });
});

test("attaching what is refused leaves the prefab and the entity as they were", () => {
  const { tank, turret } = tankIn();
  const taken = spawn(world, Name("Barrel"));
  expectRefusal("name-taken", () => attach(world, taken, turret));
  expectRefusal("cycle", () => attach(world, tank, turret));
  expectRefusal("cycle", () => attach(world, turret, turret, Parent));
});
