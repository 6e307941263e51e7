// `compress`, `decompress`: gzip by the platform, stopped at the limit.
import { TreelineError } from "@treeline/core";
import { refuseDocument } from "../format/error.ts";
import { type DocumentLimits, limitsFrom } from "../format/limits.ts";

/** Bytes that are given to the platform at once: they inflate to at most 1,032 times as many, before the limit is looked at. */
const PIECE = 4096;

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array }>;
  cancel(): Promise<void>;
}

interface Writer {
  write(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
  abort(): Promise<void>;
}

/** A stream of the platform, which takes bytes and gives others. */
type Streams = new (
  format: "gzip",
) => { readonly readable: { getReader(): Reader }; readonly writable: { getWriter(): Writer } };

/**
 * Makes a binary document, or any bytes, smaller: gzip, which other programs can read as well. By the platform's `CompressionStream`,
 * which Node and browsers have; where there is none, use a library such as fflate: `gzipSync(bytes)`.
 *
 * @throws TreelineError `bad-value`, as a rejection, on a platform without `CompressionStream`.
 *
 * @example
 * writeFileSync("station.tree.gz", await compress(toBinary(world, { root: station })));
 */
export async function compress(bytes: Uint8Array): Promise<Uint8Array> {
  return through("CompressionStream", bytes, Number.POSITIVE_INFINITY);
}

/**
 * The bytes that `compress` got. Stops as soon as they are more than `limits.inflated`, whatever the bytes say about their length.
 *
 * @throws DocumentError `bad-document`, as a rejection, for bytes that are not compressed, incomplete or damaged, and for more than
 *   the limit; `bad-value` on a platform without `DecompressionStream`.
 *
 * @example
 * fromBinary(world, await decompress(readFileSync("station.tree.gz")), { definitions: game });
 */
export async function decompress(
  bytes: Uint8Array,
  options: { readonly limits?: DocumentLimits | undefined } = {},
): Promise<Uint8Array> {
  const limits = limitsFrom(options.limits);
  if (bytes.length > limits.bytes)
    refuseDocument("", `the document has ${bytes.length} bytes, more than the limit of ${limits.bytes}`);
  return through("DecompressionStream", bytes, limits.inflated);
}

async function through(name: string, bytes: Uint8Array, most: number): Promise<Uint8Array> {
  const Stream = (globalThis as unknown as { readonly [name: string]: Streams | undefined })[name];
  if (Stream === undefined)
    throw new TreelineError(
      "bad-value",
      `this platform has no ${name}; use a library for gzip, such as fflate`,
    );
  const { readable, writable } = new Stream("gzip");
  const writer = writable.getWriter();
  // Its errors come to the reader as well.
  const isWritten = writeAll(writer, bytes).catch(() => {});
  const reader = readable.getReader();
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      pieces.push(next.value!);
      length += next.value!.length;
      if (length > most) break;
    }
  } catch (error) {
    return refuseDocument("", `the bytes are not compressed, or damaged: ${(error as Error).message}`, error);
  }
  if (length > most) {
    await Promise.allSettled([reader.cancel(), writer.abort()]);
    refuseDocument("", `the document has more bytes than the limit of ${most} when it is inflated`);
  }
  await isWritten;
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

async function writeAll(writer: Writer, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE) await writer.write(bytes.subarray(at, at + PIECE));
  await writer.close();
}
