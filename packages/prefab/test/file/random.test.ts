import {
  Any,
  add,
  asTag,
  ChildOf,
  type Component,
  componentsOf,
  createWorld,
  type Definition,
  type Entity,
  get,
  has,
  isAlive,
  Parent,
  pairsOf,
  parentOf,
  remove,
  set,
  spawn,
  type Tag,
  TreelineError,
  tagsOf,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { fromDocument, toDocument, writeJson } from "@treeline/document/json";
import { Name } from "@treeline/names";
import { children, descendants, destroy, isDescendant, setChildOrder } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { expect, test } from "vitest";
import { loadPrefabs, PrefabKey, prefabAt, prefabs } from "../../src/document.ts";
import {
  autoOverride,
  IsA,
  instantiate,
  overridesOf,
  Prefab,
  prefab,
  prefabOf,
  refreshInstances,
} from "../../src/index.ts";
import {
  Aim,
  Armed,
  Draft,
  Fuel,
  Heavy,
  Lit,
  Mesh,
  Near,
  Notes,
  newWorld,
  Paint,
  Position,
  Title,
} from "../cases/fixture.ts";
import { Dice } from "../dice.ts";

const definitions = [Position, Mesh, Notes, Aim, Title, Paint, Armed, Heavy, Draft, Lit, Fuel, Near];
newWorld(); // the fixture verifies one after each test
const WORLDS = 8 * Number(process.env.TREELINE_WALKS ?? 1);
const MUTATED = 50 * Number(process.env.TREELINE_WALKS ?? 1);

/** A library and its instances, which are changed at random. */
class Workshop {
  readonly world: World = createWorld();
  readonly dice: Dice;
  readonly keys: string[] = [];
  readonly instances: Entity[] = [];
  private last = 0;

  constructor(dice: Dice) {
    this.dice = dice;
    for (let at = 0; at < 2 + dice.below(3); at++) this.makePrefab();
    for (let at = 0; at < 1 + dice.below(3); at++) this.makeInstance();
  }

  name(): string {
    return `N${this.last++}`;
  }

  makePrefab(): void {
    const { world, dice, keys } = this;
    const base = keys.length > 0 && dice.below(3) === 0 ? [IsA(prefabAt(world, dice.pick(keys))!)] : [];
    const key = `p${keys.length}`;
    const root = prefab(world, PrefabKey(key), Name(this.name()), ...base);
    for (let at = 0; at < 2 + dice.below(5); at++) this.edit(root);
    keys.push(key);
  }

  makeInstance(): void {
    const { world, dice, keys } = this;
    const root = prefabAt(world, dice.pick(keys))!;
    const storage = dice.below(3) === 0 ? { storage: dice.pick([ChildOf, Parent]) } : {};
    this.instances.push(instantiate(world, root, { with: [Name(this.name())], ...storage }));
  }

  /** Changes something in the tree below a root. */
  edit(root: Entity): void {
    const { world, dice, keys } = this;
    const all = [root, ...descendants(world, root)];
    const one = dice.pick(all);
    const other = dice.pick(all);
    const value = dice.below(4);
    const changes: (() => void)[] = [
      () => spawn(world, dice.pick([ChildOf, Parent])(one), Name(this.name()), Position({ x: value })),
      () => add(world, one, Position({ x: value, y: 1 })),
      () => set(world, one, Position, { y: value }),
      () => add(world, one, Mesh({ lod: value })),
      () => add(world, one, dice.pick([Armed, Heavy, Draft, Lit])),
      () => remove(world, one, dice.pick([Armed, Heavy, Draft, Lit, Position, Mesh, Fuel, Title]) as Tag),
      () => add(world, one, Fuel({ litres: value })),
      () => add(world, one, Title(`t${value}`)),
      () => add(world, one, Paint(`p${value}`)),
      () => add(world, one, Notes({ text: `n${value}` })),
      () => add(world, one, Aim({ at: other })),
      () => add(world, one, Near(other)),
      () => remove(world, one, Near(other)),
      () => add(world, one, Name(this.name())),
      // A part outside of its instance is saved as an entity of its own.
      () => this.isWithin(other, this.instanceAt(parentOf(world, one))) && attach(world, one, other),
      () => setChildOrder(world, one, children(world, one).reverse()),
      () => one !== root && destroy(world, one),
      () => add(world, one, asTag(other)),
      () =>
        keys.length > 0 &&
        instantiate(world, prefabAt(world, dice.pick(keys))!, { parent: one, with: [Name(this.name())] }),
      () => has(world, one, Prefab) && autoOverride(world, one, Mesh, dice.below(2) === 0),
    ];
    try {
      if (one === root && dice.below(4) === 0) return;
      dice.pick(changes)();
    } catch (error) {
      if (!(error instanceof TreelineError) || error.code === "internal-error") throw error;
    }
  }

  /** The nearest entity at or above one that is the root of an instance. */
  private instanceAt(one: Entity | undefined): Entity | undefined {
    let at = one;
    while (at !== undefined && !has(this.world, at, IsA(Any))) at = parentOf(this.world, at);
    return at;
  }

  private isWithin(one: Entity, instance: Entity | undefined): boolean {
    return instance === undefined
      ? this.instanceAt(one) === undefined
      : one === instance || isDescendant(this.world, one, instance);
  }

  library(): Map<string, string> {
    for (const key of this.keys) refreshInstances(this.world, prefabAt(this.world, key)!);
    return new Map(this.keys.map((key) => [key, textOf(this.world, prefabAt(this.world, key)!)] as const));
  }
}

function textOf(world: World, root: Entity): string {
  return writeJson(toDocument(world, { root, prefabs }));
}

/**
 * All that can be read of a tree, with places instead of handles. Left out is whether what could be inherited is owned: an own value that
 * equals that of the prefab is no override, and not written.
 */
function outlineOf(world: World, root: Entity): unknown {
  const all = [root, ...descendants(world, root)];
  const places = new Map(all.map((one, at) => [one, at]));
  const inner = (value: unknown): unknown =>
    Object.fromEntries(
      Object.entries(value as object).map(([name, one]) => [
        name,
        name === "at" ? places.get(one as Entity) : one,
      ]),
    );
  return all.map((one) => {
    const read = definitions
      .filter((definition) => (definition as Definition).kind === "component")
      .filter((definition) => has(world, one, definition as Component))
      .map((definition) => {
        const value = get(world, one, definition as Component);
        return [definition.name, typeof value === "object" ? inner(value) : value];
      });
    const tags = tagsOf(world, one).map((tag) => ("target" in tag ? places.get(tag.target) : tag.name));
    const shared = [Heavy].filter((tag) => has(world, one, tag)).map(({ name }) => name);
    const own = componentsOf(world, one).map(({ name }) => name);
    const pairs = pairsOf(world, one)
      .filter(({ relation }) => relation === Near)
      .map(({ target }) => places.get(target));
    const made = prefabOf(world, one);
    return {
      parent: one === root ? undefined : places.get(parentOf(world, one)!),
      isValue: one !== root && has(world, one, Parent(parentOf(world, one)!)),
      name: get(world, one, Name),
      read,
      tags: tags.filter((tag) => tag !== Prefab.name && tag !== Heavy.name).sort(),
      shared,
      own: own.filter((name) => !["PrefabKey", Mesh.name, Paint.name].includes(name)).sort(),
      pairs: pairs.sort(),
      made: made === undefined ? undefined : get(world, made, Name),
    };
  });
}

function overridesIn(world: World, instance: Entity): string[] {
  const all = [instance, ...descendants(world, instance)];
  return overridesOf(world, instance)
    .map(
      ({ kind, entity, definition, fields }) =>
        `${kind} ${all.indexOf(entity)} ${definition?.name} ${fields}`,
    )
    .sort();
}

function seeds(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1);
}

