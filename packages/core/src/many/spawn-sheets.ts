// Entities of a document by columns: which rows are of one table (`Share`), when it is refused (`isBulk`), and names.
import { type Arrivals, closeIfIdle } from "../graph/graph.ts";
import { ChildOf, Parent } from "../id/builtins.ts";
import { addRequired, type Definition, PAIR_SPREADS, type PlainTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import { addJoins, type Joins } from "../records/families.ts";
import { type Archetype, NEEDS_HOOKS, NEEDS_TICKS } from "../storage/archetype.ts";
import { copyValues } from "../storage/copy-rows.ts";
import { appendRows } from "../storage/rows.ts";
import type { PairNumber, TableNumber } from "../storage/table.ts";
import { callAcceptList } from "../world/change/hook-calls.ts";
import { followIfTarget, joinLast, undoSpawns, withReserved } from "../world/change/insert.ts";
import { ensurePair } from "../world/change/pair.ts";
import { knownPlan, newPlan } from "../world/change/spawn-plans.ts";
import { type AcceptedList, hooksOf } from "../world/state/hooks.ts";
import { addPending, endDeferred, mustDefer } from "../world/state/lock.ts";
import { needsOf } from "../world/state/needs-of.ts";
import { archetypeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { requireRoomForEntities } from "../world/verb/spawn.ts";
import { growEntities } from "./spawn-rows.ts";
import { type StagedRows, stagedColumn, stagedColumns, stageList, stageRows } from "./staged-rows.ts";

/** Entities that are about to be spawned, with the same components and tags. */
export interface SheetOfRows {
  readonly definitions: readonly Definition[];
  readonly isValueParent: boolean;
  /** By row: the place among all entities, ascending. */
  readonly places: ArrayLike<number>;
  /** Writes the values. All handles are known, and nothing has changed. Throws to refuse. */
  readonly fill: (
    columns: (definition: Definition) => unknown,
    list: (definition: Definition, values: readonly unknown[]) => void,
    spawned: readonly Entity[],
  ) => void;
}

/** Rows of one sheet that get the same archetype: those below a parent, or the roots. */
interface Share {
  readonly archetype: Archetype;
  /** Nothing is in bits or sparse. */
  readonly isPlain: boolean;
  readonly staged: StagedRows;
  readonly places: ArrayLike<number>;
  /** By row of the sheet: 1 for those of this share. */
  readonly isOwn: Uint8Array;
  readonly count: number;
  /** The place of the first. */
  readonly first: number;
  table: TableNumber;
}

/** NEEDS_ bits of rows that are appended by table. */
const BULK: number = NEEDS_TICKS | NEEDS_HOOKS;

/**
 * Spawns entities by columns, whose parents and fields may be one another, as `spawnTogether` does: all of them or none, table by table.
 *
 * @param parents by place: 1 + the place of the parent, which is lower; 0 for roots.
 * @param top the parent of the roots, or `undefined`.
 * @returns the handles by place; `undefined`, with nothing changed, if something needs a stage for each entity: observers, hooks but
 *   those of names, and disabled parents.
 * @throws TreelineError as `spawn`, and what `fill` throws. Nothing has changed then.
 */
export function spawnSheets(
  world: World,
  sheets: readonly SheetOfRows[],
  parents: Uint32Array,
  top: Entity | undefined,
): Entity[] | undefined {
  const count = parents.length;
  if (mustDefer(world) || count === 0) return undefined;
  requireRoomForEntities(world, count);
  const { entities } = world;
  const indexes: number[] = [];
  world.deferDepth++;
  let isDone = false;
  try {
    growEntities(world, count);
    for (let at = 0; at < count; at++) indexes.push(addPending(world));
    const spawned = indexes.map((index) => handleAt(entities, index));
    isDone = insert(world, sheets, parents, top, indexes, spawned);
    return isDone ? spawned : undefined;
  } finally {
    try {
      if (!isDone) undoSpawns(world, indexes);
    } finally {
      endDeferred(world, isDone);
    }
  }
}

function insert(
  world: World,
  sheets: readonly SheetOfRows[],
  parents: Uint32Array,
  top: Entity | undefined,
  indexes: readonly number[],
  spawned: readonly Entity[],
): boolean {
  const { graph } = world;
  /** By 1 + the place of a parent; 0 is that of the roots. */
  const pairs = new Int32Array(parents.length + 1);
  const made: PairNumber[] = [];
  const named: Named = { definition: undefined, names: new Array<unknown>(parents.length) };
  const shares: Share[] = [];
  let accepted: AcceptedList<unknown> | undefined;
  const places: number[] = [];
  let isReady = false;
  try {
    for (const sheet of sheets) {
      const staged = stageRows(world, addRequired([...sheet.definitions]), [], sheet.places.length);
      for (const isBelow of [true, false]) {
        const share = shareOf(world, sheet, staged, parents, isBelow || top !== undefined, isBelow ? 1 : 0);
        if (share === undefined) continue;
        if (!share.isPlain || !isBulk(world, share.archetype, named)) return false;
        shares.push(share);
      }
      for (let row = 0; row < sheet.places.length; row++) {
        const parent = parents[sheet.places[row]!]!;
        if (pairs[parent] !== 0 || (parent === 0 && top === undefined)) continue;
        const pair = ensurePair(world, ChildOf, parent > 0 ? indexes[parent - 1]! : indexOf(top!));
        pairs[parent] = pair;
        made.push(pair);
        if ((graph.pairs.traits[pair]! & PAIR_SPREADS) !== 0) return false;
      }
      sheet.fill(
        (definition) => stagedColumns(staged, definition as never),
        (definition, values) => stageList(staged, stagedColumn(staged, definition)!, values),
        spawned,
      );
      noteNames(named, staged, sheet);
    }
    if (named.definition !== undefined) {
      // In the order of the document, since the first of two that have one name may be found.
      const values: unknown[] = [];
      const above: number[] = [];
      for (let place = 0; place < parents.length; place++) {
        const name = named.names[place];
        if (name === undefined) continue;
        places.push(place);
        values.push(name);
        above.push(parentIndex(parents[place]!, indexes, top));
      }
      const { acceptList } = hooksOf(named.definition);
      accepted = callAcceptList(world, acceptList!, new Int32Array(values.length), values, above);
      for (let at = 0; at < places.length; at++) named.names[places[at]!] = accepted.values[at];
      returnNames(named, shares);
    }
    isReady = true;
  } finally {
    if (!isReady) for (const pair of made) if (graph.pairs.relation[pair] !== 0) closeIfIdle(graph, pair);
  }
  // Tables are created in the order in which entities one by one would do it.
  shares.sort((one, other) => one.first - other.first);
  const arrivals = shares.map(
    ({ archetype, count }): Arrivals => ({ type: { archetype, pairs: [] }, count }),
  );
  const joins: Joins = new Map();
  for (let place = 0; place < parents.length; ) {
    const from = place;
    while (parents[place] === parents[from] && place < parents.length) place++;
    addJoins(joins, pairs[parents[from]!]!, place - from);
  }
  withReserved(world, arrivals, made, joins, (tables) => {
    for (const [at, share] of shares.entries()) {
      share.table = tables[at]!;
      commit(world, share, indexes);
    }
    link(world, parents, pairs, indexes);
    accepted?.written(places.map((place) => indexes[place]!));
  });
  return true;
}

/** The names of all entities, by place. */
interface Named {
  definition: Definition | undefined;
  readonly names: unknown[];
}

function parentIndex(parent: number, indexes: readonly number[], top: Entity | undefined): number {
  if (parent > 0) return indexes[parent - 1]!;
  return top === undefined ? 0 : indexOf(top);
}

/** @returns `undefined` if no row of the sheet is like that. */
function shareOf(
  world: World,
  { definitions, isValueParent, places }: SheetOfRows,
  staged: StagedRows,
  parents: Uint32Array,
  hasParent: boolean,
  isBelow: number,
): Share | undefined {
  const isOwn = new Uint8Array(places.length);
  let count = 0;
  for (let row = 0; row < isOwn.length; row++) {
    if (Number(parents[places[row]!] !== 0) !== isBelow) continue;
    isOwn[row] = 1;
    count++;
  }
  if (count === 0) return undefined;
  const terms = definitions.map((definition) => termOf(definition));
  if (hasParent) terms.push(termOf(isValueParent ? Parent : ChildOf));
  const { archetype, tags } = knownPlan(world, terms) ?? newPlan(world, terms);
  return {
    archetype,
    isPlain: tags.length === 0,
    staged,
    places,
    isOwn,
    count,
    first: places[isOwn.indexOf(1)]!,
    table: 0,
  };
}

function termOf(definition: Definition): PlainTerm {
  return { definition, target: 0, value: undefined } as unknown as PlainTerm;
}

function isBulk(world: World, archetype: Archetype, named: Named): boolean {
  if ((needsOf(world, archetype) & ~BULK) !== 0) return false;
  const { hooked } = archetype;
  if (hooked.length === 0) return true;
  const [own] = hooked;
  if (hooked.length > 1 || hooksOf(own!).acceptList === undefined || world.slots.scopes !== undefined)
    return false;
  named.definition ??= own!;
  return named.definition === own;
}

function noteNames(named: Named, staged: StagedRows, { places }: SheetOfRows): void {
  const column = named.definition && stagedColumn(staged, named.definition);
  if (column === undefined) return;
  const values = staged.lanes.objects[column.objectSlot]!;
  for (let row = 0; row < places.length; row++) named.names[places[row]!] = values[row];
}

/** Writes the names that hooks have accepted. */
function returnNames({ definition, names }: Named, shares: readonly Share[]): void {
  for (const { staged, places } of shares) {
    const column = stagedColumn(staged, definition!);
    if (column === undefined) continue;
    const values = staged.lanes.objects[column.objectSlot]!;
    for (let row = 0; row < places.length; row++) values[row] = names[places[row]!];
  }
}

/** Writes all rows. Nothing here allocates memory that could be refused. */
function commit(
  world: World,
  { archetype, staged, places, isOwn, count, table }: Share,
  indexes: readonly number[],
): void {
  const { graph, entities } = world;
  const { lanes } = archetype;
  let next = appendRows(graph, archetype, count);
  lanes.tracks?.markSpawned(next, next + count);
  const { i32 } = staged.lanes;
  for (let from = 0; from < places.length; ) {
    let end = from;
    const first = next;
    for (; end < places.length && isOwn[end] === 1; end++) {
      const index = indexes[places[end]!]!;
      entities.table[index] = table;
      entities.row[index] = next++;
      i32[end] = index;
    }
    if (end > from) copyValues(staged.lanes, from, lanes, first, end - from);
    from = Math.max(end, from + 1);
  }
}

/** Lists entities in their tables and families, and follows those that are targets already. */
function link(world: World, parents: Uint32Array, pairs: Int32Array, indexes: readonly number[]): void {
  for (let place = 0; place < parents.length; place++) {
    const index = indexes[place]!;
    const archetype = archetypeAt(world, index);
    joinLast(world, archetype, world.entities.table[index]!, pairs[parents[place]!]!, index);
    // Each that is a parent here was its target before it had a row.
    if (pairs[place + 1] !== 0) followIfTarget(world, archetype, index);
  }
}
