// Reads a .gltf or .glb file (`loadGltf`), and puts its path before messages; why a file cannot be read (`REASONS`).
import { readFileSync } from "node:fs";
import { SceneError } from "../text/scene-error.ts";
import { visible } from "../text/text.ts";
import { beginsAsGlb, jsonChunkOf } from "./glb.ts";
import { type Gltf, parseGltf } from "./gltf.ts";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "cannot be read (permission denied)",
  EISDIR: "is a directory, not a file",
  ENOENT: "there is no such file",
  ENOTDIR: "there is no such file",
};

/**
 * Reads and checks the hierarchy of a .gltf or .glb file.
 *
 * @throws SceneError if the file cannot be read or is invalid; the message begins with the path.
 */
export function loadGltf(path: string): Gltf {
  try {
    return parseGltf(textOf(path, readBytes(path)));
  } catch (error) {
    if (error instanceof SceneError) throw new SceneError(`${visible(path)}: ${error.message}`);
    throw error;
  }
}

function readBytes(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
    throw new SceneError(REASONS[code] ?? `cannot be read (${code})`);
  }
}

function textOf(path: string, bytes: Uint8Array): string {
  const binary = beginsAsGlb(bytes) || path.toLowerCase().endsWith(".glb");
  const json = binary ? jsonChunkOf(bytes) : bytes;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(json);
  } catch {
    throw new SceneError("not JSON: the text is not UTF-8");
  }
}
