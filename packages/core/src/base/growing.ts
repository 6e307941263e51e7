// How typed arrays grow: by half, to at least 16 (`grown`), and shrink (`shrinkAll`); `grownInt32` for hot loops; counts bytes (`bytesIn`).

type Numbers =
  | Int32Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Uint8Array<ArrayBuffer>
  | Uint16Array<ArrayBuffer>
  | Float64Array<ArrayBuffer>;

/** `array` itself if long enough, else a copy at least half as long again, so that growing stays cheap; the rest is zero. */
export function grown<Kind extends Numbers>(array: Kind, length: number): Kind {
  if (array.length >= length) return array;
  const Maker = array.constructor as new (length: number) => Kind;
  const longer = new Maker(Math.max(length, array.length + (array.length >> 1), 16));
  longer.set(array);
  return longer;
}

/** The same for hot loops: for one array type only, with a fast path when the array is long enough. */
export function grownInt32(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  return array.length >= length ? array : grown(array, length);
}

/** Makes arrays of a record hold `length` numbers: those whose names start with `group`, or with `isIn` false all others. */
export function growAll(record: object, length: number, group = "", isIn = true): void {
  const arrays = record as { [name: string]: Numbers };
  for (const name in arrays) {
    const array = arrays[name]!;
    if (ArrayBuffer.isView(array) && name.startsWith(group) === isIn) arrays[name] = grown(array, length);
  }
}

/** `array` itself, or a copy of its first `length` numbers if it has more room than growing gives: then growing would copy it at once. */
export function shrunk<Kind extends Numbers>(array: Kind, length: number): Kind {
  return array.length > length + (length >> 1) + 16 ? (array.slice(0, length) as Kind) : array;
}

/** The opposite of `growAll`, for arrays with more room than growing gives. */
export function shrinkAll(record: object, length: number, group = "", isIn = true): void {
  const arrays = record as { [name: string]: Numbers };
  for (const name in arrays) {
    const array = arrays[name]!;
    if (ArrayBuffer.isView(array) && name.startsWith(group) === isIn) arrays[name] = shrunk(array, length);
  }
}

/** Total bytes of the typed arrays that are fields of the records. */
export function bytesIn(...records: readonly object[]): number {
  const views = records.flatMap((record) => Object.values(record)).filter((one) => ArrayBuffer.isView(one));
  return views.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
}
