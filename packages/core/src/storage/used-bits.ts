/**
 * One bit per row of a shape, set while the row is used. Runs are read off the bits, without looking at tables, and
 * kept until a bit changes.
 */
export interface UsedBits {
  /** Row r is bit r % 32 of word r / 32. */
  words: Int32Array<ArrayBuffer>;
  /** Runs as last read: [first, end, first, end, ...], absolute rows; the first `length` numbers count. */
  bounds: Int32Array<ArrayBuffer>;
  length: number;
  /** A bit has changed since the runs were read. */
  stale: boolean;
  /** Another number each time they are read. */
  edition: number;
}

export function createUsedBits(): UsedBits {
  return { words: new Int32Array(0), bounds: new Int32Array(16), length: 0, stale: false, edition: 0 };
}

/** Makes room for `rows` bits; new ones are clear. */
export function resizeBits(bits: UsedBits, rows: number): void {
  const words = new Int32Array((rows + 31) >>> 5);
  words.set(bits.words.subarray(0, words.length));
  bits.words = words;
}

export function markUsed(bits: UsedBits, row: number): void {
  bits.words[row >>> 5]! |= 1 << (row & 31);
  bits.stale = true;
}

export function markUnused(bits: UsedBits, row: number): void {
  bits.words[row >>> 5]! &= ~(1 << (row & 31));
  bits.stale = true;
}

export function isUsed(bits: UsedBits, row: number): boolean {
  return (bits.words[row >>> 5]! & (1 << (row & 31))) !== 0;
}

export function markRangeUsed(bits: UsedBits, first: number, end: number): void {
  const { words } = bits;
  bits.stale = true;
  let row = first;
  for (; row < end && (row & 31) !== 0; row++) words[row >>> 5]! |= 1 << (row & 31);
  for (; row + 32 <= end; row += 32) words[row >>> 5] = -1;
  for (; row < end; row++) words[row >>> 5]! |= 1 << (row & 31);
}

export function markRangeUnused(bits: UsedBits, first: number, end: number): void {
  const { words } = bits;
  bits.stale = true;
  let row = first;
  for (; row < end && (row & 31) !== 0; row++) words[row >>> 5]! &= ~(1 << (row & 31));
  for (; row + 32 <= end; row += 32) words[row >>> 5] = 0;
  for (; row < end; row++) words[row >>> 5]! &= ~(1 << (row & 31));
}

/**
 * Reads the runs of the rows below `end` if a bit has changed. Cost: one step per 32 rows and one per bound.
 *
 * A bound is where a bit differs from the bit before it: word XOR (word shifted by one, with the last bit carried in).
 */
export function refreshRuns(bits: UsedBits, end: number): void {
  if (!bits.stale) return;
  bits.stale = false;
  bits.edition++;
  const { words } = bits;
  const count = (end + 31) >>> 5;
  let { bounds } = bits;
  let length = 0;
  let carry = 0;
  for (let at = 0; at < count; at++) {
    const word = words[at]!;
    let changes = word ^ ((word << 1) | carry);
    if (changes === 0) continue;
    carry = word >>> 31;
    if (length + 33 > bounds.length) {
      const longer = new Int32Array(bounds.length * 2 + 64);
      longer.set(bounds);
      bounds = longer;
    }
    const base = at << 5;
    while (changes !== 0) {
      bounds[length++] = base + 31 - Math.clz32(changes & -changes);
      changes &= changes - 1;
    }
  }
  if (carry !== 0) bounds[length++] = count << 5;
  bits.bounds = bounds;
  bits.length = length;
}
