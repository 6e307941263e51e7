import type { Definition } from "../id/definition.ts";
import { createPairBook, type PairBook } from "../id/pair-book.ts";
import { createPairRecords, type PairRecords } from "../records/pair-records.ts";
import { createSiblingLinks, type SiblingLinks } from "../records/sibling-links.ts";
import { createJournal, type Journal } from "../storage/journal.ts";
import type { Memory } from "../storage/memory.ts";
import { createShape, keyOfType, type Shape } from "../storage/shape.ts";
import { createTables, type PairId, type TableNumber, type Tables } from "../storage/table.ts";
import { createTracking, type Tracking } from "../storage/tracking.ts";

/** Those of the slots of a world that are needed here. */
export interface GraphSlots {
  /** Ends the list of a pair, and takes its record out of the tree: filled in by relations that keep depths. */
  leaveTree: ((graph: Graph, pair: PairId) => void) | undefined;
}

/** All shapes and tables of a world with what leads to them; the only place where they begin and end. */
export interface Graph {
  readonly memory: Memory;
  readonly tables: Tables;
  readonly pairs: PairBook;
  readonly records: PairRecords;
  readonly links: SiblingLinks;
  readonly journal: Journal;
  readonly tracking: Tracking;
  /** By number, in order of need. Shapes stay. */
  readonly shapes: Shape[];
  /** The slots of the world, which definitions fill. */
  readonly slots: GraphSlots;
  /** Shapes that have had a row, in the order of their first ones. */
  readonly founded: Shape[];
  /** The last shape that lost all its rows and kept large buffers; it may have rows again. */
  resting: Shape | undefined;
  /** See `Rows`. */
  fresh: TableNumber;
  /** Only while rooms are held: see `Rows`. */
  vacated: TableNumber[] | undefined;
  readonly shapeByKey: Map<string, Shape>;
  /** Component index: number of a component, tag or relation -> the founded shapes that have it. */
  readonly shapesWith: Map<number, Shape[]>;
  /** The shape of entities that have nothing. */
  readonly root: Shape;
  /** Hash of a type -> its first table; a power of two long. Tables without pairs, and `main` ones, are not in it. */
  buckets: Int32Array<ArrayBuffer>;
  /** How many tables are. */
  hashed: number;
  /** Sorted pair numbers of the type that is looked for. */
  wanted: Int32Array<ArrayBuffer>;
}

export function createGraph(memory: Memory, slots: GraphSlots): Graph {
  const root = createShape(0, [], memory);
  const pairs = createPairBook();
  return {
    memory,
    tables: createTables(),
    pairs,
    records: createPairRecords(),
    links: createSiblingLinks(pairs),
    journal: createJournal(),
    tracking: createTracking(),
    shapes: [root],
    slots,
    founded: [],
    resting: undefined,
    fresh: 0,
    vacated: undefined,
    shapeByKey: new Map([[keyOfType([]), root]]),
    shapesWith: new Map(),
    root,
    buckets: new Int32Array(16),
    hashed: 0,
    wanted: new Int32Array(16),
  };
}

/** Founded shapes that have the component, tag or relation, in order of founding. */
export function shapesWith(graph: Graph, definition: Definition): readonly Shape[] {
  return graph.shapesWith.get(definition.id) ?? [];
}
