/** Callbacks whose loops are compiled for each layout of columns. A separate entry point: their source is generated as text. */
export { canCompile } from "./kernel/isolate.ts";
export type { BatchComponents, BatchLists, BatchLoop, ColumnsOf, RunLoop } from "./kernel/kernel.ts";
export { batchKernel, runKernel } from "./kernel/kernel.ts";
