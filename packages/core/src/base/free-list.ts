/** A growing ring of small numbers: what went in first comes out first. */
export interface FreeList {
  /** Length is a power of two. */
  ring: Int32Array<ArrayBuffer>;
  /** Place of the oldest number. */
  head: number;
  size: number;
}

export function createFreeList(): FreeList {
  return { ring: new Int32Array(16), head: 0, size: 0 };
}

/** Makes room in a full list. */
export function lengthen(list: FreeList): void {
  const longer = new Int32Array(list.size * 2);
  longer.set(list.ring.subarray(list.head));
  longer.set(list.ring.subarray(0, list.head), list.size - list.head);
  list.ring = longer;
  list.head = 0;
}

export function putFree(list: FreeList, value: number): void {
  if (list.size === list.ring.length) lengthen(list);
  list.ring[(list.head + list.size) & (list.ring.length - 1)] = value;
  list.size++;
}

/** Takes the oldest number; the list must not be empty. */
export function takeFree(list: FreeList): number {
  const value = list.ring[list.head]!;
  list.head = (list.head + 1) & (list.ring.length - 1);
  list.size--;
  return value;
}
