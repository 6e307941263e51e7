// Checks the invariants of core in a whole world (`verify`), and those that other packages add.
import { KEPT_EMPTY_TABLES } from "../base/limits.ts";
import { findTable, type Graph, pairOfRelation } from "../graph/graph.ts";
import { CHILD_OF, ChildOf, DisabledFromAbove, DisabledTree, Parent } from "../id/builtins.ts";
import { PAIR_DISABLES, PAIR_EXCLUSIVE, PAIR_HAS_DATA, PAIR_KEEPS_DEPTH } from "../id/definition.ts";
import { findPair, firstPairOf } from "../id/pair-index.ts";
import { countIn, familiesIn, sliceOf } from "../records/families.ts";
import { type Archetype, hasDefinition } from "../storage/archetype.ts";
import { allRowsOf, isSet } from "../storage/bits.ts";
import type { TableList, Tables } from "../storage/table.ts";
import { BLOCK_ROWS, isIn, owns, REMOVED, type Track, trackOf } from "../storage/tracks.ts";
import { countRecorded } from "../world/state/buffers.ts";
import { needsNow } from "../world/state/needs-of.ts";
import { hasPairAt, pairsAt, pairsOfTable, parentPairAt, settleDepths } from "../world/state/targets.ts";
import { archetypeAt, hasBitAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { verifyColumns } from "./verify-columns.ts";
import { verifyFamily, verifyPool } from "./verify-lists.ts";
import { verifySparse } from "./verify-sparse.ts";

/**
 * Checks the invariants of `docs/invariants.md` in a whole world. Stale depths are refreshed first, as any reader would.
 *
 * @cost the size of the world; use it in tests and for debugging.
 * @returns one text per violation, which begins with the invariant's number; empty if the world is consistent.
 */
export function verify(world: World): string[] {
  const lost = [...verifyTableNumbers(world)];
  if (lost.length > 0) return lost; // all that follows reads the tables of entities
  settleDepths(world);
  return [
    ...verifyEntities(world),
    ...verifyArchetypes(world),
    ...verifyPairs(world),
    ...verifySiblings(world),
    ...verifyOrders(world),
    ...verifySparse(world),
    ...verifyColumns(world),
    ...world.invariants.flatMap((invariant) => invariant(world)),
  ];
}

/** I1: the record of a living entity names a table that exists. */
function* verifyTableNumbers({ graph: { tables }, entities }: World): Iterable<string> {
  for (let index = 1; index < entities.length; index++) {
    const table = entities.table[index]!;
    if (table !== 0 && !(table < tables.length && tables.archetype[table]! >= 0))
      yield `I1: #${index} is recorded in t${table}, which does not exist`;
  }
}

/**
 * I1: a living entity has one row and is in one table, which its record names; except pending spawns, while there are deferred
 * commands or command buffers will spawn them. Rows and lists of tables have no others: see `verifyRows` and `verifyList`.
 */
function* verifyEntities(world: World): Iterable<string> {
  const { graph, entities, pendingTable, hasCommands } = world;
  const { tables, archetypes } = graph;
  const { pool, placeOf } = tables.lists;
  let alive = 0;
  let pending = 0;
  for (let index = 1; index < entities.length; index++) {
    const table = entities.table[index]!;
    if (table === 0) continue;
    alive++;
    if (table === pendingTable) {
      pending++;
      continue;
    }
    const row = entities.row[index]!;
    const archetype = archetypes[tables.archetype[table]!]!;
    if (!(row >= 0 && row < archetype.rows))
      yield `I1: #${index} is recorded in row ${row} of archetype ${archetype.number}, which has ${archetype.rows}`;
    else if (archetype.lanes.i32[row] !== index)
      yield `I1: row ${row} of archetype ${archetype.number} does not hold #${index}`;
    if (tables.pairs[table] === 0) continue;
    const place = placeOf[index] ?? -1;
    if (!(place >= 0 && place < tables.count[table]!) || pool[tables.first[table]! + place] !== index)
      yield `I1: place ${place} of t${table} does not hold #${index}`;
  }
  const recorded = countRecorded(world);
  if (!hasCommands && pending !== recorded)
    yield `I1: ${pending} spawns are pending, but there are no commands, and buffers spawn ${recorded}`;
  if (alive !== entities.alive) yield `I1: ${alive} entities have a table, but ${entities.alive} are counted`;
  yield* verifyFree(world);
  const rows = archetypes.reduce((sum, archetype) => sum + archetype.rows, 0);
  if (rows + pending !== alive) yield `I1: ${rows} rows for ${alive - pending} living entities`;
}

/** I1: an index is in the list of free ones at most once, and then no entity has it; arrays are as long as there are indexes. */
function* verifyFree({ entities }: World): Iterable<string> {
  const { row, table, handles, free, lastFree, length, newGeneration } = entities;
  if (length > 1 && Math.min(row.length, table.length, handles.length) < length)
    yield `I1: ${length} indexes, but arrays of ${Math.min(row.length, table.length, handles.length)}`;
  const seen = new Set<number>();
  let last = 0;
  for (let count = free; count > 0; count--) {
    last = row[last]!;
    if (!(last > 0 && last < length) || table[last] !== 0 || seen.has(last))
      yield `I1: the free index #${last} is beyond ${length}, taken, or free twice`;
    seen.add(last);
  }
  if (last !== lastFree) yield `I1: the last free index is #${last}, and not #${lastFree}`;
  if (newGeneration < entities.firstGeneration) yield `I1: new indexes get generation ${newGeneration}`;
}

/** The invariants of archetypes, tables, rows and tracks. */
function* verifyArchetypes(world: World): Iterable<string> {
  const { graph, pendingTable } = world;
  const { tables } = graph;
  const byHash = new Map<number, Archetype>(); // hash of the erased type, or the next free number
  let alive = 0;
  for (const archetype of graph.archetypes) {
    const { erasedType, number } = archetype;
    let hash = erasedType.reduce((sum, id) => (Math.imul(sum, 31) + id) | 0, 0);
    while (byHash.has(hash) && !areEqual(byHash.get(hash)!.erasedType, erasedType)) hash++;
    if (byHash.has(hash))
      yield `I3: archetype ${byHash.get(hash)!.number} and archetype ${number} share the type [${erasedType}]`;
    byHash.set(hash, archetype);
    for (const { id, name } of archetype.founded ? archetype.definitions : []) {
      if (graph.componentIndex.get(id)?.includes(archetype) !== true)
        yield `I4: ${name} does not list archetype ${archetype.number}`;
    }
    yield* verifyArchetype(world, archetype);
    const { plainTable } = archetype;
    let members = archetype.hasPairs ? 0 : archetype.rows;
    if (plainTable !== 0 && !archetype.hasPairs) {
      alive++;
      yield* verifyTable(graph, archetype, plainTable, true);
      yield* verifyList(world, plainTable);
    }
    for (const list of [archetype.filled, archetype.empty]) {
      const listed = tablesIn(tables, list);
      alive += listed.length;
      if (listed.length !== list.length || (listed.at(-1) ?? 0) !== list.last)
        yield `I14: archetype ${number} lists ${listed.length} tables, the last t${listed.at(-1)}; not ${list.length} and t${list.last}`;
      for (const [place, table] of listed.entries()) {
        members += tables.count[table]!;
        if (tables.previous[table] !== (listed[place - 1] ?? 0) || tables.listed[table] !== 1)
          yield `I14: t${table} of archetype ${number} does not know that it is listed, or where`;
        yield* verifyTable(graph, archetype, table, list === archetype.empty);
        yield* verifyList(world, table);
      }
    }
    if (members !== archetype.rows)
      yield `I13: archetype ${number} has ${archetype.rows} rows, but its tables count ${members}`;
    yield* verifyRows(world, archetype);
    yield* verifyBits(archetype);
    yield* verifyTracks(graph, archetype);
  }
  let hashed = 0;
  for (let table = 1; table < tables.length; table++) {
    if (tables.archetype[table]! >= 0 && tables.pairs[table]! > 0 && !isMainTable(graph, table)) hashed++;
  }
  if (hashed !== graph.hashed)
    yield `I4: ${hashed} tables are found by their hash, but ${graph.hashed} are counted`;
  yield* verifyPool("I2", "table", tables.lists, tables.length, (table) => ({
    first: tables.first[table]!,
    room: tables.archetype[table]! < 0 ? 0 : tables.capacity[table]!,
  }));
  if (pendingTable !== 0) alive++;
  if (alive !== tables.alive)
    yield `I4: ${alive} tables in archetypes and for pending spawns, but ${tables.alive} are counted`;
  if (pendingTable !== 0 && tables.count[pendingTable] !== 0)
    yield "I14: the table of pending spawns has rows";
}

/** The tables of a list of an archetype, as far as its links lead to no table twice. */
function tablesIn({ next }: Tables, { first }: TableList): number[] {
  const found = new Set<number>();
  for (let table = first; table !== 0 && !found.has(table); table = next[table] ?? 0) found.add(table);
  return [...found];
}

/** Whether a table with pairs is found through its only pair, and not by its hash. */
function isMainTable({ tables, records }: Graph, table: number): boolean {
  return records.main[records.nodePair[tables.nodes[table]!]!] === table;
}

/** I3, I4, I9, I14, I22 for one archetype. */
function* verifyArchetype(world: World, archetype: Archetype): Iterable<string> {
  const { erasedType, number, empty, filled, plainTable } = archetype;
  if (erasedType.some((id, at) => id < erasedType[at - 1]!)) yield `I3: archetype ${number} is not sorted`;
  if (plainTable !== 0 ? archetype.hasPairs : !archetype.hasPairs && archetype.rows > 0)
    yield `I4: t${plainTable} is the plain table of archetype ${number}, which has ${archetype.hasPairs ? "" : "no "}pairs`;
  for (const isWith of [true, false]) {
    const edges = isWith ? archetype.withId : archetype.withoutId;
    for (const key in edges) {
      const id = Number(key);
      const other = edges[id];
      if (other === undefined) continue;
      // An own value replaces an inherited one, which does not replace it.
      const isOwn = archetype.definitions.some((one) => one.inherited?.id === id);
      const instead = archetype.definitions.find((one) => one.standsFor?.id === id);
      const own = isWith ? erasedType.filter((one) => one !== instead?.id) : erasedType;
      const [larger, smaller] = isWith ? [other.erasedType, own] : [own, other.erasedType];
      const isRight =
        other === archetype
          ? (timesIn(archetype, id) > 0 || (isWith && isOwn)) === isWith
          : hasOneMore(larger, smaller, id);
      if (!isRight)
        yield `I9: archetype ${number} ${isWith ? "with" : "without"} ${id} is not archetype ${other.number}`;
    }
  }
  const mostEmpty = Math.max(KEPT_EMPTY_TABLES, (empty.length + filled.length) / 4) + 1;
  if (archetype.hasPairs && empty.length > mostEmpty)
    yield `I14: archetype ${number} keeps ${empty.length} empty tables and ${filled.length} others`;
  if (archetype.needsEpoch === world.events.epoch && archetype.needs !== needsNow(world, archetype))
    yield `I22: archetype ${number} has the needs ${archetype.needs} cached, not ${needsNow(world, archetype)}`;
}

/** How often a definition is in an erased type. */
function timesIn({ erasedType }: Archetype, id: number): number {
  let count = 0;
  for (let at = 0; at < erasedType.length; at++) if (Math.abs(erasedType[at]!) === id) count++;
  return count;
}

/** Whether a type equals another once it loses a definition. */
function hasOneMore(larger: readonly number[], smaller: readonly number[], id: number): boolean {
  for (let at = 0; at < larger.length; at++)
    if (Math.abs(larger[at]!) === id && areEqual(smaller, larger, at)) return true;
  return false;
}

/** Whether a type equals another, or equals it without the number at a place. */
function areEqual(type: readonly number[], other: readonly number[], without = other.length): boolean {
  if (type.length !== other.length - (without < other.length ? 1 : 0)) return false;
  for (let at = 0; at < type.length; at++) if (type[at] !== other[at < without ? at : at + 1]) return false;
  return true;
}

/** I3, I4, I6, I10, I14 for one table. */
function* verifyTable(graph: Graph, archetype: Archetype, table: number, isEmpty: boolean): Iterable<string> {
  const { tables, pairs } = graph;
  const { number, definitions } = archetype;
  const own = pairsOfTable(graph, table);
  if (tables.archetype[table] !== number) yield `I4: t${table} is listed by archetype ${number}`;
  if (isEmpty !== (tables.count[table] === 0))
    yield `I14: t${table} is listed as ${isEmpty ? "empty" : "filled"} but counts ${tables.count[table]} entities`;
  if (isEmpty && own.length > 1) yield `I14: t${table} has ${own.length} pairs but no entity`;
  if (own.some((pair, at) => pair <= own[at - 1]!)) yield `I3: the pairs of t${table} are not sorted`;
  const { wanted } = graph;
  graph.wanted = own.slice();
  const found = findTable(graph, archetype, own.length);
  if (found !== table) yield `I4: t${table} is not found by its type`;
  if (found !== table && found !== 0) yield `I3: t${found} and t${table} share the type ${number}: ${own}`;
  graph.wanted = wanted;
  for (const pair of own) {
    const relation = pairs.relation[pair]!;
    if (relation === 0) yield `I10: t${table} has the pair ${-pair}, which was freed`;
    else if (!definitions.some(({ id }) => id === relation))
      yield `I4: t${table} has the pair ${-pair}, but its archetype ${number} lacks the relation`;
  }
  for (const [place, definition] of definitions.entries()) {
    if (definition.kind !== "relation" || definitions.indexOf(definition) < place) continue;
    let count = 0;
    let traits = 0;
    for (const pair of own) {
      if (pairs.relation[pair] !== definition.id) continue;
      count++;
      traits = pairs.traits[pair]!;
    }
    if (count > 1 && (traits & PAIR_EXCLUSIVE) !== 0)
      yield `I6: t${table} has ${count} pairs of an exclusive relation`;
    // Parents are in families, and in no table.
    const isParent = definition === Parent || definition === ChildOf;
    if (isParent && count > 0) yield `I4: t${table} has a pair of ${definition.name}`;
    const isOnce = isParent || (count > 1 && (traits & PAIR_HAS_DATA) === 0);
    if (timesIn(archetype, definition.id) !== (isOnce ? 1 : count))
      yield `I4: the pairs of t${table} do not match its archetype ${number}`;
  }
}

/** I1, I2: the list of a table has its entities, each once, and fits; a table without pairs, which has all rows, counts and lists none. */
function* verifyList({ graph, entities }: World, table: number): Iterable<string> {
  const { tables } = graph;
  const { pool, placeOf } = tables.lists;
  const [first, count, capacity] = [tables.first[table]!, tables.count[table]!, tables.capacity[table]!];
  if (tables.pairs[table] === 0) {
    if (count !== 0) yield `I13: t${table} counts ${count} entities, but has no pair`;
    if (first !== 0 || capacity !== 0) yield `I2: t${table} has a list but no pair`;
    return;
  }
  if (count > capacity) yield `I2: t${table} counts ${count} entities in a list for ${capacity}`;
  for (let place = 0; place < count; place++) {
    const index = pool[first + place] ?? 0;
    if (entities.table[index] !== table || placeOf[index] !== place)
      yield `I1: place ${place} of t${table} holds #${index}, which is recorded elsewhere`;
  }
}

/** I1, I2: each row of an archetype is that of one of its entities; rows and lanes are within its columns. */
function* verifyRows({ graph, entities }: World, archetype: Archetype): Iterable<string> {
  const { number, lanes, rows } = archetype;
  const { tables } = graph;
  if (rows < 0 || rows > lanes.capacity)
    yield `I2: archetype ${number} has ${rows} rows in columns of ${lanes.capacity}`;
  for (let row = 0; row < Math.min(rows, lanes.capacity); row++) {
    const index = lanes.i32[row] ?? 0;
    if (tables.archetype[entities.table[index] ?? 0] !== number || entities.row[index] !== row)
      yield `I1: row ${row} of archetype ${number} holds #${index}, which is recorded elsewhere`;
  }
  if (lanes.capacity === 0) return;
  if (lanes.stride < lanes.capacity || lanes.stride % 16 !== 0)
    yield `I2: the stride ${lanes.stride} of archetype ${number} is wrong`;
  if ([lanes.i32, lanes.f64, lanes.i16, lanes.i8].some(({ byteOffset }) => byteOffset % 16 !== 0))
    yield `I2: a buffer of archetype ${number} is not aligned to 16 bytes`;
  if (lanes.i32.length !== lanes.plan.lanes[0]! * lanes.stride)
    yield `I2: the lanes of archetype ${number} have the wrong length`;
}

/** I13: no row behind the last has a tag in bits, counts are right, and cuts leave the rows that have all that is required. */
function* verifyBits(archetype: Archetype): Iterable<string> {
  const { bits, number, lanes, rows } = archetype;
  const { bounds, length, words: all } = allRowsOf(archetype);
  if (all.some((word) => word !== -1) || length !== (rows === 0 ? 0 : 2) || (rows > 0 && bounds[0] !== 0))
    yield `I13: the run of all rows of archetype ${number} is wrong`;
  if (bits === undefined) return;
  for (const { definition, words, count } of bits.columns) {
    if (words.length !== (lanes.capacity + 31) >>> 5)
      yield `I13: archetype ${number} has the wrong number of bits for ${definition.name}`;
    let own = 0;
    for (let row = 0; row < words.length * 32; row++) {
      if (!isSet(words, row)) continue;
      own++;
      if (row >= rows)
        yield `I13: archetype ${number} has ${rows} rows, but row ${row} has ${definition.name}`;
    }
    if (own !== count) yield `I13: archetype ${number} has ${own} rows with ${definition.name}, not ${count}`;
  }
  for (const { cut } of bits.cuts.values()) {
    const left = bits.rowsIn(cut);
    const isInRun = new Uint8Array(rows);
    for (let at = 0; at < left.length; at += 2) isInRun.fill(1, left.bounds[at]!, left.bounds[at + 1]!);
    for (let row = 0; row < rows; row++) {
      const isLeft = bits.leaves(cut, row);
      if (isSet(left.words, row) !== isLeft || (isInRun[row] === 1) !== isLeft)
        yield `I13: row ${row} of archetype ${number} is wrong in the cut ${cut.key}`;
    }
    if (left.length > 0 && left.bounds[left.length - 1]! > rows)
      yield `I13: the cut ${cut.key} of archetype ${number} ends behind its rows`;
  }
}

/**
 * I20: a founded archetype has the tracks of the definitions it has, others only tracks of removals; `undefined` means that
 * nothing is tracked.
 */
function* verifyTracks({ tracking }: Graph, archetype: Archetype): Iterable<string> {
  const { tracked } = tracking;
  const { number, founded, lanes, bits } = archetype;
  const tracks = lanes.tracks?.list ?? [];
  if ((lanes.tracks !== undefined) !== (founded && tracked.length > 0))
    yield `I20: archetype ${number} has tracks although nothing is tracked, or lacks them`;
  let known = 0;
  for (const { definition, kind } of tracked) {
    const has = isIn(archetype, definition.id);
    const isThere = trackOf(archetype, definition, kind) !== undefined;
    if (isThere) known++;
    let isRight =
      kind === REMOVED ? !(isThere && owns(archetype, definition.id)) : isThere === (has && founded);
    if (definition.storage !== "table") isRight = isThere || kind === REMOVED || !bits?.count(definition);
    if (!isRight) yield `I20: archetype ${number} ${isThere ? "has" : "lacks"} a track of ${definition.name}`;
  }
  if (known !== tracks.length) yield `I20: archetype ${number} has a track twice, or an unused one`;
  for (const track of tracks) {
    const { rows, blocks, last, clock } = track;
    if (rows.length !== lanes.capacity || blocks.length !== Math.ceil(lanes.capacity / BLOCK_ROWS))
      yield `I20: a track of archetype ${number} is not as long as its columns`;
    for (let row = 0; row < rows.length; row++) {
      const tick = rows[row]!;
      const block = Math.floor(row / BLOCK_ROWS);
      if (tick > (blocks[block] ?? 0))
        yield `I20: the tick of block ${block} of archetype ${number} is below that of row ${row}`;
      if (tick === 0 && mustHaveTick(archetype, track, row))
        yield `I20: row ${row} of archetype ${number} has no tick`;
    }
    if (blocks.some((tick) => tick > last))
      yield `I20: the last tick of archetype ${number} is below that of a block`;
    if (last > clock.now) yield `I20: a tick of archetype ${number} is in the future`;
  }
}

/** Whether a row must have a tick. For tags stored as bits, only rows that have the tag must. */
function mustHaveTick(archetype: Archetype, { kind, definition }: Track, row: number): boolean {
  const { rows, bits } = archetype;
  if (kind === REMOVED || row >= rows) return false;
  const column = bits?.columns.find((one) => one.definition.id === definition);
  const isThere = kind === "added" ? owns(archetype, definition) : isIn(archetype, definition);
  return isThere || (column !== undefined && bits!.has(column.definition, row));
}

/** I5, I7, I8, I10, I17: pairs have living targets, acyclic relations end at roots, depths are correct, no pair is unused. */
function* verifyPairs(world: World): Iterable<string> {
  const { graph, entities } = world;
  const { pairs, records, tables } = graph;
  let alive = 0;
  for (let pair = 1; pair < pairs.length; pair++) {
    const relation = pairs.relation[pair]!;
    if (relation === 0) continue;
    alive++;
    const target = pairs.target[pair]!;
    if (entities.table[target] === 0) yield `I5: the target #${target} of pair ${-pair} is not alive`;
    if (records.tables[pair] === 0 && countIn(graph.families, pair) === 0)
      yield `I10: no table has pair ${-pair}, and its family is empty`;
    const isSparse = graph.sparse[relation] !== undefined; // then these are places in its store
    const main = isSparse ? 0 : records.main[pair]!;
    if (main !== 0 && (tables.pairs[main] !== 1 || records.nodePair[tables.nodes[main]!] !== pair))
      yield `I4: the main table of pair ${-pair} is t${main}, which has another type`;
    let listed = 0;
    for (let node = records.firstNode[pair]!; node !== 0; node = records.nodeNext[node]!) {
      const table = records.nodeTable[node]!;
      const place = node - tables.nodes[table]!;
      if (records.nodePair[node] !== pair || place < 0 || place >= tables.pairs[table]!)
        yield `I4: pair ${-pair} lists t${table}, whose type does not have it`;
      listed++;
    }
    if (!isSparse && listed !== records.tables[pair])
      yield `I4: pair ${-pair} lists ${listed} tables, but counts ${records.tables[pair]}`;
    let found = firstPairOf(pairs, target);
    while (found !== 0 && found !== pair) found = pairs.nextOfTarget[found]!;
    if (found === 0) yield `I10: pair ${-pair} is not found through its target #${target}`;
    if ((pairs.traits[pair]! & PAIR_KEEPS_DEPTH) !== 0) yield* verifyDepth(world, pair, relation);
    const isNoted = (pairs.traits[pair]! & PAIR_DISABLES) !== 0;
    if (isNoted !== (isFollowed(world, relation) && disables(world, target)))
      yield `I17: the flag of pair ${-pair} for disabled subjects is wrong`;
  }
  if (alive !== pairs.alive) yield `I10: ${alive} pairs are in use, but ${pairs.alive} are counted`;
}

/** I7 and I8 for one pair of a relation that keeps depths: its record is below that of its target's own pair. */
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
  const isBelow = (next: number, from: number): boolean =>
    next === 0 || (pairs.relation[next] === relation && records.above[next] === from);
  const isListed =
    above === 0 ||
    (isBelow(records.beside[pair]!, above) &&
      (before === 0 ? records.firstBelow[above] : records.beside[before]) === pair);
  if (!isListed || !isBelow(records.firstBelow[pair]!, pair))
    yield `I8: pair ${-pair} is not listed below ${-above}, or lists a pair that is not below it`;
  if (at !== 0) yield `I7: following pair ${-pair} never reaches a root`;
  else if (records.above[pair] !== above)
    yield `I8: pair ${-pair} is below ${-records.above[pair]!}, not ${-above}`;
  else if (records.depth[pair] !== depth)
    yield `I8: pair ${-pair} has depth ${records.depth[pair]}, not ${depth}`;
}

