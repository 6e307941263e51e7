import { describe, expect, it } from "vitest";
import { addText, createTexts, findText, numberOf, type Texts } from "../../src/book/texts.ts";
import { hashOfName } from "../../src/text/step.ts";
import { createDice, nameFrom } from "../dice.ts";

/** The number of a text, given to it if it has none. */
function give(book: Texts, text: string): number {
  const known = numberOf(book, text);
  return known === 0 ? addText(book, text, hashOfName(text)) : known;
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
    expect([a === b, book.texts[a!], book.texts.length - 1]).toEqual([false, "a", 2]);
  });

  it("has none before it was given one", () => {
    const book = createTexts();
    give(book, "a");

    expect([numberOf(book, "b"), numberOf(book, "b"), numberOf(book, ""), book.texts.length - 1]).toEqual([
      0, 0, 0, 1,
    ]);
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

  it("that is added unasked is found, also if it was asked for last in vain", () => {
    const book = createTexts();
    expect(numberOf(book, "a")).toBe(0);

    const number = addText(book, "a", hashOfName("a"));

    expect([numberOf(book, "a"), numberOf(book, "b"), numberOf(book, "a")]).toEqual([number, 0, number]);
  });

  it("is told apart from one with the same hash", () => {
    const pair = ["7yzx", "e6ad"];
    expect(hashOfName(pair[0]!)).toBe(hashOfName(pair[1]!));
    const book = createTexts();

    const [one, other] = pair.map((text) => give(book, text));

    expect([one === other, ...pair.map((text) => numberOf(book, text))]).toEqual([false, one, other]);
  });

  it("is found as in a plain map", () => {
    const dice = createDice(92);
    const book = createTexts();
    const numbers = new Map<string, number>();
    for (let round = 0; round < 5_000; round++) {
      const text = nameFrom(dice);
      numbers.set(text, give(book, text));
      const asked = nameFrom(dice);
      expect(numberOf(book, asked)).toBe(numbers.get(asked) ?? 0);
    }

    for (const [text, number] of numbers) {
      expect([numberOf(book, text), book.texts[number]]).toEqual([number, text]);
    }
  });
});
