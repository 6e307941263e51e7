/** How many of whom a world is made of. Plain data: it travels between processes. */
export interface Layout {
  readonly parents: number;
  /** As usual, in block order. */
  readonly children: number;
  /** Live ones for Position, there before the children. */
  readonly queries: number;
}

/** A filled world. Handles in lists of the program's own are left behind, unless the library needs them kept. */
export interface Held {
  /** Sees the world, and so keeps it: how many children there are, counted by the way they are found. */
  readonly count: () => number;
}

/** Births one by one. */
export interface Growing {
  /** Entities as usual, roots; `stamp` is called after each. */
  readonly run: (stamp: () => void) => void | Promise<void>;
  /** How many there are, and their Position.x and Velocity.y: see `sumOfGrown`. */
  readonly checksum: () => number;
}

/** What a contestant can be weighed with. */
export interface Holdings {
  /** `undefined` for a layout that it cannot do. */
  readonly settle?: (layout: Layout) => Held | undefined | Promise<Held | undefined>;
  /** So many roots, named after the texts or not at all. The count is of those that are found by name. */
  readonly named?: (texts: readonly string[], isNamed: boolean) => Held;
  /** @param entities how many there will be, for those who have to know. */
  readonly grow?: (entities: number) => Growing | Promise<Growing>;
}

/** Over columns of all who were born, in any order. */
export function sumOfGrown(count: number, x: (at: number) => number, vy: (at: number) => number): number {
  let sum = count;
  for (let at = 0; at < count; at++) sum += x(at) + vy(at);
  return sum;
}
