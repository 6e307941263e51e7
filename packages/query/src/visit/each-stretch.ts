import { ChildOf, type Component, type Entity, TreelineError, type Valued, type World } from "@treeline/core";
import {
  columnOf,
  enterVisit,
  handleAt,
  hasDefinition,
  leaveVisit,
  refreshRuns,
  type Shape,
  type TableNumber,
  viewColumn,
} from "@treeline/core/internal";
import { matchesShape } from "../match/match-shape.ts";
import { type Piece, targetedPieces } from "../match/match-table.ts";
import { type Query, requireUsable } from "../query/query.ts";
import { currentStretches, identityFor, type Stretches } from "../query/stretches.ts";
import { type Clause, namesTarget, readsPairs } from "../term/term.ts";
import { columnFor, requireAskedPair } from "./columns.ts";
import { LONG, SHORT, SHORT_VISITS } from "./short-visits.ts";

const NO_ROWS = new Int32Array(0);

/**
 * Rows of one shape and depth, with the absolute rows of the nearest ancestors that have the cascade's component
 * beside them: positions `from <= at < to` of `rows` and `parentRows`. Valid until the visitor returns; the same
 * object is used for the next stretch.
 */
export class Stretch {
  from = 0;
  to = 0;
  /** Position -> absolute row. */
  rows: Int32Array = NO_ROWS;
  /** Position -> absolute row of the nearest ancestor with the component. Not to be read unless `hasParents`. */
  parentRows: Int32Array = NO_ROWS;
  /** False for rows without such an ancestor: roots, mostly. */
  hasParents = false;
  /** Steps from the root; 0 for roots. */
  depth = 0;
  private shape: Shape | undefined = undefined;
  private holder: Shape | undefined = undefined;
  /** Columns taken out of the present shapes already; most stretches follow one of the same shapes. */
  private asked: unknown[] = [];
  private given: unknown[] = [];
  private askedOfParents: unknown = undefined;
  private givenOfParents: unknown = undefined;
  /** By shape number: 1 if it answers the query, -1 if not, 0 while nobody asked. */
  private answers: Int8Array<ArrayBuffer> = new Int8Array(16);
  private readonly world: World;
  private readonly clauses: readonly Clause[];

  constructor({ world, clauses }: Query) {
    this.world = world;
    this.clauses = clauses;
  }

  /**
   * The columns of a component in the rows' shape, as `run.columns` gives them.
   *
   * @throws TreelineError `bad-query` if the rows do not have it; `stale-run` outside the visit.
   */
  columns<Columns>(what: Valued<unknown, Columns>): Columns {
    const { asked, given } = this;
    for (let at = 0; at < asked.length; at++) if (asked[at] === what) return given[at] as Columns;
    return this.find(what) as Columns;
  }

  private find(what: unknown): unknown {
    const shape = this.shapeOfRows();
    requireAskedPair(this.clauses, what);
    const found = viewColumn(shape, columnFor(this.world, shape, what, this.rows[this.from]!));
    if (typeof what === "function") {
      this.asked.push(what);
      this.given.push(found);
    }
    return found;
  }

  /** The same for `maybe` terms: `undefined` if these rows do not have it. */
  columnsIf<Columns>(what: Component<unknown, Columns>): Columns | undefined {
    const shape = this.shapeOfRows();
    const column = columnOf(shape, what);
    return column === undefined ? undefined : (viewColumn(shape, column) as Columns);
  }

  /**
   * The columns of a component in the parents' shape, for `parentRows`.
   *
   * @throws TreelineError `bad-query` if there are no parents, or they do not have it.
   */
  parentColumns<Columns>(what: Component<unknown, Columns>): Columns {
    if (this.askedOfParents === what) return this.givenOfParents as Columns;
    if (this.holder === undefined) {
      throw new TreelineError("bad-query", "these rows have no parents; look at stretch.hasParents first");
    }
    this.givenOfParents = viewColumn(this.holder, columnFor(this.world, this.holder, what, 0));
    this.askedOfParents = what;
    return this.givenOfParents as Columns;
  }

  /** The handle of the entity in an absolute row. */
  entityAt(row: number): Entity {
    return handleAt(this.world.entities, this.shapeOfRows().lanes.i32[row]!);
  }

