// What a contestant must provide so that its memory can be measured (`Holdings`, `Layout`).

/** The sizes of a world. Plain data: it travels between processes. */
export interface Layout {
  readonly parents: number;
  /** As usual, in block order. */
  readonly children: number;
  /** Live ones for Position, made before the children. */
  readonly queries: number;
}

/** Roots as usual, and what some of them have in addition. Plain data, like a layout. */
export interface Equipment {
  readonly roots: number;
  /** A component Aim (2, 3), two f32, or a tag. */
  readonly extra: "nothing" | "component" | "tag";
  /** The first root has it, and after it every so many. */
  readonly every: number;
}

/** A filled world. Handles are not kept in lists of the program, unless the library needs them. */
export interface Held {
  /** References the world, and so keeps it alive: the number of children, counted by the way they are found. */
  readonly count: () => number;
}

/** Spawns one by one. */
export interface Growing {
  /** Entities as usual, roots; `stamp` is called after each. */
  readonly run: (stamp: () => void) => void | Promise<void>;
  /** Their number, Position.x and Velocity.y: see `sumOfGrown`. */
  readonly checksum: () => number;
}

/** The worlds of a contestant whose memory can be measured. */
export interface Holdings {
  /** `undefined` for a layout that it cannot do. */
  readonly settle?: (layout: Layout) => Held | undefined | Promise<Held | undefined>;
  /** The count is of the roots that have the extra, of all without one. */
  readonly equip?: (equipment: Equipment) => Held | Promise<Held>;
  /** One root per text, named after it or not named. The count is of those that are found by name. */
  readonly named?: (texts: readonly string[], isNamed: boolean) => Held;
  /** @param entities their number, for contestants that must know it beforehand. */
  readonly grow?: (entities: number) => Growing | Promise<Growing>;
}

/** Of the columns of all spawned entities, in any order. */
export function sumOfGrown(count: number, x: (at: number) => number, vy: (at: number) => number): number {
  let sum = count;
  for (let at = 0; at < count; at++) sum += x(at) + vy(at);
  return sum;
}
