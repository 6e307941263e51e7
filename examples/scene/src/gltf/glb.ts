// Where the JSON chunk of a binary glTF file is (`jsonChunkOf`); refuses broken headers.
import { SceneError } from "../text/scene-error.ts";

const HEADER_BYTES = 12; // magic, version, total length
const CHUNK_HEADER_BYTES = 8; // length, type
const MAGIC = 0x46546c67; // "glTF", little-endian
const JSON_CHUNK = 0x4e4f534a; // "JSON"

/** Whether the bytes begin like a binary glTF file. */
export function beginsAsGlb(bytes: Uint8Array): boolean {
  return bytes.length >= 4 && viewOf(bytes).getUint32(0, true) === MAGIC;
}

/**
 * Returns the JSON chunk of a binary glTF file. The binary chunk after it contains meshes and images; it is not read.
 *
 * @throws SceneError if the header is broken.
 */
export function jsonChunkOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length < HEADER_BYTES + CHUNK_HEADER_BYTES) {
    throw broken(
      `the file has ${bytes.length} bytes, but its headers need ${HEADER_BYTES + CHUNK_HEADER_BYTES}`,
    );
  }
  const view = viewOf(bytes);
  if (!beginsAsGlb(bytes)) throw broken('it does not begin with "glTF"');

  const version = view.getUint32(4, true);
  if (version !== 2) throw broken(`container version ${version}; only 2 is supported`);
  const length = view.getUint32(8, true);
  if (length > bytes.length) throw broken(`it states ${length} bytes, but the file has ${bytes.length}`);

  const chunkLength = view.getUint32(12, true);
  if (view.getUint32(16, true) !== JSON_CHUNK) throw broken("its first chunk is not the JSON chunk");
  const begin = HEADER_BYTES + CHUNK_HEADER_BYTES;
  if (begin + chunkLength > length) {
    throw broken(`its JSON chunk of ${chunkLength} bytes goes beyond the stated end at ${length}`);
  }
  return bytes.subarray(begin, begin + chunkLength);
}

function broken(why: string): SceneError {
  return new SceneError(`broken .glb header: ${why}`);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