test("instances and prefabs that were changed at random come back as they were", () => {
  for (const seed of seeds(WORLDS)) {
    const dice = new Dice(seed);
    const shop = new Workshop(dice);
    for (let at = 0; at < 20; at++) shop.edit(dice.pick(shop.instances));
    const instances = shop.instances.filter((one) => isAlive(shop.world, one));
    const library = shop.library();
    const texts = instances.map((one) => textOf(shop.world, one));

    const other = createWorld();
    const loaded = loadPrefabs(other, library, { definitions });
    for (const [key, root] of loaded) {
      expect([seed, outlineOf(other, root)]).toEqual([
        seed,
        outlineOf(shop.world, prefabAt(shop.world, key)!),
      ]);
      expect([seed, textOf(other, root)]).toEqual([seed, library.get(key)]);
    }
    for (const [at, one] of instances.entries()) {
      const [root] = fromDocument(other, texts[at]!, { definitions, prefabs });
      expect([seed, at, outlineOf(other, root!)]).toEqual([seed, at, outlineOf(shop.world, one)]);
      expect([seed, overridesIn(other, root!)]).toEqual([seed, overridesIn(shop.world, one)]);
      expect([seed, textOf(other, root!)]).toEqual([seed, texts[at]]);
    }
    expect([seed, verify(other)]).toEqual([seed, []]);
  }
});

