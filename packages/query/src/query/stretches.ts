import { ChildOf, type Definition, Parent, type World } from "@treeline/core";
import {
  catchUp,
  closeCursor,
  grownInt32,
  isTarget,
  isUsed,
  type JournalCursor,
  kindOfEntry,
  LOOSE_MOVED,
  nextNumber,
  numberOfEntry,
  openCursor,
  parentPairAt,
  SLICE_MOVED,
  settleDepths,
  shapesWith,
  stateOf,
  TARGET_MOVED,
  type TableNumber,
} from "@treeline/core/internal";
import { areWorn, fitLoose, fitTables, refreshOrder } from "./chunks.ts";
import { appendWaiting, createWaiting, fileLoose, fitWaiting, makeRoom, type Waiting } from "./file-loose.ts";
import { fileTable, refillTables } from "./file-table.ts";
import { beginRound, createHolding, eachBelow, forgetHolders, type Holding, holderOf } from "./holders.ts";
import { clearPositions, createPositions, type Positions } from "./positions.ts";

/**
 * For one component: the rows of everybody with a parent, shallow first, with the absolute rows of the nearest ancestors
 * that have the component beside them. All cascade queries over the component share it. Structural changes are listed
 * by core's journal; the next visit looks at what is listed, table by table and, where parents are stored as values,
 * entity by entity.
 */
export interface Stretches {
  readonly holding: Holding;
  readonly cursor: JournalCursor;
  readonly positions: Positions;
  readonly waiting: Waiting;
  /** 0, 1, 2 ...: positions of rows without parent. */
  identity: Int32Array<ArrayBuffer>;
}

const STRETCHES: number = nextNumber();

function allStretches(world: World): Map<number, Stretches> {
  return stateOf(world, STRETCHES, (own) => {
    const map = new Map<number, Stretches>();
    CHECK: own.laws.push(() => [...map.values()].flatMap((stretches) => verifyStretches(own, stretches)));
    return map;
  });
}

/** Gives up the stretches of a component that no query asks for any more; who asks again makes them anew. */
export function forgetStretches(world: World, component: Definition): void {
  const byComponent = allStretches(world);
  const stretches = byComponent.get(component.id);
  if (stretches === undefined) return;
  closeCursor(world.graph.journal, stretches.cursor);
  byComponent.delete(component.id);
}

/** The stretches of a component, as they are now. */
export function currentStretches(world: World, component: Definition): Stretches {
  const byComponent = allStretches(world);
  let stretches = byComponent.get(component.id);
  if (stretches === undefined) {
    stretches = createStretches(world, component);
    byComponent.set(component.id, stretches);
  }
  refresh(world, stretches);
  return stretches;
}

function createStretches(world: World, component: Definition): Stretches {
  return {
    holding: createHolding(component),
    cursor: openCursor(world.graph.journal),
    positions: createPositions(),
    waiting: createWaiting(),
    identity: new Int32Array(0),
  };
}

/** Positions for rows that have no holder: position = absolute row. */
export function identityFor(stretches: Stretches, rows: number): Int32Array {
  const { length } = stretches.identity;
  if (length < rows) {
    stretches.identity = grownInt32(stretches.identity, rows);
    for (let row = length; row < stretches.identity.length; row++) stretches.identity[row] = row;
  }
  return stretches.identity;
}

function refresh(world: World, stretches: Stretches): void {
  const { graph } = world;
  settleDepths(world);
  const { cursor, positions, waiting, holding } = stretches;
  if (cursor.lost || areWorn(positions.chunks)) fileAll(world, stretches);
  else if (cursor.at < graph.journal.length) fileListed(world, stretches);
  catchUp(graph.journal, cursor);
  refreshOrder(positions.chunks);
  refillMarked(world, positions);
  if (waiting.length > 0) appendWaiting(world, positions, waiting);
  forgetHolders(holding);
}

function fitUnits({ graph, entities }: World, { chunks }: Positions): void {
  fitTables(chunks, graph.tables.length);
  if (graph.links.used) fitLoose(chunks, entities.length);
}

/** Files everything anew, in the order of rows. */
function fileAll(world: World, { positions, holding, waiting }: Stretches): void {
  const { graph, entities } = world;
  clearPositions(positions);
  fitUnits(world, positions);
  for (const shape of shapesWith(graph, ChildOf)) {
    const { i32 } = shape.lanes;
    for (let row = 0; row < shape.end; ) {
      const table = isUsed(shape.used, row) ? entities.table[i32[row]!]! : 0;
      if (table !== 0) fileTable(world, positions, holding, table);
      row += table === 0 ? 1 : graph.tables.count[table]!;
    }
  }
  const looseShapes = shapesWith(graph, Parent);
  fitWaiting(
    waiting,
    looseShapes.reduce((sum, { rows }) => sum + rows, 0),
  );
  for (const shape of looseShapes) {
    const { i32 } = shape.lanes;
    for (let row = 0; row < shape.end; row++) {
      if (isUsed(shape.used, row)) fileLoose(world, positions, holding, waiting, i32[row]!);
    }
  }
}

