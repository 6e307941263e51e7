// Where entities of edited instances are, by part (`filePart`, `filedPart`).
import { entityAt, type World } from "@treeline/core";
import { worldState } from "@treeline/core/internal";
import { linkAt } from "./part-records.ts";

/** How many slots there are at first; a power of two. At most half of them are in use. */
const FIRST_SLOTS = 64;

/**
 * Where the parts of instances are: a hash table with open addressing whose slots have entity indexes, and no keys. An index that is found is checked by its
 * link, so nothing is removed when entities are destroyed or move, and nothing is to be restored. Instances are filed when a part is asked for that is not
 * where it was spawned: 8 to 16 bytes for each of their parts. `pack` empties it.
 */
export interface PartTable {
  slots: Int32Array;
  /** Slots that are not 0. */
  used: number;
}

export const partTableOf: (world: World) => PartTable = /* @__PURE__ */ worldState((_, { packed }) => {
  const table = { slots: new Int32Array(FIRST_SLOTS), used: 0 };
  packed.push(() => Object.assign(table, { slots: new Int32Array(FIRST_SLOTS), used: 0 }));
  return table;
});

/** Multiplicative hashing (Knuth, The Art of Computer Programming 6.4) of two entity indexes, by two odd numbers. */
function placeOf({ slots }: PartTable, instance: number, part: number): number {
  const hash = Math.imul(instance, 0x9e3779b1) ^ Math.imul(part, 0x85ebca6b);
  return (hash ^ (hash >>> 15)) & (slots.length - 1);
}

/** Files the index of an entity under an instance and a part. Of several entities, the first one stays the first that is found. */
export function filePart(world: World, instance: number, part: number, index: number): void {
  const table = partTableOf(world);
  if (table.used * 2 >= table.slots.length) clear(world, table);
  const { slots } = table;
  let at = placeOf(table, instance, part);
  while (slots[at] !== 0 && slots[at] !== index && isLinked(world, slots[at]!))
    at = (at + 1) & (slots.length - 1);
  if (slots[at] === 0) table.used++;
  slots[at] = index;
}

/** The first index filed under an instance and a part that a test accepts; 0 for none. Indexes of other instances and parts may be tested as well. */
export function filedPart(
  world: World,
  instance: number,
  part: number,
  isRight: (index: number) => boolean,
): number {
  const table = partTableOf(world);
  const { slots } = table;
  let at = placeOf(table, instance, part);
  while (slots[at] !== 0 && !isRight(slots[at]!)) at = (at + 1) & (slots.length - 1);
  return slots[at]!;
}

function isLinked(world: World, index: number): boolean {
  return entityAt(world, index) !== undefined && linkAt(world, index) !== 0;
}

/** Empties a table that is full; it gets more slots unless most entities in it are gone. Instances are filed again when they are asked for. */
function clear(world: World, table: PartTable): void {
  const { length } = table.slots;
  const linked = table.slots.filter((index) => index !== 0 && isLinked(world, index)).length;
  table.slots = new Int32Array(linked * 4 > length ? length * 2 : length);
  table.used = 0;
}
