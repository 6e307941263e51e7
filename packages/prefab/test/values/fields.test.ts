import {
  add,
  ChildOf,
  component,
  type Entity,
  entity,
  get,
  patch,
  remove,
  set,
  spawn,
  targetsOf,
} from "@treeline/core";
import { children, each, query } from "@treeline/query";
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
  refreshInstances,
  revert,
} from "../../src/index.ts";
import { Aim, Mesh, Near, newWorld, Paint, Position, world } from "../cases/fixture.ts";

/** What an instance overrides, as "name: fields". */
function overrides(instance: Entity): string[] {
  return overridesOf(world, instance).map(({ definition, fields }) => `${definition!.name}: ${fields}`);
}

/** A base with a part; a variant of it, and a variant of that; a prefab that contains an instance of the last; and an instance of each. */
function levels(): { base: Entity; part: Entity; instances: Entity[] } {
  newWorld();
  const base = prefab(world, Mesh({ id: 1 }), Paint("red"));
  const part = spawn(world, ChildOf(base), Mesh({ id: 1 }), Paint("red"));
  const variant = prefab(world, IsA(base));
  const second = prefab(world, IsA(variant));
  const outer = prefab(world);
  instantiate(world, second, { parent: outer });
  const instances = [base, variant, second].map((one) => instantiate(world, one));
  instances.push(children(world, instantiate(world, outer))[0]!);
  return { base, part, instances };
}

describe("a field that is not overridden follows the base", () => {
  test("of an instance of the base, of a variant, of a variant of that, and of one inside another prefab", () => {
    const { base, part, instances } = levels();
    const parts = instances.map((one) => children(world, one)[0]!);
    const all = [...instances, ...parts];
    for (const one of all) set(world, one, Mesh, { lod: 9 });

    for (const from of [base, part]) set(world, from, Mesh, { id: 8 });
    refreshInstances(world, base);

    expect(all.map((one) => get(world, one, Mesh))).toEqual(all.map(() => ({ lod: 9, id: 8 })));
    expect(instances.map(overrides)).toEqual(instances.map(() => ["Mesh: lod", "Mesh: lod"]));
    for (const from of [base, part]) set(world, from, Mesh, { lod: 3, id: 7 });
    refreshInstances(world, base);
    expect(all.map((one) => get(world, one, Mesh))).toEqual(all.map(() => ({ lod: 9, id: 7 })));
  });

  test("where an instance was given the value that it inherits", () => {
    const { base, instances } = levels();
    for (const one of instances) {
      set(world, one, Mesh, { id: 1 });
      set(world, one, Paint, "red");
    }
    expect(instances.flatMap(overrides)).toEqual([]);

    set(world, base, Mesh, { id: 8 });
    set(world, base, Paint, "blue");
    refreshInstances(world, base);

    expect(instances.map((one) => [get(world, one, Mesh)!.id, get(world, one, Paint)])).toEqual(
      instances.map(() => [8, "blue"]),
    );
  });

  test("where a level in between overrides another one", () => {
    newWorld();
    const base = prefab(world, Mesh({ id: 1 }));
    const variant = prefab(world, IsA(base));
    const instance = instantiate(world, variant);
    set(world, instance, Mesh, { lod: 9 });
    set(world, variant, Mesh, { lod: 5 });
    set(world, base, Mesh, { id: 8 });
    refreshInstances(world, base);
    expect([get(world, variant, Mesh), get(world, instance, Mesh)]).toEqual([
      { lod: 5, id: 8 },
      { lod: 9, id: 8 },
    ]);
    remove(world, variant, Mesh);
    remove(world, instance, Mesh);
    expect(get(world, instance, Mesh)).toEqual({ lod: 1, id: 8 });
  });
});

