import { type EntityIndex, grownInt32 } from "@treeline/core/internal";
import { hashOfName } from "../text/step.ts";
import { addText, createTexts, findText, numberOf, type TextNumber, type Texts } from "./texts.ts";
import { createTwins, joinTwins, leaveTwins, nextTwin, type Twins } from "./twins.ts";

/**
 * (scope, name) <-> entity. A scope is the index of a parent, or 0: the roots are siblings of one another.
 *
 *   texts     3 -> "Cockpit"
 *   filed     e3 -> [e7, 3]                   scope and text; kept here, so that nothing is asked of the world when
 *                                             somebody dies: the parent may be gone already
 *   slots     [ -  e7  e3  -  -  e9  -  - ]   by hash of scope and text; linear probing, at most half full;
 *                                             the upper byte of the hash stands above the index
 *   twins     e3 -> e5 -> e8                  those of one name in one scope, in order of arrival; a slot has the first
 *
 * A step of a path is looked up where it stands, without being cut out: one probe for its text, one for the entity.
 */
export interface NameBook {
  texts: Texts;
  /** Two numbers per entity index: its scope, and its text or 0 if it is not filed. */
  filed: Int32Array<ArrayBuffer>;
  slots: Int32Array<ArrayBuffer>;
  /** Number of slots less 1; the number of slots is a power of two. */
  mask: number;
  /** Slots in use. */
  used: number;
  /** Entities that are filed. */
  size: number;
  twins: Twins;
  /** Grows with every change. */
  version: number;
}

const FIRST_SLOTS = 16;
/** With fewer texts than this nobody looks which of them are used: while others come, and once most have left. */
const SPARED_AT_LEAST = 64;
const LEFT_AT_LEAST = 1_024;
/** The low bits of a slot are an entity index; above it stands what tells most hashes apart. */
const INDEX_MASK = 0xff_ffff;
const TAG_MASK = -0x100_0000;

export function createNameBook(): NameBook {
  return {
    texts: createTexts(),
    filed: new Int32Array(0),
    slots: new Int32Array(FIRST_SLOTS),
    mask: FIRST_SLOTS - 1,
    used: 0,
    size: 0,
    twins: createTwins(),
    version: 0,
  };
}

/** The number of the name that an entity is filed under; 0 if it is not. */
export function textAt({ filed }: NameBook, index: EntityIndex): TextNumber {
  const at = index * 2 + 1;
  return at < filed.length ? filed[at]! : 0;
}

/** The name that an entity is filed under. */
export function nameAt(book: NameBook, index: EntityIndex): string | undefined {
  const text = textAt(book, index);
  return text === 0 ? undefined : book.texts.texts[text]!;
}

/** @returns who came first to have the name in the scope, or 0. */
export function findName(book: NameBook, scope: EntityIndex, name: string): EntityIndex {
  return findPart(book, scope, name, 0, name.length, hashOfName(name));
}

/**
 * @param start of the name in the text, 0-based.
 * @param hash of that part of the text.
 * @returns who came first to have the name in the scope, or 0.
 */
export function findPart(
  book: NameBook,
  scope: EntityIndex,
  text: string,
  start: number,
  end: number,
  hash: number,
): EntityIndex {
  const number = findText(book.texts, text, start, end, hash);
  return number === 0 ? 0 : findFiled(book, scope, number);
}

/** @returns who came first to have the name with that number in the scope, or 0. */
function findFiled({ slots, mask, filed }: NameBook, scope: EntityIndex, text: TextNumber): EntityIndex {
  const hash = hashIn(scope, text);
  let at = hash & mask;
  for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
    if (((slot ^ hash) & TAG_MASK) === 0) {
      const index = slot & INDEX_MASK;
      if (filed[index * 2 + 1] === text && filed[index * 2] === scope) return index;
    }
    at = (at + 1) & mask;
  }
  return 0;
}

/** Another entity than the given one that has the name in the scope, or 0. */
export function findOther(book: NameBook, scope: EntityIndex, name: string, than: EntityIndex): EntityIndex {
  const own = textAt(book, than);
  const isOwn = own !== 0 && book.texts.texts[own] === name;
  const text = isOwn ? own : numberOf(book.texts, name);
  const holder = text === 0 ? 0 : findFiled(book, scope, text);
  return holder === than ? nextTwin(book.twins, than) : holder;
}

/** Files an entity under a name, behind others that have it in the scope; stays where it is if it is filed so. */
export function fileName(book: NameBook, index: EntityIndex, scope: EntityIndex, name: string): void {
  const { texts } = book;
  const before = textAt(book, index);
  const isSame = before !== 0 && texts.texts[before] === name;
  if (isSame && book.filed[index * 2] === scope) return;
  const text = isSame ? before : textFor(book, name);
  if (before !== 0) takeOut(book, index);
  if (isFull(book.slots.length, book.used)) refill(book, book.slots, book.slots.length * 2);
  if (index * 2 + 1 >= book.filed.length) book.filed = grownInt32(book.filed, (index + 1) * 2);
  book.filed[index * 2] = scope;
  book.filed[index * 2 + 1] = text;
  fillSlot(book, index, scope, text);
  book.size++;
  book.version++;
}

/** The number of a text, given to it if it has none. */
function textFor(book: NameBook, name: string): TextNumber {
  const known = numberOf(book.texts, name);
  if (known !== 0) return known;
  const { texts, fresh, lastHash } = book.texts;
  const indexes = book.filed.length / 2;
  // To look at all entities pays once a share of them could be spared, and must be once numbers run out.
  const isWasteful = texts.length > book.size * 2 && fresh > SPARED_AT_LEAST && fresh * 16 > indexes;
  if (isWasteful || texts.length > INDEX_MASK) compact(book);
  return addText(book.texts, name, lastHash);
}

