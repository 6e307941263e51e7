/**
 * The border: all that our own packages may use of core besides its public face; may change in any release. At most 40 names
 * (decision 0039).
 */
// ---- numbers, and what they stand for

// ---- what stays of these is moved above, the rest goes
export { grownInt32 } from "./base/growing.ts";
export { law } from "./base/law.ts";
export { INDEX_MASK } from "./base/limits.ts";
export { shown } from "./base/shown.ts";
export { listen } from "./base/signal.ts";
export { destroyAll } from "./cleanup/destroy.ts";
export { orphan, orphanAsked, removeFromAll, requireMoves } from "./cleanup/remove-all.ts";
// ---- cursors
export { addListeners } from "./cursor/add-listeners.ts";
export {
  type Archetype,
  archetypeAt,
  archetypesOf,
  archetypesWith,
  columnsOf,
  runsOf,
} from "./cursor/archetype.ts";
export { Changes } from "./cursor/changes.ts";
export { entitiesIn } from "./cursor/entities-in.ts";
export { pairsOf } from "./cursor/pairs.ts";
export { handleOf, handlesOf, rowAt, sizesOf, tableAt } from "./cursor/place.ts";
export { worldState } from "./cursor/state.ts";
export { TableCursor } from "./cursor/table-cursor.ts";
export { ValueCursor } from "./cursor/value-cursor.ts";
export { type Graph, shapesWith } from "./graph/graph.ts";
export { CHILD_OF, Hidden, isBuiltin, isInternal, Life } from "./id/builtins.ts";
export { ANY, Is } from "./id/definition.ts";
export type { EntityIndex } from "./id/entity.ts";
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
export { viewColumn } from "./storage/column-views.ts";
export {
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
export type { ArchetypeId } from "./storage/shape.ts";
export { columnOf, hasDefinition, type Shape } from "./storage/shape.ts";
export type { PairId, PairNumber, TableId, TableNumber } from "./storage/table.ts";
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
export { isUsed, refreshRuns } from "./storage/used-bits.ts";
// ---- verbs
export { destroy } from "./tree/destroy.ts";
export { moveAll } from "./tree/move-all.ts";
export { moveTo } from "./tree/move-to.ts";
export { replaceChildren } from "./tree/replace-children.ts";
export { spawnBelow } from "./tree/spawn-below.ts";
export type { PlainTerm } from "./world/destination.ts";
export { enroll, type Listener } from "./world/event-list.ts";
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
export { requireAlive, requireHandle, textOf } from "./world/require.ts";
export { reparent, reparentAsked, requirePlace } from "./world/retarget.ts";
export { insideScope, scopeOf } from "./world/scope.ts";
export { requireRoomForEntities, spawnNow } from "./world/spawn.ts";
export { standingFor } from "./world/standing.ts";
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
export { clockOf, keepTicks, trackChanges, untrackChanges } from "./world/track.ts";
export { pairColumn, shapeAt } from "./world/values.ts";
export { nextStateNumber, stateOf } from "./world/world.ts";
