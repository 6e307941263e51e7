import { add, clear, defer, release, remove, set, spawn, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  Alias,
  type Collisions,
  childNamed,
  configureNames,
  findAll,
  lookup,
  Name,
  rename,
} from "../../../src/index.ts";
import { POLICIES } from "../../collision-cases.ts";
import { Any, ChildOf, Parent } from "../../definitions.ts";
import { createDice, type Dice } from "../../dice.ts";
import { codeOf, createWorld, type Entity, type World } from "../../fleet.ts";
import { freeName } from "../../internal.ts";
import { get, isAlive, parentOf, verify } from "../../reading.ts";

interface One {
  parent: Entity | undefined;
  name: string | undefined;
  alias: string | undefined;
  /** When it got this name in this place. */
  since: number;
}

/** Names by the rules, computed by comparing all entities. */
class Plain {
  readonly all = new Map<Entity, One>();
  readonly collisions: Collisions;
  time = 0;

  constructor(collisions: Collisions) {
    this.collisions = collisions;
  }

  /** @returns the name that an entity would get there, or that it is refused. */
  nameFor(own: Entity | undefined, name: string, parent: Entity | undefined): string | "refused" {
    if (this.collisions === "allow") return name;
    const isTaken = (candidate: string): boolean =>
      [...this.all].some(
        ([entity, one]) =>
          entity !== own &&
          ((one.name === candidate && one.parent === parent) ||
            (parent === undefined && one.alias === candidate)),
      );
    if (this.collisions === "error") return isTaken(name) ? "refused" : name;
    return freeName(name, isTaken);
  }

  isAliasTaken(own: Entity, alias: string): boolean {
    return [...this.all].some(
      ([entity, one]) =>
        entity !== own &&
        (one.alias === alias ||
          (this.collisions !== "allow" && one.parent === undefined && one.name === alias)),
    );
  }

  put(entity: Entity, name: string | undefined, parent: Entity | undefined): void {
    const before = this.all.get(entity);
    const isSame = before !== undefined && before.name === name && before.parent === parent;
    const since = isSame ? before.since : ++this.time;
    this.all.set(entity, { parent, name, alias: before?.alias, since });
  }

  /** The entities with that name, the first one first. */
  called(name: string, parent: Entity | undefined): Entity[] {
    return [...this.all]
      .filter(([, one]) => one.name === name && one.parent === parent)
      .sort(([, one], [, other]) => one.since - other.since)
      .map(([entity]) => entity);
  }
}

const NAMES = ["a", "b", "a (2)", "c"];

/** A change of the world, and of the plain names if it is not refused. */
interface Act {
  readonly isRefused: boolean;
  readonly run: () => unknown;
  readonly after: () => void;
}

/** A random change of a random entity. */
interface Throw {
  readonly world: World;
  readonly plain: Plain;
  readonly entity: Entity;
  readonly own: One;
  /** For spawns and moves; `undefined` for the roots. */
  readonly parent: Entity | undefined;
  readonly storage: typeof ChildOf;
  readonly name: string;
}

type Kind = (thrown: Throw) => Act;

/** An act after which an entity has the requested name, or another one, in a place. */
function naming(
  { plain, entity }: Throw,
  name: string | undefined,
  parent: Entity | undefined,
  run: () => unknown,
): Act {
  const given = name === undefined ? undefined : plain.nameFor(entity, name, parent);
  return { isRefused: given === "refused", run, after: () => plain.put(entity, given, parent) };
}

function spawnNamed(
  { world, plain, parent, storage, name }: Omit<Throw, "entity" | "own">,
  isOfMany: boolean,
): Act {
  const given = plain.nameFor(undefined, name, parent);
  const place = parent === undefined ? [] : [storage(parent)];
  let spawned: Entity | undefined;
  const run = (): void => {
    spawned = isOfMany ? spawnMany(world, 1, Name(name), ...place)[0] : spawn(world, Name(name), ...place);
  };
  return { isRefused: given === "refused", run, after: () => plain.put(spawned!, given, parent) };
}

const renaming: Kind = (thrown) =>
  naming(thrown, thrown.name, thrown.own.parent, () => rename(thrown.world, thrown.entity, thrown.name));

const setting: Kind = (thrown) =>
  naming(thrown, thrown.name, thrown.own.parent, () => set(thrown.world, thrown.entity, Name, thrown.name));

const losing: Kind = (thrown) =>
  naming(thrown, undefined, thrown.own.parent, () => remove(thrown.world, thrown.entity, Name));

