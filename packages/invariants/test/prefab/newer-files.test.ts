import {
  add,
  array,
  asTag,
  bits,
  ChildOf,
  component,
  createWorld,
  defer,
  type Entity,
  entity,
  f32,
  f64,
  get,
  type Hooks,
  has,
  observe,
  Parent,
  relation,
  remove,
  set,
  sparse,
  spawn,
  TreelineError,
  tag,
  targetOf,
  type World,
  withHooks,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { builtins, withCodec } from "@treeline/document";
import { toDocument, writeJson } from "@treeline/document/json";
import { withTransient } from "@treeline/document/snapshot";
import { Alias, lookup, Name, rename } from "@treeline/names";
import { autoOverride, IsA, instantiate, overridesOf, prefab } from "@treeline/prefab";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "@treeline/prefab/document";
import { children } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, it } from "vitest";

class Gauge {
  readonly level: number;
  constructor(level: number) {
    this.level = level;
  }
}

const Value = component("Value", { x: f32, y: f64(3), list: array(f32, 2) });
const Aim = component("Aim", { at: entity });
const Title = component<{ readonly lines: readonly string[] }>("Title");
const Level = withCodec(component<Gauge>("Level"), {
  write: ({ level }) => level,
  read: (level: number) => new Gauge(level),
});
const Mesh = component("Mesh", { lod: 1 }, { onInstantiate: "inherit" });
const Notes = component("Notes", { text: "" }, { onInstantiate: "skip" });
const Fuel = component("Fuel", { litres: f32 }, { storage: sparse });
const Lit = tag("Lit", { storage: bits });
const Armed = tag("Armed");
const Guards = relation("Guards", { exclusive: true, maxSubjects: 1 });
const Above = relation("Above", { acyclic: true, fields: { by: f32 } });
const Coupled = relation("Coupled", { symmetric: true, exclusive: true });
const Shown = withTransient(component("Shown", { x: 0 }));
const calls: string[] = [];
const Checked = withHooks(component("Checked", { x: 0 }), {
  check: (_, __, { x }) => {
    calls.push(`check ${x}`);
    if (x > 100) throw new TreelineError("refused", "Checked.x is at most 100");
  },
  written: (_, __, { x }) => calls.push(`written ${x}`),
  onSet: (_, __, { x }) => calls.push(`set ${x}`),
  onRemove: (_, __, { x }) => calls.push(`remove ${x}`),
} as Hooks<{ x: number }>);

const definitions = [
  ...builtins,
  Value,
  Aim,
  Title,
  Level,
  Mesh,
  Notes,
  Fuel,
  Lit,
  Armed,
  Guards,
  Above,
  Coupled,
  Checked,
];

type Storage = typeof ChildOf | typeof Parent;

/** A library: a wheel; a car with two of them; a taxi, which is a variant of the car. */
function library(storage: Storage): { readonly world: World; readonly texts: () => Map<string, string> } {
  const world = createWorld();
  const wheel = prefab(world, PrefabKey("wheel"), Name("Wheel"), Value({ x: 0.1 }), Mesh({ lod: 2 }));
  const tyre = spawn(world, storage(wheel), Name("Tyre"), Value({ list: [0.1, 7] }), Checked({ x: 4 }), Lit);
  spawn(
    world,
    storage(wheel),
    Name("Rim"),
    Fuel({ litres: 0.3 }),
    Above(tyre, { by: 0.1 }),
    Aim({ at: wheel }),
  );
  autoOverride(world, wheel, Mesh);
  const car = prefab(world, PrefabKey("car"), Name("Car"), Alias("the car"), Notes({ text: "old" }));
  const left = instantiate(world, wheel, { parent: car, with: [Name("Left")] });
  const right = instantiate(world, wheel, { parent: car, with: [Name("Right"), Armed] });
  set(world, children(world, left)[0]!, Value, { y: 9 });
  spawn(
    world,
    storage(car),
    Name("Hood"),
    Alias("hood"),
    Guards(left),
    Coupled(right),
    Title({ lines: ["a", "b"] }),
    Level(new Gauge(3)),
    Aim({ at: car }),
    asTag(tyre),
  );
  const taxi = prefab(world, PrefabKey("taxi"), IsA(car), Name("Taxi"));
  rename(world, children(world, taxi)[2]!, "Sign");
  const keys = ["wheel", "car", "taxi"];
  return {
    world,
    texts: () =>
      new Map(
        keys.map((key) => [key, writeJson(toDocument(world, { root: prefabAt(world, key)!, prefabs }))]),
      ),
  };
}

