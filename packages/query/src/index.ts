// What users of query import; its names are a promise.
export { destroy } from "@treeline/core/internal";
export { destroyWhere, removeAll } from "./cleanup/destroy-where.ts";
export { collect, count, entities, first, isEmpty } from "./iterate/collect.ts";
export { each } from "./iterate/each.ts";
export { type Batch, eachBatch, eachLevel, type Level } from "./iterate/each-batch.ts";
export { eachRun, type Run } from "./iterate/each-run.ts";
export type { IterationOptions, ReadOptions } from "./iterate/iteration.ts";
export { type MonitorCallbacks, type MonitorOptions, monitor } from "./iterate/monitor.ts";
export { type GroupCallbacks, monitorGroups } from "./iterate/monitor-groups.ts";
export { type RowIterator, rows } from "./iterate/rows.ts";
export { explain } from "./query/build/explain.ts";
export { added, all, changed, maybe, not, or, removed } from "./query/build/filter-terms.ts";
export type { InOrderOptions, NumberField, OrderOptions } from "./query/build/order-terms.ts";
export { group, groupBy, groupsOf, inOrder, orderBy, page, shard } from "./query/build/order-terms.ts";
export type { CascadeOptions, UpOptions } from "./query/build/other-entity-terms.ts";
export { below, cascade, on, selfOrUp, singleton, up, variable } from "./query/build/other-entity-terms.ts";
export { bind, dispose, query, unbind } from "./query/build/query.ts";
export { $this } from "./query/build/this-entity.ts";
export type { Part, Query, QueryOf } from "./query/state/query-state.ts";
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
export { forEachChild, isAncestor, isDescendant, levelOrder, postOrder } from "./tree/for-each-child.ts";
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
export { ancestors, children, depthOf, descendants, roots } from "./tree/walk.ts";