const clearing: Kind = (thrown) => {
  const act = naming(thrown, undefined, undefined, () => clear(thrown.world, thrown.entity));
  return {
    ...act,
    after: () => {
      act.after();
      thrown.plain.all.get(thrown.entity)!.alias = undefined;
    },
  };
};

const unparenting: Kind = (thrown) =>
  naming(thrown, thrown.own.name, undefined, () => remove(thrown.world, thrown.entity, ChildOf(Any)));

const moving: Kind = (thrown) => {
  const { world, plain, entity, own, storage } = thrown;
  let { parent } = thrown;
  for (let above = parent; above !== undefined; above = plain.all.get(above)!.parent)
    if (above === entity) parent = own.parent;
  if (parent === undefined) return unparenting(thrown);
  const to = parent;
  return naming(thrown, own.name, to, () => add(world, entity, storage(to)));
};

const aliasing: Kind = ({ world, plain, entity, own, name }) => ({
  isRefused: plain.isAliasTaken(entity, name),
  run: () => set(world, entity, Alias, name),
  after: () => {
    own.alias = name;
  },
});

const unaliasing: Kind = ({ world, entity, own }) => ({
  isRefused: false,
  run: () => remove(world, entity, Alias),
  after: () => {
    own.alias = undefined;
  },
});

/** An entity with children loses its name instead. */
const deleted: Kind = (thrown) => {
  const { world, plain, entity } = thrown;
  if ([...plain.all.values()].some(({ parent }) => parent === entity)) return losing(thrown);
  return {
    isRefused: false,
    run: () => release(world, entity),
    after: () => {
      plain.all.delete(entity);
    },
  };
};

const KINDS = [
  renaming,
  setting,
  losing,
  clearing,
  unparenting,
  moving,
  moving,
  aliasing,
  unaliasing,
  deleted,
];

/** One change to both. @returns whether both have refused it. */
function change(world: World, plain: Plain, dice: Dice): boolean {
  const living = [...plain.all.keys()];
  const parent = living.length > 0 && dice.below(3) > 0 ? dice.pick(living) : undefined;
  const thrown = {
    world,
    plain,
    parent,
    storage: dice.pick([ChildOf, Parent as typeof ChildOf]),
    name: dice.pick(NAMES),
  };
  const isSpawn = living.length < 4 || (living.length < 14 && dice.below(4) === 0);
  const entity = isSpawn ? undefined : dice.pick(living);
  const { isRefused, run, after } =
    entity === undefined
      ? spawnNamed(thrown, dice.below(2) === 0)
      : dice.pick(KINDS)({ ...thrown, entity, own: plain.all.get(entity)! });

  const code = codeOf(() => (dice.below(3) === 0 ? defer(world, run) : run()));

  expect(code).toBe(isRefused ? "name-taken" : undefined);
  if (!isRefused) after();
  return isRefused;
}

describe.each(POLICIES)("where collisions are %s, thousands of random changes", (policy) => {
  it("have the result that the rules give for all entities", () => {
    const dice = createDice(101);
    const world = createWorld();
    configureNames(world, { collisions: policy });
    const plain = new Plain(policy);
    let refused = 0;
    for (let round = 0; round < 350; round++) {
      if (change(world, plain, dice)) refused++;

      const wrong: string[] = [];
      const check = (isRight: boolean, what: string): void => {
        if (!isRight) wrong.push(`${what} in round ${round}`);
      };
      for (const [entity, { parent, name, alias }] of plain.all) {
        check(isAlive(world, entity) && parentOf(world, entity) === parent, `the parent of ${entity}`);
        check(get(world, entity, Name) === name, `the name of ${entity}`);
        if (name !== undefined && parent !== undefined)
          check(childNamed(world, parent, name) === plain.called(name, parent)[0], `the child ${name}`);
        if (alias !== undefined)
          check(
            lookup(world, alias) === entity && `${findAll(world, alias)}` === `${entity}`,
            `the alias ${alias}`,
          );
      }
      for (const name of NAMES) {
        const aliased = [...plain.all].find(([, { alias }]) => alias === name);
        check(
          lookup(world, [name]) === (aliased?.[0] ?? plain.called(name, undefined)[0]),
          `the root ${name}`,
        );
      }
      expect(wrong).toEqual([]);
      if (round % 50 === 0) expect(verify(world)).toEqual([]);
    }
    expect(refused).toBeGreaterThan(20);
  });
});
