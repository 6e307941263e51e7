import { add, ChildOf, createWorld, type Entity, get, isAlive, set, spawn, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { lookup, Name, pathOf } from "@treeline/names";
import { children, descendants } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { beforeEach, expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import {
  IsA,
  instantiate,
  overridesOf,
  partOf,
  prefab,
  prefabOf,
  refreshInstances,
} from "../../src/index.ts";
import { Aim, expectRefusal, Near, newWorld, Position } from "../cases/fixture.ts";

const definitions = [Position, Aim, Near];
let world: World;

beforeEach(() => {
  world = newWorld();
});

function save(root: Entity, from: World = world): string {
  return writeJson(toDocument(from, { root, prefabs }));
}

/** All below an entity, with what each is made from, and whether it points to something. */
function outline(of: World, root: Entity): string[] {
  return descendants(of, root).map((one) => {
    const part = prefabOf(of, one);
    const { x = 0, y = 0 } = get(of, one, Position) ?? {};
    const aim = get(of, one, Aim)?.at;
    const name = (entity: Entity | undefined): string => (entity === undefined ? "-" : pathOf(of, entity));
    return `${name(one)} of ${name(part)} ${x},${y} ${name(aim)}`;
  });
}

/** A base with a gun on a turret; a lamp with an arm; a variant of the base that contains a lamp, with the gun below its arm. */
function variantWithLamp(storage?: "plain"): { base: Entity; variant: Entity; gun: Entity } {
  const base = prefab(world, PrefabKey("base"), Name("Base"));
  const turret = spawn(world, Name("Turret"), ChildOf(base), Position({ x: 1 }));
  const gun = spawn(world, Name("Gun"), ChildOf(turret), Position({ x: 2 }));
  spawn(world, Name("Sight"), ChildOf(gun), Position({ x: 3 }));
  const lamp = prefab(world, PrefabKey("lamp"), Name("Lamp"));
  spawn(world, Name("Arm"), ChildOf(lamp), Position({ x: 4 }));
  const variant = prefab(world, PrefabKey("variant"), Name("Variant"), IsA(base));
  const inner = instantiate(world, lamp, { parent: variant, with: [Name("Inner")] });
  const arm = children(world, inner)[0]!;
  const own = partOf(world, variant, gun)!;
  attach(world, own, storage === "plain" ? spawn(world, Name("Hook"), ChildOf(arm)) : arm);
  add(world, variant, Aim({ at: own }));
  set(world, own, Position, { y: 7 });
  return { base, variant, gun };
}

function loaded(...texts: readonly (readonly [string, string])[]): World {
  const other = createWorld();
  loadPrefabs(other, new Map(texts), { definitions });
  return other;
}

test.each([[undefined], ["plain"]] as const)(
  "a part of a variant that was moved below an instance inside it stays that part in files (%s)",
  (kind) => {
    const { base, variant } = variantWithLamp(kind);
    const instance = instantiate(world, variant, { with: [Name("Level")] });
    const keys = ["base", "lamp", "variant"];
    const texts = keys.map((key) => [key, save(prefabAt(world, key)!)] as const);
    const level = save(instance);

    const other = loaded(...texts);
    const [again] = fromDocument(other, level, { definitions, prefabs });

    const copy = prefabAt(other, "variant")!;
    expect(outline(other, copy)).toEqual(outline(world, variant));
    expect(outline(other, again!)).toEqual(outline(world, instance));
    expect(get(other, copy, Aim)!.at).toBe(partOf(other, copy, lookup(other, "Base::Turret::Gun")!));
    expect(keys.map((key) => save(prefabAt(other, key)!, other))).toEqual(texts.map(([, text]) => text));
    expect(overridesOf(other, copy).map(({ kind: one }) => one)).toEqual(
      overridesOf(world, variant).map(({ kind: one }) => one),
    );
    for (const one of [world, other]) {
      const root = one === world ? base : prefabAt(one, "base")!;
      set(one, children(one, children(one, root)[0]!)[0]!, Position, { x: 20 });
      refreshInstances(one, root);
    }
    expect(outline(other, copy)).toEqual(outline(world, variant));
    expect(outline(other, again!)).toEqual(outline(world, instance));
    expect(outline(world, variant).filter((line) => line.includes("20,7"))).toHaveLength(1);
    expect(verify(other)).toEqual([]);
  },
);

test("what a level says of a part still means it after the variant has moved it below an instance", () => {
  const base = prefab(world, PrefabKey("base"), Name("Base"));
  const gun = spawn(world, Name("Gun"), ChildOf(base), Position({ x: 2 }));
  const lamp = prefab(world, PrefabKey("lamp"), Name("Lamp"));
  const variant = prefab(world, PrefabKey("variant"), Name("Variant"), IsA(base));
  const inner = instantiate(world, lamp, { parent: variant, with: [Name("Inner")] });
  const level = spawn(world, Name("Level"));
  const one = instantiate(world, variant, { parent: level, with: [Name("One")] });
  const ofVariant = partOf(world, variant, gun)!;
  set(world, partOf(world, one, ofVariant)!, Position, { y: 5 });
  const keys = ["base", "lamp", "variant"];
  const [before] = [save(level), keys.map((key) => save(prefabAt(world, key)!))];
  const running = loaded(...keys.map((key) => [key, save(prefabAt(world, key)!)] as const));
  const part = children(running, prefabAt(running, "variant")!)[0]!;

  attach(world, ofVariant, inner);
  const texts = keys.map((key) => [key, save(prefabAt(world, key)!)] as const);

  const other = loaded(...texts);
  const [again] = fromDocument(other, before, { definitions, prefabs });
  expect(outline(other, again!)).toEqual([
    "Level::One of Variant 0,0 -",
    "Level::One::Inner of Variant::Inner 0,0 -",
    "Level::One::Inner::Gun of Variant::Inner::Gun 2,5 -",
  ]);
  loadPrefabs(running, new Map(texts), { definitions });
  expect([isAlive(running, part), pathOf(running, part)]).toEqual([true, "Variant::Inner::Gun"]);
});

test("a part of an instance that was moved below another instance inside of it is saved as moved", () => {
  const { variant } = variantWithLamp();
  const level = spawn(world, Name("Level"));
  const one = instantiate(world, variant, { parent: level, with: [Name("One")] });
  const lamp = instantiate(world, prefabAt(world, "lamp")!, { parent: one, with: [Name("Second")] });
  const deep = instantiate(world, prefabAt(world, "lamp")!, { parent: lamp, with: [Name("Third")] });
  const turret = lookup(world, "Level::One::Turret")!;
  attach(world, turret, deep);
  set(world, turret, Position, { y: 9 });
  spawn(world, Name("Flag"), ChildOf(turret), Aim({ at: turret }));

  const texts = ["base", "lamp", "variant"].map((key) => [key, save(prefabAt(world, key)!)] as const);
  const text = save(level);
  const other = loaded(...texts);
  const [again] = fromDocument(other, text, { definitions, prefabs });

  expect(outline(other, again!)).toEqual(outline(world, level));
  expect(save(again!, other)).toBe(text);
});

test("places of parts that make no sense are refused, or left out where the instance is gone", () => {
  const base = prefab(world, PrefabKey("base"), Name("Base"));
  spawn(world, Name("Gun"), ChildOf(base));
  const text = save(base);
  const load = (children: unknown[]): void => {
    const entities = [{ name: "One", prefab: "base", children }];
    const head = { format: "treeline", version: 1, form: "nested", versions: {}, entities };
    fromDocument(world, JSON.stringify(head), { definitions, prefabs });
  };
  expect(text).toContain('"id":2');
  for (const of of [-1, 0.5, "1", null]) expectRefusal("bad-document", () => load([{ part: "2", of }]));
  expectRefusal("bad-document", () =>
    load([{ part: "2" }, { name: "In", prefab: "base", children: [{ part: "2", of: 1 }] }]),
  );
  load([
    {
      name: "In",
      prefab: "base",
      children: [
        { part: "2", of: 3 },
        { part: "7", of: 1 },
      ],
    },
  ]);
  expect(descendants(world, lookup(world, "One")!).map((one) => pathOf(world, one))).toEqual([
    "One::Gun",
    "One::In",
    "One::In::Gun",
  ]);
});
