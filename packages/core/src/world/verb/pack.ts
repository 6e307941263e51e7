import { CHILD_OF } from "../../id/builtins.ts";
import { findPair, isTarget } from "../../id/pair-book.ts";
import { sortByOrder } from "../../records/entity-index.ts";
import { eachLoose, firstInList, isListed, nextInList } from "../../records/sibling-links.ts";
import { noteAll } from "../../storage/journal.ts";
import type { Shape } from "../../storage/shape.ts";
import { createLayout, type Layout, layRows } from "../../storage/slices.ts";
import type { TableNumber } from "../../storage/table.ts";
import { enqueue, mustQueue } from "../state/lock.ts";
import { eachTableOf } from "../state/targets.ts";
import type { World } from "../state/world.ts";

/**
 * Lays the rows of all shapes out without holes: by depth, then by the parent's shape and row, siblings in order.
 * Nothing changes but speed: one table's rows follow another's, and children lie in the order of their parents. For
 * after loading, and for quiet moments. Cost: all rows are copied once.
 *
 * @throws TreelineError `visiting` in a strict world inside a visit, else it waits for the end of that; and what the memory throws:
 *   some shapes are packed then, and the others as they were.
 */
export function pack(world: World): void {
  if (world.visits !== 0 && mustQueue(world)) enqueue(world, 0, () => packNow(world));
  else packNow(world);
}

/** What lies at one depth: table numbers, and negative indexes of entities whose parents are stored as values. */
type Level = readonly number[];

/** The new order of all rows. */
interface Plan {
  /** By entity index: siblings are sorted by it. */
  readonly order: Uint32Array;
  /** By number of the shape. */
  readonly layouts: readonly Layout[];
  readonly newFirst: Map<TableNumber, number>;
  /** Tables whose rows have many parents: their entities in the order in which they were met. */
  readonly looseRows: Map<TableNumber, number[]>;
}

function packNow(world: World): void {
  const { graph } = world;
  const plan: Plan = {
    order: siblingOrder(world),
    layouts: graph.shapes.map(createLayout),
    newFirst: new Map(),
    looseRows: new Map(),
  };
  let level: Level = rootTables(world);
  while (level.length > 0) level = layLevel(world, level, plan);
  for (const [table, indexes] of plan.looseRows) layTable(world, plan, table, indexes);

  // Shape by shape: if memory is refused, those that were laid out are right, and the others as they were.
  const { tables } = graph;
  try {
    graph.shapes.forEach((shape, number) => {
      layRows(shape, tables, plan.layouts[number]!);
      for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
        tables.first[table] = plan.newFirst.get(table)!;
      }
      mendRecords(world, shape);
    });
  } finally {
    noteAll(graph.journal);
  }
}

function rootTables({ graph }: World): TableNumber[] {
  const found: TableNumber[] = [];
  for (const shape of graph.shapes) {
    if (shape.isLoose) continue;
    for (let table = shape.firstTable; table !== 0; table = graph.tables.next[table]!) {
      if (graph.tables.parentPair[table] === 0) found.push(table);
    }
  }
  return found;
}

/** Lays the tables of one depth, sorted by shape. @returns what is below, in the order of the parents' rows. */
function layLevel(world: World, level: Level, plan: Plan): Level {
  const { graph, entities } = world;
  const { tables } = graph;
  const below: number[] = [];
  for (const item of level) {
    if (item > 0) {
      const indexes = inSiblingOrder(world, item, plan.order);
      layTable(world, plan, item, indexes);
      for (const index of indexes) collectBelow(world, index, below);
      continue;
    }
    const table = entities.table[-item]!;
    const rows = plan.looseRows.get(table);
    if (rows === undefined) plan.looseRows.set(table, [-item]);
    else rows.push(-item);
    collectBelow(world, -item, below);
  }
  const shapeOf = (item: number): number => tables.shape[item > 0 ? item : entities.table[-item]!]!;
  return bucketed(below, shapeOf, graph.shapes.length);
}

function layTable(
  { graph, entities }: World,
  plan: Plan,
  table: TableNumber,
  indexes: ArrayLike<number>,
): void {
  const layout = plan.layouts[graph.tables.shape[table]!]!;
  const first = graph.tables.first[table]!;
  plan.newFirst.set(table, layout.rows);
  for (let at = 0; at < indexes.length; at++)
    layout.from[layout.rows++] = first + entities.row[indexes[at]!]!;
}

function collectBelow({ graph }: World, index: number, below: number[]): void {
  const { tables, pairs, records, links } = graph;
  if (!isTarget(pairs, index)) return;
  const pair = findPair(pairs, CHILD_OF, index);
  if (pair === 0) return;
  eachTableOf(records, pair, (child) => {
    if (tables.count[child]! > 0) below.push(child);
  });
  eachLoose(links, pair, (child) => below.push(-child));
}

/** A stable sort by small whole numbers. */
function bucketed(list: readonly number[], keyOf: (value: number) => number, keys: number): number[] {
  const starts = new Int32Array(keys + 1);
  for (const value of list) starts[keyOf(value) + 1]!++;
  for (let key = 0; key < keys; key++) starts[key + 1]! += starts[key]!;
  const sorted = new Array<number>(list.length);
  for (const value of list) sorted[starts[keyOf(value)]!++] = value;
  return sorted;
}

/** Order numbers; of those in lists, their places in these. */
function siblingOrder({ graph, entities }: World): Uint32Array {
  const { links, pairs } = graph;
  if (links.lists.length === 0) return entities.order;
  const order = entities.order.slice();
  for (let pair = 1; pair < pairs.length; pair++) {
    if (!isListed(links, pair)) continue;
    let place = 0;
    for (let index = firstInList(links, pair); index !== 0; index = nextInList(links, index))
      order[index] = place++;
  }
  return order;
}

/** The entity indexes of a table of siblings, or of roots, in sibling order. */
export function inSiblingOrder(
  world: World,
  table: TableNumber,
  order: Uint32Array = siblingOrder(world),
): Int32Array {
  const { tables, shapes } = world.graph;
  const first = tables.first[table]!;
  const { i32 } = shapes[tables.shape[table]!]!.lanes;
  return sortByOrder(i32.slice(first, first + tables.count[table]!), order);
}

/** Rows inside tables have been put in sibling order: entity records follow. */
function mendRecords({ graph, entities }: World, shape: Shape): void {
  const { tables } = graph;
  const { i32 } = shape.lanes;
  for (let table = shape.firstTable; table !== 0; table = tables.next[table]!) {
    const first = tables.first[table]!;
    const count = tables.count[table]!;
    for (let row = 0; row < count; row++) entities.row[i32[first + row]!] = row;
  }
}
