import { type EntityIndex, grownInt32 } from "@treeline/core/internal";
import { hashOfName } from "../text/step.ts";

/**
 * (scope, name) <-> entity. A scope is the index of a parent, or 0: the roots are siblings of one another.
 *
 *   names     e3 -> "Cockpit"
 *   filed     e3 -> [e7, hash of "Cockpit"]   scope first; kept here, so that nothing is asked of the world when somebody
 *                                             dies: the parent may be gone already
 *   slots     [ -  e7  e3  -  -  e9  -  - ]   by hash of scope and name; linear probing, at most half full;
 *                                             the upper byte of the hash stands above the index
 *   twins     e3 -> e5 -> e8                  those of one name in one scope, in order of arrival; a slot has the first
 *
 * A step of a path is looked up where it stands, without being cut out.
 */
export interface NameIndex {
  /** By entity index; empty for those who are not filed. */
  readonly names: string[];
  /** Names of late, each once, for others who are called alike. */
  readonly texts: Map<string, string>;
  /** Two numbers per entity index: its scope, and the hash of its name. */
  filed: Int32Array<ArrayBuffer>;
  slots: Int32Array<ArrayBuffer>;
  /** Number of slots less 1; the number of slots is a power of two. */
  mask: number;
  /** Slots in use. */
  used: number;
  /** Entities that are filed. */
  size: number;
  readonly twins: Twins;
  /** Grows with every change. */
  version: number;
}

const FIRST_SLOTS = 16;
/** Who is called alike by one of so many names has the same text, which stays in the cache of the processor. */
const TEXTS_SHARED = 4_096;
/** With fewer slots than this none are given back. */
const SPARED_AT_LEAST = 1_024;
/** The low bits of a slot are an entity index; above it stands what tells most hashes apart. */
const INDEX_MASK = 0xff_ffff;
const TAG_MASK = -0x100_0000;

export function createNameIndex(): NameIndex {
  return {
    names: [],
    texts: new Map(),
    filed: new Int32Array(0),
    slots: new Int32Array(FIRST_SLOTS),
    mask: FIRST_SLOTS - 1,
    used: 0,
    size: 0,
    twins: { next: new Int32Array(0), previous: new Int32Array(0), count: 0 },
    version: 0,
  };
}

/** The name that an entity is filed under. */
export function nameAt({ names }: NameIndex, index: EntityIndex): string | undefined {
  return names[index] || undefined;
}

/** @returns who came first to have the name in the scope, or 0. */
export function findName(nameIndex: NameIndex, scope: EntityIndex, name: string): EntityIndex {
  return findPart(nameIndex, scope, name, 0, name.length, hashOfName(name));
}

/**
 * @param start of the name in the text, 0-based.
 * @param hash of that part of the text.
 * @returns who came first to have the name in the scope, or 0.
 */
