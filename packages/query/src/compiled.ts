// What code calls that `@treeline/compiler` has compiled. A separate entry point: programs without the compiler do not bundle it.
export type { ColumnBlock, ColumnLoop, ColumnUses, ParameterUse } from "./iterate/each-columns.ts";
export { eachColumns, mark, valueIn } from "./iterate/each-columns.ts";
