// The worker of a file, from its start to its end (`readFiles`).
import type { LoadedGltf } from "treeline/three";
import { SceneBuilder } from "../model/scene-builder.ts";
import type { Answer } from "../worker/worker.ts";

export interface ReadEvents {
  /** Between 0 and 1. */
  readonly progress: (done: number) => void;
  readonly done: (loaded: LoadedGltf) => void;
  /** What is wrong, in words. */
  readonly failed: (problem: string) => void;
}

/**
 * Reads files in a worker. The objects of the scene are made here, a part at a time, between which the page can draw and be used.
 *
 * @returns a function that gives up.
 */
export function readFiles(files: readonly File[], events: ReadEvents): () => void {
  const worker = new Worker(new URL("../worker/worker.ts", import.meta.url), { type: "module" });
  const builder = new SceneBuilder();
  worker.onmessage = ({ data }: MessageEvent<Answer>) => {
    if ("part" in data) {
      const loaded = builder.take(data.part);
      events.progress(builder.progress);
      if (loaded === undefined) return;
      worker.terminate();
      events.done(loaded);
    } else {
      worker.terminate();
      events.failed(data.problem);
    }
  };
  worker.onerror = (event) => {
    worker.terminate();
    events.failed(`The file cannot be read: ${event.message || "its reader could not be started"}.`);
  };
  worker.postMessage(files);
  return () => worker.terminate();
}
