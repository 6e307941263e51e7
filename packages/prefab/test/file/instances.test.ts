import {
  Any,
  add,
  ChildOf,
  createWorld,
  type Entity,
  get,
  has,
  Parent,
  remove,
  set,
  spawn,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { lookup, Name, pathOf } from "@treeline/names";
import { children, descendants, destroy, setChildOrder } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { beforeEach, describe, expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import { IsA, instantiate, overridesOf, Prefab, partOf, prefab, refreshInstances } from "../../src/index.ts";
import { Aim, Armed, Heavy, Mesh, Near, Notes, newWorld, Position, world } from "../cases/fixture.ts";

const definitions = [Position, Mesh, Aim, Notes, Armed, Heavy, Near];

let tank: Entity;
let turret: Entity;
let barrel: Entity;

beforeEach(() => {
  newWorld();
  tank = prefab(world, PrefabKey("tank"), Position({ x: 1, y: 1 }), Mesh({ id: 1 }), Name("Tank"));
  turret = spawn(world, ChildOf(tank), Name("Turret"), Position({ x: 2, y: 2 }), Aim({ at: tank }));
  barrel = spawn(
    world,
    ChildOf(turret),
    Name("Barrel"),
    Position({ x: 3, y: 3 }),
    Mesh({ id: 3 }),
    Near(turret),
  );
});

function saved(root: Entity, from = world): string {
  return writeJson(toDocument(from, { root, prefabs }));
}

/** The tree below an entity with values, without handles. */
function drawing(of: World, root: Entity): string[] {
  return [root, ...descendants(of, root)].map((one) => {
    const made = [get(of, one, Position), get(of, one, Mesh), get(of, one, Notes)].map((value) =>
      JSON.stringify(value),
    );
    const at = get(of, one, Aim)?.at;
    const near = at === undefined ? "" : (pathOf(of, at) ?? "?");
    return `${pathOf(of, one) ?? "?"} ${made.join(" ")} ${near} ${has(of, one, Armed)} ${has(of, one, IsA(Any))}`;
  });
}

/** A new world with the same prefabs, from their documents. */
function reloaded(): { world: World; load: (text: string) => Entity } {
  const other = createWorld();
  loadPrefabs(other, new Map([["tank", saved(tank)]]), { definitions });
  return { world: other, load: (text) => fromDocument(other, text, { definitions, prefabs })[0]! };
}

describe("a document of several instances", () => {
  test("has what refers from one to the other, in the given order", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    const two = instantiate(world, tank, { with: [Name("Two"), Near(one)] });
    const { world: other } = reloaded();

    const text = writeJson(toDocument(world, { root: [two, partOf(world, two, barrel)!, one], prefabs }));
    const made = fromDocument(other, text, { definitions, prefabs });

    expect(made.map((root) => get(other, root, Name))).toEqual(["Two", "One"]);
    expect(has(other, made[0]!, Near(made[1]!))).toBe(true);
    expect(verify(other)).toEqual([]);
  });

  test("refuses a prefab among them, which has a document of its own", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });

    expect(() => toDocument(world, { root: [one, tank], prefabs })).toThrow(
      expect.objectContaining({ code: "bad-value" }),
    );
    expect(toDocument(world, { root: [tank], prefabs })).toEqual(toDocument(world, { root: tank, prefabs }));
  });
});

