/** Long-lived questions: the real world's queries, held against plain filters over the twin. */
import type { Entity } from "@treeline/core";
import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { visitors } from "../base/entry-points.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { idOf } from "../step/fast-world.ts";
import { same, sameColumns, sameValue } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { carriesValue, definitionOf } from "../step/vocabulary.ts";
import type { AskTerm } from "../twin/read.ts";
import { answers } from "../twin/read.ts";
import type { Twin } from "../twin/rules.ts";
import type { SlowWorld } from "../twin/world.ts";
import { ancestorsOf, get, has, isDisabled } from "../twin/world.ts";
import { toldAsks } from "./perform.ts";

export interface Ask {
  readonly terms: readonly AskTerm[];
  readonly query: object;
}

export function createAsk(fast: FastWorld, terms: readonly AskTerm[]): Ask {
  return { terms, query: visitors.query(fast.world, ...toldAsks(fast, terms)) };
}

export function forgetAsk(ask: Ask): void {
  visitors.dispose(ask.query);
}

export type Way = "each" | "eachRun" | "eachBatch";

/**
 * Visits the query one way and compares who came, in which order, with which values.
 * `eachBatch` takes only queries with a cascade; the others are visited by runs instead.
 *
 * @throws Error that says what differs.
 */
export function compareAsk(fast: FastWorld, slow: SlowWorld, ask: Ask, way: Way): void {
  const came: Twin[] = [];
  const isCascade = ask.terms.some((term) => term.kind === "cascade");
  const visit =
    way === "each" ? iterateRows : way === "eachBatch" && isCascade ? iterateBatches : iterateRuns;
  const story = (): string => `${way} of ${textOf(ask.terms)}`;
  visit(fast, slow, ask, story, came);
  compareGuests(slow, ask, story, came);
  if (isCascade) compareOrder(slow, story, came);
}

/** The same, of who comes alone: inside a visit values may have been written already. */
export function compareWho(fast: FastWorld, slow: SlowWorld, ask: Ask): void {
  const came: Twin[] = [];
  const story = (): string => `inside a visit, eachRun of ${textOf(ask.terms)}`;
  visitors.eachRun(ask.query, (run) => {
    for (let row = run.first; row < run.end; row++) came.push(guest(fast, slow, story, run.entityAt(row)));
  });
  compareGuests(slow, ask, story, came);
}

/** Writes through the row views of everybody who has both a Position and a Clock, in both worlds. */
export function drift(fast: FastWorld, slow: SlowWorld, by: number): void {
  const moving = visitors.query(fast.world, definitionOf("Position"), definitionOf("Clock"));
  visitors.each(moving, (position, clock) => {
    const place = position as { x: number; y: number };
    const time = clock as { at: number };
    place.x += by;
    time.at = place.x;
  });
  visitors.dispose(moving);

  for (const [twin, being] of slow.living) {
    if (isDisabled(slow, twin)) continue;
    const place = being.schemas.get("Position");
    const time = being.schemas.get("Clock");
    if (place === undefined || time === undefined) continue;
    const x = Math.fround((place.x as number) + by);
    being.schemas.set("Position", { ...place, x });
    being.schemas.set("Clock", { ...time, at: x });
  }
}

// ---- who should come ---------------------------------------------------------------------------------------------

function compareGuests(slow: SlowWorld, ask: Ask, story: () => string, came: readonly Twin[]): void {
  const expected = [...slow.living.keys()].filter((twin) => answers(slow, twin, ask.terms));
  const seen = new Set(came);
  same(
    came.length,
    seen.size,
    () => `${story()}: visits of ${seen.size} entities, which are ${textOf(came)}`,
  );
  const isSame = seen.size === expected.length && expected.every((twin) => seen.has(twin));
  if (!isSame)
    same(
      [...seen].sort((one, other) => one - other),
      expected,
      story,
    );
}

/** Everybody after all of its ancestors that came. */
function compareOrder(slow: SlowWorld, story: () => string, came: readonly Twin[]): void {
  const turn = new Map(came.map((twin, at) => [twin, at]));
  came.forEach((twin, at) => {
    for (const above of ancestorsOf(slow, twin)) {
      if ((turn.get(above) ?? -1) > at)
        throw new Error(`${story()}: e${twin} came before its ancestor e${above}`);
    }
  });
}