/** Lays texts out anew, those left out that nobody is called, and slots, as few as are needed. */
function compact(book: NameBook): void {
  const { filed, slots, texts: before } = book;
  const texts = createTexts();
  const numbers = new Int32Array(before.texts.length);
  for (let at = 1; at < filed.length; at += 2) {
    const number = filed[at]!;
    if (number === 0) continue;
    if (numbers[number] === 0) {
      numbers[number] = addText(texts, before.texts[number]!, before.hashes[number]!);
    }
    filed[at] = numbers[number]!;
  }
  texts.fresh = 0;
  book.texts = texts;
  if (book.twins.count === 0) book.twins = createTwins();
  let length = FIRST_SLOTS;
  while (isFull(length, book.used)) length *= 2;
  refill(book, slots, length);
}

/** Takes an entity out of the book. It need not be alive, nor its parent. */
export function unfileName(book: NameBook, index: EntityIndex): void {
  const text = textAt(book, index);
  if (text === 0) return;
  takeOut(book, index);
  book.filed[index * 2 + 1] = 0;
  book.version++;
  // Most of a level is gone.
  if (book.texts.texts.length > LEFT_AT_LEAST + book.size * 4) compact(book);
}

function hashIn(scope: EntityIndex, text: TextNumber): number {
  const mixed = Math.imul(Math.imul(scope, 0x9e3779b1) ^ text, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** A slot for the first of its name and scope; whoever comes later stands behind it. */
function fillSlot(book: NameBook, index: EntityIndex, scope: EntityIndex, text: TextNumber): void {
  const { slots, mask, filed } = book;
  const hash = hashIn(scope, text);
  let at = hash & mask;
  for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
    if (((slot ^ hash) & TAG_MASK) === 0) {
      const first = slot & INDEX_MASK;
      if (filed[first * 2 + 1] === text && filed[first * 2] === scope) {
        joinTwins(book.twins, first, index);
        return;
      }
    }
    at = (at + 1) & mask;
  }
  slots[at] = (hash & TAG_MASK) | index;
  book.used++;
}

/** Frees the place of an entity for others; what stands in `filed` is stale then. */
function takeOut(book: NameBook, index: EntityIndex): void {
  const { slots, mask, filed, twins } = book;
  const hash = hashIn(filed[index * 2]!, filed[index * 2 + 1]!);
  const after = nextTwin(twins, index);
  let at = hash & mask;
  while (slots[at] !== 0 && (slots[at]! & INDEX_MASK) !== index) at = (at + 1) & mask;
  if (after === 0) emptySlot(book, at);
  else {
    // In a slot stands only the first of a ring.
    if (slots[at] !== 0) slots[at] = (hash & TAG_MASK) | after;
    leaveTwins(twins, index);
  }
  book.size--;
}

/** Empties a slot; those behind it that would not be found any more move up. */
function emptySlot(book: NameBook, place: number): void {
  const { slots, mask, filed } = book;
  let hole = place;
  let at = (hole + 1) & mask;
  for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
    const index = slot & INDEX_MASK;
    const home = hashIn(filed[index * 2]!, filed[index * 2 + 1]!) & mask;
    if (((at - home) & mask) >= ((at - hole) & mask)) {
      slots[hole] = slot;
      hole = at;
    }
    at = (at + 1) & mask;
  }
  slots[hole] = 0;
  book.used--;
}

/** Would one more be too many? */
function isFull(slots: number, used: number): boolean {
  return (used + 1) * 2 > slots;
}

/** Puts the first of each name and scope into so many slots. */
function refill(book: NameBook, before: Int32Array<ArrayBuffer>, length: number): void {
  const { filed } = book;
  book.slots = new Int32Array(length);
  book.mask = length - 1;
  const { slots, mask } = book;
  for (let from = 0; from < before.length; from++) {
    const index = before[from]! & INDEX_MASK;
    if (index === 0) continue;
    const hash = hashIn(filed[index * 2]!, filed[index * 2 + 1]!);
    let at = hash & mask;
    while (slots[at] !== 0) at = (at + 1) & mask;
    slots[at] = (hash & TAG_MASK) | index;
  }
}

/** Where the book contradicts itself, as text; for the law alone. */
export function brokenEntries(book: NameBook): string[] {
  const broken: string[] = [];
  const { filed, texts } = book;
  const places = placesOf(book);
  let size = 0;
  for (let index = 1; index * 2 < filed.length; index++) {
    const text = textAt(book, index);
    if (text === 0) continue;
    size++;
    const name = texts.texts[text]!;
    if (findText(texts, name, 0, name.length, hashOfName(name)) !== text) {
      broken.push(`the text of e${index} is not found`);
    }
    if (places.get(index) !== findFiled(book, filed[index * 2]!, text)) {
      broken.push(`e${index} is not found under its name and scope`);
    }
  }
  if (size !== book.size || places.size !== size || book.used + book.twins.count !== size) {
    broken.push(`${size} entities are filed, ${places.size} are reached, ${book.size} counted`);
  }
  return broken;
}

/** Everybody who is reached through a slot, and the first of those who share its name and scope. */
function placesOf({ slots, twins }: NameBook): Map<EntityIndex, EntityIndex> {
  const places = new Map<EntityIndex, EntityIndex>();
  for (const slot of slots) {
    const first = slot & INDEX_MASK;
    if (first === 0) continue;
    for (let at = first; at !== 0 && !places.has(at); at = nextTwin(twins, at)) places.set(at, first);
  }
  return places;
}
