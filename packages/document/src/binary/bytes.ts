// The head, numbers, lanes and texts as bytes (`ByteWriter`, `ByteReader`); the hash of all (`hashOfWords`); `bad-value`.
import { TreelineError } from "@treeline/core";
import { refuseDocument } from "../format/error.ts";

/** "treeline", the version, the length of all and the checksum of all that follows; then the rest. */
export const MAGIC: readonly number[] = [0x74, 0x72, 0x65, 0x65, 0x6c, 0x69, 0x6e, 0x65];
export const VERSION = 1;
/** Bytes of the head. The whole is a multiple of four bytes long. */
export const HEAD = 20;

/** Typed arrays that are written and read as they are. */
export type Lane =
  | Uint8Array
  | Uint32Array
  | Int32Array
  | Float32Array
  | Float64Array
  | Int8Array
  | Int16Array
  | Uint16Array;

/** What this needs of the platform: browsers, workers and Node have it. */
interface Platform {
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
  readonly TextDecoder: new (
    label: string,
    options: { fatal: boolean; ignoreBOM: boolean },
  ) => { decode(bytes: Uint8Array): string };
}

const platform = (): Platform => globalThis as unknown as Platform;

/** @throws TreelineError `bad-value` where numbers have their highest byte first. */
export function requireLittleEndian(): void {
  if (new Uint8Array(new Uint16Array([1]).buffer)[0] !== 1)
    throw new TreelineError("bad-value", "binary documents need a little-endian machine; use JSON here");
}

/** Collects bytes, and texts apart from them. */
export class ByteWriter {
  private bytes = new Uint8Array(4096);
  private length = 0;
  readonly texts: string[] = [];

  private room(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.length, this.bytes.length * 2));
      grown.set(this.bytes);
      this.bytes = grown;
    }
    return at;
  }

  /** @param number a whole number from 0 to 2 ** 31 - 1: seven bits a byte, the lowest first. */
  number(number: number): void {
    let at = this.room(5);
    let rest = number;
    for (; rest > 127; rest >>>= 7) this.bytes[at++] = (rest & 127) | 128;
    this.bytes[at++] = rest;
    this.length = at;
  }

  lane(lane: Lane): void {
    const at = this.room(lane.byteLength);
    this.bytes.set(new Uint8Array(lane.buffer, lane.byteOffset, lane.byteLength), at);
  }

  /** All texts as one, and all bytes. @param last texts that come after the others. */
  whole(last: readonly string[]): Uint8Array {
    const { texts } = this;
    const head = new ByteWriter();
    for (const text of last) texts.push(text);
    head.number(last.length);
    head.number(texts.length);
    for (let at = 0; at < texts.length; at++) head.number(texts[at]!.length);
    const joined = texts.join("");
    // UTF-8 has no lone surrogates.
    const isPlain = !/\p{Surrogate}/u.test(joined);
    const encoded = isPlain ? new (platform().TextEncoder)().encode(joined) : unitsOf(joined);
    head.number(isPlain ? 0 : 1);
    head.number(encoded.byteLength);
    head.lane(encoded);
    const length = (HEAD + head.length + this.length + 3) & ~3;
    const result = new Uint8Array(length);
    result.set(MAGIC);
    result.set(head.bytes.subarray(0, head.length), HEAD);
    result.set(this.bytes.subarray(0, this.length), HEAD + head.length);
    const numbers = new Uint32Array(result.buffer, 8, 3);
    numbers[0] = VERSION;
    numbers[1] = length;
    numbers[2] = hashOfWords(result, 0);
    return result;
  }
}

function unitsOf(text: string): Uint16Array {
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  return units;
}

/** A hash of 32 bits of all behind the head, by words. @param bytes from a multiple of four bytes in their buffer. */
export function hashOfWords(bytes: Uint8Array, seed: number): number {
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset + HEAD, (bytes.length - HEAD) >> 2);
  // Two chains: a multiplication has to wait for the one before.
  let one = seed ^ 0x2c1b3c6d;
  let other = seed ^ 0x297a2d39;
  const even = words.length & ~1;
  for (let at = 0; at < even; at += 2) {
    one = Math.imul(one ^ words[at]!, 0x85ebca6b);
    one ^= one >>> 15;
    other = Math.imul(other ^ words[at + 1]!, 0xc2b2ae35);
    other ^= other >>> 13;
  }
  if (even < words.length) one = Math.imul(one ^ words[even]!, 0x85ebca6b);
  let hash = Math.imul(one ^ (one >>> 16), 0x9e3779b1) ^ other ^ words.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Reads what `ByteWriter` has written. Whatever the bytes are, it reads none that are not there. */
