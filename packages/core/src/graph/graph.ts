import type { Definition } from "../id/definition.ts";
import { PairBook } from "../id/pair-book.ts";
import { PairRecords } from "../records/pair-records.ts";
import { SiblingLinks } from "../records/sibling-links.ts";
import { type MovePlan, planMove } from "../storage/copy-rows.ts";
import { Journal } from "../storage/journal.ts";
import type { Memory } from "../storage/memory.ts";
import { columnOf, erasedIdOf, keyOfType, Shape } from "../storage/shape.ts";
import { type PairId, type TableNumber, Tables } from "../storage/table.ts";
import type { Tracking } from "../storage/tracks.ts";

/** All shapes and tables of a world with what leads to them; the only place where they begin and end. */
export class Graph {
  readonly memory: Memory;
  /** Functions that definitions bring, here what a pair of a relation that keeps depths needs at its end. */
  readonly slots: { readonly leaveTree?: (graph: Graph, pair: PairId) => void };
  readonly tables: Tables = new Tables();
  readonly pairs: PairBook = new PairBook();
  readonly records: PairRecords = new PairRecords();
  readonly links: SiblingLinks = new SiblingLinks(this.pairs);
  readonly journal: Journal = new Journal();
  readonly tracking: Tracking = { clock: { now: 1 }, found: undefined, tracked: [] };
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
    this.root = new Shape(0, [], memory);
    this.shapes = [this.root];
    this.shapeByKey = new Map([[keyOfType([]), this.root]]);
  }
}

/** Founded shapes that have the component, tag or relation, in order of founding. */
export function shapesWith(graph: Graph, definition: Definition): readonly Shape[] {
  return graph.shapesWith.get(definition.id) ?? [];
}

/**
 * The shape with one more component or tag, or with a relation; `shape` itself for a tag that is stored as bits. A relation without
 * data stands once in a shape, whatever the number of its pairs; one with data stands once for each pair.
 */
export function shapeWith(graph: Graph, shape: Shape, definition: Definition): Shape {
  if (definition.storage === "bits") return shape;
  const { id } = definition;
  if (shape.lastId === id) return shape.lastWith!;
  const found = shape.withId.get(id) ?? widen(graph, shape, definition);
  shape.lastId = id;
  shape.lastWith = found;
  return found;
}

/** By itself, as `narrow` and `newMovePlan`: so the engine builds what is asked again and again into its callers. */
function widen(graph: Graph, shape: Shape, definition: Definition): Shape {
  const { definitions } = shape;
  const isRepeated = definition.kind === "relation" && definition.holds !== "nothing";
  const isThere = definitions.includes(definition) && !isRepeated;
  const found = isThere ? shape : shapeOf(graph, [...definitions, definition]);
  shape.withId.set(definition.id, found);
  return found;
}

/** The shape with one fewer; `shape` itself if it is not there. Of a relation with data one occurrence goes. */
export function shapeWithout(graph: Graph, shape: Shape, definition: Definition): Shape {
  const { id } = definition;
  if (shape.lastWithoutId === id) return shape.lastWithout!;
  const found = shape.withoutId.get(id) ?? narrow(graph, shape, definition);
  shape.lastWithoutId = id;
  shape.lastWithout = found;
  return found;
}

function narrow(graph: Graph, shape: Shape, definition: Definition): Shape {
  const at = shape.definitions.indexOf(definition);
  const found = at < 0 ? shape : shapeOf(graph, shape.definitions.toSpliced(at, 1));
  shape.withoutId.set(definition.id, found);
  return found;
}

function shapeOf(graph: Graph, definitions: readonly Definition[]): Shape {
  const sorted = [...definitions].sort((one, other) => erasedIdOf(one) - erasedIdOf(other));
  const key = keyOfType(sorted.map(erasedIdOf));
  const known = graph.shapeByKey.get(key);
  if (known !== undefined) return known;

  const shape = new Shape(graph.shapes.length, sorted, graph.memory);
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
