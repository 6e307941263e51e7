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

/** Rows `first .. end` are used from now on, or not any more. */
export function markRange(bits: UsedBits, first: number, end: number, used: boolean): void {
  fillBits(bits.words, first, end, used);
  bits.stale = true;
}

/** The bits of one word from bit `from` up to bit `to`, of 32 at most. */
export function maskOf(from: number, to: number): number {
  return (-1 << from) & (-1 >>> (32 - to));
}

/** Sets or clears the bits from `first` to `end`. */
export function fillBits(words: Int32Array, first: number, end: number, on: boolean): void {
  const last = (end - 1) >> 5;
  for (let at = first >>> 5; at <= last; at++) {
    const base = at << 5;
    const mask = maskOf(first > base ? first & 31 : 0, end < base + 32 ? end & 31 : 32);
    if (on) words[at]! |= mask;
    else words[at]! &= ~mask;
  }
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

export function bytesOfUsedBits({ words, bounds }: UsedBits): number {
  return words.byteLength + bounds.byteLength;
}
