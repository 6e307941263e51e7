// What of names is state (`nameState`), and aliases that came since (`settleNames`).
import type { Definition, World } from "@treeline/core";
import type { UpperState } from "@treeline/core/internal";
import { createNameIndex, type NameIndex } from "../state/name-index.ts";
import { Name, namesOf } from "./name.ts";

const STATE = ["names", "entries", "slots", "mask", "used", "size"];

function indexesOf(world: World): NameIndex[] {
  const { nameIndex, aliases } = namesOf(world);
  return aliases === undefined ? [nameIndex] : [nameIndex, aliases];
}

/** What is state of names: who has which, and which aliases. How names are configured is not. */
export function nameState(world: World): UpperState {
  const parts = indexesOf(world).flatMap((record) => [
    { record, names: STATE, isVersioned: true },
    { record: record.duplicates },
  ]);
  return { parts, readers: new Set() };
}

/** After the state of a world was restored: aliases of which there was none then are gone. */
export function settleNames(world: World, isRestored: (record: object) => boolean): void {
  for (const index of indexesOf(world)) {
    if (isRestored(index)) continue;
    Object.assign(index, createNameIndex(), { version: index.version + 1 });
  }
}

/** The hashes of all names, which the index keeps: by entity index the second of two numbers. */
export function nameHashes(world: World): { definition: Definition; hashes: Int32Array } {
  return { definition: Name, hashes: namesOf(world).nameIndex.entries };
}
