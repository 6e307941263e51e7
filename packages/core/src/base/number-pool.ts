// Lists of numbers in one array (`NumberPool`): slices whose lengths are powers of two, the free ones by length (`takeSlice`, `extendSlice`).
import { grownInt32 } from "./growing.ts";

/** The fewest numbers of a slice, a power of two. */
export const LEAST_ROOM = 2;

/** Lists of numbers, each in a slice of its own whose length is a power of two; free slices of a size are linked by their first numbers. */
export interface NumberPool {
  pool: Int32Array<ArrayBuffer>;
  /** By the exponent of a size: 1 plus the start of the first free slice, or 0. */
  readonly free: Int32Array<ArrayBuffer>;
  /** The numbers of the pool that were ever used. */
  end: number;
}

/** The length of a slice for so many numbers. */
export function roomOfSlice(count: number): number {
  return count <= LEAST_ROOM ? LEAST_ROOM : 1 << (32 - Math.clz32(count - 1));
}

/** @returns the first place of a slice of `room` numbers, a power of two. */
export function takeSlice(lists: NumberPool, room: number): number {
  const size = 31 - Math.clz32(room);
  const found = lists.free[size]! - 1;
  if (found >= 0) {
    lists.free[size] = lists.pool[found]!;
    return found;
  }
  if (lists.end + room > lists.pool.length) lists.pool = grownInt32(lists.pool, lists.end + room);
  lists.end += room;
  return lists.end - room;
}

/**
 * Makes the last slice of the pool longer. @returns false, with nothing changed, if it is not the last, or a free one is as long: lists that
 * grow and end again and again would leave a slice each time.
 */
export function extendSlice(lists: NumberPool, first: number, room: number, longer: number): boolean {
  if (first + room !== lists.end || lists.free[31 - Math.clz32(longer)] !== 0) return false;
  lists.pool = grownInt32(lists.pool, first + longer);
  lists.end = first + longer;
  return true;
}

export function freeSlice(lists: NumberPool, first: number, room: number): void {
  if (first + room === lists.end) {
    lists.end = first;
    return;
  }
  const size = 31 - Math.clz32(room);
  lists.pool[first] = lists.free[size]!;
  lists.free[size] = first + 1;
}
