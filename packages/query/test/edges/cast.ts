import {
  add,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f64,
  has,
  Parent,
  release,
  type SpawnTerm,
  set,
  spawn,
  spawnMany,
  type World,
} from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { count, each, entities, type Query, type QueryTerm, query, rows } from "../../src/index.ts";
import { visited } from "../asked.ts";

/** Values say whose they are. */
export const Warm = component("Warm", { of: f64 });
export const Heavy = component("Heavy", { of: f64 });

/** How an entity and the one below it have their parents. */
export const STORAGES = [
  ["ChildOf", ChildOf, ChildOf],
  ["Parent", Parent, Parent],
  ["both storages", ChildOf, Parent],
  ["both storages, the other way round", Parent, ChildOf],
] as const;

/** A query, whatever it asks. */
type Asking = { readonly world: World };

/** A world whose entities have names, so that answers read as text: "k1 k2". */
export interface Cast {
  readonly world: World;
  /** Its Warm and Heavy say whose they are. */
  readonly born: (name: string, ...terms: SpawnTerm[]) => Entity;
  /** Adds a component that says whose it is. */
  readonly give: (entity: Entity, what: typeof Warm) => void;
  readonly nameOf: (entity: number | undefined) => string;
  /** Who answers, in the order of names. Throws unless all kinds of visits meet the same. */
  readonly who: (...terms: QueryTerm[]) => string;
  /** Who answers, in the order of the visit. Throws as `who`. */
  readonly inTurn: (asked: Asking) => string;
  /** Whose value each gets first: "b<a c<a d<-", in the order of names. */
  readonly sources: (asked: Asking) => string;
  readonly textOf: (entities: readonly Entity[]) => string;
}

/** The cast of a test, set anew by `setCast`. */
export let cast: Cast;

export function setCast(): void {
  cast = createCast();
}

/** A query in the world of the cast. */
export function watch<const Terms extends readonly QueryTerm[]>(...terms: Terms): Query<Terms> {
  return query(cast.world, ...terms);
}

/** Who is news now, in the order of names. It is a look. */
export function news(asked: Asking): string {
  return cast.inTurn(asked).split(" ").toSorted().join(" ");
}

function createCast(): Cast {
  const world = createWorld();
  const names = new Map<number, string>();
  const nameOf = (one: number | undefined): string => (one === undefined ? "-" : (names.get(one) ?? "?"));
  const textOf = (some: readonly Entity[]): string => some.map(nameOf).join(" ");
  const inOrder = (text: string): string => text.split(" ").toSorted().join(" ");
  const inTurn = (asked: Asking): string => textOf(metByAll(asked as Query));
  return {
    world,
    born: (name, ...terms) => {
      const entity = spawn(world, ...terms);
      names.set(entity, name);
      for (const what of [Warm, Heavy])
        if (has(world, entity, what)) set(world, entity, what, { of: entity });
      return entity;
    },
    give: (entity, what) => add(world, entity, what({ of: entity })),
    nameOf,
    textOf,
    inTurn,
    who: (...terms) => inOrder(inTurn(query(world, ...terms))),
    sources: (asked) => {
      const found: string[] = [];
      each(asked as Query, (...row: unknown[]) => {
        const value = row[0] as { readonly of: number } | undefined;
        found.push(`${nameOf(row.at(-1) as number)}<${nameOf(value?.of)}`);
      });
      return inOrder(found.join(" "));
    },
  };
}

/** Queries that ask for changes are only looked at once. */
function metByAll(asked: Query): Entity[] {
  const met = visited(asked);
  if (asked.plan.isWatching) return met;
  const others = [entities(asked), [...rows(asked)].map(() => 0), Array.from({ length: count(asked) })];
  if (
    others[0]!.some((one, place) => one !== met[place]) ||
    others.some(({ length }) => length !== met.length)
  )
    throw new Error(
      `each meets ${met}, entities ${others[0]}, rows ${others[1]!.length}, count ${count(asked)}`,
    );
  return met;
}

/** Whoever is born with the index of one who has died. Indexes are used again when thousands of others were free. */
export function bornWithIndexOf(world: World, dead: Entity): Entity {
  for (const one of spawnMany(world, 5000)) release(world, one);
  const heir = spawnMany(world, 10).find((one) => indexOf(one) === indexOf(dead));
  if (heir === undefined) throw new Error("nobody has the index");
  return heir;
}
