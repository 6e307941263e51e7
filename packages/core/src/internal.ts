/**
 * Internal API: what other packages may use of core in addition to its public API. It may change in any release. Decision 0039
 * says what it contains, and why.
 */

export { shown, termAdvice } from "./base/error.ts";
export { grownInt32 } from "./base/growing.ts";
export { requireOptions } from "./base/options.ts";
export { warn } from "./base/warn.ts";
export {
  type ArchetypeView,
  allArchetypes,
  archetypesOfDefinition,
  archetypeViewAt,
  columnsOf,
  entitiesIn,
  handleOf,
  handlesOf,
  rowAt,
  runsOf,
  sizesOf,
  sparseCursorOf,
  tableAt,
} from "./cursor/archetype.ts";
export { Changes } from "./cursor/changes.ts";
export { pairCursor } from "./cursor/pairs.ts";
export { SubjectCursor } from "./cursor/rows.ts";
export { containAlong } from "./destroy/containers.ts";
export { destroy, destroyAll } from "./destroy/destroy.ts";
export { removeFromAll } from "./destroy/remove-all.ts";
/** The bare builtins, which install nothing. */
export {
  ChildOf,
  Disabled,
  DisabledFromAbove,
  DisabledTree,
  hidden,
  isBuiltin,
  isInternal,
  Life,
  Parent,
  Prefab,
} from "./id/builtins.ts";
export { ANY, type DefinitionState, Is } from "./id/definition.ts";
export { type EntityIndex, indexOf } from "./id/entity.ts";
export { inheritedOf } from "./id/inherited.ts";
export {
  planCopies,
  readSpawnTerms,
  spawnCopies,
} from "./many/spawn-copies.ts";
export { spawnSheets } from "./many/spawn-sheets.ts";
export { spawnTogether } from "./many/spawn-together.ts";
export { checksumOf } from "./snapshot/checksum.ts";
export { keepValues } from "./snapshot/kept-values.ts";
export { SavedWorld, type UpperState } from "./snapshot/snapshot.ts";
export { hasDefinition, inherits, NEEDS_BUILTIN } from "./storage/archetype.ts";
export type { PairId, TableId } from "./storage/table.ts";
export { BLOCK_BITS, markRow, markRows, type Track, trackOf } from "./storage/tracks.ts";
export { attachAll, moveAll, moveTo, replaceChildren, spawnBelow } from "./tree/children.ts";
export { placeBelow } from "./tree/place.ts";
export { installPrefabs } from "./world/change/prefab.ts";
export { requireField } from "./world/state/collected-values.ts";
export { disabledReadWork } from "./world/state/disabled-reads.ts";
export {
  beginDeferred,
  deferCommand,
  deferLast,
  endDeferred,
  mustDefer,
  mustDeferWrite,
} from "./world/state/lock.ts";
export { clockOf, keepTicks, slotsOf } from "./world/state/needs-of.ts";
export { callObserver, notifiedWrites } from "./world/state/notify.ts";
export { parseTerm } from "./world/state/read-entity.ts";
export { requireAlive, textOf } from "./world/state/require.ts";
export { eachChild, rootHandles } from "./world/state/targets.ts";
export { definitionsAt } from "./world/state/values.ts";
export { type TemplateWork, worldState } from "./world/state/world.ts";
export { addHidden } from "./world/verb/add.ts";
export { knownEntityOf } from "./world/verb/component-entity.ts";
export { addObservers } from "./world/verb/observe.ts";
export { removeMatching } from "./world/verb/remove.ts";
export { insideScope, scopeOf } from "./world/verb/spawn.ts";
