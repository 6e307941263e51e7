import {
  Any,
  add,
  ChildOf,
  type Entity,
  get,
  has,
  locate,
  observe,
  patch,
  read,
  remove,
  set,
  spawn,
} from "@treeline/core";
import {
  added,
  cascade,
  changed,
  collect,
  count,
  each,
  eachBatch,
  eachRun,
  entities,
  maybe,
  not,
  on,
  orderBy,
  query,
  removed,
  rows,
  selfOrUp,
  up,
} from "@treeline/query";
import { describe, expect, test } from "vitest";
import { IsA, instantiate, partOf, prefab, revert } from "../../src/index.ts";
import { expectRefusal, Heavy, Mesh, newWorld, Paint, Position, world } from "./fixture.ts";

/** Three instances of a prefab with a part; each part inherits its mesh, and the last one overrides it. */
function three(): { base: Entity; part: Entity; own: Entity[] } {
  newWorld();
  const base = prefab(world, Mesh({ id: 1 }), Paint("red"));
  const part = spawn(world, ChildOf(base), Mesh({ id: 2 }));
  const own = instantiate(world, base, { count: 3 }).map((one) => partOf(world, one, part)!);
  set(world, own[2]!, Mesh, { lod: 7 });
  return { base, part, own };
}

describe("an inherited value is read", () => {
  test("by get, has and read", () => {
    const { part, own } = three();
    set(world, part, Mesh, { id: 5 });
    const into = { lod: 0, id: 0 };
    expect(read(world, own[0]!, Mesh, into)).toBe(true);
    expect(into).toEqual({ lod: 1, id: 5 });
    expect(own.map((one) => get(world, one, Mesh))).toEqual([
      { lod: 1, id: 5 },
      { lod: 1, id: 5 },
      { lod: 7, id: 2 },
    ]);
    expect(own.map((one) => has(world, one, Mesh))).toEqual([true, true, true]);
  });

  test("by each, rows and collect, whole values among them", () => {
    const { own } = three();
    const meshes = query(world, Mesh, ChildOf(Any));
    const seen: unknown[] = [];
    each(meshes, ({ lod, id }, entity) => seen.push([entity, lod, id]));
    const expected = [
      [own[0], 1, 2],
      [own[1], 1, 2],
      [own[2], 7, 2],
    ];
    const sorted = (list: unknown[]): unknown[] =>
      list.sort((a, b) => (a as number[])[0]! - (b as number[])[0]!);
    expect(sorted(seen)).toEqual(expected);
    expect(sorted(collect(meshes).map(([{ lod, id }, entity]) => [entity, lod, id]))).toEqual(expected);
    const listed: unknown[] = [];
    for (const [{ lod, id }, entity] of rows(meshes)) listed.push([entity, lod, id]);
    expect(sorted(listed)).toEqual(expected);
    expect(collect(query(world, Paint)).map(([paint]) => paint)).toEqual(["red", "red", "red"]);
  });

  test("by up, selfOrUp and cascade from below an instance", () => {
    const { base, own } = three();
    const leaf = spawn(world, ChildOf(own[0]!), Position);
    const above = query(world, Position, up(Mesh));
    const self = query(world, Position, selfOrUp(Paint));
    const down = query(world, Position, cascade(Mesh));
    const read = (): unknown[] => [
      collect(above).map(([, { id }]) => id),
      collect(self).map(([, paint]) => paint),
      collect(down).map(([, mesh]) => mesh?.id),
    ];
    expect(read()).toEqual([[2], ["red"], [2]]);
    set(world, base, Paint, "blue");
    set(world, own[0]!, Mesh, { id: 30 });
    expect(read()).toEqual([[30], ["blue"], [30]]);
    expect(has(world, leaf, Mesh)).toBe(false);
  });

  test("by on, maybe, orderBy and not", () => {
    const { base, own } = three();
    const [one] = own;
    expect(collect(query(world, Position, on(one!, Mesh)))).toEqual([]);
    const probe = spawn(world, Position);
    expect(collect(query(world, Position, on(one!, Mesh))).map(([, { id }]) => id)).toEqual([2]);
    expect(collect(query(world, Position, maybe(Mesh))).map(([, mesh]) => mesh)).toEqual([undefined]);
    set(world, own[1]!, Mesh, { id: -5 });
    const ids = collect(query(world, Mesh, orderBy(Mesh, "id"))).map(([{ id }]) => id);
    expect(ids).toEqual([-5, 1, 1, 1, 2, 2]);
    set(world, base, Mesh, { id: 100 });
    expect(collect(query(world, Mesh, orderBy(Mesh, "id"))).map(([{ id }]) => id)).toEqual([
      -5, 2, 2, 100, 100, 100,
    ]);
    expect(entities(query(world, not(Mesh)))).toEqual([probe]);
  });

  test("but has no columns: loops over columns refuse it, and locate finds nothing", () => {
    const { own } = three();
    expect(locate(world, own[0]!, Mesh)).toBeUndefined();
    expect(locate(world, own[2]!, Mesh)).toBeDefined();
    const meshes = query(world, Mesh);
    expectRefusal("bad-query", () => eachRun(meshes, (run) => run.columns(Mesh)));
    let without = 0;
    eachRun(meshes, (run) => {
      if (run.columnsIf(Mesh) === undefined) without += run.end - run.first;
    });
    expect(without).toBe(5);
    expectRefusal("bad-query", () =>
      eachBatch(query(world, Mesh, up(Paint)), (batch) => batch.columns(Mesh)),
    );
  });
});

