// Runs beside the page: reads files, and sends the scene in parts.
import { packScene, transfersOf } from "./pack-scene.ts";
import { ReadError } from "./read-error.ts";
import { readGltf } from "./read-gltf.ts";

/** What a worker does; the types of pages do not have it. */
const worker = self as unknown as {
  onmessage: (event: MessageEvent<readonly File[]>) => void;
  postMessage: (answer: Answer, transfers?: Transferable[]) => void;
};

/** A part of the scene, or what is wrong with the files, in words. */
export type Answer = { readonly part: Parameters<typeof transfersOf>[0] } | { readonly problem: string };

worker.onmessage = async ({ data: files }) => {
  try {
    for (const part of packScene(await readGltf(files))) worker.postMessage({ part }, transfersOf(part));
  } catch (error) {
    if (error instanceof ReadError) worker.postMessage({ problem: error.message });
    else throw error;
  }
};
