// Repeatable random numbers: Mulberry32 (`createDice`).

/** Repeatable random numbers: the same seed gives the same sequence on every machine. */
export interface Dice {
  /** An integer from 0 up to `sides` - 1. */
  below(sides: number): number;
  /** True with the given chance, 0 to 1. */
  chance(likelihood: number): boolean;
  /** One item of a list that is not empty. */
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: 32 bits of state; random enough for walks, and fast. */
export function createDice(seed: number): Dice {
  let state = seed >>> 0;

  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    below: (sides) => Math.floor(fraction() * sides),
    chance: (likelihood) => fraction() < likelihood,
    pick: (items) => {
      if (items.length === 0) throw new Error("the list is empty");
      return items[Math.floor(fraction() * items.length)]!;
    },
  };
}
