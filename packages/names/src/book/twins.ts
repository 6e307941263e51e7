import { grownInt32 } from "@treeline/core/internal";

/**
 * Rings of entities that have one name in one scope, in order of arrival: the one before the first is the last.
 * Empty in worlds where names are taken once, but for moments while several entities change places.
 */
export interface Twins {
  /** Entity index -> who came after it; 0 for those that are alone. */
  next: Int32Array<ArrayBuffer>;
  previous: Int32Array<ArrayBuffer>;
  /** Entities that stand behind another one. */
  count: number;
}

export function createTwins(): Twins {
  return { next: new Int32Array(0), previous: new Int32Array(0), count: 0 };
}

/** Who stands behind in the ring, the first one behind the last; 0 if nobody does. */
export function nextTwin({ next }: Twins, index: number): number {
  return index < next.length ? next[index]! : 0;
}

/** Puts an entity behind the last of a ring, or of somebody alone. */
export function joinTwins(twins: Twins, first: number, index: number): void {
  const length = Math.max(first, index) + 1;
  twins.next = grownInt32(twins.next, length);
  twins.previous = grownInt32(twins.previous, length);
  const { next, previous } = twins;
  const last = next[first] === 0 ? first : previous[first]!;
  next[last] = index;
  next[index] = first;
  previous[index] = last;
  previous[first] = index;
  twins.count++;
}

/** Takes an entity that is not alone out of its ring. */
export function leaveTwins(twins: Twins, index: number): void {
  const { next, previous } = twins;
  const before = previous[index]!;
  const after = next[index]!;
  next[index] = 0;
  previous[index] = 0;
  twins.count--;
  if (before === after) {
    next[before] = 0;
    previous[before] = 0;
    return;
  }
  next[before] = after;
  previous[after] = before;
}
