import { KEPT_EMPTY_TABLES } from "../base/limits.ts";
import { findTable, type Graph, pairOfRelation } from "../graph/graph.ts";
import {
  CHILD_OF,
  ChildOf,
  DisabledFromAbove,
  DisabledTree,
  OrderedChildren,
  Parent,
} from "../id/builtins.ts";
import { PAIR_DISABLES, PAIR_EXCLUSIVE, PAIR_HANGS, PAIR_HAS_DATA } from "../id/definition.ts";
import { findPair, firstPairOf } from "../id/pair-index.ts";
import {
  countInList,
  firstInList,
  GENERATION,
  isListed,
  KIN,
  LAST,
  LIST,
  nextInList,
  PREVIOUS,
  valueCountOf,
  valuePairOf,
} from "../records/sibling-links.ts";
import { type Archetype, hasDefinition, NO_HOLE } from "../storage/archetype.ts";
import { isUsed } from "../storage/bits.ts";
import type { Tables } from "../storage/table.ts";
import { BLOCK_ROWS, REMOVED, type Track, trackOf } from "../storage/tracks.ts";
import { linkGeneration } from "../world/change/pair.ts";
import { needsNow } from "../world/state/needs-of.ts";
import { hasPairAt, pairsAt, pairsOfTable, parentPairAt, settleDepths } from "../world/state/targets.ts";
import { archetypeAt, hasBitAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

/**
 * Walks everything in a world and names the invariants of `docs/invariants.md` that are broken, with what breaks them. Depths
 * that wait to be refreshed are refreshed first, as any reader would. Cost: the whole world; for tests and hunts.
 *
 * @returns one text per finding, beginning with the invariant's number; empty for a healthy world.
 */
export function verify(world: World): string[] {
  settleDepths(world);
  return [
    ...verifyEntities(world),
    ...verifyArchetypes(world),
    ...verifyPairs(world),
    ...verifySiblings(world),
    ...verifyOrders(world),
    ...world.invariants.flatMap((invariant) => invariant(world)),
  ];
}

/** L1: a living entity has one row, which its record names; but for newborns in limbo, while commands wait. */
function* verifyEntities({ graph, entities, pendingTable, hasCommands }: World): Iterable<string> {
  const { tables, archetypes } = graph;
  let alive = 0;
  let unborn = 0;
  for (let index = 1; index < entities.length; index++) {
    const table = entities.table[index]!;
    if (table === 0) continue;
    alive++;
    if (table === pendingTable) {
      unborn++;
      if (!hasCommands) yield `L1: e${index} is in limbo, and nothing waits`;
      continue;
    }
    const row = entities.row[index]!;
    const archetype = archetypes[tables.archetype[table] ?? -1];
    if (archetype === undefined) yield `L1: e${index} is recorded in t${table}, which does not exist`;
    else if (row < 0 || row >= tables.count[table]!)
      yield `L1: e${index} is recorded in row ${row} of t${table}`;
    else if (archetype.lanes.i32[tables.first[table]! + row] !== index)
      yield `L1: row ${row} of t${table} does not hold e${index}`;
  }
  if (alive !== entities.alive) yield `L1: ${alive} entities have a table, ${entities.alive} are counted`;
  const rows = archetypes.reduce((sum, archetype) => sum + archetype.rows, 0);
  if (rows + unborn !== alive) yield `L1: ${rows} rows for ${alive - unborn} living entities`;
}

/** The invariants of archetypes, tables, rows and tracks. */
function* verifyArchetypes(world: World): Iterable<string> {
  const { graph, pendingTable } = world;
  const { tables } = graph;
  const types = new Map<string, string>();
  const says = function* (type: string, what: string): Iterable<string> {
    if (types.has(type)) yield `L3: ${types.get(type)} and ${what} share the type ${type}`;
    types.set(type, what);
  };
  let alive = 0;
  for (const archetype of graph.archetypes) {
    yield* says(`[${archetype.erasedType}]`, `archetype ${archetype.number}`);
    for (const { id, name } of archetype.founded ? archetype.definitions : []) {
      if (graph.componentIndex.get(id)?.includes(archetype) !== true)
        yield `L4: ${name} does not list archetype ${archetype.number}`;
    }
    yield* verifyArchetype(world, archetype);
    for (const start of [archetype.filled.first, archetype.empty.first]) {
      for (let table = start; table !== 0; table = tables.next[table]!) {
        alive++;
        yield* says(`${archetype.number}: ${pairsOfTable(graph, table)}`, `t${table}`);
        yield* verifyTable(graph, archetype, table, start === archetype.empty.first);
      }
    }
    yield* verifyRows(archetype, tables);
    yield* verifyBits(archetype);
    yield* verifyTracks(graph, archetype);
  }
  if (pendingTable !== 0) alive++;
  if (alive !== tables.alive)
    yield `L4: ${alive} tables in archetypes and limbo, ${tables.alive} are counted`;
  if (pendingTable !== 0 && tables.count[pendingTable] !== 0) yield "L14: limbo has rows";
}

/** L3, L4, L9, L14, L22 of one archetype. */
function* verifyArchetype(world: World, archetype: Archetype): Iterable<string> {
  const { tables, pairs, records } = world.graph;
  const { erasedType, number, spare, empty, filled } = archetype;
  if (erasedType.some((id, at) => id < erasedType[at - 1]!)) yield `L3: archetype ${number} is not sorted`;
  const pair = tables.parentPair[spare]!;
  const isFiled = records.main[pair] === spare && records.nodePair[tables.nodes[spare]!] === pair;
  const isUnused = records.tables[pair] === 1 && tables.archetype[spare] === -1 && pairs.relation[pair] === 0;
  if (spare !== 0 && !(isFiled && isUnused))
    yield `L4: t${spare}, the spare table of archetype ${number}, is somebody's`;
  for (const isWith of [true, false]) {
    for (const [id, other] of (isWith ? archetype.withId : archetype.withoutId).entries()) {
      if (other === undefined) continue;
      const [larger, smaller] = isWith ? [other, archetype] : [archetype, other];
      const isRight =
        other === archetype
          ? wordsOf(archetype, id).length > 0 === isWith
          : wordsOf(larger, id).some(
              (at) => larger.erasedType.toSpliced(at, 1).join() === smaller.erasedType.join(),
            );
      if (!isRight)
        yield `L9: archetype ${number} ${isWith ? "with" : "without"} ${id} is not ${other.number}`;
    }
  }
  const mostEmpty = Math.max(KEPT_EMPTY_TABLES, (empty.length + filled.length) / 4) + 1;
  if (archetype.hasPairs && empty.length > mostEmpty)
    yield `L14: archetype ${number} keeps ${empty.length} empty tables beside ${filled.length}`;
  if (archetype.needsEpoch === world.events.epoch && archetype.needs !== needsNow(world, archetype))
    yield `L22: archetype ${number} keeps the needs ${archetype.needs}, not ${needsNow(world, archetype)}`;
}

/** The places of a definition in an erased type, whether it stands there by itself or as a wildcard. */
function wordsOf({ erasedType }: Archetype, id: number): number[] {
  return [...erasedType.keys()].filter((at) => Math.abs(erasedType[at]!) === id);
}

/** L3, L4, L6, L10, L14 of one table. */
function* verifyTable(graph: Graph, archetype: Archetype, table: number, isEmpty: boolean): Iterable<string> {
  const { tables, pairs } = graph;
  const { number, definitions } = archetype;
  const own = pairsOfTable(graph, table);
  if (tables.archetype[table] !== number) yield `L4: t${table} is listed by archetype ${number}`;
  if (isEmpty && (tables.count[table] !== 0 || tables.capacity[table] !== 0))
    yield `L14: t${table} is listed as empty and owns a slice`;
  if (isEmpty && own.length > 1) yield `L14: t${table} has ${own.length} pairs and no row`;
  if (own.some((pair, at) => pair <= own[at - 1]!)) yield `L3: the pairs of t${table} are not sorted`;
  const { wanted } = graph;
  graph.wanted = own.slice();
  if (findTable(graph, archetype, own.length) !== table) yield `L4: t${table} is not found by its type`;
  graph.wanted = wanted;
  for (const pair of own) {
    const relation = pairs.relation[pair]!;
    if (relation === 0) yield `L10: t${table} has the pair ${-pair}, which was taken back`;
    else if (!definitions.some(({ id }) => id === relation))
      yield `L4: t${table} has the pair ${-pair}, of which archetype ${number} knows nothing`;
  }
  for (const definition of new Set(definitions.filter(({ kind }) => kind === "relation"))) {
    const same = own.filter((pair) => pairs.relation[pair] === definition.id);
    const traits = pairs.traits[same[0] ?? 0]!;
    if (same.length > 1 && (traits & PAIR_EXCLUSIVE) !== 0)
      yield `L6: t${table} has ${same.length} pairs of an exclusive relation`;
    // Parents that are stored as values have no pair in the list.
    const isOnce = definition === Parent || (same.length > 1 && (traits & PAIR_HAS_DATA) === 0);
    if (wordsOf(archetype, definition.id).length !== (isOnce ? 1 : same.length))
      yield `L4: the pairs of t${table} do not make up its archetype ${number}`;
  }
  const parentPair = own.find((pair) => pairs.relation[pair] === CHILD_OF) ?? 0;
  if (parentPair !== tables.parentPair[table]) yield `L4: t${table} is wrong about its parent`;
}

/** L2, L13: slices and holes of an archetype never overlap and lie in its columns; a bit is set exactly for used rows. */
function* verifyRows(archetype: Archetype, tables: Tables): Iterable<string> {
  const { number, lanes, holes } = archetype;
  const owners = new Int32Array(lanes.capacity); // by row: its table, or -1 in a hole
  const claim = (owner: number, first: number, end: number): boolean => {
    const isFree =
      first >= 0 && end <= owners.length && owners.subarray(first, end).every((one) => one === 0);
    if (isFree) owners.fill(owner, first, end);
    return isFree;
  };
  let rows = 0;
  for (let table = archetype.filled.first; table !== 0; table = tables.next[table]!) {
    const first = tables.first[table]!;
    const count = tables.count[table]!;
    const end = first + tables.capacity[table]!;
    if (!claim(table, first, end) || end > archetype.end)
      yield `L2: the slice of t${table}, ${first} to ${end}, overlaps another, or ends behind ${archetype.end}`;
    if (first + count > end) yield `L2: t${table} has more rows than its slice`;
    if (count === 0) yield `L14: t${table} is listed with rows and has none`;
    rows += count;
  }
  if (rows !== archetype.rows)
    yield `L13: archetype ${number} counts ${archetype.rows} rows, its tables ${rows}`;
  for (const [row, table] of owners.entries()) {
    if (isUsed(archetype.used, row) !== (table > 0 && row < tables.first[table]! + tables.count[table]!))
      yield `L13: the bit of row ${row} of archetype ${number}`;
  }
  for (const [size, head] of holes.entries()) {
    if ((head !== NO_HOLE) !== ((archetype.holeClasses & (1 << size)) !== 0))
      yield `L2: archetype ${number} is wrong about its holes of ${2 ** size} rows`;
    let row = head;
    while (row !== NO_HOLE && claim(-1, row, row + 2 ** size)) row = lanes.i32[row]!;
    if (row !== NO_HOLE)
      yield `L2: the hole at ${row} of archetype ${number} overlaps what is no hole, or another`;
  }
  if (archetype.end > lanes.capacity) yield `L2: archetype ${number} ends behind its columns`;
  if (lanes.capacity === 0) return;
  if (lanes.stride < lanes.capacity || lanes.stride % 16 !== 0)
    yield `L2: stride ${lanes.stride} of archetype ${number}`;
  if ([lanes.i32, lanes.f64, lanes.i16, lanes.i8].some(({ byteOffset }) => byteOffset % 16 !== 0))
    yield `L2: a buffer of archetype ${number} begins off a 16-byte border`;
  if (lanes.i32.length !== lanes.plan.lanes[0]! * lanes.stride)
    yield `L2: lanes of archetype ${number} are cut short`;
}

/** L13: only used rows have tags in bits, which are counted, and the enabled rows are those that none cuts out. */
function* verifyBits({ bits, used, number, lanes }: Archetype): Iterable<string> {
  if (bits === undefined) return;
  for (const { definition, words, count } of bits.columns) {
    const own = bits.rowsWith(definition);
    if (words.length !== used.words.length || own.length !== count)
      yield `L13: archetype ${number} has ${own.length} rows with ${definition.name}, not ${count}, or too few bits`;
    const free = own.find((row) => !isUsed(used, row));
    if (free !== undefined)
      yield `L13: row ${free} of archetype ${number} is free and has ${definition.name}`;
  }
  const enabled = bits.enabled();
  for (let row = 0; row < lanes.capacity; row++) {
    const isOff = bits.columns.some(({ definition, disables }) => disables && bits.has(definition, row));
    if (isUsed(enabled, row) !== (isUsed(used, row) && !isOff))
      yield `L13: archetype ${number} is wrong about whether row ${row} is enabled`;
  }
}

/**
 * L20: a founded archetype has the tracks of what it has, others only of what is lost; `undefined` says that nothing is tracked.
 */
function* verifyTracks({ tracking }: Graph, archetype: Archetype): Iterable<string> {
  const { tracked } = tracking;
  const { number, founded, lanes, bits } = archetype;
  const tracks = lanes.tracks?.list ?? [];
  if ((lanes.tracks !== undefined) !== (founded && tracked.length > 0))
    yield `L20: archetype ${number} is wrong about whether anything is tracked`;
  let known = 0;
  for (const { definition, kind } of tracked) {
    const has = hasDefinition(archetype, definition);
    const isThere = trackOf(archetype, definition, kind) !== undefined;
    if (isThere) known++;
    let isRight = kind === REMOVED ? !(has && isThere) : isThere === (has && founded);
    if (definition.storage === "bits") isRight = isThere || kind === REMOVED || !bits?.count(definition);
    if (!isRight) yield `L20: archetype ${number} ${isThere ? "has" : "lacks"} a track of ${definition.name}`;
  }
  if (known !== tracks.length) yield `L20: archetype ${number} has a track twice, or one that nobody wants`;
  for (const track of tracks) {
    const { rows, blocks, last, clock } = track;
    if (rows.length !== lanes.capacity || blocks.length !== Math.ceil(lanes.capacity / BLOCK_ROWS))
      yield `L20: a track of archetype ${number} is not as long as its columns`;
    for (const [row, tick] of rows.entries()) {
      const block = Math.floor(row / BLOCK_ROWS);
      if (tick > (blocks[block] ?? 0))
        yield `L20: block ${block} of archetype ${number} is behind row ${row}`;
      if (tick === 0 && mustHaveTick(archetype, track, row))
        yield `L20: row ${row} of archetype ${number} was never added`;
    }
    if (blocks.some((tick) => tick > last))
      yield `L20: the last tick of archetype ${number} is behind a block`;
    if (last > clock.now) yield `L20: archetype ${number} knows what has not happened yet`;
  }
}

/** Of what is stored as bits nothing is said here of rows that do not have it. */
function mustHaveTick({ used, places, bits }: Archetype, { kind, definition }: Track, row: number): boolean {
  if (kind === REMOVED || !isUsed(used, row)) return false;
  const column = bits?.columns.find((one) => one.definition.id === definition);
  return (places[definition] ?? 0) !== 0 || (column !== undefined && bits!.has(column.definition, row));
}

/** L5, L7, L8, L10, L17: pairs have living targets, acyclic relations end at roots, depths add up, no pair is idle. */
function* verifyPairs(world: World): Iterable<string> {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  let alive = 0;
  for (let pair = 1; pair < pairs.length; pair++) {
    const relation = pairs.relation[pair]!;
    if (relation === 0) continue;
    alive++;
    const target = pairs.target[pair]!;
    if (entities.table[target] === 0) yield `L5: pair ${-pair} has the dead target e${target}`;
    if (records.tables[pair] === 0 && valueCountOf(graph.links, pair) === 0)
      yield `L10: pair ${-pair} has neither a table nor a loose child`;
    const main = records.main[pair]!;
    if (main !== 0 && pairsOfTable(graph, main).join() !== `${pair}`)
      yield `L4: pair ${-pair} finds t${main}, which has another type`;
    let listed = 0;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const place = node - tables.nodes[table]!;
      if (records.nodePair[node] !== pair || place < 0 || place >= tables.pairs[table]!)
        yield `L4: pair ${-pair} lists t${table}, whose type does not have it`;
      listed++;
    }
    if (listed !== records.tables[pair])
      yield `L4: pair ${-pair} lists ${listed} tables of ${records.tables[pair]}`;
    let found = firstPairOf(pairs, target);
    while (found !== 0 && found !== pair) found = pairs.nextOfTarget[found]!;
    if (found === 0) yield `L10: pair ${-pair} is not found by its target e${target}`;
    if ((pairs.traits[pair]! & PAIR_HANGS) !== 0) yield* verifyDepth(world, pair, relation);
    const isNoted = (pairs.traits[pair]! & PAIR_DISABLES) !== 0;
    if (isNoted !== (relation === CHILD_OF && disables(world, target)))
      yield `L17: pair ${-pair} is wrong about whether its sources are hidden`;
  }
  if (alive !== pairs.alive) yield `L10: ${alive} pairs in use, ${pairs.alive} are counted`;
}