/** The nearest ancestor that has the component. */
function sourceOfPair(slow: SlowWorld, twin: Twin, what: string): Twin | undefined {
  return ancestorsOf(slow, twin).find((above) => has(slow, above, what));
}

/** What a visitor should be given for a term: the entity's own value, or the nearest one above. */
function expectedOf(slow: SlowWorld, twin: Twin, term: AskTerm): unknown {
  if (term.kind !== "cascade") return get(slow, twin, term.what, term.target as Twin | undefined);
  const holder = sourceOfPair(slow, twin, term.what);
  return holder === undefined ? undefined : get(slow, holder, term.what);
}

/** `each` tells of a tag, or a pair without values, that may be there whether it is. */
function isMark(term: AskTerm): boolean {
  return term.kind === "maybe" && !givesValue(term);
}

function givesValue(term: AskTerm): boolean {
  return term.kind !== "not" && term.target !== "Any" && carriesValue(term.what);
}

// ---- ways to visit -----------------------------------------------------------------------------------------------

type Visit = (fast: FastWorld, slow: SlowWorld, ask: Ask, story: () => string, came: Twin[]) => void;

function guest(fast: FastWorld, slow: SlowWorld, story: () => string, handle: Entity): Twin {
  const twin = fast.twins.get(handle);
  if (twin === undefined) throw new Error(`${story()}: visits the unknown handle ${handle}`);
  if (!slow.living.has(twin)) throw new Error(`${story()}: visits e${twin}, which is dead`);
  return twin;
}

function columnsOf(fast: FastWorld, rows: AnyRun | AnyBatch, term: AskTerm): unknown {
  const id = idOf(fast, term.what, term.target);
  return term.kind === "maybe" ? rows.columnsIf(id) : rows.columns(id);
}

const iterateRows: Visit = (fast, slow, ask, story, came) => {
  const valued = ask.terms.filter((term) => givesValue(term) || isMark(term));
  visitors.each(ask.query, (...args) => {
    same(args.length, valued.length + 1, () => `${story()}: arguments`);
    const twin = guest(fast, slow, story, args[valued.length] as Entity);
    came.push(twin);
    valued.forEach((term, at) => {
      const where = (): string => `${story()}: ${term.kind} ${term.what} of e${twin}`;
      if (isMark(term)) {
        same(args[at], has(slow, twin, term.what, term.target) ? true : undefined, where);
      } else sameValue(fast, term.what, args[at], expectedOf(slow, twin, term), where);
    });
  });
};

const iterateRuns: Visit = (fast, slow, ask, story, came) => {
  const valued = ask.terms.filter((term) => givesValue(term) && term.kind !== "cascade");
  visitors.eachRun(ask.query, (run) => {
    const columns = valued.map((term) => columnsOf(fast, run, term));
    for (let row = run.first; row < run.end; row++) {
      const twin = guest(fast, slow, story, run.entityAt(row));
      came.push(twin);
      valued.forEach((term, at) => {
        const where = (): string => `${story()}: column of ${term.what} of e${twin}`;
        sameColumns(fast, term.what, columns[at], row, expectedOf(slow, twin, term), where);
      });
    }
  });
};

const iterateBatches: Visit = (fast, slow, ask, story, came) => {
  const own = ask.terms.filter((term) => givesValue(term) && term.kind !== "cascade");
  const above = ask.terms.filter((term) => term.kind === "cascade");
  visitors.eachBatch(ask.query, (batch) => {
    const columns = own.map((term) => columnsOf(fast, batch, term));
    const parentColumns = batch.hasParents
      ? above.map((term) => batch.parentColumns(definitionOf(term.what)))
      : [];
    for (let at = batch.from; at < batch.to; at++) {
      const row = batch.rows[at]!;
      const twin = guest(fast, slow, story, batch.entityAt(row));
      came.push(twin);
      same(batch.depth, ancestorsOf(slow, twin).length, () => `${story()}: depth of the batch of e${twin}`);
      own.forEach((term, place) => {
        const where = (): string => `${story()}: column of ${term.what} of e${twin}`;
        sameColumns(fast, term.what, columns[place], row, expectedOf(slow, twin, term), where);
      });
      above.forEach((term, place) => {
        const where = (): string => `${story()}: ${term.what} above e${twin}`;
        const expected = expectedOf(slow, twin, term);
        if (!batch.hasParents) same(undefined, expected, where);
        else sameColumns(fast, term.what, parentColumns[place], batch.parentRows[at]!, expected, where);
      });
    }
  });
};