/** Does `DisabledTree` follow the relation with this number? */
function isFollowed({ slots }: World, relation: number): boolean {
  return relation === CHILD_OF || slots.disabling?.has(relation) === true;
}

/** Whether entities below the entity at an index are disabled. */
function disables(world: World, index: number): boolean {
  return hasDefinition(archetypeAt(world, index), DisabledTree) || hasBitAt(world, index, DisabledFromAbove);
}

/** I6, I16, I17, I19: families, entities disabled from above, and both sides of symmetric pairs. */
function* verifySiblings(world: World): Iterable<string> {
  const { graph, entities, pendingTable } = world;
  const { families, pairs } = graph;
  const familyOf = new Int32Array(entities.length).fill(-1); // entity index -> the pair whose list has it, or -1
  for (let pair = 0; pair < familiesIn(families); pair++) yield* verifyFamily(world, pair, familyOf);
  yield* verifyPool("I16", "pair", families, familiesIn(families), (pair) => sliceOf(families, pair));
  for (let index = 1; index < entities.length; index++) {
    if (entities.table[index] === 0) continue;
    const archetype = archetypeAt(world, index);
    const pair = parentPairAt(world, index);
    const isByType = hasDefinition(archetype, ChildOf);
    if (archetype.hasParent !== (pair !== 0))
      yield `I16: the archetype of #${index} does not fit its family ${-pair}`;
    if (archetype.hasValueParent && isByType) yield `I6: #${index} has ${Parent.name} and ${ChildOf.name}`;
    if (pair !== 0 && pairs.relation[pair] !== CHILD_OF)
      yield `I16: the family ${-pair} of #${index} is not a pair of ${ChildOf.name}`;
    const isPending = entities.table[index] === pendingTable;
    if (isPending && (pair !== 0 || entities.place[index] !== -1))
      yield `I16: #${index} is pending, but at place ${entities.place[index]} of the family ${-pair}`;
    if (familyOf[index] !== (isPending ? -1 : pair)) yield `I16: the family of pair ${-pair} lacks #${index}`;
    const isOff = (one: number): boolean => one !== 0 && disables(world, pairs.target[one]!);
    const isBelow =
      isOff(pair) ||
      archetype.definitions.some(
        (relation) => isFollowed(world, relation.id) && pairsAt(world, index, relation).some(isOff),
      );
    if (hasBitAt(world, index, DisabledFromAbove) !== isBelow)
      yield `I17: #${index} is ${isBelow ? "not disabled below" : "disabled but not below"} a ${DisabledTree.name}`;
    for (const relation of archetype.definitions) {
      if (!relation.symmetric) continue;
      const back = findPair(pairs, relation.id, index);
      const others = pairsAt(world, index, relation).map((one) => pairs.target[one]!);
      const oneSided = others.find((other) => back === 0 || !hasPairAt(world, other, back));
      if (oneSided !== undefined)
        yield `I19: #${index} has ${relation.name} with #${oneSided}, which does not have it with #${index}`;
    }
  }
}

/** I18: a stored order of adding has exactly the pairs of an entity that are of non-exclusive relations. */
function* verifyOrders({ graph, entities, orders }: World): Iterable<string> {
  for (const [index, order] of orders) {
    const table = entities.table[index]!;
    const many = pairsOfTable(graph, table).filter(
      (pair) => (graph.pairs.traits[pair]! & PAIR_EXCLUSIVE) === 0,
    );
    if (table === 0) yield `I18: an order is stored for #${index}, which is not alive`;
    else if (order.toSorted((one, other) => one - other).join() !== many.join())
      yield `I18: the order stored for #${index} is [${order}], but its pairs are [${many}]`;
  }
}
