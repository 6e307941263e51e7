import {
  add,
  addMany,
  applyCommands,
  ChildOf,
  type Component,
  clone,
  component,
  createCommands,
  createWorld,
  Disabled,
  DisabledTree,
  type Entity,
  get,
  has,
  isDisabled,
  record,
  remove,
  type SpawnTerm,
  spawn,
  spawnMany,
  spawnRows,
  type Tag,
  tag,
  type World,
} from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { fromBinary, toBinary } from "@treeline/document/binary";
import { fromDocument, toDocument } from "@treeline/document/json";
import { restore, snapshot } from "@treeline/document/snapshot";
import { instantiate, prefab } from "@treeline/prefab";
import { children, each, query } from "@treeline/query";
import { attachNew } from "@treeline/query/hierarchy";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ALL_KINDS, type Kinds } from "./storages.ts";

const Crate = tag("Crate");

// What is required is removed alone here.
beforeAll(() => onWarning(() => {}));
afterAll(() => onWarning(undefined));

type Way = (world: World, terms: readonly SpawnTerm[]) => readonly Entity[];

/** Spawns something during an iteration. */
function later(world: World, run: () => readonly Entity[]): readonly Entity[] {
  spawn(world, Crate);
  const found: Entity[] = [];
  each(query(world, Crate), () => {
    if (found.length === 0) found.push(...run());
  });
  return found;
}

const WAYS: { readonly [name: string]: Way } = {
  spawn: (world, terms) => [spawn(world, ...terms), spawn(world, ...terms)],
  "spawn below a parent": (world, terms) => [spawn(world, ...terms, ChildOf(spawn(world)))],
  "spawn in an iteration": (world, terms) => later(world, () => [spawn(world, ...terms)]),
  spawnMany: (world, terms) => spawnMany(world, 3, ...terms),
  "spawnMany in an iteration": (world, terms) => later(world, () => spawnMany(world, 3, ...terms)),
  spawnRows: (world, terms) => spawnRows(world, 3, terms),
  "spawnRows below parents": (world, terms) =>
    spawnRows(world, 3, [...terms, ChildOf.each(spawnMany(world, 3))]),
  "spawnRows in an iteration": (world, terms) => later(world, () => spawnRows(world, 3, terms)),
  attachNew: (world, terms) => [attachNew(world, spawn(world), ...terms)],
  "a command buffer": (world, terms) => {
    const buffer = createCommands(world);
    const spawned = record(buffer, () => spawn(world, ...terms));
    applyCommands(buffer);
    return [spawned];
  },
  "clone with": (world, terms) => [clone(world, spawn(world), { with: terms })],
  "clone in an iteration": (world, terms) =>
    later(world, () => [clone(world, spawn(world), { with: terms })]),
  "instantiate with": (world, terms) => {
    const crate = prefab(world, Crate);
    return [
      instantiate(world, crate, { with: terms }),
      ...instantiate(world, crate, { with: terms, count: 2 }),
    ];
  },
  "an instance of a prefab": (world, terms) => {
    const crate = prefab(world);
    spawn(world, ...terms, ChildOf(crate));
    return instantiate(world, crate, { count: 2 }).flatMap((one) => children(world, one));
  },
  add: (world, terms) => {
    const one = spawn(world);
    add(world, one, ...terms);
    return [one];
  },
  "add one by one": (world, terms) => {
    const one = spawn(world);
    for (const term of terms) add(world, one, term);
    return [one];
  },
  "add in an iteration": (world, terms) =>
    later(world, () => {
      const one = spawn(world);
      add(world, one, ...terms);
      return [one];
    }),
  addMany: (world, terms) => {
    const list = spawnMany(world, 3);
    addMany(world, list, ...terms);
    return list;
  },
  "addMany in an iteration": (world, terms) =>
    later(world, () => {
      const list = spawnMany(world, 3);
      addMany(world, list, ...terms);
      return list;
    }),
};

const isValue = (what: unknown): boolean => (what as Component).holds === "fields";
const seen = (world: World, one: Entity, what: Tag): unknown =>
  isValue(what) ? get(world, one, what as unknown as Component) : has(world, one, what);
const given = (what: Tag): SpawnTerm =>
  isValue(what) ? (what as unknown as (value: object) => SpawnTerm)({ x: 1 }) : what;
const defaultOf = (what: Tag): unknown => !isValue(what) || { x: 7, label: "none" };
const givenOf = (what: Tag): unknown => !isValue(what) || { x: 1, label: "none" };

/** Calls a function for each kind of component with each kind of requirement; says which ones fail. */
function forAllKinds(run: (kinds: Kinds) => void): void {
  for (const kinds of ALL_KINDS) {
    try {
      run(kinds);
    } catch (error) {
      (error as Error).message = `${kinds.title}: ${(error as Error).message}`;
      throw error;
    }
  }
}