  /** For our own visits. */
  shapeOfRows(): Shape {
    if (this.shape === undefined) {
      throw new TreelineError(
        "stale-run",
        "a stretch is good inside its visit only; take out what you need there",
      );
    }
    return this.shape;
  }

  /** For our own visits: the shape of the parents, if there are any. */
  shapeOfParents(): Shape | undefined {
    return this.holder;
  }

  /** For our own visits: does a shape answer the query? */
  isAnsweredBy(shape: Shape): boolean {
    const known = this.answers[shape.number];
    if (known === 1) return true;
    if (known === -1) return false;
    const isAnswer = matchesShape(this.clauses, shape);
    if (shape.number >= this.answers.length) {
      const longer = new Int8Array(shape.number * 2);
      longer.set(this.answers);
      this.answers = longer;
    }
    this.answers[shape.number] = isAnswer ? 1 : -1;
    return isAnswer;
  }

  /** For `eachStretch`; undefined ends the visit. */
  turnTo(shape: Shape | undefined, holder: Shape | undefined, depth: number): void {
    if (shape !== this.shape) {
      this.shape = shape;
      this.asked.length = 0;
      this.given.length = 0;
    }
    if (holder !== this.holder) {
      this.holder = holder;
      this.askedOfParents = undefined;
      this.givenOfParents = undefined;
    }
    this.hasParents = holder !== undefined;
    this.depth = depth;
  }
}

/**
 * Calls `visit` once per stretch, parents before children: first rows without parent, then depth by depth. Columns
 * are valid until `visit` returns. Structural changes are refused meanwhile.
 *
 * The first stretch may come in pieces. Cost without structural changes since the last visit: a few dozen nanoseconds a
 * stretch beside the visitor; one stretch holds the rows of up to 256 tables, or any number of rows whose parents are
 * stored as values. After changes: the chunks that they touch are read anew, or just the rows with such parents.
 *
 * @throws TreelineError `bad-query` for a query without cascade term; `disposed`; what the visitor throws.
 */
export function eachStretch(query: Query, visit: (stretch: Stretch) => void): void {
  requireUsable(query);
  if (query.cascade === undefined) {
    throw new TreelineError("bad-query", "eachStretch needs a query with a cascade term; use eachRun");
  }
  const { world } = query;
  const stretch = (query.spares.stretches.pop() as Stretch | undefined) ?? new Stretch(query);
  const stretches = currentStretches(world, query.cascade.definition);
  enterVisit(world);
  let isDone = false;
  try {
    if (query.isTargeted) visitTargeted(query, stretches, stretch, visit);
    else {
      visitRoots(query, stretches, stretch, visit);
      visitChunks(query, stretches, stretch, visit);
    }
    isDone = true;
  } finally {
    stretch.turnTo(undefined, undefined, 0);
    query.spares.stretches.push(stretch);
    leaveVisit(world, isDone);
  }
}

function visitRoots(
  query: Query,
  stretches: Stretches,
  stretch: Stretch,
  visit: (stretch: Stretch) => void,
): void {
  for (const shape of query.shapes) {
    if (shape.rows === 0 || !isOfRoots(shape)) continue;
    refreshRuns(shape.used, shape.end);
    visitBounds(stretches, stretch, shape, shape.used.bounds, shape.used.length, visit);
  }
}

/** Its entities have no parents, in either storage. */
function isOfRoots(shape: Shape): boolean {
  return !shape.isLoose && !hasDefinition(shape, ChildOf);
}

function visitBounds(
  stretches: Stretches,
  stretch: Stretch,
  shape: Shape,
  bounds: Int32Array,
  length: number,
  visit: (stretch: Stretch) => void,
): void {
  stretch.rows = identityFor(stretches, shape.end);
  stretch.parentRows = NO_ROWS;
  stretch.turnTo(shape, undefined, 0);
  for (let at = 0; at < length; at += 2) {
    stretch.from = bounds[at]!;
    stretch.to = bounds[at + 1]!;
    if (at === 0) beginShortly(stretch, visit);
    visit(stretch);
  }
}

