/** How a world stores the definitions of walks. Each walk draws it; the twin knows no storages, since all reads are the same. */
import { bits, type StorageOptions, sparse } from "@treeline/core";
import { createDice } from "../base/dice.ts";

export const STORAGES = ["table", "bits", "sparse"] as const;
export type Storage = (typeof STORAGES)[number];

/** Tags that can be defined again with another storage. */
const TAGS = ["Frozen", "Lit", "Doomed", "Sacred"] as const;

/** The storages that a tag can have. */
const OF_TAGS: readonly Storage[] = STORAGES;

const OPTIONS: Readonly<Record<Storage, StorageOptions>> = {
  table: {},
  bits: { storage: bits },
  sparse: { storage: sparse },
};

/** The storage of each definition by name. Those that are not listed are in the types of tables. */
export type Storages = Readonly<Record<string, Storage>>;

/** Draws the storages of a walk, from dice of its own: the steps of a seed do not depend on them. */
export function drawStorages(seed: number): Storages {
  const dice = createDice(seed + 2_000_000);
  return Object.fromEntries(TAGS.map((what) => [what, dice.pick(OF_TAGS)]));
}

/** Every definition in this storage, if it can have it. */
export function allStoredIn(storage: Storage): Storages {
  return OF_TAGS.includes(storage) ? Object.fromEntries(TAGS.map((what) => [what, storage])) : {};
}

/** The same definition with each storage that a tag can have. */
export function inEachStorage<D>(define: (options: StorageOptions) => D): ReadonlyMap<Storage, D> {
  return new Map(OF_TAGS.map((storage) => [storage, define(OPTIONS[storage])]));
}
