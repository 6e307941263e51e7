import { CHILD_OF } from "../id/builtins.ts";
import { PAIR_HANGS } from "../id/definition.ts";
import { firstPairOf } from "../id/pair-book.ts";
import { pairOfRelation } from "../records/pair-records.ts";
import { looseCountOf } from "../records/sibling-links.ts";
import { parentPairAt, settleDepths } from "../world/state/targets.ts";
import type { World } from "../world/state/world.ts";
import type { Say } from "./say.ts";
import { verifyFamilies } from "./verify-families.ts";
import { verifyRows } from "./verify-rows.ts";
import { verifyTables } from "./verify-tables.ts";
import { verifyTracks } from "./verify-tracks.ts";

/**
 * Walks everything in a world and names the laws of `docs/laws.md` that are broken, with what breaks them. Depths
 * that wait to be refreshed are refreshed first, as any reader would. Cost: the whole world; for tests and hunts.
 *
 * @returns one text per finding, beginning with the law's number; empty for a healthy world.
 */
export function verify(world: World): string[] {
  settleDepths(world);
  const broken: string[] = [];
  const say = (story: string): void => void broken.push(story);
  verifyEntities(world, say);
  verifyRows(world, say);
  verifyTables(world, say);
  verifyPairs(world, say);
  verifyFamilies(world, say);
  verifyTracks(world, say);
  return [...broken, ...world.laws.flatMap((law) => law(world))];
}

/**
 * L1: a living entity is in exactly one row, and its entity record says which; but for newborns in limbo, while commands
 * wait.
 */
function verifyEntities({ graph, entities, limbo, hasQueued }: World, say: Say): void {
  const { tables, shapes } = graph;
  let alive = 0;
  let unborn = 0;
  for (let index = 1; index < entities.length; index++) {
    const table = entities.table[index]!;
    if (table === 0) continue;
    alive++;
    if (table === limbo) {
      unborn++;
      if (!hasQueued) say(`L1: e${index} is in limbo, and nothing waits`);
      continue;
    }
    const row = entities.row[index]!;
    const shape = shapes[tables.shape[table] ?? -1];
    if (shape === undefined) say(`L1: e${index} is recorded in t${table}, which does not exist`);
    else if (row < 0 || row >= tables.count[table]!)
      say(`L1: e${index} is recorded in row ${row} of t${table}`);
    else if (shape.lanes.i32[tables.first[table]! + row] !== index) {
      say(`L1: row ${row} of t${table} does not hold e${index}`);
    }
  }
  if (alive !== entities.alive) say(`L1: ${alive} entities have a table, ${entities.alive} are counted`);
  let rows = 0;
  for (const shape of shapes) rows += shape.rows;
  if (rows + unborn !== alive) say(`L1: ${rows} rows for ${alive - unborn} living entities`);
}

/** L5, L7, L8, L10: pairs have living targets, acyclic relations end at roots, depths add up, no pair is idle. */
function verifyPairs(world: World, say: Say): void {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  let alive = 0;
  for (let pair = 1; pair < pairs.length; pair++) {
    if (pairs.relation[pair] === 0) continue;
    alive++;
    const target = pairs.target[pair]!;
    if (entities.table[target] === 0) say(`L5: pair ${-pair} has the dead target e${target}`);
    if (records.tables[pair] === 0 && looseCountOf(graph.links, pair) === 0)
      say(`L10: pair ${-pair} has neither a table nor a loose child`);
    const main = records.main[pair]!;
    if (main !== 0 && (tables.pairs[main] !== 1 || records.nodePair[tables.nodes[main]!] !== pair))
      say(`L4: pair ${-pair} finds t${main}, which has another type`);
    let listed = 0;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const first = tables.nodes[table]!;
      if (records.nodePair[node] !== pair || node < first || node >= first + tables.pairs[table]!) {
        say(`L4: pair ${-pair} lists t${table}, whose type does not have it`);
      }
      listed++;
    }
    if (listed !== records.tables[pair])
      say(`L4: pair ${-pair} lists ${listed} tables of ${records.tables[pair]}`);
    if (!isInChain(graph.pairs, target, pair))
      say(`L10: pair ${-pair} is not found by its target e${target}`);
    verifyDepth(world, pair, say);
  }
  if (alive !== pairs.alive) say(`L10: ${alive} pairs in use, ${pairs.alive} are counted`);
}

function isInChain(pairs: World["graph"]["pairs"], target: number, wanted: number): boolean {
  for (let pair = firstPairOf(pairs, target); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
    if (pair === wanted) return true;
  }
  return false;
}

/** L7 and L8 for one pair of an acyclic relation: its record hangs below that of its target's own pair. */
function verifyDepth(world: World, pair: number, say: Say): void {
  const { pairs, records } = world.graph;
  if ((pairs.traits[pair]! & PAIR_HANGS) === 0) return;
  const relation = pairs.relation[pair]!;
  let at = pair;
  for (let steps = 0; at !== 0 && steps <= pairs.length; steps++) at = pairAbove(world, at, relation);
  const above = pairAbove(world, pair, relation);
  const depth = above === 0 ? 1 : records.depth[above]! + 1;
  if (at !== 0) say(`L7: following pair ${-pair} never ends at a root`);
  else if (records.above[pair] !== above)
    say(`L8: pair ${-pair} hangs below ${-records.above[pair]!}, not ${-above}`);
  else if (records.depth[pair] !== depth)
    say(`L8: pair ${-pair} has depth ${records.depth[pair]}, not ${depth}`);
}

/** The pair of the same relation that the target of a pair has itself. */
function pairAbove(world: World, pair: number, relation: number): number {
  const { pairs, records, tables } = world.graph;
  const target = pairs.target[pair]!;
  if (relation === CHILD_OF) return parentPairAt(world, target);
  return pairOfRelation(records, tables, pairs.relation, world.entities.table[target]!, relation);
}
