import type { Definition } from "../id/definition.ts";
import { createPairBook, type PairBook } from "../id/pair-book.ts";
import { createPairRecords, type PairRecords } from "../records/pair-records.ts";
import { createSiblingLinks, type SiblingLinks } from "../records/sibling-links.ts";
import { type MovePlan, planMove } from "../storage/copy-rows.ts";
import { createJournal, type Journal } from "../storage/journal.ts";
import type { Memory } from "../storage/memory.ts";
import { columnOf, createShape, erasedIdOf, keyOfType, type Shape } from "../storage/shape.ts";
import { createTables, type PairId, type TableNumber, type Tables } from "../storage/table.ts";
import { createTracking, type Tracking } from "../storage/tracking.ts";

/** All shapes and tables of a world with what leads to them; the only place where they begin and end. */
export class Graph {
  readonly memory: Memory;
  /** Functions that definitions bring, here what a pair of a relation that keeps depths needs at its end. */
  readonly slots: { readonly leaveTree?: (graph: Graph, pair: PairId) => void };
  readonly tables: Tables = createTables();
  readonly pairs: PairBook = createPairBook();
  readonly records: PairRecords = createPairRecords();
  readonly links: SiblingLinks = createSiblingLinks(this.pairs);
  readonly journal: Journal = createJournal();
  readonly tracking: Tracking = createTracking();
  /** The shape of entities that have nothing. */
  readonly root: Shape;
  /** By number, in order of need. Shapes stay. */
  readonly shapes: Shape[];
  readonly shapeByKey: Map<string, Shape>;
  /** Shapes that have had a row, in the order of their first ones. */
  readonly founded: Shape[] = [];
  /** The last shape that lost all its rows and kept large buffers; it may have rows again. */
  resting: Shape | undefined;
  /** See `Rows`. */
  fresh: TableNumber = 0;
  /** Only while rooms are held: see `Rows`. */
  vacated: TableNumber[] | undefined;
  /** Component index: number of a component, tag or relation -> the founded shapes that have it. */
  readonly shapesWith: Map<number, Shape[]> = new Map();
  /** Hash of a type -> its first table; a power of two long. Tables without pairs, and `main` ones, are not in it. */
  buckets: Int32Array<ArrayBuffer> = new Int32Array(16);
  /** How many tables are. */
  hashed = 0;
  /** Sorted pair numbers of the type that is looked for. */
  wanted: Int32Array<ArrayBuffer> = new Int32Array(16);

  constructor(memory: Memory, slots: Graph["slots"]) {
    this.memory = memory;
    this.slots = slots;
    this.root = createShape(0, [], memory);
    this.shapes = [this.root];
    this.shapeByKey = new Map([[keyOfType([]), this.root]]);
  }
}

/** Founded shapes that have the component, tag or relation, in order of founding. */
export function shapesWith(graph: Graph, definition: Definition): readonly Shape[] {
  return graph.shapesWith.get(definition.id) ?? [];
}

/**
 * The shape with one more component or tag, or with a relation; `shape` itself for a tag that is stored as bits. A relation without data stands once in a shape,
 * whatever the number of its pairs; one with data stands once for each pair.
 */
export function shapeWith(graph: Graph, shape: Shape, definition: Definition): Shape {
  if (definition.storage === "bits") return shape;
  if (shape.lastId === definition.id) return shape.lastWith!;
  const known = shape.withId.get(definition.id) ?? widen(graph, shape, definition);
  shape.lastId = definition.id;
  shape.lastWith = known;
  return known;
}

function widen(graph: Graph, shape: Shape, definition: Definition): Shape {
  const isRepeated = definition.kind === "relation" && definition.holds !== "nothing";
  const found =
    shape.definitions.includes(definition) && !isRepeated
      ? shape
      : shapeOf(graph, [...shape.definitions, definition]);
  shape.withId.set(definition.id, found);
  return found;
}

/** The shape with one fewer; `shape` itself if it is not there. Of a relation with data one occurrence goes. */
export function shapeWithout(graph: Graph, shape: Shape, definition: Definition): Shape {
  if (shape.lastWithoutId === definition.id) return shape.lastWithout!;
  const known = shape.withoutId.get(definition.id) ?? narrow(graph, shape, definition);
  shape.lastWithoutId = definition.id;
  shape.lastWithout = known;
  return known;
}

function narrow(graph: Graph, shape: Shape, definition: Definition): Shape {
  const at = shape.definitions.indexOf(definition);
  const found =
    at < 0 ? shape : shapeOf(graph, [...shape.definitions.slice(0, at), ...shape.definitions.slice(at + 1)]);
  shape.withoutId.set(definition.id, found);
  return found;
}

function shapeOf(graph: Graph, definitions: readonly Definition[]): Shape {
  const sorted = [...definitions].sort((one, other) => erasedIdOf(one) - erasedIdOf(other));
  const key = keyOfType(sorted.map(erasedIdOf));
  const known = graph.shapeByKey.get(key);
  if (known !== undefined) return known;

  const shape = createShape(graph.shapes.length, sorted, graph.memory);
  graph.shapes.push(shape);
  for (const definition of sorted) definition.brings?.(graph.slots);
  graph.shapeByKey.set(key, shape);
  return shape;
}

/** Which lanes go where when a row moves from one shape to another. Columns of pairs with data are left out. */
export function movePlan(from: Shape, to: Shape): MovePlan {
  if (from.lastPlanTo === to) return from.lastPlan!;
  const plan = from.movePlans.get(to.number) ?? newMovePlan(from, to);
  from.lastPlanTo = to;
  from.lastPlan = plan;
  return plan;
}

function newMovePlan(from: Shape, to: Shape): MovePlan {
  const pairs = [];
  for (const column of from.lanes.plan.columns) {
    const other = column.definition.kind === "relation" ? undefined : columnOf(to, column.definition);
    if (other !== undefined) pairs.push({ from: column, to: other });
  }
  const plan = planMove(pairs, to.lanes.plan.columns.length);
  from.movePlans.set(to.number, plan);
  return plan;
}
