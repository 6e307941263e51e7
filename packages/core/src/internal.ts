/** Back door for our own packages; may change in any release. */
export { grownInt32 } from "./base/growing.ts";
export { law } from "./base/law.ts";
export { listen } from "./base/signal.ts";
export { type Graph, shapesWith } from "./graph/graph.ts";
export { CHILD_OF } from "./id/builtins.ts";
export { nextNumber } from "./id/definition.ts";
export { indexOf } from "./id/entity.ts";
export { findPair, firstPairOf, isTarget } from "./id/pair-book.ts";
export { PAIR_DELETES, PAIR_REFUSES } from "./id/pair-traits.ts";
export { giveIndex, handleAt, isLiving } from "./records/entity-index.ts";
export { viewColumn } from "./storage/column-views.ts";
export {
  catchUp,
  closeCursor,
  type JournalCursor,
  kindOfEntry,
  numberOfEntry,
  openCursor,
  SLICE_MOVED,
  TARGET_MOVED,
} from "./storage/journal.ts";
export type { Column, LaneField } from "./storage/lane-plan.ts";
export { takeAllRows } from "./storage/rows.ts";
export { hasDefinition, type Shape } from "./storage/shape.ts";
export type { PairNumber, TableNumber } from "./storage/table.ts";
export { isUsed, refreshRuns } from "./storage/used-bits.ts";
export { hooksOf, tellRemoved } from "./world/hooks.ts";
export { enterVisit, leaveVisit } from "./world/lock.ts";
export { inSiblingOrder, sortByOrder } from "./world/pack.ts";
export { buryEntity, dropPairsOf } from "./world/release.ts";
export { removePairs } from "./world/remove.ts";
export { requireAlive, requireNoVisit, textOf } from "./world/require.ts";
export {
  depthAt,
  eachTableOf,
  parentIndexAt,
  settleDepths,
  tableHasPair,
} from "./world/targets.ts";
export { definitionOf, pairColumn, shapeAt } from "./world/values.ts";
export { stateOf } from "./world/world.ts";
