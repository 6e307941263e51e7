/**
 * How many numbers, list entries, map entries and properties hang on something, functions left out: what grows there is
 * kept. Unlike the heap it is the same in each run.
 */
export function sizeOf(root: object): number {
  const pending: unknown[] = [root];
  const counted = new Set<unknown>();
  let size = 0;
  for (let one = pending.pop(); pending.length > 0 || one !== undefined; one = pending.pop()) {
    if (typeof one !== "object" || one === null || counted.has(one)) continue;
    counted.add(one);
    if (ArrayBuffer.isView(one)) {
      size += one.byteLength;
      continue;
    }
    const parts = partsOf(one);
    size += parts.length;
    for (const part of parts) if (typeof part === "object" && part !== null) pending.push(part);
  }
  return size;
}

function partsOf(one: object): readonly unknown[] {
  if (Array.isArray(one)) return one;
  if (one instanceof Map) return [...one.keys(), ...one.values()];
  if (one instanceof Set) return [...one];
  return Object.values(one);
}
