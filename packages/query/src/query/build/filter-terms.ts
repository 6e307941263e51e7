import type { Component, Tag } from "@treeline/core";
import { clockOf, type Track } from "@treeline/core/internal";
import { evaluateChanged, evaluateChangedAbove, evaluateParts, evaluators } from "../../match/evaluate.ts";
import type { Filter, Plain, ValueOf, Wrapped } from "../../term/operators.ts";
import { isVariable, isWrapped } from "../../term/operators.ts";
import { type Draft, outputOf, type Test } from "../../term/plan.ts";
import {
  addClause,
  demandPlain,
  give,
  isPlain,
  namedIn,
  parsedIn,
  placeOf,
  type Reader,
  readerOf,
  refuse,
  testOf,
  wrap,
} from "../../term/read.ts";
import { track } from "../lists/watch.ts";
import { binders, firstBinder, flagBinder } from "../outputs/bindings.ts";
import { collectEither, takeOutTarget } from "../rows/candidates.ts";
import { filterUnread } from "../rows/list-rows.ts";
import { engine } from "../state/iteration-state.ts";
import type { Query } from "../state/query-state.ts";

type MaybeOf<T> = [ValueOf<T>] extends [undefined] ? true | undefined : ValueOf<T> | undefined;

/**
 * Only entities that do not have it: `not(Frozen)`, `not(ChildOf(ship))`. Of a term with parts, those for whom it does not
 * hold as a whole: `not(all(Frozen, Heavy))`, `not(or(Frozen, Heavy))`, `not(up(Frozen))`.
 *
 * Cost: components and tags nothing, archetypes tell them; a pair with a target the tables and loose sources of the pair. Inside
 * `or`, `all` and another `not`, pairs are asked for table by table, loose ones and changes row by row. What cannot stand
 * inside is refused by `query` with `bad-query`, here and in all operators.
 */
export function not(what: Filter): Wrapped<"not", undefined> {
  engine.takeOutTarget = takeOutTarget;
  return wrap("not", notReader, [what]);
}

/**
 * With it or without: hands over what the term would, or `undefined`; for tags and pairs without values `true` or
 * `undefined`. It names what it is about: `maybe(Disabled)` asks for disabled entities as well.
 *
 * Cost: a look at each archetype, run or table; for `up` and `selfOrUp` what those cost.
 */
export function maybe<const T extends Plain | Wrapped<"up" | "selfOrUp" | "on">>(
  what: T,
): Wrapped<"maybe", MaybeOf<T>> {
  binders.mark = flagBinder;
  return wrap("maybe", maybeReader, [what]);
}

/**
 * At least one of several. Hands over the value of the first that holds, `undefined` if that has none; nothing if none has any.
 *
 * Cost: nothing if archetypes tell all alternatives; those that they leave open are asked for as in `not`. If all are pairs with
 * targets, only the sources of those are looked at, but for queries with ancestors or variables.
 *
 * @example
 * const drawn = query(world, Position, or(Sprite, Model), not(or(Hidden, up(Hidden))));
 */
export function or<const Terms extends readonly [Filter, ...Filter[]]>(
  ...of: Terms
): Wrapped<"or", ValueOf<Terms[number]>> {
  evaluators.parts = evaluateParts;
  engine.collectEither = collectEither;
  binders.first = firstBinder;
  return wrap("or", orReader, of);
}

/** All of several, as one part of `or` and `not`. Hands over nothing. Cost: that of its parts. */
export function all(...of: readonly [Filter, ...Filter[]]): Wrapped<"all", undefined> {
  evaluators.parts = evaluateParts;
  return wrap("all", allReader, of);
}

/** By a clause, if that can tell it, else by a test. */
const notReader: Reader = {
  demand(draft, { of }) {
    const test = testOf(draft, of[0]!);
    if (test.kind === "has" && !isVariable(test.target)) addClause(draft, "not", test);
    else draft.tests.push({ kind: "not", of: test });
  },
  test: (draft, { of }) => ({ kind: "not", of: testOf(draft, of[0]!) }),
};

/** Plain parts are asked for as if they stood alone. */
const allReader: Reader = {
  demand(draft, term) {
    requireParts(term);
    for (const one of term.of) {
      if (isPlain(one)) demandPlain(draft, one);
      else draft.tests.push(testOf(draft, one));
    }
  },
  test: (draft, term) => ({ kind: "all", of: partsOf(draft, term) }),
};

const orReader: Reader = { test: (draft, term) => ({ kind: "any", of: partsOf(draft, term) }) };

function partsOf(draft: Draft, term: Wrapped): Test[] {
  requireParts(term);
  return term.of.map((one) => testOf(draft, one));
}

function requireParts({ operator, of }: Wrapped): void {
  if (of.length === 0) refuse(`${operator} needs terms inside`);
}

