/** Repeatable random numbers: the same seed returns the same numbers, on every machine. */
export interface Dice {
  /** A whole number from 0 up to and without `sides`. */
  below(sides: number): number;
  /** True with the given chance, 0 to 1. */
  chance(likelihood: number): boolean;
  /** One item of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: 32 bits of state. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;

  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    below: (sides) => Math.floor(fraction() * sides),
    chance: (likelihood) => fraction() < likelihood,
    pick: (items) => items[Math.floor(fraction() * items.length)]!,
  };
}

/**
 * Seeds of a random walk, from `first` on: a quarter of `count`, at least one. `TREELINE_WALKS` says how many quarters to walk instead.
 *
 * @param step where the kind of a walk depends on its seed: the number of kinds.
 */
export function seeds(first: number, count: number, step = 1): number[] {
  const quarters = Number(process.env.TREELINE_WALKS ?? 1);
  return Array.from({ length: Math.ceil((count * quarters) / 4) }, (_, at) => first + at * step);
}
