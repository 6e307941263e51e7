/** Visitors whose loops are compiled for each layout of columns. A door of its own: they are made from texts. */
export { canCompile } from "./kernel/isolate.ts";
export type { ColumnsOf, RunLoop, StretchComponents, StretchLists, StretchLoop } from "./kernel/kernel.ts";
export { runKernel, stretchKernel } from "./kernel/kernel.ts";