export class ByteReader {
  private readonly bytes: Uint8Array;
  private at: number = HEAD;
  private readonly texts: string[] = [];
  private nextText = 0;
  /** The texts that come last. */
  readonly last: readonly string[];

  /** @throws DocumentError for bytes that are no document, of another version, or damaged. */
  constructor(given: Uint8Array, most: number) {
    if (given.length > most)
      refuseDocument("", `the document has ${given.length} bytes, more than the limit of ${most}`);
    for (let at = 0; at < MAGIC.length; at++)
      if (given[at] !== MAGIC[at]) refuseDocument(`byte ${at}`, "this is no binary document of Treeline");
    // Words are read from multiples of four.
    const bytes = given.byteOffset % 4 === 0 ? given : given.slice();
    this.bytes = bytes;
    if (bytes.length < HEAD) refuseDocument(`byte ${bytes.length}`, "the document ends in its head");
    const [version, length, hash] = new Uint32Array(bytes.buffer, bytes.byteOffset + 8, 3);
    if (version !== VERSION)
      refuseDocument("byte 8", `this program reads version ${VERSION} of the format, not ${version}`);
    if (length !== bytes.length || length % 4 !== 0)
      refuseDocument("byte 12", `the document says that it has ${length} bytes, and has ${bytes.length}`);
    if (hash !== hashOfWords(bytes, 0))
      refuseDocument("byte 16", "the checksum is another one; the document is damaged");
    const lastCount = this.number();
    const count = this.count(1);
    if (lastCount > count) this.refuse("there are fewer texts than it says");
    const lengths = new Float64Array(count);
    for (let at = 0; at < count; at++) lengths[at] = this.number();
    const encoding = this.number();
    if (encoding > 1) this.refuse("no text has this encoding");
    const joined = this.joined(encoding, this.lane(new Uint8Array(this.count(1))));
    let from = 0;
    for (let at = 0; at < count; at++) this.texts.push(joined.slice(from, (from += lengths[at]!)));
    if (from !== joined.length) this.refuse("the texts have other lengths than it says");
    this.last = this.texts.splice(count - lastCount, lastCount);
  }

  private joined(encoding: number, encoded: Uint8Array): string {
    if (encoding === 0) {
      try {
        return new (platform().TextDecoder)("utf-8", { fatal: true, ignoreBOM: true }).decode(encoded);
      } catch {
        return this.refuse("the texts are no UTF-8");
      }
    }
    if (encoded.length % 2 !== 0) this.refuse("the texts are no UTF-16");
    const units = new Uint16Array(encoded.buffer);
    const pieces: string[] = [];
    for (let at = 0; at < units.length; at += 4096)
      pieces.push(String.fromCharCode(...units.subarray(at, at + 4096)));
    return pieces.join("");
  }

  /** @throws DocumentError always. */
  refuse(message: string): never {
    return refuseDocument(`byte ${this.at}`, message);
  }

  number(): number {
    let number = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.bytes[this.at];
      if (byte === undefined) this.refuse("the document ends too early");
      this.at++;
      number += (byte & 127) * 2 ** shift;
      if (byte < 128) return number < 2 ** 31 ? number : this.refuse("this number is too large");
    }
    return this.refuse("this number is too large");
  }

  /** A number of things that have at least `size` bytes each. */
  count(size: number): number {
    const count = this.number();
    this.requireRest(count * size);
    return count;
  }

  requireRest(size: number): void {
    if (size > this.bytes.length - this.at)
      this.refuse(`${size} bytes do not fit into the rest of the document`);
  }

  text(): string {
    return this.texts[this.nextText++] ?? this.refuse("there are fewer texts than are used");
  }

  /** Fills a lane. It was made for a number that `count` has returned, so that no size can lie. */
  lane<L extends Lane>(lane: L): L {
    const end = this.at + lane.byteLength;
    if (end > this.bytes.length) this.refuse("the document ends too early");
    new Uint8Array(lane.buffer, lane.byteOffset, lane.byteLength).set(this.bytes.subarray(this.at, end));
    this.at = end;
    return lane;
  }

  /** @throws DocumentError if something is left. */
  end(): void {
    if (this.nextText !== this.texts.length) this.refuse("there are more texts than are used");
    if (this.bytes.length - this.at > 3 || this.bytes.subarray(this.at).some((byte) => byte !== 0))
      this.refuse("the document goes on after its end");
  }
}
