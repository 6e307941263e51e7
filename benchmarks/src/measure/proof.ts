// Refuses a comparison whose contestants have different checksums (`proveEqual`).

/** Does the work once, from the start, and returns a checksum of the result. */
export interface Witness {
  readonly name: string;
  readonly checksum: () => number;
}

/** Throws unless all have the same checksum: contestants that do different work must not be compared. */
export function proveEqual(witnesses: readonly Witness[]): void {
  const found = witnesses.map(({ name, checksum }) => ({ name, sum: checksum() }));
  if (found.every(({ sum }) => sum === found[0]!.sum)) return;
  throw new Error(`no comparison: ${found.map(({ name, sum }) => `"${name}" returns ${sum}`).join(", ")}`);
}

/** A sum that depends on the places of the values; exact for whole numbers of moderate size. */
export function checksumOf(count: number, valueAt: (at: number) => number): number {
  let sum = 0;
  for (let at = 0; at < count; at++) sum += valueAt(at) * (1 + (at % 7));
  return sum;
}
