/** Whole numbers from a seed. */
export class Dice {
  private state: number;
  constructor(seed: number) {
    this.state = (seed * 2_654_435_761 + 1) >>> 0;
  }
  below(sides: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * sides);
  }
  pick<Value>(list: readonly Value[]): Value {
    return list[this.below(list.length)]!;
  }
}