/** L7 and L8 for one pair of an acyclic relation: its record hangs below that of its target's own pair. */
function* verifyDepth(world: World, pair: number, relation: number): Iterable<string> {
  const { pairs, records } = world.graph;
  const pairAbove = (below: number): number => {
    const target = pairs.target[below]!;
    if (relation === CHILD_OF) return parentPairAt(world, target);
    return pairOfRelation(world.graph, world.entities.table[target]!, relation);
  };
  let at = pair;
  for (let steps = 0; at !== 0 && steps <= pairs.length; steps++) at = pairAbove(at);
  const above = pairAbove(pair);
  const depth = above === 0 ? 1 : records.depth[above]! + 1;
  const before = records.before[pair]!;
  const hangsAt = (next: number, from: number): boolean =>
    next === 0 || (pairs.relation[next] === relation && records.above[next] === from);
  const isAtHome =
    above === 0 ||
    (hangsAt(records.beside[pair]!, above) &&
      (before === 0 ? records.firstBelow[above] : records.beside[before]) === pair);
  if (!isAtHome || !hangsAt(records.firstBelow[pair]!, pair))
    yield `L8: pair ${-pair} is not listed below ${-above}, or lists what does not hang there`;
  if (at !== 0) yield `L7: following pair ${-pair} never ends at a root`;
  else if (records.above[pair] !== above)
    yield `L8: pair ${-pair} hangs below ${-records.above[pair]!}, not ${-above}`;
  else if (records.depth[pair] !== depth)
    yield `L8: pair ${-pair} has depth ${records.depth[pair]}, not ${depth}`;
}

