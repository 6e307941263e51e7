import type { Entity, SpawnTerm, World } from "@treeline/core";
import { add, has, release, set, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, expect } from "vitest";
import { count, each, entities, explain, type Query, type QueryTerm, query, rows } from "../../src/index.ts";
import { iterated } from "../matches.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { component, createWorld } from "../public/define.ts";
import { f64 } from "../public/fields.ts";
import { indexOf } from "../world-state.ts";

/** Values contain the number of their entity. */
export const Warm = component("Warm", { of: f64 });
export const Heavy = component("Heavy", { of: f64 });

/** How an entity and the one below it have their parents. */
export const STORAGES = [
  ["ChildOf", ChildOf, ChildOf],
  ["Parent", Parent, Parent],
  ["both storages", ChildOf, Parent],
  ["both storages, reversed", Parent, ChildOf],
] as const;

/** A query of any terms. */
type AnyQuery = { readonly world: World };

/** A world whose entities have names, so that matches read as text: "k1 k2". */
export interface NamedWorld {
  readonly world: World;
  /** Its Warm and Heavy contain its number. */
  readonly spawnNamed: (name: string, ...terms: SpawnTerm[]) => Entity;
  /** Adds a component that contains the number of its entity. */
  readonly addOwn: (entity: Entity, what: typeof Warm) => void;
  readonly nameOf: (entity: number | undefined) => string;
  /** The entities that match, in the order of names. Throws unless all kinds of iteration match the same. */
  readonly matches: (...terms: QueryTerm[]) => string;
  /** The entities that match, in the order of iteration. Throws as `matches` does. */
  readonly inOrder: (tested: AnyQuery) => string;
  /** The entity from which each gets its first value: "b<a c<a d<-", in the order of names. */
  readonly sources: (tested: AnyQuery) => string;
  readonly textOf: (entities: readonly Entity[]) => string;
}

/** The named world of a test, created by `setUpNamedWorld`. */
export let named: NamedWorld;

export function replaceNamedWorld(): void {
  named = createNamedWorld();
}

/** Creates the named world before each test of a file, and verifies it after each. */
export function setUpNamedWorld(): void {
  beforeEach(replaceNamedWorld);
  afterEach(() => {
    expect(verify(named.world)).toEqual([]);
  });
}

/** A query in the named world. */
export function watch<const Terms extends readonly QueryTerm[]>(...terms: Terms): Query<Terms> {
  return query(named.world, ...terms) as unknown as Query<Terms>;
}

/** The entities with unread changes, in the order of names. This reads the changes. */
export function unread(tested: AnyQuery): string {
  return named.inOrder(tested).split(" ").toSorted().join(" ");
}

function createNamedWorld(): NamedWorld {
  const world = createWorld();
  const names = new Map<number, string>();
  const nameOf = (one: number | undefined): string => (one === undefined ? "-" : (names.get(one) ?? "?"));
  const textOf = (some: readonly Entity[]): string => some.map(nameOf).join(" ");
  const sortedWords = (text: string): string => text.split(" ").toSorted().join(" ");
  const inOrder = (tested: AnyQuery): string => textOf(metByAll(tested as Query));
  return {
    world,
    spawnNamed: (name, ...terms) => {
      const entity = spawn(world, ...terms);
      names.set(entity, name);
      for (const what of [Warm, Heavy])
        if (has(world, entity, what)) set(world, entity, what, { of: entity });
      return entity;
    },
    addOwn: (entity, what) => add(world, entity, what({ of: entity })),
    nameOf,
    textOf,
    inOrder,
    matches: (...terms) => sortedWords(inOrder(query(world, ...terms))),
    sources: (tested) => {
      const found: string[] = [];
      each(tested as Query, (...row: unknown[]) => {
        const value = row[0] as { readonly of: number } | undefined;
        found.push(`${nameOf(row.at(-1) as number)}<${nameOf(value?.of)}`);
      });
      return sortedWords(found.join(" "));
    },
  };
}

export function isAboutChanges(tested: Query): boolean {
  return explain(tested).includes("matches changes");
}

/** Queries about changes are read only once. */
function metByAll(tested: Query): Entity[] {
  const met = iterated(tested);
  if (isAboutChanges(tested)) return met;
  const others = [entities(tested), [...rows(tested)].map(() => 0), Array.from({ length: count(tested) })];
  if (
    others[0]!.some((one, place) => one !== met[place]) ||
    others.some(({ length }) => length !== met.length)
  )
    throw new Error(
      `each meets ${met}, entities ${others[0]}, rows ${others[1]!.length}, count ${count(tested)}`,
    );
  return met;
}

/** An entity spawned with the index of a destroyed one. Indexes are used again when thousands of others are free. */
export function spawnWithIndexOf(world: World, dead: Entity): Entity {
  for (const one of spawnMany(world, 5000)) release(world, one);
  const reused = spawnMany(world, 10).find((one) => indexOf(one) === indexOf(dead));
  if (reused === undefined) throw new Error("no entity has the index");
  return reused;
}
