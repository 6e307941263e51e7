// Tells what is wrong with a file before three.js reads it, which would wait for ever for some of them.
import { ReadError } from "./read-error.ts";

/** What is checked of the JSON of a file. */
export interface Gltf {
  readonly asset?: { readonly version?: unknown };
  readonly buffers?: readonly { readonly uri?: string }[];
  readonly images?: readonly { readonly uri?: string }[];
  readonly nodes?: readonly { readonly name?: unknown; readonly children?: readonly number[] }[];
  readonly scenes?: readonly { readonly nodes?: readonly number[] }[];
  readonly extensionsRequired?: readonly string[];
}

const MAGIC = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a;
/** Bytes of the header of a file, and of a chunk. */
const [HEADER, CHUNK] = [12, 8];

/** Extensions that need a decoder which this page does not have. */
const NOT_READ: readonly string[] = ["KHR_draco_mesh_compression", "KHR_texture_basisu"];

/**
 * The JSON of a .glb or .gltf file.
 *
 * @throws ReadError for what is neither, and for a file that is cut off.
 */
export function jsonOf(bytes: ArrayBuffer, name: string): Gltf {
  const view = new DataView(bytes);
  const isBinary = bytes.byteLength >= HEADER && view.getUint32(0, true) === MAGIC;
  const json = parsed(isBinary ? firstChunk(view, name) : new Uint8Array(bytes));
  if (json === undefined)
    throw new ReadError(
      isBinary
        ? `${name} is broken: its JSON cannot be read.`
        : `${name} is not a glTF file: it is neither JSON nor begins with the letters glTF.`,
    );
  const version = (json as Gltf | null)?.asset?.version;
  if (version === undefined)
    throw new ReadError(`${name} is not a glTF file: its JSON names no asset version.`);
  if (!String(version).startsWith("2."))
    throw new ReadError(`${name} has version ${version} of glTF; this page reads version 2.`);
  return json as Gltf;
}

function firstChunk(view: DataView, name: string): Uint8Array {
  const length = view.getUint32(8, true);
  if (length > view.byteLength)
    throw new ReadError(
      `${name} is cut off: it should have ${number(length)} bytes, and has ${number(view.byteLength)}.`,
    );
  const start = HEADER + CHUNK;
  const end = view.byteLength < start ? Number.POSITIVE_INFINITY : start + view.getUint32(HEADER, true);
  if (end > view.byteLength || view.getUint32(HEADER + 4, true) !== JSON_CHUNK)
    throw new ReadError(`${name} is broken: it does not begin with a part of JSON.`);
  return new Uint8Array(view.buffer, start, end - start);
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}

/** @throws ReadError for required extensions that cannot be read, and for nodes that are not a tree. */
export function checkGltf({ nodes = [], scenes = [], extensionsRequired = [] }: Gltf, name: string): void {
  const missing = extensionsRequired.filter((one) => NOT_READ.includes(one));
  if (missing.length > 0)
    throw new ReadError(`${name} needs ${missing.join(", ")}, which this page does not read.`);

  const parents = new Int32Array(nodes.length).fill(-1);
  const isBroken = (what: string): never => {
    throw new ReadError(`${name} is broken: ${what}.`);
  };
  for (const [at, { children = [] }] of nodes.entries())
    for (const child of children) {
      if (nodes[child] === undefined)
        isBroken(`node ${at} has the child ${child}, and there are ${nodes.length} nodes`);
      if (parents[child] !== -1) isBroken(`node ${child} is a child of ${parents[child]} and of ${at}`);
      parents[child] = at;
    }
  for (const [at, scene] of scenes.entries())
    for (const root of scene.nodes ?? []) {
      if (nodes[root] === undefined)
        isBroken(`scene ${at} has node ${root}, and there are ${nodes.length} nodes`);
      if (parents[root] !== -1)
        isBroken(`node ${root} is a root of scene ${at} and a child of node ${parents[root]}`);
    }
}

/** The addresses of other files that a file needs. */
export function filesNeeded({ buffers = [], images = [] }: Gltf): string[] {
  const addresses = [...buffers, ...images].flatMap(({ uri }) => uri ?? []);
  return [...new Set(addresses)].filter((uri) => !/^(?:data|blob):/.test(uri));
}

const number = (value: number): string => value.toLocaleString("en");