describe("writing", () => {
  test("makes an override by field: set, add, patch, and a field inside each", () => {
    const { part, own } = three();
    set(world, own[0]!, Mesh, { lod: 4 });
    patch(world, own[1]!, Mesh, (mesh) => {
      mesh.id += 10;
    });
    expect(own.map((one) => get(world, one, Mesh))).toEqual([
      { lod: 4, id: 2 },
      { lod: 1, id: 12 },
      { lod: 7, id: 2 },
    ]);
    for (const one of own) remove(world, one, Mesh);
    add(world, own[0]!, Mesh({ id: 8 }));
    each(query(world, Mesh), (mesh, entity) => {
      if (entity === own[1]) mesh.lod = 20;
    });
    expect(own.map((one) => get(world, one, Mesh))).toEqual([
      { lod: 1, id: 8 },
      { lod: 20, id: 2 },
      { lod: 1, id: 2 },
    ]);
    expect(get(world, part, Mesh)).toEqual({ lod: 1, id: 2 });
  });

  test("a field inside each reads as before until the iteration ends", () => {
    const { own } = three();
    const seen: number[] = [];
    each(query(world, Mesh), (mesh, entity) => {
      if (entity !== own[0]) return;
      mesh.lod = 50;
      seen.push(mesh.lod);
      mesh.id = 60;
    });
    expect(seen).toEqual([1]);
    expect(get(world, own[0]!, Mesh)).toEqual({ lod: 50, id: 60 });
  });

  test("add without a value keeps the inherited one as the entity's own", () => {
    const { part, own } = three();
    set(world, part, Mesh, { id: 40 });
    add(world, own[0]!, Mesh);
    set(world, part, Mesh, { id: 41 });
    expect(get(world, own[0]!, Mesh)).toEqual({ lod: 1, id: 40 });
    expect(get(world, own[1]!, Mesh)).toEqual({ lod: 1, id: 41 });
  });

  test("in a prefab changes no override", () => {
    const { part, own } = three();
    set(world, part, Mesh, { lod: 3, id: 3 });
    expect(get(world, own[2]!, Mesh)).toEqual({ lod: 7, id: 2 });
  });
});

describe("removing", () => {
  test("an override shares the prefab's value again", () => {
    const { part, own } = three();
    remove(world, own[2]!, Mesh);
    set(world, part, Mesh, { id: 9 });
    expect(get(world, own[2]!, Mesh)).toEqual({ lod: 1, id: 9 });
    set(world, own[2]!, Mesh, { id: 10 });
    revert(world, own[2]!, Mesh);
    expect(get(world, own[2]!, Mesh)).toEqual({ lod: 1, id: 9 });
  });

  test("an inherited value has no effect: it is the prefab's", () => {
    const { own } = three();
    remove(world, own[0]!, Mesh);
    expect(get(world, own[0]!, Mesh)).toEqual({ lod: 1, id: 2 });
  });

  test("from the prefab takes it from those that inherit, and leaves overrides; adding gives it back", () => {
    const { part, own } = three();
    remove(world, part, Mesh);
    expect(own.map((one) => has(world, one, Mesh))).toEqual([false, false, true]);
    expect(get(world, own[0]!, Mesh)).toBeUndefined();
    add(world, part, Mesh({ id: 77 }));
    expect(own.map((one) => get(world, one, Mesh)!.id)).toEqual([77, 77, 2]);
    remove(world, part, Mesh);
    remove(world, own[2]!, Mesh);
    expect(has(world, own[2]!, Mesh)).toBe(false);
  });
});

