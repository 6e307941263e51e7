export { destroy } from "./cleanup/destroy.ts";
export { destroyWhere } from "./cleanup/destroy-where.ts";
export { removeAll } from "./cleanup/remove-all.ts";
export { type MonitorListeners, type MonitorOptions, monitor } from "./query/monitor.ts";
export { dispose, type Query, query } from "./query/query.ts";
export {
  cascade,
  maybe,
  not,
  type Operator,
  type QueryTerm,
  type RowsOf,
  type Wrapped,
} from "./term/term.ts";
export { type AboveEvent, type ObserveAboveOptions, observeAbove } from "./tree/observe-above.ts";
export { detachChildren, replaceChildren } from "./tree/replace-children.ts";
export { insertAt, moveAfter, moveBefore, setChildOrder } from "./tree/siblings.ts";
export { sortChildren } from "./tree/sort-children.ts";
export { ancestors, children, depthOf, descendants } from "./tree/walk.ts";
export { each } from "./visit/each.ts";
export { eachRun, type Run } from "./visit/each-run.ts";
export { eachStretch, type Stretch } from "./visit/each-stretch.ts";
