// Which of the files is the scene (`sceneFileOf`), and how it is loaded with the others (`readGltf`).
import { LoadingManager } from "three";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { type GLTF, GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { checkGltf, filesNeeded, jsonOf } from "./check-gltf.ts";
import { ReadError } from "./read-error.ts";

/** The file of a scene among others, which it may need. @throws ReadError if none or several are. */
export function sceneFileOf(files: readonly File[]): File {
  const found = files.filter(({ name }) => /\.(?:glb|gltf)$/i.test(name));
  const names = files.map(({ name }) => name).join(", ");
  if (found.length === 0)
    throw new ReadError(`No .glb or .gltf file is among what you gave: ${names || "nothing"}.`);
  if (found.length > 1)
    throw new ReadError(`Give one .glb or .gltf file at a time; these are ${found.length}.`);
  return found[0]!;
}

/**
 * Reads a .glb or .gltf file. Buffers and images are found among the other files by their names; nothing is fetched from elsewhere.
 *
 * @throws ReadError that says in words what is wrong.
 */
export async function readGltf(files: readonly File[]): Promise<GLTF> {
  const file = sceneFileOf(files);
  const bytes = await file.arrayBuffer();
  const json = jsonOf(bytes, file.name);
  checkGltf(json, file.name);
  const addresses = new Map<string, string>();
  const missing = filesNeeded(json).filter((uri) => {
    const found = fileAt(files, uri);
    if (found !== undefined) addresses.set(uri, URL.createObjectURL(found));
    return found === undefined;
  });
  if (missing.length > 0)
    throw new ReadError(
      `${file.name} needs files that are missing: ${missing.join(", ")}. Give them together with it.`,
    );
  const manager = new LoadingManager();
  manager.setURLModifier((url) => addresses.get(url) ?? url);
  const loader = new GLTFLoader(manager).setMeshoptDecoder(MeshoptDecoder);
  try {
    return await loader.parseAsync(bytes, "");
  } catch (error) {
    throw new ReadError(`${file.name} is broken: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    for (const url of addresses.values()) URL.revokeObjectURL(url);
  }
}

/** Files that one drops or chooses have no folders, so the last part of an address must do. */
function fileAt(files: readonly File[], uri: string): File | undefined {
  const name = decodeURIComponent(uri).split("/").at(-1);
  return files.find((file) => file.name === name);
}
