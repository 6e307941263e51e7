import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { GLTF } from "three/addons/loaders/GLTFLoader.js";
import { readGltf } from "../src/worker/read-gltf.ts";

/** A path below the folder of the example. */
export const here = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url));

export const roverBytes = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(here("sample/Rover.glb")));

export const loadRover = (): Promise<GLTF> => readGltf([new File([roverBytes()], "Rover.glb")]);
