import type { Definition } from "../id/definition.ts";
import { createPairBook, type PairBook } from "../id/pair-book.ts";
import { createPairRecords, type PairRecords } from "../records/pair-records.ts";
import { createSiblingLinks, type SiblingLinks } from "../records/sibling-links.ts";
import { createJournal, type Journal } from "../storage/journal.ts";
import type { Memory } from "../storage/memory.ts";
import { createShape, keyOfType, type Shape } from "../storage/shape.ts";
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
