// The world of a file (`open`), and the name of its root.
import { createWorld, type Entity, Name, type World } from "treeline";
import { type Clip, importGltf, type LoadedGltf } from "treeline/three";

/** A file that is shown: a world of its own, so that closing it needs no work. */
export interface Opened {
  readonly title: string;
  readonly world: World;
  readonly root: Entity;
  readonly clips: readonly Clip[];
}

/** Makes entities of all objects of a file, below one that has the name of the file. */
export function open(loaded: LoadedGltf, fileName: string): Opened {
  const world = createWorld();
  const { root, clips } = importGltf(world, loaded, { with: [Name(nameOf(fileName))] });
  return { title: fileName, world, root, clips };
}

const nameOf = (fileName: string): string => fileName.replace(/\.\w+$/, "") || "Scene";
