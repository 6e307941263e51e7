/** Visitors whose loops are compiled for each layout of columns. A door of its own: they are made from texts. */
export { canCompile } from "./kernel/isolate.ts";
export {
  type ColumnsOf,
  type RunLoop,
  runKernel,
  type StretchComponents,
  type StretchLists,
  type StretchLoop,
  stretchKernel,
} from "./kernel/kernel.ts";
