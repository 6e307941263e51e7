import { describe, expect, it } from "vitest";
import { hashOfName } from "../src/step.ts";
import {
  addText,
  createTexts,
  findText,
  isFull,
  makeRoomForTexts,
  numberOf,
  sweepTexts,
  type Texts,
} from "../src/texts.ts";
import { createDice, nameFrom } from "./dice.ts";

/** The number of a text, given to it if it has none; of the others only those stay that are said to be used. */
function give(book: Texts, text: string, used?: Iterable<number>): number {
  const known = numberOf(book, text);
  if (known !== 0) return known;
  if (isFull(book)) {
    if (used !== undefined) {
      const isUsed = new Uint8Array(book.texts.length);
      for (const number of used) isUsed[number] = 1;
      sweepTexts(book, isUsed);
    }
    makeRoomForTexts(book);
  }
  return addText(book);
}

describe("a text in the book", () => {
  it("has one number, however often it is asked for", () => {
    const book = createTexts();

    const [a, b] = [give(book, "a"), give(book, "b")];

    expect([give(book, "a"), give(book, "b"), numberOf(book, "a"), numberOf(book, "a")]).toEqual([
      a,
      b,
      a,
      a,
    ]);
    expect([a === b, book.texts[a!], book.size]).toEqual([false, "a", 2]);
  });

  it("has none before it was given one", () => {
    const book = createTexts();
    give(book, "a");

    expect([numberOf(book, "b"), numberOf(book, "b"), numberOf(book, ""), book.size]).toEqual([0, 0, 0, 1]);
  });

  it("is found inside a longer text, where it stands", () => {
    const book = createTexts();
    const number = give(book, "Hold");

    expect(findText(book, "Ship::Hold::x", 6, 10, hashOfName("Hold"))).toBe(number);
    expect(findText(book, "Ship::Hull::x", 6, 10, hashOfName("Hold"))).toBe(0);
    expect(findText(book, "Ship::Holder", 6, 12, hashOfName("Hold"))).toBe(0);
  });

  it("keeps its number while others come", () => {
    const book = createTexts();
    const texts = Array.from({ length: 5_000 }, (_, at) => `text ${at}`);

    const numbers = texts.map((text) => give(book, text));

    expect(texts.map((text) => numberOf(book, text))).toEqual(numbers);
    expect(new Set(numbers).size).toBe(5_000);
  });

  it("loses its number by a sweep if nobody uses it, also if it was asked for last", () => {
    const book = createTexts();
    const [a, b] = [give(book, "a"), give(book, "b")];
    expect(numberOf(book, "b")).toBe(b);

    sweepTexts(book, new Uint8Array([0, 1, 0]));
    makeRoomForTexts(book);

    expect([numberOf(book, "b"), numberOf(book, "a"), book.size]).toEqual([0, a, 1]);
    expect([give(book, "c"), numberOf(book, "b"), give(book, "b") === b]).toEqual([b, 0, false]);
  });

  it("is told apart from one with the same hash", () => {
    const pair = ["7yzx", "e6ad"];
    expect(hashOfName(pair[0]!)).toBe(hashOfName(pair[1]!));
    const book = createTexts();

    const [one, other] = pair.map((text) => give(book, text));

    expect([one === other, ...pair.map((text) => numberOf(book, text))]).toEqual([false, one, other]);
  });

  it("is found as in a plain map, whatever comes and is swept away", () => {
    const dice = createDice(92);
    const book = createTexts();
    const used = new Map<string, number>();
    for (let round = 0; round < 5_000; round++) {
      const text = nameFrom(dice);
      if (used.has(text) && dice.below(2) === 0) used.delete(text);
      else used.set(text, give(book, text, used.values()));
      const [asked] = [...used.keys()].slice(dice.below(used.size || 1));
      if (asked !== undefined) expect(numberOf(book, asked)).toBe(used.get(asked));
    }

    for (const [text, number] of used)
      expect([numberOf(book, text), book.texts[number]]).toEqual([number, text]);
  });
});