test("a component that the prefab gets later is inherited by its instances at once", () => {
  const { part, own } = three();
  add(world, part, Paint("green"), Heavy);
  expect(own.map((one) => get(world, one, Paint))).toEqual(["green", "green", "green"]);
  expect(own.every((one) => has(world, one, Heavy))).toBe(true);
  expect(count(query(world, Paint))).toBe(6);
});

describe("changed", () => {
  test("finds all that inherit, and those with overrides only by their own writes", () => {
    const { base, part, own } = three();
    const unread = query(world, Mesh, changed(Mesh));
    entities(unread);
    set(world, part, Mesh, { id: 6 });
    expect(entities(unread).sort()).toEqual([own[0], own[1]]);
    expect(entities(unread)).toEqual([]);
    set(world, own[2]!, Mesh, { id: 8 });
    expect(entities(unread)).toEqual([own[2]]);
    set(world, base, Mesh, { id: 8 });
    expect(entities(unread)).toHaveLength(3);
  });

  test("finds what inherits along a chain of variants", () => {
    newWorld();
    const base = prefab(world, Mesh({ id: 1 }));
    const variant = prefab(world, IsA(base));
    const one = instantiate(world, variant);
    const unread = query(world, changed(Mesh));
    entities(unread);
    set(world, base, Mesh, { id: 2 });
    expect(entities(unread)).toEqual([one]);
    set(world, variant, Mesh, { id: 3 });
    expect(entities(unread)).toEqual([one]);
    expect(get(world, one, Mesh)!.id).toBe(3);
  });

  test("of up finds what is below an instance", () => {
    const { part, own } = three();
    const leaf = spawn(world, ChildOf(own[0]!), Position);
    const unread = query(world, Position, changed(up(Mesh)));
    entities(unread);
    set(world, part, Mesh, { id: 66 });
    expect(entities(unread)).toEqual([leaf]);
    expect(entities(unread)).toEqual([]);
  });
});

describe("added and removed", () => {
  test("are about own values, in queries", () => {
    const { base, own } = three();
    const [gained, lost] = [query(world, added(Mesh)), query(world, removed(Mesh))];
    entities(gained);
    entities(lost);
    const more = instantiate(world, base);
    expect(entities(gained)).toEqual([]);
    set(world, more, Mesh, { lod: 2 });
    expect(entities(gained)).toEqual([more]);
    remove(world, own[2]!, Mesh);
    expect(entities(lost)).toEqual([own[2]]);
  });

  test("are about own values, for observers", () => {
    const { base, part, own } = three();
    const seen: unknown[] = [];
    observe(world, { added: Mesh, removed: Mesh }, ({ kind, entity }) => seen.push([kind, entity]));
    const more = instantiate(world, base);
    expect(seen).toEqual([]);
    set(world, more, Mesh, { lod: 2 });
    remove(world, own[2]!, Mesh);
    expect(seen).toEqual([
      ["added", more],
      ["removed", own[2]],
    ]);
    seen.length = 0;
    remove(world, part, Mesh);
    expect(seen).toEqual([["removed", part]]);
  });
});

describe("observers of set", () => {
  test("with inherited are called once for the prefab and for each that inherits", () => {
    const { part, own } = three();
    const seen: unknown[] = [];
    const plain: unknown[] = [];
    observe(world, { set: Mesh }, ({ entity }) => seen.push([entity, get(world, entity, Mesh)!.id]), {
      inherited: true,
    });
    observe(world, { set: Mesh }, ({ entity }) => plain.push(entity));
    set(world, part, Mesh, { id: 12 });
    expect(seen.sort()).toEqual([part, own[0], own[1]].map((one) => [one, 12]));
    expect(plain).toEqual([part]);
    seen.length = 0;
    set(world, own[1]!, Mesh, { id: 13 });
    expect(seen).toEqual([[own[1], 13]]);
  });

  test("with inherited are called once for each along variants, but not for what overrides", () => {
    newWorld();
    const base = prefab(world, Mesh({ id: 1 }));
    const variant = prefab(world, IsA(base));
    const other = prefab(world, IsA(base), Mesh({ id: 9 }));
    const one = instantiate(world, variant);
    instantiate(world, other);
    const seen: Entity[] = [];
    observe(world, { set: Mesh }, ({ entity }) => seen.push(entity), { inherited: true });
    set(world, base, Mesh, { id: 2 });
    expect(seen.sort()).toEqual([base, variant, one]);
  });
});
