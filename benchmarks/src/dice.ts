/** Gives whole numbers from 0 to below `sides`. */
export type Dice = (sides: number) => number;

/** Xorshift: the same seed gives the same throws, so that contestants get the same work. */
export function diceOf(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0 || 1;
  return (sides) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % sides;
  };
}

/** The numbers from 0 to below `count`, in random order. */
export function shuffled(count: number, dice: Dice): Int32Array {
  const numbers = Int32Array.from({ length: count }, (_, at) => at);
  for (let at = count - 1; at > 0; at--) {
    const other = dice(at + 1);
    const number = numbers[at]!;
    numbers[at] = numbers[other]!;
    numbers[other] = number;
  }
  return numbers;
}
