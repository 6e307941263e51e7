/** Repeatable random numbers: the same seed gives the same throws. */
export interface Dice {
  /** A whole number from 0 up to and without `sides`. */
  below(sides: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;
  const below = (sides: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
  return { below, pick: (items) => items[below(items.length)]! };
}

/** Characters that are special in paths, and some that are not. */
const SIGNS = [
  ":",
  ":",
  ":",
  "::",
  "\\",
  "\\",
  "#",
  "#1",
  "1",
  ".",
  "..",
  " ",
  "a",
  "B",
  "\n",
  '"',
  "é",
  "🚀",
  "\ud800",
];

/** A legal name of 1 to 6 characters, or at times of one random code unit. */
export function nameFrom(dice: Dice): string {
  if (dice.below(8) === 0) return String.fromCharCode(dice.below(0x10000));
  return Array.from({ length: 1 + dice.below(6) }, () => dice.pick(SIGNS)).join("");
}

/** Separators that overlap with themselves, that are halves of a character, or that are found in every text. */
export const SEPARATORS = [
  "::",
  ".",
  "/",
  "->",
  "ab",
  "aa",
  "aba",
  "abab",
  " ",
  "\n",
  "....",
  "🚀",
  "\ud83d",
  "\ude80",
  "é",
  "__proto__",
];

const PLAIN = [
  "\\",
  "#",
  "#1",
  "0",
  "7",
  '"',
  "'",
  "*",
  "?",
  "a",
  "b",
  " ",
  "\n",
  "🚀",
  "\ud83d",
  "\ude80",
  "é",
];

/** A legal name made of parts of a separator and of other special characters; at times a very long one. */
export function hostileNameFrom(dice: Dice, separator: string): string {
  const parts = [separator, separator.slice(0, -1), separator.slice(1), separator.charAt(0)];
  const sign = (): string => (dice.below(2) === 0 ? dice.pick(parts) : dice.pick(PLAIN)) || separator;
  const name = Array.from({ length: 1 + dice.below(6) }, sign).join("");
  return dice.below(100) === 0 ? name.repeat(Math.ceil(10_000 / name.length)) : name;
}
