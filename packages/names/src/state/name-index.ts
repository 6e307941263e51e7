// (scope, name) to entity: a hash table (`findPart`, `insertName`); shares `TEXTS_SHARED` texts, grows and shrinks (`refill`, `trimNames`).
import { type EntityIndex, grownInt32 } from "@treeline/core/internal";
import { hashOfName } from "../text/step.ts";

/**
 * (scope, name) <-> entity. A scope is the index of a parent, or 0: the roots are siblings of one another.
 *
 *   names     e3 -> "Cockpit"
 *   entries     e3 -> [e7, hash of "Cockpit"]   scope first; kept here, so that a destruction does not read the world:
 *                                               the parent may have been destroyed already
 *   slots       [ -  e7  e3  -  -  e9  -  - ]   by hash of scope and name; linear probing, at most half full;
 *                                               the upper byte of the hash is stored above the entity index
 *   duplicates  e3 -> e5 -> e8                  entities of one name in one scope, in order of arrival; a slot has the first
 *
 * A step is looked up as a part of its path: no string is sliced.
 */
export interface NameIndex {
  /** By entity index; empty for entities that are not in the index. */
  readonly names: string[];
  /** Recent names, by the low bits of their hashes: entities with equal names share one string. */
  readonly texts: (string | undefined)[];
  /** Two numbers per entity index: its scope, and the hash of its name. */
  entries: Int32Array<ArrayBuffer>;
  slots: Int32Array<ArrayBuffer>;
  /** Number of slots less 1; the number of slots is a power of two. */
  mask: number;
  /** Slots in use. */
  used: number;
  /** Entities in the index. */
  size: number;
  readonly duplicates: Duplicates;
  /** Increases with every change. */
  version: number;
}

const FIRST_SLOTS = 16;
/** Size of `texts`, a power of two. Entities with one of these names share its string, which stays in the processor's cache. */
const TEXTS_SHARED = 1_024;
/** An index with fewer slots than this never shrinks. */
const SPARED_AT_LEAST = 1_024;
/** The low bits of a slot are an entity index; the bits above it distinguish most hashes. */
const INDEX_MASK = 0xff_ffff;
const TAG_MASK = -0x100_0000;

export function createNameIndex(names: string[] = []): NameIndex {
  return {
    names,
    texts: new Array(TEXTS_SHARED),
    entries: new Int32Array(0),
    slots: new Int32Array(FIRST_SLOTS),
    mask: FIRST_SLOTS - 1,
    used: 0,
    size: 0,
    duplicates: { next: new Int32Array(0), previous: new Int32Array(0), count: 0 },
    version: 0,
  };
}

/** The name of an entity in the index. */
export function nameAt({ names }: NameIndex, index: EntityIndex): string | undefined {
  return names[index] || undefined;
}

/** @returns the first entity to have the name in the scope, or 0. */
export function findName(nameIndex: NameIndex, scope: EntityIndex, name: string): EntityIndex {
  return findPart(nameIndex, scope, name, 0, name.length, hashOfName(name));
}

/**
 * @param start of the name in the text, 0-based.
 * @param hash of that part of the text.
 * @returns the first entity to have the name in the scope, or 0.
 */
export function findPart(
  { names, entries, slots, mask }: NameIndex,
  scope: EntityIndex,
  text: string,
  start: number,
  end: number,
  hash: number,
): EntityIndex {
  const mixed = mix(scope, hash);
  let at = mixed & mask;
  for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
    if (((slot ^ mixed) & TAG_MASK) === 0) {
      const index = slot & INDEX_MASK;
      if (entries[index * 2] === scope && entries[index * 2 + 1] === hash) {
        const name = names[index]!;
        if (name.length === end - start && text.startsWith(name, start)) return index;
      }
    }
    at = (at + 1) & mask;
  }
  return 0;
}

/** Another entity than the given one that has the name in the scope, or 0. */
export function findOther(
  nameIndex: NameIndex,
  scope: EntityIndex,
  name: string,
  than: EntityIndex,
): EntityIndex {
  const found = findPart(nameIndex, scope, name, 0, name.length, hashFor(nameIndex, than, name));
  return found === than ? nextDuplicate(nameIndex.duplicates, than) : found;
}

/** Puts an entity into the index, after others with that name in the scope; changes nothing if it is there already. */
export function insertName(nameIndex: NameIndex, index: EntityIndex, scope: EntityIndex, name: string): void {
  const { names } = nameIndex;
  const isSame = names[index] === name;
  if (isSame && nameIndex.entries[index * 2] === scope) return;
  const hash = hashFor(nameIndex, index, name);
  removeName(nameIndex, index);
  reserveNames(nameIndex, 1, index + 1);
  store(nameIndex, index, scope, name, hash, findPart(nameIndex, scope, name, 0, name.length, hash));
}

/** Makes room for `count` more names, of entities with indexes below `indexes`. */
export function reserveNames(nameIndex: NameIndex, count: number, indexes: number): void {
  const { names } = nameIndex;
  let { length } = nameIndex.slots;
  while ((nameIndex.used + count) * 2 > length) length *= 2;
  if (length > nameIndex.slots.length) refill(nameIndex, length);
  nameIndex.entries = grownInt32(nameIndex.entries, indexes * 2);
  while (names.length < indexes) names.push("");
}

/**
 * Puts an entity without a name into the index, which has room for it.
 *
 * @param first the first entity that has the name in the scope, or 0.
 */