/** Everything that observers are told. */
function watch(world: World): string[] {
  const events: string[] = [];
  observe(world, { spawned: true }, () => events.push("spawned"));
  observe(world, { destroyed: true }, () => events.push("destroyed"));
  for (const one of [Value, Aim, Title, Level, Mesh, Notes, Fuel, Checked, Name, Alias])
    observe(world, { added: one, removed: one, set: one }, ({ kind }) => events.push(`${kind} ${one.name}`));
  for (const one of [Lit, Armed, Guards, Above, Coupled, IsA, ChildOf])
    observe(world, { added: one, removed: one }, ({ kind }) => events.push(`${kind} ${one.name}`));
  observe(world, { reordered: ChildOf }, () => events.push("reordered"));
  calls.length = 0;
  return events;
}

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const)("a library by %s", (_, storage) => {
  it("that is loaded again, unchanged, tells hooks and observers nothing, and changes nothing", () => {
    const { texts } = library(storage);
    const world = createWorld();
    loadPrefabs(world, texts(), { definitions });
    const made = ["wheel", "car", "taxi"].map((key) => instantiate(world, prefabAt(world, key)!));
    const before = dump(world);
    const events = watch(world);

    loadPrefabs(world, texts());

    expect([...events, ...calls]).toEqual([]);
    expect(dump(world)).toBe(before);
    expect(made.map((one) => overridesOf(world, one))).toEqual([[], [], []]);
    expect(verify(world)).toEqual([]);
  });

  it("tells of what differs, and of nothing else", () => {
    const shop = library(storage);
    const world = createWorld();
    loadPrefabs(world, shop.texts(), { definitions });
    const wheel = prefabAt(shop.world, "wheel")!;
    set(shop.world, children(shop.world, wheel)[0]!, Checked, { x: 5 });
    const car = prefabAt(shop.world, "car")!;
    set(shop.world, car, Notes, { text: "new" });
    const events = watch(world);

    loadPrefabs(world, shop.texts());

    // The tyre of the wheel, and those of two wheels in the car and in the taxi.
    expect(events.sort()).toEqual([...Array(5).fill("set Checked"), "set Notes"]);
    expect(new Set(calls)).toEqual(new Set(["check 5", "written 5", "set 5"]));
    expect(calls.filter((one) => one === "set 5")).toHaveLength(5);
  });

  it("is all as it was if a hook refuses one value, and can be loaded when that is mended", () => {
    const shop = library(storage);
    const world = createWorld();
    loadPrefabs(world, shop.texts(), { definitions });
    const one = instantiate(world, prefabAt(world, "taxi")!);
    const before = dump(world);
    const wrong = new Map(shop.texts());
    wrong.set("wheel", wrong.get("wheel")!.replace('"Checked":{"x":4}', '"Checked":{"x":400}'));
    wrong.set("car", wrong.get("car")!.replace('"Hood"', '"Bonnet"'));

    expect(() => loadPrefabs(world, wrong)).toThrow("Checked.x is at most 100");

    expect(dump(world)).toBe(before);
    wrong.set("wheel", wrong.get("wheel")!.replace("400", "40"));
    loadPrefabs(world, wrong);
    expect(children(world, one).map((part) => get(world, part, Name))).toEqual(["Left", "Right", "Sign"]);
    expect(get(world, children(world, children(world, one)[0]!)[0]!, Checked)).toEqual({ x: 40 });
    expect(verify(world)).toEqual([]);
  });

  it("may be edited anywhere: a world that loads it again is as one that loads it first", () => {
    const shop = library(storage);
    const world = createWorld();
    loadPrefabs(world, shop.texts(), { definitions });
    const inside = ["car", "taxi"].map((key) => instantiate(world, prefabAt(world, key)!));
    const [wheel, car, taxi] = ["wheel", "car", "taxi"].map((key) => prefabAt(shop.world, key)!) as [
      Entity,
      Entity,
      Entity,
    ];
    const [tyre, rim] = children(shop.world, wheel) as [Entity, Entity];
    const [left, right, hood] = children(shop.world, car) as [Entity, Entity, Entity];
    defer(shop.world, () => {
      attach(shop.world, tyre, rim);
      remove(shop.world, rim, Above(tyre));
      add(shop.world, tyre, Above(rim, { by: 2 }), Armed);
      remove(shop.world, tyre, Lit);
      remove(shop.world, hood, asTag(tyre));
      add(shop.world, hood, asTag(rim));
      remove(shop.world, hood, Alias);
    });
    const horn = spawn(
      shop.world,
      storage(hood),
      Name("Horn"),
      Alias("hood"),
      Coupled(right),
      Aim({ at: left }),
    );
    add(shop.world, hood, Aim({ at: horn }), asTag(horn), Guards(horn), Level(new Gauge(4)));
    remove(shop.world, children(shop.world, right)[0]!, Value);
    set(shop.world, taxi, Value, { x: 6 });
    autoOverride(shop.world, wheel, Mesh, false);
    set(shop.world, left, Mesh, { lod: 5 });

    loadPrefabs(world, shop.texts());

    const fresh = createWorld();
    loadPrefabs(fresh, shop.texts(), { definitions });
    const textIn = (one: World, key: string): string =>
      writeJson(toDocument(one, { root: prefabAt(one, key)!, prefabs }));
    for (const key of ["wheel", "car", "taxi"]) expect(textIn(world, key)).toBe(textIn(fresh, key));
    for (const [at, key] of ["car", "taxi"].entries()) {
      const other = instantiate(fresh, prefabAt(fresh, key)!);
      expect(outlineOf(world, inside[at]!)).toEqual(outlineOf(fresh, other));
      expect(overridesOf(world, inside[at]!)).toEqual([]);
    }
    expect(lookup(world, "hood")).toBe(children(world, children(world, prefabAt(world, "car")!)[2]!)[0]);
    expect(verify(world)).toEqual([]);
  });
});

