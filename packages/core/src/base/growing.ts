/** Room for at least `length` numbers: half as much again as before, so that growing stays cheap on average. */
function roomFor(have: number, length: number): number {
  return Math.max(length, have + (have >> 1), 16);
}

/** @returns `array` itself if it holds `length` numbers, else a longer copy; new places hold 0. */
export function grownInt32(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const longer = new Int32Array(roomFor(array.length, length));
  longer.set(array);
  return longer;
}

/** The same for unsigned numbers. */
export function grownUint32(array: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  if (array.length >= length) return array;
  const longer = new Uint32Array(roomFor(array.length, length));
  longer.set(array);
  return longer;
}

/** Bytes of the typed arrays that are fields of records. */
export function bytesIn(...records: readonly object[]): number {
  const views = records.flatMap((record) => Object.values(record)).filter((one) => ArrayBuffer.isView(one));
  return views.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
}