describe.each(Object.keys(WAYS))("by %s", (way) => {
  it("an entity gets what its component requires, by way of others as well, with defaults", () => {
    forAllKinds(({ Requirer, Needed, Deep }) => {
      const world = createWorld();

      const found = WAYS[way]!(world, [Requirer]);

      expect(found.length).toBeGreaterThan(0);
      for (const one of found) {
        expect(has(world, one, Requirer)).toBe(true);
        expect(seen(world, one, Needed)).toEqual(defaultOf(Needed));
        expect(seen(world, one, Deep)).toEqual(defaultOf(Deep));
      }
      expect(verify(world)).toEqual([]);
    });
  });

  it("it gets the values that are given for what is required", () => {
    forAllKinds(({ Requirer, Needed, Deep }) => {
      const world = createWorld();

      const found = WAYS[way]!(world, [given(Needed), Requirer, given(Deep)]);

      for (const one of found) {
        expect(seen(world, one, Needed)).toEqual(givenOf(Needed));
        expect(seen(world, one, Deep)).toEqual(givenOf(Deep));
      }
      expect(verify(world)).toEqual([]);
    });
  });
});

describe("what is required", () => {
  it("keeps the value that an entity has already", () => {
    forAllKinds(({ Requirer, Needed, Deep }) => {
      const world = createWorld();
      const one = spawn(world, given(Needed), given(Deep));
      const two = clone(world, one);

      add(world, one, Requirer);
      addMany(world, [two, spawn(world)], Requirer);

      for (const entity of [one, two]) {
        expect(seen(world, entity, Needed)).toEqual(givenOf(Needed));
        expect(seen(world, entity, Deep)).toEqual(givenOf(Deep));
      }
      expect(verify(world)).toEqual([]);
    });
  });

  it("is there after documents are loaded that lack it", () => {
    forAllKinds(({ Requirer, Needed, Deep }) => {
      const world = createWorld();
      const root = spawn(world);
      const part = spawn(world, Requirer, ChildOf(root));
      for (const what of [Needed, Deep]) remove(world, part, what);
      const definitions = [Requirer, Needed, Deep];

      const loaded = createWorld();
      const tops = [
        ...fromDocument(loaded, toDocument(world, { root }), { definitions }),
        ...fromBinary(loaded, toBinary(world, { root }), { definitions }),
      ];

      expect(tops).toHaveLength(2);
      for (const top of tops) {
        const [one] = children(loaded, top);
        expect(seen(loaded, one!, Needed)).toEqual(defaultOf(Needed));
        expect(seen(loaded, one!, Deep)).toEqual(defaultOf(Deep));
      }
      expect(verify(loaded)).toEqual([]);
    });
  });

  it("comes back in clones of entities that have lost it", () => {
    forAllKinds(({ Requirer, Needed }) => {
      const world = createWorld();
      const root = spawn(world, Requirer);
      const part = spawn(world, Requirer, ChildOf(root));
      for (const one of [root, part]) remove(world, one, Needed);

      const copy = clone(world, root, { deep: true });
      const alone = clone(world, part);

      for (const one of [copy, ...children(world, copy), alone])
        expect(seen(world, one, Needed)).toEqual(defaultOf(Needed));
      expect(has(world, root, Needed)).toBe(false);
      expect(verify(world)).toEqual([]);
    });
  });

  it("stays away if a component is given again to an entity that has it", () => {
    forAllKinds(({ Requirer, Needed }) => {
      const world = createWorld();
      const [one, two] = [spawn(world, Requirer), spawn(world, Requirer)];
      for (const entity of [one, two]) remove(world, entity, Needed);

      add(world, one, Requirer);
      addMany(world, [spawn(world), two], Requirer);

      expect([has(world, one, Needed), has(world, two, Needed)]).toEqual([false, false]);
      expect(verify(world)).toEqual([]);
    });
  });

  it("is as it was after a restore, where it had been removed alone", () => {
    forAllKinds(({ Requirer, Needed, Deep }) => {
      const world = createWorld();
      const one = spawn(world, Requirer);
      remove(world, one, Needed);
      const before = snapshot(world);
      add(world, one, Needed);

      restore(world, before);

      expect([Requirer, Needed, Deep].map((what) => has(world, one, what))).toEqual([true, false, true]);
      expect(verify(world)).toEqual([]);
    });
  });

  it("can be what disables an entity, or all that is below it", () => {
    const Asleep = tag("Asleep", { requires: [Disabled] });
    const Dark = component("Dark", { x: 0 }, { requires: [DisabledTree] });
    const world = createWorld();
    const [one, two] = [spawn(world, Asleep), spawn(world)];
    const below = spawn(world, ChildOf(two));

    add(world, two, Dark);

    expect([one, two, below].map((entity) => isDisabled(world, entity))).toEqual([true, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it("stays when what requires it is removed", () => {
    forAllKinds(({ Requirer, Needed, Deep }) => {
      const world = createWorld();
      const one = spawn(world, Requirer);

      remove(world, one, Requirer);

      expect([has(world, one, Requirer), has(world, one, Needed), has(world, one, Deep)]).toEqual([
        false,
        true,
        true,
      ]);
      expect(verify(world)).toEqual([]);
    });
  });
});