export function findPart(
  { names, filed, slots, mask }: NameIndex,
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
      if (filed[index * 2] === scope && filed[index * 2 + 1] === hash) {
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
  const holder = findPart(nameIndex, scope, name, 0, name.length, hashFor(nameIndex, than, name));
  return holder === than ? nextTwin(nameIndex.twins, than) : holder;
}

/** Files an entity under a name, behind others that have it in the scope; stays where it is if it is filed so. */
export function fileName(nameIndex: NameIndex, index: EntityIndex, scope: EntityIndex, name: string): void {
  const { names } = nameIndex;
  const isSame = names[index] === name;
  if (isSame && nameIndex.filed[index * 2] === scope) return;
  const text = isSame ? names[index]! : sharedText(nameIndex, name);
  const hash = hashFor(nameIndex, index, name);
  unfileName(nameIndex, index);
  if ((nameIndex.used + 1) * 2 > nameIndex.slots.length) refill(nameIndex, nameIndex.slots.length * 2);
  if (index >= names.length) {
    nameIndex.filed = grownInt32(nameIndex.filed, (index + 1) * 2);
    while (names.length <= index) names.push("");
  }
  const first = findPart(nameIndex, scope, name, 0, name.length, hash);
  names[index] = text;
  nameIndex.filed[index * 2] = scope;
  nameIndex.filed[index * 2 + 1] = hash;
  if (first === 0) fillSlot(nameIndex, index);
  else joinTwins(nameIndex.twins, first, index);
  nameIndex.size++;
  nameIndex.version++;
}

/** The hash of a name, which is not read anew if the entity has been filed under it. */
function hashFor({ names, filed }: NameIndex, index: EntityIndex, name: string): number {
  return names[index] === name ? filed[index * 2 + 1]! : hashOfName(name);
}

function sharedText({ texts }: NameIndex, name: string): string {
  const known = texts.get(name);
  if (known !== undefined) return known;
  if (texts.size === TEXTS_SHARED) texts.clear();
  texts.set(name, name);
  return name;
}

/** Takes an entity out of the book. It need not be alive, nor its parent. */
export function unfileName(nameIndex: NameIndex, index: EntityIndex): void {
  const { names, slots, mask, twins } = nameIndex;
  if (nameAt(nameIndex, index) === undefined) return;
  const hash = hashAt(nameIndex, index);
  const after = nextTwin(twins, index);
  let at = hash & mask;
  while (slots[at] !== 0 && (slots[at]! & INDEX_MASK) !== index) at = (at + 1) & mask;
  if (after === 0) emptySlot(nameIndex, at);
  else {
    // In a slot stands only the first of a ring.
    if (slots[at] !== 0) slots[at] = (hash & TAG_MASK) | after;
    leaveTwins(twins, index);
  }
  names[index] = "";
  nameIndex.size--;
  nameIndex.version++;
  // Most of a level is gone.
  if (slots.length > SPARED_AT_LEAST && nameIndex.used * 16 < slots.length)
    refill(nameIndex, slots.length / 4);
}

/** The hash of scope and name. */
function hashAt({ filed }: NameIndex, index: EntityIndex): number {
  return mix(filed[index * 2]!, filed[index * 2 + 1]!);
}

function mix(scope: EntityIndex, hash: number): number {
  const mixed = Math.imul(Math.imul(scope, 0x9e3779b1) ^ hash, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** A slot for the first of its name and scope. */
function fillSlot(nameIndex: NameIndex, index: EntityIndex): void {
  const { slots, mask } = nameIndex;
  const hash = hashAt(nameIndex, index);
  let at = hash & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = (hash & TAG_MASK) | index;
  nameIndex.used++;
}

/** Empties a slot; those behind it that would not be found any more move up. */
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

/** Puts the first of each name and scope into so many slots. */
function refill(nameIndex: NameIndex, length: number): void {
  const before = nameIndex.slots;
  nameIndex.slots = new Int32Array(length);
  nameIndex.mask = length - 1;
  nameIndex.used = 0;
  for (const slot of before) if (slot !== 0) fillSlot(nameIndex, slot & INDEX_MASK);
}

// ---- twins -------------------------------------------------------------------------------------------------------

/**
 * Rings of entities that have one name in one scope, in order of arrival: the one before the first is the last.
 * Empty in worlds where names are taken once, but for moments while several entities change places.
 */
export interface Twins {
  /** Entity index -> who came after it; 0 for those that are alone. */
  next: Int32Array<ArrayBuffer>;
  previous: Int32Array<ArrayBuffer>;
  /** Entities that stand behind another one. */
  count: number;
}

/** Who stands behind in the ring, the first one behind the last; 0 if nobody does. */
export function nextTwin({ next }: Twins, index: number): number {
  return index < next.length ? next[index]! : 0;
}

/** Puts an entity behind the last of a ring, or of somebody alone. */
export function joinTwins(twins: Twins, first: number, index: number): void {
  const length = Math.max(first, index) + 1;
  twins.next = grownInt32(twins.next, length);
  twins.previous = grownInt32(twins.previous, length);
  const { next, previous } = twins;
  const last = next[first] === 0 ? first : previous[first]!;
  next[last] = index;
  next[index] = first;
  previous[index] = last;
  previous[first] = index;
  twins.count++;
}

/** Takes an entity that is not alone out of its ring. */
export function leaveTwins(twins: Twins, index: number): void {
  const { next, previous } = twins;
  const before = previous[index]!;
  const after = next[index]!;
  next[index] = 0;
  previous[index] = 0;
  twins.count--;
  if (before === after) {
    next[before] = 0;
    previous[before] = 0;
    return;
  }
  next[before] = after;
  previous[after] = before;
}
