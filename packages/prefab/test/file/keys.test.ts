import {
  add,
  addMany,
  ChildOf,
  clone,
  createWorld,
  defer,
  get,
  has,
  locate,
  markChanged,
  type ObjectComponent,
  remove,
  type SpawnTerm,
  set,
  spawn,
  spawnMany,
  spawnRows,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { restore, snapshot } from "@treeline/document/snapshot";
import { Name } from "@treeline/names";
import { children, destroy } from "@treeline/query";
import { beforeEach, expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import { IsA, instantiate, Prefab, prefab } from "../../src/index.ts";
import { expectRefusal, newWorld, Position } from "../cases/fixture.ts";

let world: World;

/** A key for each entity of a list. */
function keysOf(keys: readonly string[]): SpawnTerm {
  return (PrefabKey as unknown as ObjectComponent<string>).each(keys) as never;
}

beforeEach(() => {
  world = newWorld();
});

test("a second prefab of one key is refused where it gets it, whatever gives it", () => {
  const tank = prefab(world, PrefabKey("tank"));
  const other = prefab(world, PrefabKey("ship"));
  const plain = prefab(world);

  expectRefusal("name-taken", () => prefab(world, PrefabKey("tank")));
  expectRefusal("name-taken", () => spawn(world, Prefab, PrefabKey("tank")));
  expectRefusal("name-taken", () => add(world, plain, PrefabKey("tank")));
  expectRefusal("name-taken", () => set(world, plain, PrefabKey, "tank"));
  expectRefusal("name-taken", () => set(world, other, PrefabKey, "tank"));
  expectRefusal("name-taken", () => addMany(world, [plain], Position, PrefabKey("tank")));
  expectRefusal("name-taken", () => spawnMany(world, 2, Prefab, PrefabKey("jeep")));
  expectRefusal("name-taken", () => spawnRows(world, 2, [Prefab, keysOf(["jeep", "jeep"])]));
  expectRefusal("name-taken", () => spawnRows(world, 2, [Prefab, keysOf(["jeep", "tank"])]));
  expectRefusal("name-taken", () => clone(world, tank, { with: [PrefabKey("tank")] }));
  expectRefusal("name-taken", () => instantiate(world, tank, { with: [PrefabKey("tank")] }));
  expect([prefabAt(world, "tank"), prefabAt(world, "ship"), prefabAt(world, "jeep")]).toEqual([
    tank,
    other,
    undefined,
  ]);
});

test("a prefab keeps its key when it moves, and when it gets the same one again", () => {
  const library = spawn(world);
  const tank = prefab(world, PrefabKey("tank"));

  add(world, tank, PrefabKey("tank"));
  set(world, tank, PrefabKey, "tank");
  add(world, tank, ChildOf(library));

  expect(prefabAt(world, "tank")).toBe(tank);
});

test("a key is free again once its prefab has another one, has lost it, or is destroyed", () => {
  const tank = prefab(world, PrefabKey("a"));
  set(world, tank, PrefabKey, "b");
  const second = prefab(world, PrefabKey("a"));
  expect([prefabAt(world, "a"), prefabAt(world, "b")]).toEqual([second, tank]);

  remove(world, tank, PrefabKey);
  const third = prefab(world, PrefabKey("b"));
  expect(prefabAt(world, "b")).toBe(third);

  const library = spawn(world);
  add(world, third, ChildOf(library));
  destroy(world, library);
  expect(prefabAt(world, "b")).toBeUndefined();
  expect(prefabAt(world, "b")).not.toBe(prefab(world, PrefabKey("b")));
});

test("two prefabs may exchange their keys by way of a third one", () => {
  const [one, other] = [prefab(world, PrefabKey("a")), prefab(world, PrefabKey("b"))];
  set(world, one, PrefabKey, "c");
  set(world, other, PrefabKey, "a");
  set(world, one, PrefabKey, "b");
  expect([prefabAt(world, "a"), prefabAt(world, "b"), prefabAt(world, "c")]).toEqual([other, one, undefined]);
});

test("of two that get one key while changes are deferred, the second is refused", () => {
  const [one, other] = [prefab(world), prefab(world)];
  expect(() =>
    defer(world, () => {
      add(world, one, PrefabKey("tank"));
      add(world, other, PrefabKey("tank"));
    }),
  ).toThrow(/key/);
  expect([get(world, one, PrefabKey), get(world, other, PrefabKey), prefabAt(world, "tank")]).toEqual([
    "tank",
    undefined,
    one,
  ]);
});

test("clones and instances have no key, shallow and deep, of the prefab and of what is around it", () => {
  const library = spawn(world);
  const tank = prefab(world, PrefabKey("tank"), ChildOf(library));
  spawn(world, ChildOf(tank), PrefabKey("tank/gun"));
  const became = spawn(world);
  add(world, became, IsA(tank));

  const copies = [
    clone(world, tank),
    clone(world, tank, { deep: true }),
    children(world, clone(world, library, { deep: true }))[0]!,
    instantiate(world, tank),
    ...instantiate(world, tank, { count: 2 }),
    prefab(world, IsA(tank)),
    became,
  ];

  for (const copy of copies)
    for (const one of [copy, ...children(world, copy)]) expect(has(world, one, PrefabKey)).toBe(false);
  expect([prefabAt(world, "tank"), verify(world)]).toEqual([tank, []]);
});

test("an instance of a clone is not saved as one of the original: the clone has no key yet", () => {
  const tank = prefab(world, PrefabKey("tank"), Name("Tank"), Position({ x: 1 }));
  const big = clone(world, tank, { deep: true, with: [Name("Big"), Position({ x: 100 })] });
  const level = spawn(world, Name("Level"));
  instantiate(world, big, { parent: level, with: [Name("One")] });
  expectRefusal("bad-document", () => toDocument(world, { root: level, prefabs }));

  add(world, big, PrefabKey("big"));
  const text = writeJson(toDocument(world, { root: level, prefabs }));
  const [again] = fromDocument(world, text, { prefabs, with: [Name("Level 2")] });
  expect(get(world, children(world, again!)[0]!, Position)!.x).toBe(100);
});

test("an instance of a prefab whose key was written into a column is not saved until the key is marked", () => {
  prefab(world, PrefabKey("tank"));
  const ship = prefab(world, PrefabKey("ship"));
  const level = spawn(world);
  instantiate(world, ship, { parent: level });
  const write = (key: string): void => {
    const { columns, row } = locate(world, ship, PrefabKey)!;
    (columns as unknown as string[])[row] = key;
  };
  write("tank");
  expectRefusal("bad-document", () => toDocument(world, { root: level, prefabs }));
  expectRefusal("name-taken", () => markChanged(world, ship, PrefabKey));

  write("boat");
  markChanged(world, ship, PrefabKey);
  expect(writeJson(toDocument(world, { root: level, prefabs }))).toContain('"prefab":"boat"');
});

test("a library is refused, with nothing changed, where something else has the key of a new prefab", () => {
  const lamp = prefab(world, PrefabKey("lamp"), Name("Lamp"));
  const text = writeJson(toDocument(world, { root: lamp, prefabs }));
  const other = createWorld();
  const keyed = spawn(other, PrefabKey("lamp")); // no prefab
  const before = dump(other);

  expect(() => loadPrefabs(other, new Map([["lamp", text]]))).toThrow(/"lamp"/);

  expect([dump(other), get(other, keyed, PrefabKey), verify(other)]).toEqual([before, "lamp", []]);
});

test("a snapshot brings back who has which key", () => {
  const tank = prefab(world, PrefabKey("a"));
  const ship = prefab(world, PrefabKey("b"));
  const before = snapshot(world);
  set(world, tank, PrefabKey, "c");
  destroy(world, ship);
  const late = prefab(world, PrefabKey("a"));

  restore(world, before);

  expect([late, prefabAt(world, "a"), prefabAt(world, "b"), prefabAt(world, "c")]).toEqual([
    late,
    tank,
    ship,
    undefined,
  ]);
  expectRefusal("name-taken", () => prefab(world, PrefabKey("b")));
  expect(prefab(world, PrefabKey("c"))).toBe(prefabAt(world, "c"));
});

test("a snapshot from before the first key brings back a world without keys", () => {
  const plain = prefab(world);
  const before = snapshot(world);
  add(world, plain, PrefabKey("a"));

  restore(world, before);

  expect(prefabAt(world, "a")).toBeUndefined();
  add(world, plain, PrefabKey("a"));
  expect(prefabAt(world, "a")).toBe(plain);
});
