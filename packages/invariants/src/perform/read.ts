/** Compares the long-lived queries of the real world with plain filters over the twin. */
import type { Entity } from "@treeline/core";
import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { queryVerbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { idOf } from "../step/real-world.ts";
import { same, sameColumns, sameValue } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { carriesValue, definitionOf, hasColumns } from "../step/vocabulary.ts";
import type { SimpleTerm } from "../twin/read.ts";
import { matches } from "../twin/read.ts";
import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { ancestorsOf, get, has, isDisabled } from "../twin/world.ts";
import { realQueryTerms } from "./perform.ts";

export interface LiveQuery {
  readonly terms: readonly SimpleTerm[];
  readonly query: object;
}

export function createLiveQuery(real: RealWorld, terms: readonly SimpleTerm[]): LiveQuery {
  return { terms, query: queryVerbs.query(real.world, ...realQueryTerms(real, terms)) };
}

export function disposeLiveQuery(live: LiveQuery): void {
  queryVerbs.dispose(live.query);
}

export type IterateVerb = "each" | "eachRun" | "eachBatch";

/**
 * Iterates the query with one method and compares the matches, their order and their values. `eachBatch` accepts only queries
 * with a cascade; the others are iterated with `eachRun` instead.
 *
 * @throws Error that says what differs.
 */
export function compareLiveQuery(
  real: RealWorld,
  naive: NaiveWorld,
  live: LiveQuery,
  method: IterateVerb,
): void {
  const matched: Twin[] = [];
  const isCascade = live.terms.some((term) => term.kind === "cascade");
  const compareMethod =
    method === "each" ? iterateRows : method === "eachBatch" && isCascade ? iterateBatches : iterateRuns;
  const label = (): string => `${method} of ${textOf(live.terms)}`;
  compareMethod(real, naive, live, label, matched);
  compareMatchSet(naive, live, label, matched);
  if (isCascade) compareOrder(naive, label, matched);
}

/** Compares the matches only: inside an iteration values may have been written already. */
export function compareMatchesInside(real: RealWorld, naive: NaiveWorld, live: LiveQuery): void {
  const matched: Twin[] = [];
  const label = (): string => `inside an iteration, eachRun of ${textOf(live.terms)}`;
  queryVerbs.eachRun(live.query, (run) => {
    for (let row = run.first; row < run.end; row++)
      matched.push(twinOfMatch(real, naive, label, run.entityAt(row)));
  });
  compareMatchSet(naive, live, label, matched);
}

/** Writes through the row views of all entities that have both a Position and a Clock, in both worlds. */
export function writeRows(real: RealWorld, naive: NaiveWorld, by: number): void {
  const moving = queryVerbs.query(real.world, definitionOf("Position"), definitionOf("Clock"));
  queryVerbs.each(moving, (position, clock) => {
    const place = position as { x: number; y: number };
    const time = clock as { at: number };
    place.x += by;
    time.at = place.x;
  });
  queryVerbs.dispose(moving);

  for (const [twin, record] of naive.living) {
    if (isDisabled(naive, twin)) continue;
    const place = record.schemas.get("Position");
    const time = record.schemas.get("Clock");
    if (place === undefined || time === undefined) continue;
    const x = Math.fround((place.x as number) + by);
    record.schemas.set("Position", { ...place, x });
    record.schemas.set("Clock", { ...time, at: x });
  }
}

// ---- expected matches --------------------------------------------------------------------------------------------

function compareMatchSet(
  naive: NaiveWorld,
  live: LiveQuery,
  label: () => string,
  matched: readonly Twin[],
): void {
  const expected = [...naive.living.keys()].filter((twin) => matches(naive, twin, live.terms));
  const seen = new Set(matched);
  same(
    matched.length,
    seen.size,
    () => `${label()}: iterations of ${seen.size} entities, which are ${textOf(matched)}`,
  );
  const isSame = seen.size === expected.length && expected.every((twin) => seen.has(twin));
  if (!isSame)
    same(
      [...seen].sort((one, other) => one - other),
      expected,
      label,
    );
}

/** Every entity comes after all of its ancestors that match. */
function compareOrder(naive: NaiveWorld, label: () => string, matched: readonly Twin[]): void {
  const order = new Map(matched.map((twin, at) => [twin, at]));
  matched.forEach((twin, at) => {
    for (const above of ancestorsOf(naive, twin)) {
      if ((order.get(above) ?? -1) > at)
        throw new Error(`${label()}: e${twin} came before its ancestor e${above}`);
    }
  });
}

/** The nearest ancestor that has the component. */
function sourceAbove(naive: NaiveWorld, twin: Twin, what: string): Twin | undefined {
  return ancestorsOf(naive, twin).find((above) => has(naive, above, what));
}

/** The value that a callback receives for a term: the entity's own, or that of the nearest ancestor. */
function expectedOf(naive: NaiveWorld, twin: Twin, term: SimpleTerm): unknown {
  if (term.kind !== "cascade") return get(naive, twin, term.what, term.target as Twin | undefined);
  const source = sourceAbove(naive, twin, term.what);
  return source === undefined ? undefined : get(naive, source, term.what);
}

/** For a tag or a pair without values inside `maybe`, `each` passes whether the entity has it. */
function isFlag(term: SimpleTerm): boolean {
  return term.kind === "maybe" && !carriesOutput(term);
}

function carriesOutput(term: SimpleTerm): boolean {
  return term.kind !== "not" && term.target !== "Any" && carriesValue(term.what);
}

// ---- iteration methods -------------------------------------------------------------------------------------------

type CompareMethod = (
  real: RealWorld,
  naive: NaiveWorld,
  live: LiveQuery,
  label: () => string,
  matched: Twin[],
) => void;

function twinOfMatch(real: RealWorld, naive: NaiveWorld, label: () => string, handle: Entity): Twin {
  const twin = real.twins.get(handle);
  if (twin === undefined) throw new Error(`${label()}: iterates the unknown handle ${handle}`);
  if (!naive.living.has(twin)) throw new Error(`${label()}: iterates e${twin}, which is not alive`);
  return twin;
}

function columnsOf(real: RealWorld, rows: AnyRun | AnyBatch, term: SimpleTerm): unknown {
  const id = idOf(real, term.what, term.target);
  return term.kind === "maybe" ? rows.columnsIf(id) : rows.columns(id);
}

const iterateRows: CompareMethod = (real, naive, live, label, matched) => {
  const valued = live.terms.filter((term) => carriesOutput(term) || isFlag(term));
  queryVerbs.each(live.query, (...args) => {
    same(args.length, valued.length + 1, () => `${label()}: arguments`);
    const twin = twinOfMatch(real, naive, label, args[valued.length] as Entity);
    matched.push(twin);
    valued.forEach((term, at) => {
      const where = (): string => `${label()}: ${term.kind} ${term.what} of e${twin}`;
      if (isFlag(term)) {
        same(args[at], has(naive, twin, term.what, term.target) ? true : undefined, where);
      } else sameValue(real, term.what, args[at], expectedOf(naive, twin, term), where);
    });
  });
};

const iterateRuns: CompareMethod = (real, naive, live, label, matched) => {
  const valued = live.terms.filter(
    (term) => carriesOutput(term) && term.kind !== "cascade" && hasColumns(term.what),
  );
  queryVerbs.eachRun(live.query, (run) => {
    const columns = valued.map((term) => columnsOf(real, run, term));
    for (let row = run.first; row < run.end; row++) {
      const twin = twinOfMatch(real, naive, label, run.entityAt(row));
      matched.push(twin);
      valued.forEach((term, at) => {
        const where = (): string => `${label()}: column of ${term.what} of e${twin}`;
        sameColumns(real, term.what, columns[at], row, expectedOf(naive, twin, term), where);
      });
    }
  });
};

const iterateBatches: CompareMethod = (real, naive, live, label, matched) => {
  const valued = live.terms.filter(({ what }) => hasColumns(what));
  const own = valued.filter((term) => carriesOutput(term) && term.kind !== "cascade");
  const above = valued.filter((term) => term.kind === "cascade");
  queryVerbs.eachBatch(live.query, (batch) => {
    const columns = own.map((term) => columnsOf(real, batch, term));
    const parentColumns = batch.hasParents
      ? above.map((term) => batch.parentColumns(definitionOf(term.what)))
      : [];
    for (let at = batch.from; at < batch.to; at++) {
      const row = batch.rows[at]!;
      const twin = twinOfMatch(real, naive, label, batch.entityAt(row));
      matched.push(twin);
      same(batch.depth, ancestorsOf(naive, twin).length, () => `${label()}: depth of the batch of e${twin}`);
      own.forEach((term, place) => {
        const where = (): string => `${label()}: column of ${term.what} of e${twin}`;
        sameColumns(real, term.what, columns[place], row, expectedOf(naive, twin, term), where);
      });
      above.forEach((term, place) => {
        const where = (): string => `${label()}: ${term.what} above e${twin}`;
        const expected = expectedOf(naive, twin, term);
        if (!batch.hasParents) same(undefined, expected, where);
        else sameColumns(real, term.what, parentColumns[place], batch.parentRows[at]!, expected, where);
      });
    }
  });
};