describe("what an instance gets while edits have not followed yet", () => {
  /** An instance of a prefab and one of a variant; the prefab is edited before something is done, and after it. */
  function between(act: (instance: Entity, base: Entity) => void): (readonly [number, number, string[]])[] {
    newWorld();
    const base = prefab(world, Mesh({ id: 1 }), Position({ x: 1, y: 1 }), Paint("red"));
    const variant = prefab(world, IsA(base));
    const instances = [instantiate(world, base), instantiate(world, variant)];
    set(world, base, Mesh, { id: 2 });
    set(world, base, Position, { x: 2 });
    for (const one of instances) act(one, base);
    set(world, base, Mesh, { id: 3 });
    set(world, base, Position, { x: 3 });
    refreshInstances(world, base);
    return instances.map((one) => [get(world, one, Mesh)!.id, get(world, one, Position)!.x, overrides(one)]);
  }

  test.each([
    ["set", (one: Entity) => set(world, one, Mesh, { lod: 9 })],
    ["add", (one: Entity) => add(world, one, Mesh({ lod: 9 }))],
    [
      "patch",
      (one: Entity): void => {
        patch(world, one, Mesh, (mesh) => {
          mesh.lod = 9;
        });
      },
    ],
    [
      "a loop",
      (one: Entity) =>
        each(query(world, Mesh), (mesh, own) => {
          if (own === one) mesh.lod = 9;
        }),
    ],
  ] as const)("by %s follows later in all other fields", (_, act) => {
    expect(between(act)).toEqual([
      [3, 3, ["Mesh: lod"]],
      [3, 3, ["Mesh: lod"]],
    ]);
  });

  test("by revert follows later", () => {
    expect(between((one) => revert(world, one, Position))).toEqual([
      [3, 3, []],
      [3, 3, []],
    ]);
  });

  test("by applyToPrefab follows later, in other fields as well", () => {
    const results = between((one, base) => {
      set(world, one, Position, { y: 7 });
      applyToPrefab(world, one, Position);
      set(world, base, Position, { y: 6 });
    });
    expect(results).toEqual([
      [3, 3, []],
      [3, 3, []],
    ]);
  });
});

test("entity fields of an override that are not given point inside the instance, as those of copies do", () => {
  const Aim = component("AimShared", { at: entity, from: entity, range: 1 }, { onInstantiate: "inherit" });
  newWorld();
  const base = prefab(world);
  const gun = spawn(world, ChildOf(base));
  set(world, base, Aim, { at: gun, from: base });
  const variant = prefab(world, IsA(base));
  const outer = prefab(world);
  const inner = [
    instantiate(world, variant, { parent: outer }),
    instantiate(world, variant, { parent: outer }),
  ];
  const whole = instantiate(world, outer);
  for (const one of [
    instantiate(world, base),
    instantiate(world, variant),
    ...inner.map((part) => partOf(world, whole, part)!),
  ]) {
    set(world, one, Aim, { range: 5 });
    expect(get(world, one, Aim)).toEqual({ at: children(world, one)[0], from: one, range: 5 });
    patch(world, one, Aim, (aim) => {
      aim.range = 6;
    });
    expect(overrides(one)).toEqual(["AimShared: range"]);
  }
  autoOverride(world, variant, Aim);
  const own = instantiate(world, variant);
  expect(get(world, own, Aim)).toEqual({ at: children(world, own)[0], from: own, range: 1 });
  expect(overrides(own)).toEqual([]);
});

test("a field or pair of the prefab that means a part which has left it means that in instances as well", () => {
  newWorld();
  const base = prefab(world);
  const part = spawn(world, ChildOf(base));
  const other = prefab(world);
  const instance = instantiate(world, base);
  set(world, base, Aim, { at: part });
  add(world, base, Near(part));
  attach(world, part, other);

  refreshInstances(world, base);

  expect([get(world, instance, Aim), targetsOf(world, instance, Near)]).toEqual([{ at: part }, [part]]);
  expect([children(world, instance), overridesOf(world, instance)]).toEqual([[], []]);
});