test("a library that was edited in files makes the same prefabs in a running world as in a new one", () => {
  for (const seed of seeds(WORLDS / 2)) {
    const dice = new Dice(seed + 1_000_000);
    const shop = new Workshop(dice);
    const running = createWorld();
    loadPrefabs(running, shop.library(), { definitions });
    const instance = instantiate(running, prefabAt(running, dice.pick(shop.keys))!);
    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 6; at++) shop.edit(prefabAt(shop.world, dice.pick(shop.keys))!);
      const library = shop.library();

      loadPrefabs(running, library, { definitions });

      expect([seed, round, verify(running)]).toEqual([seed, round, []]);
      const fresh = createWorld();
      loadPrefabs(fresh, library, { definitions });
      for (const key of shop.keys) {
        const now = prefabAt(running, key)!;
        expect([seed, round, key, outlineOf(running, now)]).toEqual([
          seed,
          round,
          key,
          outlineOf(fresh, prefabAt(fresh, key)!),
        ]);
        expect([seed, round, textOf(running, now)]).toEqual([
          seed,
          round,
          textOf(fresh, prefabAt(fresh, key)!),
        ]);
      }
      // An instance without changes is as a new one.
      const made = prefabOf(running, instance)!;
      expect([seed, round, outlineOf(running, instance)]).toEqual([
        seed,
        round,
        outlineOf(running, instantiate(running, made)),
      ]);
      expect([seed, round, overridesIn(running, instance)]).toEqual([seed, round, []]);
    }
  }
});

/** Pieces that are put into a text in place of a token. */
const PIECES = [
  ...["null", "{}", "[]", "-1", "0", "1", '"1"', '"2"', '"1/2"', '"2/1"', '"p0"', '"p1"', '"__proto__"'],
  ...[
    '"$entity"',
    '"$prefab"',
    '{"$entity":1}',
    '{"$prefab":"p0"}',
    '{"part":"2"}',
    '"Parent"',
    '"Position"',
  ],
  ...['"part"', '"parts"', '"below"', '"missing"', '"without"', '"prefab"', '"autoOverride"', "true"],
];

/** Exchanges a few tokens of a text of JSON. */
function mutated(dice: Dice, text: string): string {
  const tokens = text.split(/("(?:[^"\\]|\\.)*"|[[\]{},:])/);
  for (let at = 0; at < 1 + dice.below(3); at++) {
    const place = dice.below(tokens.length);
    tokens[place] = dice.below(3) === 0 ? dice.pick(tokens) : dice.pick(PIECES);
  }
  return tokens.join("");
}

test("mutated documents are refused with a code, and change nothing; what is loaded is a sound world", () => {
  const shop = new Workshop(new Dice(7));
  for (let at = 0; at < 30; at++) shop.edit(shop.dice.pick(shop.instances));
  const library = shop.library();
  const texts = shop.instances.map((one) => textOf(shop.world, one));
  const world = createWorld();
  loadPrefabs(world, library, { definitions });
  const kept = instantiate(world, prefabAt(world, shop.keys[0]!)!);
  let loaded = 0;
  const soundly = (load: () => void): void => {
    const before = dump(world);
    try {
      load();
      loaded++;
    } catch (error) {
      if (!(error instanceof TreelineError) || error.code === "internal-error") throw error;
      expect(dump(world)).toBe(before);
    }
    expect(verify(world)).toEqual([]);
  };
  const dice = new Dice(8);
  for (let at = 0; at < MUTATED; at++)
    soundly(() => {
      for (const one of fromDocument(world, mutated(dice, dice.pick(texts)), { definitions, prefabs }))
        destroy(world, one);
    });
  for (let at = 0; at < MUTATED / 5; at++) {
    const key = dice.pick(shop.keys);
    soundly(() => loadPrefabs(world, new Map([[key, mutated(dice, library.get(key)!)]]), { definitions }));
  }
  loadPrefabs(world, library, { definitions });
  refreshInstances(world, prefabOf(world, kept)!);
  expect(loaded).toBeGreaterThan(0);
});
