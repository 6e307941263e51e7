import { grownInt32 } from "@treeline/core/internal";
import { escapeName, hashOfName, type Step, stepOfIndex } from "./path.ts";

/** Entity index; 0 stands for nobody, and as a scope for the roots. */
type EntityIndex = number;

/**
 * (scope, name) <-> entity. A scope is the index of a parent, or 0: the roots are siblings of one another.
 *
 *   slots     [ -  e7  e3  -  -  e9  -  - ]   by hash of scope and name; linear probing, at most half full
 *   names     e3 -> "Cockpit"
 *   scopes    e3 -> e7                        kept here, so that nothing is asked of the world when somebody dies:
 *                                             the parent may be gone already
 *
 * Names are hashed here, so that a step of a path is looked up where it stands, without being cut out: one probe.
 */
export interface NameBook {
  /** Entity index -> its name; undefined for those that are not filed. */
  readonly names: (string | undefined)[];
  /** Entity index -> its scope; stale for those that are not filed. */
  scopes: Int32Array<ArrayBuffer>;
  /** Two numbers per slot: entity index, or 0 if the slot is empty, and the hash of its scope and name. */
  slots: Int32Array<ArrayBuffer>;
  /** Number of slots less 1; the number of slots is a power of two. */
  mask: number;
  /** Entities that are filed. */
  size: number;
  /** Where paths are read to. */
  readonly step: Step;
}

const FIRST_SLOTS = 16;

export function createNameBook(): NameBook {
  return {
    names: [],
    scopes: new Int32Array(0),
    slots: new Int32Array(FIRST_SLOTS * 2),
    mask: FIRST_SLOTS - 1,
    size: 0,
    step: { end: 0, hash: 0, isSpecial: false },
  };
}

/** The path step that leads to an entity from its scope. */
export function stepAt(book: NameBook, index: EntityIndex): string {
  const name = book.names[index];
  return name === undefined ? stepOfIndex(index) : escapeName(name);
}

/** @returns who has the name in the scope, or 0. */
export function findName(book: NameBook, scope: EntityIndex, name: string): EntityIndex {
  return findPart(book, scope, name, 0, name.length, hashOfName(name));
}

/**
 * @param start of the name in the text, 0-based.
 * @param hash of that part of the text.
 * @returns who has the name in the scope, or 0.
 */
export function findPart(
  book: NameBook,
  scope: EntityIndex,
  text: string,
  start: number,
  end: number,
  nameHash: number,
): EntityIndex {
  const { slots, mask, scopes, names } = book;
  const hash = hashIn(scope, nameHash);
  let at = (hash & mask) * 2;
  for (let index = slots[at]!; index !== 0; index = slots[at]!) {
    if (slots[at + 1] === hash && scopes[index] === scope) {
      const name = names[index]!;
      if (name.length === end - start && text.startsWith(name, start)) return index;
    }
    at = (at + 2) & (mask * 2);
  }
  return 0;
}

/** Files an entity under a name that is free in the scope, or that it has there already. */
export function fileName(book: NameBook, index: EntityIndex, scope: EntityIndex, name: string): void {
  const before = book.names[index];
  if (before !== undefined) {
    if (before === name && book.scopes[index] === scope) return;
    emptySlotOf(book, index, before);
  } else if (index >= book.names.length) growEntities(book, index);
  if (book.size * 2 >= book.mask) growSlots(book);
  book.names[index] = name;
  book.scopes[index] = scope;
  fillSlot(book, index, hashIn(scope, hashOfName(name)));
  book.size++;
}

/** Takes an entity out of the book. It need not be alive, nor its parent. */
export function unfileName(book: NameBook, index: EntityIndex): void {
  const name = book.names[index];
  if (name === undefined) return;
  emptySlotOf(book, index, name);
  book.names[index] = undefined;
}

function growEntities(book: NameBook, index: EntityIndex): void {
  while (book.names.length <= index) book.names.push(undefined);
  book.scopes = grownInt32(book.scopes, index + 1);
}

function hashIn(scope: EntityIndex, nameHash: number): number {
  const mixed = Math.imul(Math.imul(scope, 0x9e3779b1) ^ nameHash, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

function fillSlot({ slots, mask }: NameBook, index: EntityIndex, hash: number): void {
  let at = (hash & mask) * 2;
  while (slots[at] !== 0) at = (at + 2) & (mask * 2);
  slots[at] = index;
  slots[at + 1] = hash;
}

/** Empties the slot of a filed entity; those behind it that would not be found any more move up. */
function emptySlotOf(book: NameBook, filed: EntityIndex, name: string): void {
  const { slots, mask } = book;
  let hole = hashIn(book.scopes[filed]!, hashOfName(name)) & mask;
  while (slots[hole * 2] !== filed) hole = (hole + 1) & mask;

  let slot = (hole + 1) & mask;
  for (let index = slots[slot * 2]!; index !== 0; index = slots[slot * 2]!) {
    const hash = slots[slot * 2 + 1]!;
    if (((slot - hash) & mask) >= ((slot - hole) & mask)) {
      slots[hole * 2] = index;
      slots[hole * 2 + 1] = hash;
      hole = slot;
    }
    slot = (slot + 1) & mask;
  }
  slots[hole * 2] = 0;
  book.size--;
}

function growSlots(book: NameBook): void {
  const before = book.slots;
  book.slots = new Int32Array(before.length * 2);
  book.mask = before.length - 1;
  for (let at = 0; at < before.length; at += 2) {
    if (before[at] !== 0) fillSlot(book, before[at]!, before[at + 1]!);
  }
}

/** Where the book contradicts itself, as text; for the law alone. */
export function brokenEntries(book: NameBook): string[] {
  const broken: string[] = [];
  let filed = 0;
  book.names.forEach((name, index) => {
    if (name === undefined) return;
    filed++;
    if (findName(book, book.scopes[index]!, name) === index) return;
    broken.push(`e${index} is not found under its name and scope`);
  });
  let used = 0;
  for (let at = 0; at < book.slots.length; at += 2) if (book.slots[at] !== 0) used++;
  if (filed !== book.size || used !== book.size) {
    broken.push(`${filed} entities are filed, ${used} slots are used, ${book.size} counted`);
  }
  return broken;
}
