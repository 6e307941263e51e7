/** Visitors whose loops are compiled for each layout of columns. An entry point of its own: they are made from texts. */
export { canCompile } from "./kernel/isolate.ts";
export type { BatchComponents, BatchLists, BatchLoop, ColumnsOf, RunLoop } from "./kernel/kernel.ts";
export { batchKernel, runKernel } from "./kernel/kernel.ts";