/** What is below the entity at an index is hidden. */
function disables(world: World, index: number): boolean {
  return hasDefinition(archetypeAt(world, index), DisabledTree) || hasBitAt(world, index, DisabledFromAbove);
}

/** L6, L16, L17, L19: lists of children and the links in them, who is hidden, and both sides of symmetric pairs. */
function* verifySiblings(world: World): Iterable<string> {
  const { graph, entities } = world;
  const { links, pairs } = graph;
  const listOf = new Map<number, number>(); // entity index -> the pair in whose list it was met
  for (let pair = 1; pair < links.lists.length / LIST; pair++) yield* verifyList(world, pair, listOf);
  for (let index = 1; index < links.kin.length / KIN; index++) {
    if (listOf.has(index)) continue;
    if (nextInList(links, index) !== 0 || links.kin[index * KIN + PREVIOUS] !== 0)
      yield `L16: e${index} stands in no list and has neighbours`;
    if (valuePairOf(links, index) !== 0) yield `L16: e${index} is loose and stands in no list`;
  }
  for (let index = 1; index < entities.length; index++) {
    if (entities.table[index] === 0) continue;
    const archetype = archetypeAt(world, index);
    const byValue = valuePairOf(links, index);
    if (archetype.hasValueParent !== (byValue !== 0))
      yield `L16: e${index} has the loose pair ${-byValue}; its archetype says otherwise`;
    if (archetype.hasValueParent && hasDefinition(archetype, ChildOf))
      yield `L6: e${index} has ${Parent.name} and ${ChildOf.name}`;
    if (byValue !== 0 && links.kin[index * KIN + GENERATION] !== linkGeneration(world, index))
      yield `L16: the links of e${index} are wrong about its generation`;
    if (byValue !== 0 && pairs.relation[byValue] !== CHILD_OF)
      yield `L16: the loose pair ${-byValue} of e${index} is none`;
    const pair = parentPairAt(world, index);
    if (isListed(links, pair) && listOf.get(index) !== pair)
      yield `L16: the list of pair ${-pair} lacks e${index}`;
    const own = findPair(pairs, CHILD_OF, index);
    if (hasDefinition(archetype, OrderedChildren) && own !== 0 && !isListed(links, own))
      yield `L16: e${index} has ${OrderedChildren.name} and no list`;
    const isBelow = pair !== 0 && disables(world, pairs.target[pair]!);
    if (hasBitAt(world, index, DisabledFromAbove) !== isBelow)
      yield `L17: e${index} is ${isBelow ? "not hidden below" : "hidden and not below"} a ${DisabledTree.name}`;
    for (const relation of archetype.definitions.filter(({ symmetric }) => symmetric)) {
      const back = findPair(pairs, relation.id, index);
      const others = pairsAt(world, index, relation).map((one) => pairs.target[one]!);
      const stranger = others.find((other) => back === 0 || !hasPairAt(world, other, back));
      if (stranger !== undefined)
        yield `L19: e${index} has ${relation.name} with e${stranger}, which does not have it with e${index}`;
    }
  }
}

