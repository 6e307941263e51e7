/** Back door for our own packages; may change in any release. */
export { grownInt32 } from "./base/growing.ts";
export { law } from "./base/law.ts";
export { INDEX_MASK } from "./base/limits.ts";
export { shown } from "./base/shown.ts";
export { listen } from "./base/signal.ts";
export { destroyAll } from "./destroy/destroy.ts";
export { orphan, orphanAsked, removeFromAll, requireMoves } from "./destroy/remove-all.ts";
export { type Graph, shapesWith } from "./graph/graph.ts";
export { CHILD_OF, Hidden, isBuiltin, isInternal, Life } from "./id/builtins.ts";
export { ANY, Is } from "./id/definition.ts";
export { indexOf } from "./id/entity.ts";
export { findPair, firstPairOf, isTarget } from "./id/pair-book.ts";
export { PAIR_HIDDEN } from "./id/pair-traits.ts";
export { handleAt, isLiving } from "./records/entity-index.ts";
export {
  countInList,
  eachLoose,
  firstInList,
  looseCountOf,
  loosePairOf,
  nextInList,
  type SiblingLinks,
  siblingAt,
} from "./records/sibling-links.ts";
export { countBits, countEnabled, enabledOf, enabledRows, hasBit, isCut } from "./storage/bit-column.ts";
export { viewColumn } from "./storage/column-views.ts";
export {
  BIT_TURNED,
  catchUp,
  closeCursor,
  type JournalCursor,
  kindOfEntry,
  LOOSE_MOVED,
  numberOfEntry,
  openCursor,
  SLICE_MOVED,
  TARGET_MOVED,
} from "./storage/journal.ts";
export type { Column } from "./storage/lane-plan.ts";
export { columnOf, hasDefinition, type Shape } from "./storage/shape.ts";
export type { PairNumber, TableNumber } from "./storage/table.ts";
export { trackOf } from "./storage/tracking.ts";
export {
  ADDED,
  BLOCK_BITS,
  CHANGED,
  type Clock,
  markRow,
  markRows,
  REMOVED,
  type Track,
  type TrackKind,
} from "./storage/tracks.ts";
export { isUsed, refreshRuns, type UsedBits } from "./storage/used-bits.ts";
export { requirePlace } from "./world/add.ts";
export { addListeners } from "./world/add-listeners.ts";
export type { PlainTerm } from "./world/destination.ts";
export type { Listener } from "./world/event-list.ts";
export { ensureListed } from "./world/family.ts";
export { isInLimbo } from "./world/limbo.ts";
export {
  enqueue,
  enqueueLast,
  enterVisit,
  insideVisit,
  leaveVisit,
  mustQueue,
  waitsFor,
  whileChanging,
} from "./world/lock.ts";
export { orderedSources, requireRelation, rootIndexes } from "./world/relation.ts";
export { moveSibling, orderSiblings, relistSiblings, tellReordered } from "./world/reorder.ts";
export { reparent, reparentAsked } from "./world/reparent.ts";
export { requireAlive, requireHandle, textOf } from "./world/require.ts";
export { insideScope, scopeOf } from "./world/scope.ts";
export { requireRoomForEntities, spawnNow } from "./world/spawn.ts";
export {
  depthAt,
  eachTableOf,
  pairAt,
  pairsAt,
  parentIndexAt,
  parentPairAt,
  settleDepths,
  tableHasPair,
} from "./world/targets.ts";
export { callListener } from "./world/tell.ts";
export { definitionOf, type Question, questionOf } from "./world/terms.ts";
export { clockOf, trackChanges, untrackChanges } from "./world/track.ts";
export { pairColumn, rowAt, shapeAt } from "./world/values.ts";
export { nextStateNumber, stateOf } from "./world/world.ts";
