import { describe, expect, it } from "vitest";
import { freeName } from "../../src/text/text.ts";
import { createDice } from "../dice.ts";

/** The free name, and the names tried, where these names are taken. */
function freeNameAmong(name: string, taken: Iterable<string>): { free: string; tried: string[] } {
  const all = new Set(taken);
  const tried: string[] = [];
  const free = freeName(name, (candidate) => {
    tried.push(candidate);
    return all.has(candidate);
  });
  return { free, tried };
}

const numbers = (base: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, at) => `${base} (${from + at})`);

describe("a free name", () => {
  it.each([
    ["Crate", [], "Crate"],
    ["Crate", ["Crate"], "Crate (2)"],
    ["Crate", ["Crate", "Crate (2)"], "Crate (3)"],
    ["Crate", ["Crate", "Crate (3)"], "Crate (2)"],
    ["Crate", ["Crate", ...numbers("Crate", 2, 9)], "Crate (10)"],
    ["Crate (7)", [], "Crate (7)"],
    ["Crate (7)", ["Crate (7)"], "Crate (8)"],
    ["Crate (7)", ["Crate (7)", "Crate (8)"], "Crate (9)"],
    ["Crate (1)", ["Crate (1)"], "Crate (2)"],
    ["Crate (2)", ["Crate (2)"], "Crate (3)"],
    ["Crate (9)", ["Crate (9)"], "Crate (10)"],
    ["a\nb (2)", ["a\nb (2)"], "a\nb (3)"],
    ["🚀 (2)", ["🚀 (2)"], "🚀 (3)"],
    ["\ud83d (2)", ["\ud83d (2)"], "\ud83d (3)"],
    ["a (2) (3)", ["a (2) (3)"], "a (2) (4)"],
  ])("of %j, where %j are taken, is %j", (name, taken, free) => {
    expect(freeNameAmong(name, taken).free).toBe(free);
  });

  it.each([
    "(7)",
    " (7)",
    "Crate(7)",
    "Crate (07)",
    "Crate (0)",
    "Crate (-1)",
    "Crate (7) ",
    "Crate (7)\n",
    "Crate (7",
    "Crate ()",
    "Crate (x)",
    "Crate (1.5)",
    "Crate (７)",
    "Crate (1234567890)",
    `Crate (${"9".repeat(400)})`,
  ])("of %j has a number behind it: counting does not start from it", (name) => {
    expect(freeNameAmong(name, [name]).free).toBe(`${name} (2)`);
  });

  it("goes past the largest number from which counting starts", () => {
    expect(freeNameAmong("a (999999999)", ["a (999999999)"]).free).toBe("a (1000000000)");
    expect(freeNameAmong("a (1000000000)", ["a (1000000000)"]).free).toBe("a (1000000000) (2)");
  });

  it("is the next one of a row without holes, of whatever length", () => {
    for (let last = 2; last <= 70; last++) {
      expect(freeNameAmong("a", ["a", ...numbers("a", 2, last)]).free).toBe(`a (${last + 1})`);
      expect(freeNameAmong("a (5)", numbers("a", 5, last + 4)).free).toBe(`a (${last + 5})`);
    }
  });

  it("is free, and is the first one or follows a taken one, wherever there are holes", () => {
    const dice = createDice(51);
    for (let round = 0; round < 1_000; round++) {
      const start = dice.below(3) === 0 ? 1 + dice.below(20) : 0;
      const name = start === 0 ? "a" : `a (${start})`;
      const first = start === 0 ? 2 : start + 1;
      const share = 1 + dice.below(10);
      const taken = new Set([name, ...numbers("a", first, first + 80).filter(() => dice.below(share) > 0)]);

      const { free } = freeNameAmong(name, taken);

      const number = Number(/\((\d+)\)$/.exec(free)![1]);
      expect(taken.has(free)).toBe(false);
      expect(number >= first && (number === first || taken.has(`a (${number - 1})`))).toBe(true);
    }
  });

  it("is found with one test if the name is free, and with two if the first number is", () => {
    expect(freeNameAmong("a", []).tried).toEqual(["a"]);
    expect(freeNameAmong("a", ["a"]).tried).toEqual(["a", "a (2)"]);
  });

  it("is searched by doubling, then by halving", () => {
    const { tried, free } = freeNameAmong("a", ["a", ...numbers("a", 2, 8)]);

    expect(free).toBe("a (9)");
    expect(tried).toEqual(["a", ...[2, 3, 4, 6, 10, 8, 9].map((number) => `a (${number})`)]);
  });

  it.each([10, 1_000, 100_000, 10_000_000])("of a row of %d costs tests by its logarithm", (length) => {
    let tried = 0;
    const free = freeName("a", (candidate) => {
      tried++;
      if (candidate === "a") return true;
      return Number(/\((\d+)\)$/.exec(candidate)![1]) <= length;
    });

    expect(free).toBe(`a (${length + 1})`);
    expect(tried).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(length)) + 4);
  });

  it("of a long text with a bracket at its end is read at once", () => {
    const name = `${" (1".repeat(50_000)})x`;

    expect(freeNameAmong(name, [name]).free).toBe(`${name} (2)`);
  });
});