/** Takes the first rows of a first stretch out in short pieces, if it is long. */
function beginShortly(stretch: Stretch, visit: (stretch: Stretch) => void): void {
  const { to } = stretch;
  if (to - stretch.from <= LONG) return;
  for (let piece = 0; piece < SHORT_VISITS; piece++) {
    stretch.to = stretch.from + SHORT;
    visit(stretch);
    stretch.from = stretch.to;
  }
  stretch.to = to;
}

function visitChunks(
  query: Query,
  stretches: Stretches,
  stretch: Stretch,
  visit: (stretch: Stretch) => void,
): void {
  const { shapes } = query.world.graph;
  const { chunks, rows, holderRows } = stretches.positions;
  let hasBegun = false;
  stretch.rows = rows;
  stretch.parentRows = holderRows;
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    const number = chunks.shape[chunk]!;
    if (!stretch.isAnsweredBy(shapes[number]!)) continue;
    const holder = chunks.holder[chunk]!;
    stretch.turnTo(shapes[number], holder < 0 ? undefined : shapes[holder], chunks.depth[chunk]!);
    stretch.from = chunks.start[chunk]!;
    stretch.to = stretch.from + chunks.rows[chunk]!;
    if (!hasBegun) beginShortly(stretch, visit);
    hasBegun = true;
    visit(stretch);
  }
}

/** With a target among the terms, rows are looked up first; roots come as they are found. */
function visitTargeted(
  query: Query,
  stretches: Stretches,
  stretch: Stretch,
  visit: (stretch: Stretch) => void,
): void {
  CHECK: if (!query.clauses.some(namesTarget))
    throw new TreelineError("broken-law", "no target among the terms");
  const pieces = targetedPieces(query.world, query.clauses);
  for (const { shape, bounds, length } of pieces) {
    if (isOfRoots(shape)) visitBounds(stretches, stretch, shape, bounds, length, visit);
  }
  visitCutChunks(query, stretches, stretch, answersIn(pieces), visit);
}

/** The positions of each chunk, cut to the rows that answer. */
function visitCutChunks(
  query: Query,
  stretches: Stretches,
  stretch: Stretch,
  answers: Answers,
  visit: (stretch: Stretch) => void,
): void {
  const { shapes } = query.world.graph;
  const { chunks, rows, holderRows } = stretches.positions;
  const isCutByTable = query.clauses.some(readsPairs);
  stretch.rows = rows;
  stretch.parentRows = holderRows;
  for (let order = 0; order < chunks.alive; order++) {
    const chunk = chunks.order[order]!;
    const answer = answers.get(chunks.shape[chunk]!);
    if (answer === undefined) continue;
    const holder = chunks.holder[chunk]!;
    stretch.turnTo(
      shapes[chunks.shape[chunk]!],
      holder < 0 ? undefined : shapes[holder],
      chunks.depth[chunk]!,
    );
    const tableAt = isCutByTable ? tablesOf(query.world, stretches, chunk) : undefined;
    const end = chunks.start[chunk]! + chunks.rows[chunk]!;
    for (let at = chunks.start[chunk]!; at < end; at++) {
      if (answer[rows[at]!] === 0) continue;
      stretch.from = at;
      const table = tableAt?.(at);
      while (at < end && answer[rows[at]!] === 1 && tableAt?.(at) === table) at++;
      stretch.to = at;
      visit(stretch);
      at--;
    }
  }
}

/** Position -> table of the row, in one chunk. */
function tablesOf(
  { graph, entities }: World,
  { positions: { chunks, rowUnits } }: Stretches,
  chunk: number,
): (at: number) => TableNumber {
  const { isLoose } = graph.shapes[chunks.shape[chunk]!]!;
  return isLoose ? (at) => entities.table[rowUnits[at]!]! : (at) => rowUnits[at]!;
}

/** By shape number: 1 for each row that answers. */
type Answers = ReadonlyMap<number, Uint8Array>;

function answersIn(pieces: readonly Piece[]): Answers {
  const answers = new Map<number, Uint8Array>();
  for (const { shape, bounds, length } of pieces) {
    if (isOfRoots(shape)) continue;
    let answer = answers.get(shape.number);
    if (answer === undefined) {
      answer = new Uint8Array(shape.end);
      answers.set(shape.number, answer);
    }
    for (let at = 0; at < length; at += 2) answer.fill(1, bounds[at], bounds[at + 1]);
  }
  return answers;
}