describe("a document of an instance", () => {
  test.each([
    ["Flag", ["One", "One::Turret", "One::Turret::Barrel"]],
    ["Barrel", ["One", "One::Turret", "One::Turret::Flag"]],
    ["Turret", ["One"]],
  ])("has not what `where` leaves out: %s", (name, left) => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    spawn(world, ChildOf(partOf(world, one, turret)!), Name("Flag"));
    const { world: other } = reloaded();

    const where = (entity: Entity): boolean => get(world, entity, Name) !== name;
    const [made] = fromDocument(other, toDocument(world, { root: one, prefabs, where, outside: "drop" }), {
      definitions,
      prefabs,
    });

    expect([made!, ...descendants(other, made!)].map((each) => pathOf(other, each))).toEqual(left);
    expect(verify(other)).toEqual([]);
  });

  test("has the key of the prefab, and nothing that the instance has not changed", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });

    expect(toDocument(world, { root: one, prefabs }).entities).toEqual([{ name: "One", prefab: "tank" }]);
    expect(saved(one)).toContain('"versions":{}');
  });

  test("has what the instance has changed, by field and by the ids of parts", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    const ownTurret = partOf(world, one, turret)!;
    const ownBarrel = partOf(world, one, barrel)!;
    set(world, one, Position, { y: 9 });
    set(world, ownTurret, Name, "Dome");
    add(world, ownTurret, Armed, Near(one));
    remove(world, ownTurret, Aim);
    set(world, ownBarrel, Mesh, { lod: 4 });
    remove(world, ownBarrel, Near(ownTurret));
    spawn(world, ChildOf(ownBarrel), Name("Flag"), Aim({ at: ownTurret }));

    expect(toDocument(world, { root: one, prefabs }).entities).toEqual([
      {
        id: 1,
        name: "One",
        prefab: "tank",
        components: { Position: { y: 9 } },
        parts: {
          2: { id: 2, name: "Dome", tags: ["Armed"], pairs: { Near: [{ $entity: 1 }] }, without: ["Aim"] },
          3: { components: { Mesh: { lod: 4 } }, pairs: { Near: [] } },
        },
        children: [{ below: "3", name: "Flag", components: { Aim: { at: { $entity: 2 } } } }],
      },
    ]);
  });

  test("leads to the same instance in another world", () => {
    const one = instantiate(world, tank, { with: [Name("One")], storage: Parent });
    const ownTurret = partOf(world, one, turret)!;
    const ownBarrel = partOf(world, one, barrel)!;
    set(world, one, Position, { y: 9 });
    set(world, ownTurret, Name, "Dome");
    add(world, ownTurret, Armed, Near(one));
    set(world, ownBarrel, Mesh, { lod: 4 });
    add(world, ownBarrel, Notes({ text: "bent" }));
    const rack = spawn(world, ChildOf(one), Name("Rack"));
    spawn(world, ChildOf(ownTurret), Name("Lamp"));
    attach(world, ownBarrel, rack);
    setChildOrder(world, one, [rack, ownTurret]);

    const text = saved(one);
    const other = reloaded();
    const loaded = other.load(text);

    expect(drawing(other.world, loaded)).toEqual(drawing(world, one));
    expect(verify(other.world)).toEqual([]);
    expect(saved(loaded, other.world)).toBe(text);
    const strip = (of: World, root: Entity): unknown[] =>
      overridesOf(of, root).map(({ kind, entity, definition, fields }) => [
        kind,
        pathOf(of, entity),
        definition,
        fields,
      ]);
    expect(strip(other.world, loaded)).toEqual(strip(world, one));
  });

  test("follows the prefab from file to file", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    set(world, partOf(world, one, turret)!, Position, { x: 20 });
    const text = saved(one);
    set(world, turret, Position, { x: 5, y: 6 });
    set(world, turret, Name, "Dome");
    spawn(world, ChildOf(tank), Name("Hatch"));
    destroy(world, barrel);

    const other = reloaded();
    const loaded = other.load(text);

    expect(children(other.world, loaded).map((one) => pathOf(other.world, one))).toEqual([
      "One::Dome",
      "One::Hatch",
    ]);
    expect(get(other.world, lookup(other.world, "One::Dome")!, Position)).toEqual({ x: 20, y: 6 });
    expect(verify(other.world)).toEqual([]);
  });

  test("of an instance that was not refreshed has no overrides that are none", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    set(world, turret, Position, { x: 5 });
    spawn(world, ChildOf(tank), Name("Hatch"));

    expect(toDocument(world, { root: one, prefabs }).entities).toEqual([{ name: "One", prefab: "tank" }]);
  });

  test("tells which parts the instance has removed; these stay removed", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    destroy(world, partOf(world, one, turret)!);
    const text = saved(one);
    expect(JSON.parse(text).entities).toEqual([
      { name: "One", prefab: "tank", parts: { 2: { missing: true } } },
    ]);
    const other = reloaded();

    const loaded = other.load(text);

    expect(children(other.world, loaded)).toEqual([]);
    refreshInstances(other.world, prefabAt(other.world, "tank")!);
    expect(children(other.world, loaded)).toEqual([]);
    expect(saved(loaded, other.world)).toBe(text);
  });

  test("keeps what was attached to a part that the prefab has lost", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });
    spawn(world, ChildOf(partOf(world, one, barrel)!), Name("Flag"));
    const text = saved(one);
    destroy(world, turret);
    const other = reloaded();

    const loaded = other.load(text);

    expect(children(other.world, loaded).map((one) => get(other.world, one, Name))).toEqual(["Flag"]);
  });

  test("is written again as it was by a tool that keeps what it does not know", () => {
    set(world, barrel, Position, { x: 4 });
    add(world, turret, Notes({ text: "of the prefab" }), Heavy);
    const one = instantiate(world, tank, { with: [Name("One")] });
    set(world, partOf(world, one, turret)!, Position, { x: 9 });
    const [library, text] = [saved(tank), saved(one)];
    const tool = createWorld();
    const keeping = { definitions: [], unknown: "keep" } as const;

    loadPrefabs(tool, new Map([["tank", library]]), keeping);
    const [loaded] = fromDocument(tool, text, { ...keeping, prefabs });

    expect(saved(loaded!, tool)).toBe(text);
    expect(saved(prefabAt(tool, "tank")!, tool)).toBe(library);
    expect(saved(instantiate(tool, prefabAt(tool, "tank")!), tool)).not.toContain("Position");
  });

  test("of a whole world has instances, and no prefabs that have documents of their own", () => {
    instantiate(world, tank, { with: [Name("One")] });
    spawn(world, Name("Spawner"), Aim({ at: tank }));

    const { entities } = toDocument(world, { all: true, prefabs });

    expect(entities).toEqual([
      { name: "One", prefab: "tank" },
      { name: "Spawner", components: { Aim: { at: { $prefab: "tank" } } } },
    ]);
    const other = reloaded();
    const [, spawner] = fromDocument(
      other.world,
      { ...toDocument(world, { all: true, prefabs }) },
      { definitions, prefabs },
    );
    expect(get(other.world, spawner!, Aim)!.at).toBe(prefabAt(other.world, "tank"));
  });

  test("is refused for a prefab without a key, and without the option", () => {
    const keyless = prefab(world, Name("Plane"));
    const one = instantiate(world, keyless, { with: [Name("One")] });
    expect(() => toDocument(world, { root: one, prefabs })).toThrow(/Plane has no key/);
    expect(() => toDocument(world, { all: true, prefabs })).toThrow(/Plane has no key/);
    expect(() => toDocument(world, { root: one })).toThrow(/prefabs/);
  });

  test("of a part alone has what it inherits as its own", () => {
    const one = instantiate(world, tank, { with: [Name("One")] });

    expect(toDocument(world, { root: partOf(world, one, barrel)!, prefabs, relations: [] }).entities).toEqual(
      [{ name: "Barrel", components: { Mesh: { id: 3, lod: 1 }, Position: { x: 3, y: 3 } } }],
    );
  });
});

