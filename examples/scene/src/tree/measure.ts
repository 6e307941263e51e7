// How long frames take (`measureFrames`).
import { performance } from "node:perf_hooks";
import { type Motion, runFrame } from "./animate.ts";

/** Times of frames, in milliseconds. */
export interface FrameTimes {
  readonly frames: number;
  readonly median: number;
  readonly slowest: number;
}

/** Runs the frames 1 to `frames` and measures each; `undefined` if there is none to run. */
export function measureFrames(motion: Motion, frames: number): FrameTimes | undefined {
  if (frames === 0) return undefined;
  const times = new Float64Array(frames);
  for (let at = 0; at < frames; at++) {
    const before = performance.now();
    runFrame(motion, at + 1);
    times[at] = performance.now() - before;
  }
  times.sort();
  const upper = times[Math.floor(frames / 2)]!;
  const lower = times[Math.floor((frames - 1) / 2)]!;
  return { frames, median: (lower + upper) / 2, slowest: times[frames - 1]! };
}
