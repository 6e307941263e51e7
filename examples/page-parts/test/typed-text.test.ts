import { expect, it } from "vitest";
import { placeOfTyped, TypedText } from "../src/typed-text.ts";

const names = ["Body", "Battery", "Cabin", "battery 2"];
const placeAfter = (from: number, typed: string): number =>
  placeOfTyped(names.length, (at) => names[at]!, from, typed);

it("joins letters that are typed without a pause", () => {
  const typed = new TypedText();

  expect(typed.add("b", 1_000)).toBe("b");
  expect(typed.add("a", 1_300)).toBe("ba");
  expect(typed.add("c", 3_000)).toBe("c");
});

it("moves on by one letter, round to the first, whatever their case", () => {
  expect(placeAfter(-1, "b")).toBe(0);
  expect(placeAfter(0, "b")).toBe(1);
  expect(placeAfter(1, "B")).toBe(3);
  expect(placeAfter(3, "b")).toBe(0);
});

it("stays while a longer text fits, and finds nothing for one that does not", () => {
  expect(placeAfter(1, "ba")).toBe(1);
  expect(placeAfter(2, "ba")).toBe(3);
  expect(placeAfter(1, "bo")).toBe(0);
  expect(placeAfter(1, "x")).toBe(-1);
});
