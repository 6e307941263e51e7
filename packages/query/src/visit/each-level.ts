import { TreelineError } from "@treeline/core";
import { requireUsable } from "../query/ask/query.ts";
import type { Query } from "../query/state/query-state.ts";
import { visitSpans } from "./each-stretch.ts";
import { Stretch } from "./stretch.ts";
import { beginVisit, endVisit, requireVisitor, type Visit } from "./visiting.ts";
import { requireWrites, type VisitOptions } from "./writes.ts";

/** All rows of one depth: none of them is an ancestor of another, so they may be worked on in any order. */
export class Level {
  /** Steps from the root. */
  depth = 0;
  /** Rows in all stretches of the level. */
  count = 0;
  private visiting: Visit | undefined = undefined;
  private begin = 0;
  private end = 0;
  private writes: ReturnType<typeof requireWrites> = undefined;
  private readonly stretch: Stretch;

  /** @internal */
  constructor(query: Query) {
    this.stretch = new Stretch(query);
  }

  /** Calls `visit` once for each stretch of the level. */
  eachStretch(visit: (stretch: Stretch) => void): void {
    const { visiting, stretch, writes, begin, end } = this;
    stretch.begin(visiting!.scene.query, visiting!.scene);
    try {
      visitSpans(visiting!, stretch, visit, writes, begin, end);
    } finally {
      stretch.turnTo(undefined, undefined);
    }
  }

  /** For `eachLevel`: the spans that begin at `begin .. end`. @internal */
  turnTo(
    visiting: Visit,
    begin: number,
    end: number,
    depth: number,
    writes: ReturnType<typeof requireWrites>,
  ): void {
    this.visiting = visiting;
    this.begin = begin;
    this.end = end;
    this.depth = depth;
    this.writes = writes;
    this.count = 0;
    const { numbers, stride } = visiting.spans;
    for (let at = begin; at < end; at += stride) this.count += numbers[at + 2]! - numbers[at + 1]!;
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
  const writes = options === undefined ? undefined : requireWrites(options);
  requireUsable(query);
  requireVisitor(visit);
  if (query.plan.traversals.length === 0) {
    throw new TreelineError("bad-query", "eachLevel needs a query with a term cascade, up or selfOrUp");
  }
  const visiting = beginVisit(query);
  const level = (query.spares.levels.pop() as Level | undefined) ?? new Level(query);
  let isDone = false;
  try {
    const { spans, scene } = visiting;
    for (let at = 0; at < spans.length; ) {
      scene.turnTo(spans, at);
      const { depth } = scene;
      let end = at + spans.stride;
      for (; end < spans.length; end += spans.stride) {
        scene.turnTo(spans, end);
        if (scene.depth !== depth) break;
      }
      level.turnTo(visiting, at, end, depth, writes);
      visit(level);
      at = end;
    }
    isDone = true;
  } finally {
    level.turnTo(visiting, 0, 0, 0, undefined);
    query.spares.levels.push(level);
    endVisit(query, visiting, isDone);
  }
}
