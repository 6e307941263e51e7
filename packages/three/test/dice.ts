/** Random numbers that are the same in each run. */
export class Dice {
  private seed: number;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** From 0 to 1, without 1. */
  next(): number {
    this.seed = (Math.imul(this.seed, 1_664_525) + 1_013_904_223) >>> 0;
    return this.seed / 2 ** 32;
  }

  /** A whole number below another. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  pick<One>(list: readonly One[]): One {
    return list[this.below(list.length)]!;
  }
}
