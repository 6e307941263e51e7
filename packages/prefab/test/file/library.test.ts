import { add, ChildOf, type Entity, get, has, isAlive, Parent, parentOf, set, spawn } from "@treeline/core";
import { dump } from "@treeline/core/debug";
import type { DocumentData, EntityData } from "@treeline/document";
import { toDocument, writeJson } from "@treeline/document/json";
import { lookup, Name } from "@treeline/names";
import { children, count, destroy, query } from "@treeline/query";
import { beforeEach, describe, expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import { instantiate, overridesOf, Prefab, partOf, prefab } from "../../src/index.ts";
import { Aim, Armed, Mesh, Near, newWorld, Position, world } from "../cases/fixture.ts";

const definitions = [Position, Mesh, Aim, Armed, Near];

beforeEach(() => {
  newWorld();
});

function documentOf(root: EntityData, lastId?: number): DocumentData {
  const document: DocumentData = {
    format: "treeline",
    version: 1,
    form: "nested",
    versions: {},
    entities: [root],
  };
  return lastId === undefined ? document : { ...document, lastId };
}

function load(documents: { readonly [key: string]: EntityData }, options = {}): Map<string, Entity> {
  const texts = Object.entries(documents).map(
    ([key, root]) => [key, JSON.stringify(documentOf(root))] as const,
  );
  return loadPrefabs(world, new Map(texts), { definitions, ...options });
}

function textOf(key: string): string {
  return writeJson(toDocument(world, { root: prefabAt(world, key)!, prefabs }));
}

const wheel: EntityData = {
  id: 1,
  name: "Wheel",
  components: { Mesh: { id: 5 }, Position: { x: 1 } },
  children: [{ id: 2, name: "Tyre", components: { Position: { y: 2 } } }],
};
const car: EntityData = {
  id: 1,
  name: "Car",
  components: { Position: {} },
  children: [
    { id: 2, name: "Left", prefab: "wheel", components: { Position: { x: -1 } } },
    { id: 3, name: "Right", prefab: "wheel", parts: { 2: { tags: ["Armed"] } } },
    { id: 4, name: "Hood", components: { Aim: { at: { $entity: 2 } } } },
  ],
};
const taxi: EntityData = { id: 1, name: "Taxi", prefab: "car", parts: { 4: { name: "Sign" } } };

function expectRefused(
  call: () => unknown,
  expected: { readonly code: string; readonly message: RegExp },
): void {
  const before = dump(world);
  let thrown: unknown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  expect((thrown as { code: string }).code).toBe(expected.code);
  expect((thrown as Error).message).toMatch(expected.message);
  expect(dump(world)).toBe(before);
}

describe("loadPrefabs", () => {
  test("skips a byte order mark before a text", () => {
    const texts = new Map([["wheel", `\uFEFF${JSON.stringify(documentOf(wheel))}`]]);
    loadPrefabs(world, texts, { definitions });
    loadPrefabs(world, texts, { definitions });

    expect(get(world, lookup(world, "Wheel")!, PrefabKey)).toBe("wheel");
  });

  test("loads prefabs that contain one another in any order", () => {
    const library = load({ taxi, car, wheel });

    expect([...library.keys()]).toEqual(["taxi", "car", "wheel"]);
    expect(count(query(world, Position))).toBe(0);
    const one = instantiate(world, library.get("taxi")!, { with: [Name("One")] });
    expect(children(world, one).map((part) => get(world, part, Name))).toEqual(["Left", "Right", "Sign"]);
    expect(get(world, lookup(world, "One::Sign")!, Aim)!.at).toBe(lookup(world, "One::Left"));
    expect(has(world, lookup(world, "One::Right::Tyre")!, Armed)).toBe(true);
    expect(get(world, lookup(world, "One::Left")!, Position)).toEqual({ x: -1, y: 0 });
    expect(get(world, lookup(world, "One::Left")!, Mesh)).toEqual({ lod: 1, id: 5 });
  });

  test("saves what it has loaded as the same documents", () => {
    load({ taxi, car, wheel });
    const texts = ["taxi", "car", "wheel"].map((key) => [key, textOf(key)] as const);
    newWorld();

    loadPrefabs(world, new Map(texts), { definitions });

    expect(["taxi", "car", "wheel"].map((key) => [key, textOf(key)])).toEqual(texts);
    expect(JSON.parse(texts[0]![1])).toEqual({
      ...documentOf({ id: 1, name: "Taxi", prefab: "car", parts: { 4: { name: "Sign" } } }, 1),
    });
  });

  test("puts new prefabs below a parent", () => {
    const folder = spawn(world, Name("Prefabs"));

    const library = load({ wheel }, { parent: folder });

    expect(lookup(world, "Prefabs::Wheel::Tyre")).toBeDefined();
    expect(has(world, library.get("wheel")!, Prefab)).toBe(true);
  });

  test("refuses circles, and says how they come about", () => {
    expectRefused(() => load({ wheel: { name: "Wheel", children: [{ prefab: "taxi" }] }, taxi, car }), {
      code: "cycle",
      message: /wheel > taxi > car > wheel|taxi > car > wheel > taxi|car > wheel > taxi > car/,
    });
    expectRefused(() => load({ wheel: { prefab: "wheel" } }), {
      code: "cycle",
      message: /would contain itself/,
    });
    load({ taxi, car, wheel });
    expectRefused(() => load({ wheel: { id: 1, children: [{ id: 9, prefab: "taxi" }] } }), {
      code: "cycle",
      message: /would contain itself/,
    });
  });

  test("refuses what it does not find, and documents that are none, with the key", () => {
    expectRefused(() => load({ car }), {
      code: "bad-document",
      message: /^car: the prefab "wheel" is neither/,
    });
    expectRefused(() => loadPrefabs(world, new Map([["car", "{"]])), {
      code: "bad-document",
      message: /^car: .*JSON/,
    });
    const many = { ...documentOf(wheel), entities: [wheel, car] };
    expectRefused(() => loadPrefabs(world, new Map([["car", many]])), {
      code: "bad-document",
      message: /one root/,
    });
    expectRefused(() => load({ wheel: { components: { Unheard: 1 } } }), {
      code: "bad-document",
      message: /^wheel: entities\[0\]\.components\.Unheard/,
    });
    expectRefused(() => load({ wheel, car: { prefab: "wheel", parts: { "1/x": {} } } }), {
      code: "bad-document",
      message: /car: entities\[0\]\.parts\["1\/x"\]/,
    });
    expectRefused(
      () =>
        load({ wheel, car: { prefab: "wheel", parts: { 2: { components: { Position: { x: "far" } } } } } }),
      {
        code: "bad-document",
        message: /car: entities\[0\]\.parts\["2"\]\.components\.Position\.x/,
      },
    );
    const circle: EntityData = {
      prefab: "wheel",
      children: [{ part: "2", below: "2" }],
    };
    expectRefused(() => load({ wheel, car: circle }), { code: "bad-document", message: /below itself/ });
    expectRefused(() => loadPrefabs(world, { wheel } as never), { code: "bad-value", message: /Map/ });
  });

  test("changes nothing if one of several documents is refused by the world", () => {
    load({ wheel });
    const first = instantiate(world, prefabAt(world, "wheel")!);
    const rim = { ...wheel, components: { Position: { x: 100 } } };
    spawn(world, Name("Car"));

    expectRefused(() => load({ wheel: rim, car }), { code: "name-taken", message: /^car: entities\[0\]/ });

    expect(get(world, first, Position)!.x).toBe(1);
  });
});

describe("a document of a prefab that the world has", () => {
  test("changes the prefab in place, and instances follow but for their overrides", () => {
    load({ taxi, car, wheel });
    const tyre = children(world, prefabAt(world, "wheel")!)[0]!;
    const one = instantiate(world, prefabAt(world, "taxi")!, { with: [Name("One")] });
    const left = lookup(world, "One::Left::Tyre")!;
    set(world, left, Position, { x: 50 });

    load({
      wheel: {
        ...wheel,
        components: { Mesh: { id: 6 }, Position: { x: 7 } },
        children: [
          { id: 3, name: "Bolt", components: { Aim: { at: { $entity: 2 } } } },
          { id: 2, name: "Tyre", components: { Position: { y: 3 } }, pairs: { Near: [{ $entity: 3 }] } },
        ],
      },
    });

    expect(children(world, prefabAt(world, "wheel")!)[1]).toBe(tyre);
    expect(get(world, left, Position)).toEqual({ x: 50, y: 3 });
    expect(get(world, lookup(world, "One::Right::Tyre")!, Position)).toEqual({ x: 0, y: 3 });
    const bolt = lookup(world, "One::Left::Bolt")!;
    expect(get(world, bolt, Aim)!.at).toBe(left);
    expect(has(world, left, Near(bolt))).toBe(true);
    expect(children(world, parentOf(world, left)!)).toEqual([bolt, left]);
    expect(get(world, parentOf(world, left)!, Position)!.x).toBe(-1);
    expect(get(world, lookup(world, "One::Right")!, Position)!.x).toBe(7);
    expect(get(world, parentOf(world, left)!, Mesh)!.id).toBe(6);
    expect(overridesOf(world, one).map(({ entity }) => entity)).toEqual([left]);
  });

  test("renames, moves and removes parts, whatever names others have", () => {
    const [tree] = [
      ...load({
        tree: {
          id: 1,
          children: [
            { id: 2, name: "A", children: [{ id: 4, name: "X" }] },
            { id: 3, name: "B", children: [{ id: 5, name: "X" }] },
          ],
        },
      }).values(),
    ] as [Entity];
    const [a, b] = children(world, tree) as [Entity, Entity];
    const [ax] = children(world, a) as [Entity];
    const [bx] = children(world, b) as [Entity];
    const one = instantiate(world, tree);
    const ownAx = partOf(world, one, ax)!;
    set(world, ownAx, Name, "Mine");

    load({
      tree: {
        id: 1,
        children: [
          { id: 3, name: "A", children: [{ id: 4, name: "X", storage: "Parent" }] },
          { id: 5, name: "B", components: { Position: { x: 1 } } },
        ],
      },
    });

    expect([isAlive(world, a), isAlive(world, b)]).toEqual([false, true]);
    expect(children(world, tree)).toEqual([b, bx]);
    expect(children(world, b)).toEqual([ax]);
    expect(has(world, ax, Parent(b))).toBe(true);
    expect([b, bx, ax].map((part) => get(world, part, Name))).toEqual(["A", "B", "X"]);
    expect(partOf(world, one, ax)).toBe(ownAx);
    expect(get(world, ownAx, Name)).toBe("Mine");
    expect(children(world, one).map((part) => get(world, part, Name))).toEqual(["A", "B"]);
  });

  test("does not give the id of a removed part again", () => {
    load({ wheel });
    const root = prefabAt(world, "wheel")!;
    spawn(world, ChildOf(root), Name("Bolt"));
    textOf("wheel");
    destroy(world, children(world, root)[1]!);
    const text = textOf("wheel");
    expect(JSON.parse(text).lastId).toBe(3);
    newWorld();

    loadPrefabs(world, new Map([["wheel", text]]), { definitions });
    spawn(world, ChildOf(prefabAt(world, "wheel")!), Name("Nut"));

    expect(JSON.parse(textOf("wheel")).entities[0].children[1]).toEqual({ id: 4, name: "Nut" });
  });

  test("may be an instance of another prefab than before", () => {
    load({
      wheel,
      disc: { id: 1, name: "Disc", children: [{ id: 2, name: "Edge" }] },
      car: { id: 1, children: [{ id: 2, name: "Left", prefab: "wheel" }] },
    });
    const one = instantiate(world, prefabAt(world, "car")!);

    load({ car: { id: 1, children: [{ id: 2, name: "Left", prefab: "disc" }] } });

    const [left] = children(world, one);
    expect(children(world, left!).map((part) => get(world, part, Name))).toEqual(["Edge"]);
  });

  test("brings instances that a world has of it to the same as new ones", () => {
    load({ car, wheel });
    const old = instantiate(world, prefabAt(world, "car")!);
    const edited = {
      ...car,
      children: [car.children![2]!, { id: 9, name: "Boot" }, car.children![0]!],
    } as EntityData;

    load({ car: edited });

    const fresh = instantiate(world, prefabAt(world, "car")!);
    const outline = (root: Entity): unknown => [
      get(world, root, Position),
      ...children(world, root).map((part) => [get(world, part, Name), outline(part)]),
    ];
    expect(outline(old)).toEqual(outline(fresh));
    expect(overridesOf(world, old)).toEqual([]);
  });
});

test("a prefab made by code gets a key, and ids in the order of its tree", () => {
  const tank = prefab(world, PrefabKey("tank"), Name("Tank"));
  const second = spawn(world, ChildOf(tank), Name("Second"));
  add(world, second, Armed);

  expect(JSON.parse(textOf("tank"))).toEqual({
    ...documentOf({ id: 1, name: "Tank", children: [{ id: 2, name: "Second", tags: ["Armed"] }] }, 2),
    versions: { Armed: 1 },
  });
  expect(prefabAt(world, "plane")).toBeUndefined();
});
