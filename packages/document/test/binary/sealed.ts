import { hashOfWords } from "../../src/binary/bytes.ts";

/** Gives changed bytes their length and their checksum, as someone would who wants them read. */
export function sealed(given: Uint8Array): Uint8Array {
  const bytes = new Uint8Array((Math.max(given.length, 20) + 3) & ~3);
  bytes.set(given);
  const numbers = new Uint32Array(bytes.buffer, 8, 3);
  numbers[1] = bytes.length;
  numbers[2] = hashOfWords(bytes, 0);
  return bytes;
}
