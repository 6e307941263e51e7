/** What a program imports: all of core, names and query. The order is that of sorted imports, so that bundles are the same either way. */
export * from "@treeline/core";
export * from "@treeline/names";
export * from "@treeline/query";
/** By name: `remove` and `removeAll` mean something else in core and query. */
export { attach, attachMany, attachNew, detach } from "@treeline/query/hierarchy";