describe("variants and nested prefabs", () => {
  test("are saved as instances of their bases", () => {
    const heavy = prefab(world, IsA(tank), PrefabKey("heavy"), Name("Heavy"));
    set(world, partOf(world, heavy, turret)!, Position, { x: 30 });
    const hook = spawn(world, ChildOf(heavy), Name("Hook"));
    const army = prefab(world, PrefabKey("army"), Name("Army"));
    instantiate(world, heavy, { parent: army, with: [Name("Chief")] });
    const blue = instantiate(world, army, { with: [Name("Blue")] });
    const chief = children(world, blue)[0]!;
    set(world, children(world, children(world, chief)[0]!)[0]!, Position, { y: 77 });
    spawn(world, ChildOf(children(world, chief)[1]!), Name("Rope"));
    expect(get(world, children(world, chief)[1]!, Name)).toBe("Hook");
    expect(hook).toBeDefined();

    const text = saved(blue);
    expect(JSON.parse(text).entities).toEqual([
      {
        name: "Blue",
        prefab: "army",
        parts: { "2/1/3": { components: { Position: { y: 77 } } } },
        children: [{ below: "2/2", name: "Rope" }],
      },
    ]);
    const library = new Map([army, heavy, tank].map((one) => [get(world, one, PrefabKey)!, saved(one)]));
    expect(JSON.parse(library.get("heavy")!).entities).toEqual([
      {
        id: 1,
        name: "Heavy",
        prefab: "tank",
        parts: { 2: { components: { Position: { x: 30 } } } },
        children: [{ id: 2, name: "Hook" }],
      },
    ]);
    const other = createWorld();
    const loaded = loadPrefabs(other, library, { definitions });
    expect([...loaded.keys()]).toEqual(["army", "heavy", "tank"]);
    expect(has(other, loaded.get("heavy")!, Prefab)).toBe(true);
    const [again] = fromDocument(other, text, { definitions, prefabs });
    expect(drawing(other, again!)).toEqual(drawing(world, blue));
    expect(verify(other)).toEqual([]);
    expect(saved(again!, other)).toBe(text);
    for (const [key, one] of loaded) expect(saved(one, other)).toBe(library.get(key));
    const before = dump(other);
    expect(() =>
      fromDocument(other, saved(blue), {
        definitions,
        prefabs,
        parent: loaded.get("heavy")!,
        with: [Name("X")],
      }),
    ).toThrow(/contain itself/);
    expect(dump(other)).toBe(before);
  });
});

