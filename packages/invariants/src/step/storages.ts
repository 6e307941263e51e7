/** How a world stores the definitions of walks. Each walk draws it; the twin knows no storages, since all reads are the same. */
import { bits, type StorageOptions, sparse } from "@treeline/core";
import { createDice } from "../base/dice.ts";

export const STORAGES = ["table", "bits", "sparse"] as const;
export type Storage = (typeof STORAGES)[number];

/** The storages that are drawn. */
const OF_TAGS: readonly Storage[] = ["table", "bits", "sparse"];
const OF_COMPONENTS: readonly Storage[] = ["table", "sparse"];
/** Of relations that are neither acyclic nor symmetric. */
const OF_RELATIONS: readonly Storage[] = ["table", "sparse"];

/** The definitions that walks define once for each storage. */
const DRAWN: Readonly<Record<string, readonly Storage[]>> = {
  Frozen: OF_TAGS,
  Lit: OF_TAGS,
  Doomed: OF_TAGS,
  Sacred: OF_TAGS,
  Position: OF_COMPONENTS,
  Health: OF_COMPONENTS,
  Clock: OF_COMPONENTS,
  Aim: OF_COMPONENTS,
  Matrix: OF_COMPONENTS,
  Style: OF_COMPONENTS,
  Tint: OF_COMPONENTS,
  Likes: OF_RELATIONS,
  DockedTo: OF_RELATIONS,
  Owns: OF_RELATIONS,
  Guards: OF_RELATIONS,
  Damage: OF_RELATIONS,
  Rents: OF_RELATIONS,
  Includes: OF_RELATIONS,
  SitsIn: OF_RELATIONS,
  Watches: OF_RELATIONS,
};

const OPTIONS: Readonly<Record<Storage, StorageOptions>> = {
  table: {},
  bits: { storage: bits },
  sparse: { storage: sparse },
};

/** Components require others, too: see `REQUIRES`. */
export const IS_REQUIRING: unique symbol = Symbol("is requiring");

/** The storage of each definition by name. Those that are not listed are in the types of tables. */
export type Storages = Readonly<Record<string, Storage>> & { readonly [IS_REQUIRING]?: boolean };

/** Draws the storages of a walk, from dice of its own: the steps of a seed do not depend on them. */
export function drawStorages(seed: number): Storages {
  const dice = createDice(seed + 2_000_000);
  const drawn = Object.entries(DRAWN).map(([what, storages]) => [what, dice.pick(storages)] as const);
  return { ...Object.fromEntries(drawn), [IS_REQUIRING]: dice.pick([true, false]) };
}

/** What components and tags require, in walks where they do. What is required is defined before. */
export const REQUIRES: Readonly<Record<string, readonly string[]>> = {
  Lit: ["Frozen"],
  Health: ["Position", "Lit"],
  Clock: ["Health", "Alarm"],
  Matrix: ["Lit"],
  Style: ["Clock", "Position"],
  Tint: ["Alarm", "Disabled"],
};

/** Every definition in this storage, if it can have it. */
export function allStoredIn(storage: Storage): Storages {
  const able = Object.keys(DRAWN).filter((what) => DRAWN[what]!.includes(storage));
  return Object.fromEntries(able.map((what) => [what, storage]));
}

/** The same definition with each storage that it can have. */
export function inEachStorage<D>(
  what: string,
  define: (name: string, options: StorageOptions) => D,
): ReadonlyMap<Storage, D> {
  return new Map(DRAWN[what]!.map((storage) => [storage, define(what, OPTIONS[storage])]));
}

/** The options of a definition in a storage. */
export function optionsFor(storage: Storage = "table"): StorageOptions {
  return OPTIONS[storage];
}