/** L16: a list holds exactly the sources of its pair, each once, and is right about neighbours and counts. */
function* verifyList(world: World, pair: number, listOf: Map<number, number>): Iterable<string> {
  const { links, pairs } = world.graph;
  const first = firstInList(links, pair);
  const [wanted, wantedByValue] = [countInList(links, pair), valueCountOf(links, pair)];
  if (isListed(links, pair) ? pairs.relation[pair] !== CHILD_OF : first !== 0)
    yield `L16: pair ${-pair} has a list and is no parent's, or children and no list`;
  let [before, count, byValue] = [0, 0, 0];
  for (let index = first; index !== 0; index = nextInList(links, index)) {
    if (listOf.has(index)) {
      yield `L16: e${index} stands twice in lists, at last in that of pair ${-pair}`;
      return;
    }
    listOf.set(index, pair);
    if (parentPairAt(world, index) !== pair)
      yield `L16: e${index} stands in the list of pair ${-pair}, which it does not have`;
    if (links.kin[index * KIN + PREVIOUS] !== before)
      yield `L16: e${index} is wrong about who stands before it`;
    if (valuePairOf(links, index) !== 0) byValue++;
    count++;
    before = index;
  }
  if (links.lists[pair * LIST + LAST] !== before)
    yield `L16: the list of pair ${-pair} is wrong about its end`;
  if (wanted !== count || wantedByValue !== byValue)
    yield `L16: the list of pair ${-pair} counts ${wanted} children and ${wantedByValue} loose ones; there are ${count} and ${byValue}`;
}

/** L18: a kept order of adding holds exactly the pairs of an entity that are of relations with many targets. */
function* verifyOrders({ graph, entities, orders }: World): Iterable<string> {
  for (const [index, order] of orders) {
    const table = entities.table[index]!;
    const many = pairsOfTable(graph, table).filter(
      (pair) => (graph.pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0,
    );
    if (table === 0) yield `L18: an order is kept for e${index}, which is dead`;
    else if (order.toSorted((one, other) => one - other).join() !== many.join())
      yield `L18: the order kept for e${index} is [${order}], its pairs are [${many}]`;
  }
}
