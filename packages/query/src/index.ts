export { destroy } from "@treeline/core/internal";
export { destroyWhere, removeAll } from "./cleanup/destroy-where.ts";
export { explain } from "./query/ask/explain.ts";
export { added, all, changed, maybe, not, or, removed } from "./query/ask/filter-terms.ts";
export type { NumberField, OrderOptions } from "./query/ask/order.ts";
export { group, groupBy, groupsOf, orderBy, page, shard } from "./query/ask/order.ts";
export type { CascadeOptions, UpOptions } from "./query/ask/other-entity-terms.ts";
export { cascade, on, selfOrUp, singleton, up, variable } from "./query/ask/other-entity-terms.ts";
export { bind, dispose, query } from "./query/ask/query.ts";
export type { Part, Query } from "./query/state/query-state.ts";
export type {
  Filter,
  Operator,
  Plain,
  QueryTerm,
  ResultOf,
  RowsOf,
  ValueOf,
  Wrapped,
} from "./term/operators.ts";
export {
  detachChildren,
  insertAt,
  moveAfter,
  moveBefore,
  replaceChildren,
  setChildOrder,
  sortChildren,
} from "./tree/move.ts";
export { type AboveEvent, type ObserveAboveOptions, observeAbove } from "./tree/observe-above.ts";
export { ancestors, children, depthOf, descendants } from "./tree/walk.ts";
export { collect, count, entities, first, isEmpty } from "./visit/collect.ts";
export { each, type RowIterator, rows } from "./visit/each.ts";
export { type Batch, eachBatch, eachLevel, type Level } from "./visit/each-batch.ts";
export { eachRun, type Run } from "./visit/each-run.ts";
export type { IterationOptions } from "./visit/iteration.ts";
export { type MonitorListeners, type MonitorOptions, monitor } from "./visit/monitor.ts";