export function store(
  nameIndex: NameIndex,
  index: EntityIndex,
  scope: EntityIndex,
  name: string,
  hash: number,
  first = 0,
): void {
  const { names, texts } = nameIndex;
  const place = hash & (TEXTS_SHARED - 1);
  if (texts[place] !== name) texts[place] = name;
  names[index] = texts[place]!;
  enter(nameIndex, index, scope, hash, first);
  nameIndex.size++;
  nameIndex.version++;
}

/** Enters an entity whose name is among `names` already. @param first as for `store`. */
export function enter(
  nameIndex: NameIndex,
  index: EntityIndex,
  scope: EntityIndex,
  hash: number,
  first = 0,
): void {
  const { entries } = nameIndex;
  entries[index * 2] = scope;
  entries[index * 2 + 1] = hash;
  if (first === 0) fillSlot(nameIndex, index);
  else addDuplicate(nameIndex.duplicates, first, index);
}

/** The hash of a name; not computed again if the entity is in the index under that name. */
function hashFor({ names, entries }: NameIndex, index: EntityIndex, name: string): number {
  return names[index] === name ? entries[index * 2 + 1]! : hashOfName(name);
}

/** Removes an entity from the index. Neither the entity nor its parent must be alive. */
export function removeName(nameIndex: NameIndex, index: EntityIndex): void {
  const { names, slots, mask, duplicates } = nameIndex;
  if (nameAt(nameIndex, index) === undefined) return;
  const hash = hashAt(nameIndex, index);
  const after = nextDuplicate(duplicates, index);
  let at = hash & mask;
  while (slots[at] !== 0 && (slots[at]! & INDEX_MASK) !== index) at = (at + 1) & mask;
  if (after === 0) emptySlot(nameIndex, at);
  else {
    // A slot has only the first entity of a ring.
    if (slots[at] !== 0) slots[at] = (hash & TAG_MASK) | after;
    removeDuplicate(duplicates, index);
  }
  names[index] = "";
  nameIndex.size--;
  nameIndex.version++;
  // Few slots are left in use.
  if (slots.length > SPARED_AT_LEAST && nameIndex.used * 16 < slots.length)
    refill(nameIndex, slots.length / 4);
}

/** The hash of scope and name. */
function hashAt({ entries }: NameIndex, index: EntityIndex): number {
  return mix(entries[index * 2]!, entries[index * 2 + 1]!);
}

function mix(scope: EntityIndex, hash: number): number {
  const mixed = Math.imul(Math.imul(scope, 0x9e3779b1) ^ hash, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** Fills a slot for the first entity of its name and scope. */
function fillSlot(nameIndex: NameIndex, index: EntityIndex): void {
  const { slots, mask } = nameIndex;
  const hash = hashAt(nameIndex, index);
  let at = hash & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = (hash & TAG_MASK) | index;
  nameIndex.used++;
}

/** Empties a slot; moves up entries after it that would not be found any more. */
function emptySlot(nameIndex: NameIndex, place: number): void {
  const { slots, mask } = nameIndex;
  let hole = place;
  let at = (hole + 1) & mask;
  for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
    const home = hashAt(nameIndex, slot & INDEX_MASK) & mask;
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      slots[hole] = slot;
      hole = at;
    }
    at = (at + 1) & mask;
  }
  slots[hole] = 0;
  nameIndex.used--;
}

/** Gives back room of entities with indexes from `indexes` on, which have no names. */
export function trimNames(nameIndex: NameIndex, indexes: number): void {
  const { names, entries } = nameIndex;
  names.length = Math.min(names.length, indexes);
  // What growing has given stays: it would copy at once.
  if (entries.length > indexes * 4) nameIndex.entries = entries.slice(0, indexes * 2);
}

/** Replaces the slots by `length` new ones. */
function refill(nameIndex: NameIndex, length: number): void {
  const before = nameIndex.slots;
  nameIndex.slots = new Int32Array(length);
  nameIndex.mask = length - 1;
  nameIndex.used = 0;
  for (const slot of before) if (slot !== 0) fillSlot(nameIndex, slot & INDEX_MASK);
}

// ---- duplicates --------------------------------------------------------------------------------------------------

/**
 * Rings of entities that have one name in one scope, in order of arrival: the one before the first is the last.
 * Empty in worlds with unique names, except for moments while several entities change places.
 */
export interface Duplicates {
  /** Entity index -> the entity that came after it; 0 for an entity without duplicates. */
  next: Int32Array<ArrayBuffer>;
  previous: Int32Array<ArrayBuffer>;
  /** Entities that come after another one. */
  count: number;
}

/** The next entity in the ring, the first one after the last; 0 without duplicates. */
export function nextDuplicate({ next }: Duplicates, index: number): number {
  return index < next.length ? next[index]! : 0;
}

/** Puts an entity after the last of a ring; `first` may have no duplicates yet. */
export function addDuplicate(duplicates: Duplicates, first: number, index: number): void {
  const length = Math.max(first, index) + 1;
  duplicates.next = grownInt32(duplicates.next, length);
  duplicates.previous = grownInt32(duplicates.previous, length);
  const { next, previous } = duplicates;
  const last = next[first] === 0 ? first : previous[first]!;
  next[last] = index;
  next[index] = first;
  previous[index] = last;
  previous[first] = index;
  duplicates.count++;
}

/** Removes an entity that has duplicates from its ring. */
export function removeDuplicate(duplicates: Duplicates, index: number): void {
  const { next, previous } = duplicates;
  const before = previous[index]!;
  const after = next[index]!;
  next[index] = 0;
  previous[index] = 0;
  duplicates.count--;
  next[before] = before === after ? 0 : after;
  previous[after] = before === after ? 0 : before;
}
