import { TreelineError } from "@treeline/core";
import type { Query } from "../query/state/query-state.ts";
import { type Scene, turnOn } from "../query/state/scene.ts";
import { Stretch } from "./stretch.ts";
import {
  markWritten,
  requireVisit,
  runVisit,
  type Visit,
  type VisitOptions,
  type Writes,
} from "./visiting.ts";

type StretchVisitor = (stretch: Stretch) => void;

/**
 * Calls `visit` once per stretch: rows of one shape and depth with the rows of their ancestors beside them. With `cascade`,
 * parents come before children: first rows without parent, then depth by depth. Columns are valid until `visit` returns.
 * Structural changes wait for the end of the visit.
 *
 * Cost without structural changes since the last visit: a few dozen nanoseconds a
 * stretch beside the visitor; one stretch holds the rows of up to 256 tables, or any number of rows whose parents are
 * stored as values. After changes: the chunks that they touch are read anew, or just the rows with such parents. Along
 * relations with many targets: all of it.
 *
 * @throws TreelineError `bad-query` for a query without `cascade`, `up`, `selfOrUp` or variable, for a visitor that is no
 *   function and for writes of what is no component with values; `disposed`; what the visitor throws, or else the first
 *   error of a change that waited.
 */
export function eachStretch(query: Query, visit: (stretch: Stretch) => void, options?: VisitOptions): void {
  const writes = requireVisit(query, visit, options);
  const { traversals, variables } = query.plan;
  if (traversals.length === 0 && variables.length === 0) {
    throw new TreelineError(
      "bad-query",
      "this needs a query with a term cascade, up or selfOrUp, or with a variable; use eachRun",
    );
  }
  runVisit(query, false, visitStretches, visit, writes);
}

function visitStretches(visiting: Visit, visit: StretchVisitor, writes: Writes): void {
  visitSpans(visiting, visit, writes, 0, visiting.spans.length);
}

/** Hands out the spans that begin at `begin .. end`. */
function visitSpans(
  visiting: Visit,
  visit: StretchVisitor,
  writes: Writes,
  begin: number,
  end: number,
): void {
  const { spans, scene, tick } = visiting;
  const { stride } = spans;
  visiting.stretch ??= new Stretch(scene);
  const { stretch } = visiting;
  const turnsOn = scene.query.plan.ownPairs.length === 0;
  for (let at = begin; at < end; at += stride) {
    if (turnsOn && at > begin && turnOn(scene, spans, at)) stretch.turnOn();
    else {
      scene.turnTo(spans, at);
      stretch.turn();
    }
    do {
      if (writes === undefined) visit(stretch);
      else visitAndMark(scene, stretch, visit, writes, tick);
    } while (stretch.turnToRest());
  }
}

/** What the visit has declared to write is marked, also if it throws. */
function visitAndMark(
  { shape, rows, from, to }: Scene,
  stretch: Stretch,
  visit: StretchVisitor,
  writes: NonNullable<Writes>,
  tick: number,
): void {
  try {
    visit(stretch);
  } finally {
    markWritten(shape, writes, rows, from, to, tick);
  }
}

/** All rows of one depth: none of them is an ancestor of another, so they may be worked on in any order. */
export class Level {
  /** Steps from the root. */
  depth = 0;
  /** Rows in all stretches of the level. */
  count = 0;
  private readonly visiting: Visit;
  /** Where its spans begin, and those of the next level. */
  private from = 0;
  private to = 0;
  private writes: Writes = undefined;

  /** @internal */
  constructor(visiting: Visit) {
    this.visiting = visiting;
  }

  /** Calls `visit` once for each stretch of the level. */
  eachStretch(visit: (stretch: Stretch) => void): void {
    visitSpans(this.visiting, visit, this.writes, this.from, this.to);
  }

  /** For `eachLevel`: turns to the next level. @returns false if there is none. @internal */
  turn(writes: Writes): boolean {
    const { spans, scene } = this.visiting;
    this.writes = writes;
    this.count = 0;
    this.from = this.to;
    for (; this.to < spans.length; this.to += spans.stride) {
      scene.turnTo(spans, this.to);
      if (this.to === this.from) this.depth = scene.depth;
      else if (scene.depth !== this.depth) break;
      this.count += scene.to - scene.from;
    }
    return this.to > this.from;
  }

  /** The visit is over. @internal */
  end(): void {
    this.from = 0;
    this.to = 0;
    this.count = 0;
  }
}

/**
 * Calls `visit` once per level: all rows of one depth together, shallow ones first, as `eachStretch` would bring them. For
 * work on many rows at once, in parallel or by WebAssembly.
 *
 * Cost: as `eachStretch`, and a pass over the list of stretches.
 *
 * @throws TreelineError `bad-query` for a query without `cascade`, `up` or `selfOrUp`, for which a variable is not enough,
 *   for a visitor that is no function and for writes of what is no component with values; `disposed`; what the visitor
 *   throws, or else the first error of a change that waited.
 */
export function eachLevel(query: Query, visit: (level: Level) => void, options?: VisitOptions): void {
  const writes = requireVisit(query, visit, options);
  if (query.plan.traversals.length === 0) {
    throw new TreelineError("bad-query", "eachLevel needs a query with a term cascade, up or selfOrUp");
  }
  runVisit(query, false, visitLevels, visit, writes);
}

function visitLevels(visiting: Visit, visit: (level: Level) => void, writes: Writes): void {
  const level = (visiting.level as Level | undefined) ?? new Level(visiting);
  visiting.level = level;
  while (level.turn(writes)) visit(level);
}