/** Looks at the state of everything that the journal lists. */
function fileListed(world: World, { positions, holding, waiting, cursor }: Stretches): void {
  const { journal } = world.graph;
  fitUnits(world, positions);
  beginRound(world, holding);
  const onTable = (table: TableNumber): void => fileTable(world, positions, holding, table);
  const onLoose = (index: number): void => fileLoose(world, positions, holding, waiting, index);
  for (let at = cursor.at; at < journal.length; at++) {
    const entry = journal.entries[at]!;
    const number = numberOfEntry(entry);
    switch (kindOfEntry(entry)) {
      case TARGET_MOVED:
        eachBelow(world, number, holding, onTable, onLoose);
        break;
      case LOOSE_MOVED:
        onLoose(number);
        break;
      case SLICE_MOVED:
        fileSlice(world, holding, number, onTable, onLoose);
        break;
      default:
        onTable(number);
    }
  }
}

/** All rows of a table moved: the table, loose entities in it, and what lies below its rows. */
function fileSlice(
  world: World,
  holding: Holding,
  table: TableNumber,
  onTable: (table: TableNumber) => void,
  onLoose: (index: number) => void,
): void {
  const { tables, shapes, pairs } = world.graph;
  onTable(table);
  if (tables.shape[table]! < 0) return;
  const { lanes, isLoose } = shapes[tables.shape[table]!]!;
  const first = tables.first[table]!;
  for (let row = first; row < first + tables.count[table]!; row++) {
    const index = lanes.i32[row]!;
    if (isLoose) onLoose(index);
    if (isTarget(pairs, index)) eachBelow(world, index, holding, onTable, onLoose);
  }
}

/** In the order of the visit, so that new pieces lie in it too. */
function refillMarked(world: World, positions: Positions): void {
  const { chunks } = positions;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    if (chunks.marked[chunk] === 0) continue;
    if (chunks.firstTable[chunk] === 0) makeRoom(positions, chunk);
    else refillTables(world, positions, chunk);
  }
}

/** L12: each row with a parent stands once, below the right holder, at its depth. */
function verifyStretches(world: World, stretches: Stretches): string[] {
  refresh(world, stretches);
  const { graph } = world;
  const { positions, holding } = stretches;
  const { chunks, rows } = positions;
  const broken: string[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    const start = chunks.start[chunk]!;
    if (at > 0 && chunks.depth[chunk]! < chunks.depth[chunks.order[at - 1]!]!)
      broken.push("L12: chunks out of order");
    for (let place = start; place < start + chunks.rows[chunk]!; place++) {
      seen.add(chunks.shape[chunk]! * 2 ** 26 + rows[place]!);
      const index = graph.shapes[chunks.shape[chunk]!]!.lanes.i32[rows[place]!]!;
      if (!standsRight(world, stretches, chunk, place, index))
        broken.push(`L12: e${index} stands wrong in the stretches of ${holding.component.name}`);
    }
  }
  forgetHolders(holding);
  const shapes = [...shapesWith(graph, ChildOf), ...shapesWith(graph, Parent)];
  const wanted = shapes.reduce((sum, shape) => sum + shape.rows, 0);
  if (seen.size !== wanted)
    broken.push(`L12: the stretches of ${holding.component.name} hold ${seen.size} rows of ${wanted}`);
  return broken;
}

/** Is the row at a position used, and are depth and holder those of the entity in it? */
function standsRight(
  world: World,
  { positions, holding }: Stretches,
  chunk: number,
  place: number,
  index: number,
): boolean {
  const { graph, entities } = world;
  const { chunks, rows, holderRows } = positions;
  const { tables, shapes, records } = graph;
  const pair = parentPairAt(world, index);
  if (pair === 0 || !isUsed(shapes[chunks.shape[chunk]!]!.used, rows[place]!)) return false;
  if (chunks.depth[chunk] !== records.depth[pair]) return false;
  const holder = holderOf(world, pair, holding);
  if (holder === 0) return chunks.holder[chunk] === -1;
  const table = entities.table[holder]!;
  return (
    chunks.holder[chunk] === tables.shape[table] &&
    holderRows[place] === tables.first[table]! + entities.row[holder]!
  );
}