/** It leaves nobody out. What has no values is handed over as whether it is there. */
const maybeReader: Reader = {
  demand(draft, { of }) {
    const what = of[0]!;
    if (!isPlain(what) && !(isWrapped(what) && ["up", "selfOrUp", "on"].includes(what.operator)))
      refuse("maybe takes a component, a tag, a pair, up, selfOrUp or on");
    const test = testOf(draft, what);
    if (test.kind === "has" && !isVariable(test.target)) addClause(draft, "maybe", test);
    give(draft, outputOf(test) ?? { kind: "mark", test });
  },
};

/**
 * Only entities whose value was written since this query last looked: by `set`, `patch`, row views, runs with declared
 * writes, `markChanged`, and by getting it. `changed(up(C))` and `changed(cascade(C))` tell of the value of the nearest
 * ancestor, and of another ancestor being the nearest. Components without values are refused by `query` with `bad-query`.
 *
 * Such a query is nobody else's: the same question gives a new one, to be disposed. Its visits look; `first`, `count` and
 * `isEmpty` do not. The first look sees everything. What the visit itself writes through its row views and declared writes
 * is not news to it, unless inside it another query for changes was visited, one with `removed` was made, or an ordered or
 * grouped one was sorted: what is written after that is.
 *
 * Cost: eight bytes a row of every archetype with the component, once somebody asks; a visit passes over what is old by
 * archetypes and by blocks of 64 rows. 1 % of all rows, scattered, takes a tenth to a third of a visit of all. Of ancestors:
 * 32 bytes for each entity index of the world and each query, and room to grow; after structural changes, a pass over all who
 * are below somebody.
 */
export function changed(
  what: Component | Wrapped<"up" | "selfOrUp" | "cascade">,
): Wrapped<"changed", undefined> {
  installChanges();
  return wrap("changed", changesReader, [what]);
}

/** Only entities that got it since this query last looked, and have it. Cost, and who disposes: as `changed`. */
export function added(what: Component | Tag): Wrapped<"added", undefined> {
  installChanges();
  return wrap("added", changesReader, [what]);
}

/**
 * Only living entities that lost it since this query last looked, and have it not. Deaths are told by `monitor`.
 *
 * Cost: as `changed`; eight bytes a row of the archetypes into which those came who lost it.
 */
export function removed(what: Component | Tag): Wrapped<"removed", undefined> {
  installChanges();
  return wrap("removed", changesReader, [what]);
}

/** From now on changes can be asked for. */
function installChanges(): void {
  evaluators.changed = evaluateChanged;
  evaluators.changedAbove = evaluateChangedAbove;
  engine.filterUnread = filterUnread;
  engine.watch = watch;
  engine.beginReading = beginReading;
  engine.endReading = endReading;
}

const changesReader: Reader = {
  test(draft, { operator, of }) {
    const what = of[0]!;
    const inner = isWrapped(what) && readerOf(what).path !== undefined ? what : undefined;
    const { definition } = inner === undefined ? namedIn(draft, what) : parsedIn(draft, inner.of[0]);
    const { kind, holds, name } = definition;
    const isOfValues = operator === "changed";
    if (kind === "relation" || (isOfValues && holds === "nothing"))
      refuse(`${operator}(${name}) needs a component${isOfValues ? " that has values" : " or tag"}`);
    draft.isWatching = true;
    if (inner === undefined) return { kind: "changed", definition, track: operator as Track["kind"] };
    if (!isOfValues) refuse(`${operator} is about entities themselves; use changed(up(...))`);
    const above = readerOf(inner).path!(draft, inner);
    return { kind: "changed above", ...above, note: placeOf(draft.watched, above, ["path", "self"]) };
  },
};

/** From now on the world keeps ticks for what the query asks for, or not any more. */
export function watch(query: Query, isOn: boolean): void {
  const { world, plan } = query;
  for (const leaf of plan.leaves) {
    if (leaf.kind === "changed") track(world, leaf.definition, leaf.track, isOn);
    else if (leaf.kind === "changed above") track(world, leaf.definition, "changed", isOn);
  }
}

/**
 * A visit begins to look: what is written from now on is news to the next one, but for what the visit itself writes. A part
 * of a query sees what is new, but only visits of the whole look: else one part would take the news from the others.
 *
 * @returns the tick of what the visit itself writes; 0 if the query does not look.
 */
export function beginReading(query: Query): number {
  const { world, plan, part } = query;
  if (!plan.isWatching || part !== undefined) return 0;
  query.watch.isReading = true;
  return clockOf(world).now;
}

/** The visit has gathered what it visits: what is written from now on has a later tick. */
export function endReading(query: Query, tick: number): void {
  query.watch.isReading = false;
  query.lastRead = tick;
  clockOf(query.world).now++;
}
