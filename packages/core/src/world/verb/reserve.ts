// `reserve`: makes columns, lists of tables, the entity index and lists of children long enough; throws `bad-value` for counts.
import { shown, TreelineError } from "../../base/error.ts";
import { growAll } from "../../base/growing.ts";
import { INDEX_SPAN } from "../../base/limits.ts";
import { findTable } from "../../graph/graph.ts";
import { CHILD_OF } from "../../id/builtins.ts";
import type { PlainTerm, SpawnTerm } from "../../id/definition.ts";
import { indexOf } from "../../id/entity.ts";
import { findPair } from "../../id/pair-index.ts";
import { reserveFamily } from "../../records/families.ts";
import { makeRoomFor, makeRoomIn } from "../../storage/rows.ts";
import type { TableNumber } from "../../storage/table.ts";
import { wantPair } from "../change/goal.ts";
import {
  copyTerms,
  definitionOfTerm,
  isParental,
  liveTerms,
  parentOfTerms,
  requireDifferent,
  targetOfTerm,
} from "../change/terms.ts";
import { deferCommand, mustDefer } from "../state/lock.ts";
import type { SpawnPlan } from "../state/plans.ts";
import type { World } from "../state/world.ts";
import { planOf, requireRoomForEntities, termsFor } from "./spawn.ts";

/**
 * Makes room for more entities of one type, so that spawning them with these terms allocates no memory for columns, for the
 * entity index or for lists of children: call it while loading, rather than have a frame pay for growing. Without terms it makes
 * room for entities that have nothing. It spawns nothing, and changes nothing that can be read.
 *
 * The room belongs to all entities with the same components: others that are spawned meanwhile use it too. Room that is not used
 * is given back when entities of the type are removed, and by `pack`. Inside an iteration the call is deferred to its end.
 *
 * @cost as growing to that size, once.
 * @param count how many entities more, a whole number of 0 or more.
 * @param terms what the entities will have, as for `spawn`; values are checked and not used.
 * @throws TreelineError `bad-value` unless `count` is a whole number of 0 or more, or if a value does not fit; `capacity` if the
 *   world, a table or the memory cannot hold as many: nothing has changed then; `dead-entity` if a target is not alive;
 *   `bad-term` for a term that cannot be added or is given twice; `iterating` in a strict world inside an iteration.
 *
 * @example
 * reserve(world, 10_000, Position, Velocity);
 * reserve(world, 500, Position, ChildOf(room));
 */
export function reserve(world: World, count: number, ...terms: SpawnTerm[]): void {
  if (!Number.isInteger(count) || count < 0) {
    throw new TreelineError("bad-value", `reserve takes a whole number of 0 or more, not ${shown(count)}`);
  }
  const given = termsFor(world, terms);
  const plan = planOf(world, given);
  requireDifferent(given);
  requireRoomForEntities(world, count);
  if (world.deferDepth === 0 || !mustDefer(world)) reserveNow(world, count, plan, given);
  else deferReserve(world, count, copyTerms(world, given));
}

function deferReserve(world: World, count: number, terms: readonly PlainTerm[]): void {
  deferCommand(world, 0, () => {
    const live = liveTerms(world, terms);
    if (live === undefined) return;
    requireRoomForEntities(world, count);
    reserveNow(world, count, planOf(world, live), live);
  });
}

function reserveNow(
  world: World,
  count: number,
  { archetype }: SpawnPlan,
  terms: readonly PlainTerm[],
): void {
  if (count === 0) return;
  const { graph, entities } = world;
  const { families, pairs } = graph;
  // Columns first: they may be refused.
  makeRoomFor(graph, archetype, count);
  const indexes = Math.min(entities.length + count, INDEX_SPAN);
  if (indexes > entities.table.length) growAll(entities, indexes);
  const table = knownTable(world, archetype, terms);
  if (table !== 0) makeRoomIn(graph, table, count);
  const parent = parentOfTerms(terms);
  const parentPair = parent === undefined ? 0 : findPair(pairs, CHILD_OF, indexOf(parent));
  if (parent === undefined || parentPair !== 0) reserveFamily(families, entities, parentPair, count);
}

/** The table of entities with these terms; 0 if there is none. */
function knownTable(
  world: World,
  archetype: SpawnPlan["archetype"],
  terms: readonly PlainTerm[],
): TableNumber {
  let count = 0;
  for (const term of terms) {
    const definition = definitionOfTerm(term);
    if (definition.kind !== "relation" || isParental(definition)) continue;
    const pair = findPair(world.graph.pairs, definition.id, indexOf(targetOfTerm(term)));
    if (pair === 0) return 0;
    count = wantPair(world, pair, count);
  }
  return findTable(world.graph, archetype, count);
}