test("a copy of a part that was moved out of its instance has its members in the order of other entities", () => {
  const level = spawn(world, Name("Level"));
  const one = instantiate(world, tank, { parent: level, with: [Name("One")] });
  add(world, barrel, Heavy);
  const own = partOf(world, one, barrel)!;
  attach(world, own, level);
  const text = saved(level);
  const other = reloaded();

  expect(Object.keys(JSON.parse(text).entities[0].children[1])).toEqual([
    "name",
    "components",
    "tags",
    "pairs",
  ]);
  expect(saved(other.load(text), other.world)).toBe(text);
});

describe("a part that the base of a variant has lost, with something attached in an instance", () => {
  test.each(["destroyed", "moved out"])("is saved as a part of the variant while that has it: %s", (how) => {
    const level = spawn(world, Name("Level"));
    const heavy = prefab(world, PrefabKey("heavy"), Name("Heavy"), IsA(tank));
    const army = prefab(world, PrefabKey("army"), Name("Army"));
    instantiate(world, heavy, { parent: army, with: [Name("Chief")] });
    const one = instantiate(world, heavy, { parent: level, with: [Name("One")] });
    const blue = instantiate(world, army, { parent: level, with: [Name("Blue")] });
    for (const instance of [one, children(world, blue)[0]!]) {
      const own = children(world, children(world, instance)[0]!)[0]!;
      set(world, own, Position, { x: 9 });
      spawn(world, ChildOf(own), Name("Flag"));
    }
    saved(heavy);
    if (how === "destroyed") destroy(world, barrel);
    else attach(world, barrel, spawn(world));

    const library = new Map([army, heavy, tank].map((each) => [get(world, each, PrefabKey)!, saved(each)]));
    const text = saved(level);
    const other = createWorld();
    loadPrefabs(other, library, { definitions });
    const [again] = fromDocument(other, text, { definitions, prefabs });

    expect(drawing(other, again!)).toEqual(drawing(world, level));
    expect(saved(again!, other)).toBe(text);
    for (const [key, each] of library) expect(saved(prefabAt(other, key)!, other)).toBe(each);
  });
});