function outlineOf(world: World, one: Entity): unknown {
  const value = (definition: { readonly name: string }): unknown => {
    const found = get(world, one, definition as typeof Value);
    return found === undefined ? undefined : JSON.stringify(found);
  };
  return [
    get(world, one, Name),
    [Value, Mesh, Checked, Fuel, Level, Title].map(value),
    [Armed, Lit].map((definition) => has(world, one, definition)),
    children(world, one).map((child) => outlineOf(world, child)),
  ];
}

it("what a program gave parts that no document has stays: transient values, and the name of a prefab", () => {
  const world = createWorld();
  const data = (x: number): string =>
    JSON.stringify({
      format: "treeline",
      version: 1,
      form: "nested",
      entities: [{ components: { Value: { x } }, children: [{ name: "Part" }] }],
    });
  loadPrefabs(world, new Map([["a", data(1)]]), { definitions });
  const root = prefabAt(world, "a")!;
  const [part] = children(world, root) as [Entity];
  add(world, root, Name("Mine"), Shown({ x: 4 }));
  add(world, part, Shown({ x: 5 }), Armed);

  loadPrefabs(world, new Map([["a", data(2)]]));

  expect([get(world, root, Name), get(world, root, Shown)!.x, get(world, part, Shown)!.x]).toEqual([
    "Mine",
    4,
    5,
  ]);
  expect([get(world, root, Value)!.x, has(world, part, Armed)]).toEqual([2, false]);
});

it("what a component of a document requires stays, though the document does not name it", () => {
  const World3 = component("World3", { x: 0 });
  const Local3 = component("Local3", { x: 0 }, { requires: [World3] });
  const world = createWorld();
  const data = (x: number): string =>
    JSON.stringify({
      format: "treeline",
      version: 1,
      form: "nested",
      entities: [{ children: [{ name: "Part", components: { Local3: { x } } }] }],
    });
  loadPrefabs(world, new Map([["a", data(1)]]), { definitions: [Local3, World3] });
  const one = instantiate(world, prefabAt(world, "a")!);
  const events: string[] = [];
  for (const definition of [Local3, World3])
    observe(world, { added: definition, removed: definition, set: definition }, ({ kind }) =>
      events.push(kind),
    );

  loadPrefabs(world, new Map([["a", data(1)]]));
  expect(events).toEqual([]);
  loadPrefabs(world, new Map([["a", data(2)]]));

  expect(events).toEqual(["set", "set"]);
  const [part] = children(world, one) as [Entity];
  expect([get(world, part, Local3), get(world, part, World3)]).toEqual([{ x: 2 }, { x: 0 }]);
});

it("a variant may get another base, or none, by a newer file", () => {
  const world = createWorld();
  const document = (entity: object): string =>
    JSON.stringify({ format: "treeline", version: 1, form: "nested", entities: [entity] });
  const car = (name: string, x: number): string =>
    document({ id: 1, components: { Value: { x }, Mesh: { lod: x } }, children: [{ id: 2, name }] });
  const load = (texts: object): Map<string, Entity> =>
    loadPrefabs(world, new Map(Object.entries(texts)), { definitions });
  load({ a: car("Wing", 1), b: car("Wheel", 2), v: document({ id: 1, prefab: "a", tags: ["Armed"] }) });
  const variant = prefabAt(world, "v")!;
  const one = instantiate(world, variant);
  const read = (root: Entity): unknown => [
    targetOf(world, root, IsA),
    get(world, root, Value)?.x,
    get(world, root, Mesh)?.lod,
    has(world, root, Armed),
    children(world, root).map((part) => get(world, part, Name)),
  ];

  load({ v: document({ id: 1, prefab: "b", tags: ["Armed"] }) });
  expect([read(variant), read(one)]).toEqual([
    [prefabAt(world, "b"), 2, 2, true, ["Wheel"]],
    [variant, 2, 2, true, ["Wheel"]],
  ]);
  load({ v: document({ id: 1, tags: ["Armed"], children: [{ id: 5, name: "Own" }] }) });
  expect([read(variant), read(one)]).toEqual([
    [undefined, undefined, undefined, true, ["Own"]],
    [variant, undefined, undefined, true, ["Own"]],
  ]);
  load({ v: document({ id: 1, prefab: "a" }) });
  expect([read(variant), read(one)]).toEqual([
    [prefabAt(world, "a"), 1, 1, false, ["Wing"]],
    [variant, 1, 1, false, ["Wing"]],
  ]);
  expect(verify(world)).toEqual([]);
});
