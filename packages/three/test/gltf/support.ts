import { readFileSync } from "node:fs";
import type { GLTF } from "three/examples/jsm/loaders/GLTFLoader.js";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

/** Has the loader of three.js make objects of a parsed file, and of the numbers that it refers to. */
export function load(file: object, numbers?: Numbers): Promise<GLTF> {
  const json = padded(Buffer.from(JSON.stringify({ asset: { version: "2.0" }, scene: 0, ...file })), 0x20);
  const chunks = [chunkOf(0x4e4f534a, json)];
  if (numbers !== undefined) chunks.push(chunkOf(0x004e4942, numbers.bytes));
  const body = Buffer.concat(chunks);
  const whole = Buffer.concat([wordsOf(0x46546c67, 2, 12 + body.length), body]);
  const { buffer, byteOffset, byteLength } = whole;
  return new GLTFLoader().parseAsync(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer, "");
}

function chunkOf(type: number, bytes: Buffer): Buffer {
  return Buffer.concat([wordsOf(bytes.length, type), bytes]);
}

function wordsOf(...words: number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4);
  for (const [at, word] of words.entries()) bytes.writeUInt32LE(word, at * 4);
  return bytes;
}

function padded(bytes: Buffer, filling: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, filling)]);
}

/** A file of the repository, by its path from the root. */
export function readJson<Content>(path: string): Content {
  return JSON.parse(readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8")) as Content;
}

/** The members of a file that contain lists of numbers; `accessor` returns the number of the accessor. */
export class Numbers {
  private readonly lists: (Float32Array | Uint16Array)[] = [];
  private readonly accessors: object[] = [];

  accessor(numbers: readonly number[], type: string, size: number, isWhole = false): number {
    const list = isWhole ? Uint16Array.from(numbers) : Float32Array.from(numbers);
    const rows = Array.from({ length: size }, (_, part) => numbers.filter((_one, at) => at % size === part));
    this.accessors.push({
      bufferView: this.lists.push(list) - 1,
      componentType: isWhole ? 5123 : 5126,
      count: numbers.length / size,
      type,
      min: rows.map((row) => Math.min(...row)),
      max: rows.map((row) => Math.max(...row)),
    });
    return this.accessors.length - 1;
  }

  get bytes(): Buffer {
    return Buffer.concat(
      this.lists.map(({ buffer, byteLength }) =>
        padded(Buffer.from(buffer as ArrayBuffer, 0, byteLength), 0),
      ),
    );
  }

  get members(): object {
    let end = 0;
    const bufferViews = this.lists.map(({ byteLength }) => {
      const view = { buffer: 0, byteOffset: end, byteLength };
      end += Math.ceil(byteLength / 4) * 4;
      return view;
    });
    return { buffers: [{ byteLength: end }], bufferViews, accessors: this.accessors };
  }
}
