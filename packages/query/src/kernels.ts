/** Visitors whose loops are compiled for each layout of columns. A door of its own: they are made from texts. */
export type { RunLoop, StretchLoop } from "./kernel/call-loop.ts";
export { canCompile } from "./kernel/isolate.ts";
export { type ColumnsOf, runKernel } from "./kernel/run-kernel.ts";
export { type StretchComponents, type StretchLists, stretchKernel } from "./kernel/stretch-kernel.ts";
