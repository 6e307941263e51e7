import { grownInt32 } from "@treeline/core/internal";
import { hashOfName } from "../text/step.ts";

/** Counts texts from 1; 0 stands for none. */
export type TextNumber = number;

/**
 * text <-> number: each text stands once, however many entities are called so.
 *
 *   slots     [ -  2  -  -  1  -  3  - ]   by hash; linear probing; the upper byte of the hash stands above the number
 *   texts     2 -> "Cockpit"               texts that nobody uses any more stay until it pays to look for them
 *   hashes    2 -> hash of "Cockpit"
 */
export interface Texts {
  readonly texts: string[];
  hashes: Int32Array<ArrayBuffer>;
  slots: Int32Array<ArrayBuffer>;
  /** Number of slots less 1; the number of slots is a power of two. */
  mask: number;
  /** Texts that were added since somebody last looked whether all are used. */
  fresh: number;
  /** What was asked for last, since names are checked first and then filed; with its hash, and its number or 0. */
  lastText: string;
  lastHash: number;
  lastNumber: TextNumber;
}

const FIRST_SLOTS = 16;

export function createTexts(): Texts {
  return {
    texts: [""],
    hashes: new Int32Array(1),
    slots: new Int32Array(FIRST_SLOTS),
    mask: FIRST_SLOTS - 1,
    fresh: 0,
    lastText: "",
    lastHash: 0,
    lastNumber: 0,
  };
}

/** Are slots too few for so many texts? At four fifths a text that is there is the third one that is met, on average. */
function isCrowded(slots: number, used: number): boolean {
  return used * 5 > slots * 4;
}

/** Slots hold numbers below, and what tells most hashes apart above. */
const NUMBER_MASK = 0xff_ffff;
const TAG_MASK = -0x100_0000;

/**
 * @param hash of the part of `path` from `start` to `end`.
 * @returns the number of that text, or 0.
 */
export function findText(
  { slots, mask, texts }: Texts,
  path: string,
  start: number,
  end: number,
  hash: number,
): TextNumber {
  const length = end - start;
  let at = hash & mask;
  for (let slot = slots[at]!; slot !== 0; slot = slots[at]!) {
    if (((slot ^ hash) & TAG_MASK) === 0) {
      const text = texts[slot & NUMBER_MASK]!;
      if (text.length === length && path.startsWith(text, start)) return slot & NUMBER_MASK;
    }
    at = (at + 1) & mask;
  }
  return 0;
}

/** The number of a text, or 0. Quick when the same one is asked for twice in a row. */
export function numberOf(book: Texts, text: string): TextNumber {
  if (text !== book.lastText) {
    book.lastText = text;
    book.lastHash = hashOfName(text);
    book.lastNumber = findText(book, text, 0, text.length, book.lastHash);
  }
  return book.lastNumber;
}

/** Gives a number to a text that has none. */
export function addText(book: Texts, text: string, hash: number): TextNumber {
  if (isCrowded(book.slots.length, book.texts.length)) growSlots(book);
  const number = book.texts.push(text) - 1;
  book.hashes = grownInt32(book.hashes, number + 1);
  book.hashes[number] = hash;
  fillSlot(book, number, hash);
  book.fresh++;
  if (text === book.lastText) book.lastNumber = number;
  return number;
}

function fillSlot({ slots, mask }: Texts, number: TextNumber, hash: number): void {
  let at = hash & mask;
  while (slots[at] !== 0) at = (at + 1) & mask;
  slots[at] = (hash & TAG_MASK) | number;
}

function growSlots(book: Texts): void {
  const { texts, hashes } = book;
  book.slots = new Int32Array(book.slots.length * 2);
  book.mask = book.slots.length - 1;
  for (let number = 1; number < texts.length; number++) fillSlot(book, number, hashes[number]!);
}
