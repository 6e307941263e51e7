import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** A path below the example's folder. */
export function here(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url));
}

/** The names of the bundled scenes, without file extension. */
export function bundledScenes(): string[] {
  const files = readdirSync(here("scenes")).filter((file) => file.endsWith(".gltf"));
  return files.sort().map((file) => file.replace(/\.gltf$/, ""));
}

/** By node index: the world matrix the node must have, 16 numbers, column by column. */
export function expectedMatrices(name: string): readonly (readonly number[])[] {
  const text = readFileSync(here(`test/expected/${name}.world.json`), "utf8");
  return (JSON.parse(text) as { readonly world: readonly (readonly number[])[] }).world;
}

/** The text of a glTF file with these nodes, and with scenes only if given. */
export function gltfText(nodes: unknown, scenes?: unknown): string {
  return JSON.stringify({ asset: { version: "2.0" }, nodes, scenes });
}

/** A binary glTF file around the JSON text; parts of its header can be set to wrong values. */
export function glbBytes(
  json: string,
  wrong: { magic?: string; version?: number; length?: number; chunkLength?: number; chunkType?: string } = {},
): Uint8Array {
  const chunk = new TextEncoder().encode(json.padEnd(Math.ceil(json.length / 4) * 4));
  const bytes = new Uint8Array(20 + chunk.length);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode(wrong.magic ?? "glTF"), 0);
  view.setUint32(4, wrong.version ?? 2, true);
  view.setUint32(8, wrong.length ?? bytes.length, true);
  view.setUint32(12, wrong.chunkLength ?? chunk.length, true);
  bytes.set(new TextEncoder().encode(wrong.chunkType ?? "JSON"), 16);
  bytes.set(chunk, 20);
  return bytes;
}

/** The message of what `action` throws; fails the test if it throws nothing or more than one line. */
export function complaintOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    const message = error instanceof Error && error.name === "SceneError" ? error.message : String(error);
    if (/[\n\r]/.test(message)) throw new Error(`more than one line: ${message}`);
    return message;
  }
  throw new Error("nothing was refused");
}
