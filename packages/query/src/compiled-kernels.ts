// What code calls that `@treeline/compiler` has compiled to kernels. A separate entry point: their source is generated as text.
export type { ColumnKernel, MakeColumnLoop } from "./kernel/column-kernel.ts";
export { columnKernel, goByKernel } from "./kernel/column-kernel.ts";
