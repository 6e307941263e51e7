// `not`, `maybe`, `or`, `all`, `changed`, `added`, `removed`: what they accept; which changes are unread (`beginReading`).
import type { AnyKindOfRelation, Component, Definition, Tag } from "@treeline/core";
import { clockOf, Parent, slotsOf } from "@treeline/core/internal";
import { evaluateChanged, evaluateParts, evaluators } from "../../match/evaluate.ts";
import type { Filter, Plain, QueryTerm, ValueOf, Wrapped } from "../../term/operators.ts";
import { isVariable, isWrapped } from "../../term/operators.ts";
import { type ChangedTest, type Draft, outputOf, type Test } from "../../term/plan.ts";
import {
  addClause,
  addOutput,
  demandPlain,
  isPlain,
  namedIn,
  parsedIn,
  placeOf,
  type Reader,
  readerOf,
  readers,
  refuse,
  testOf,
  wrap,
} from "../../term/read.ts";
import { track } from "../lists/watch.ts";
import { binders, firstBinder, flagBinder } from "../outputs/bindings.ts";
import { collectEither, excludeTarget } from "../rows/candidates.ts";
import { filterUnread } from "../rows/list-rows.ts";
import { engine } from "../state/iteration-state.ts";
import type { Query } from "../state/query-state.ts";

/** What is known to be a relation with many targets is refused. */
type ToOne<T> = T extends { readonly kind: "relation"; readonly exclusive: false }
  ? {
      readonly "only relations with one target have such changes: relation(name, { exclusive: true })": never;
    }
  : unknown;

type MaybeOf<T> = [ValueOf<T>] extends [undefined] ? true | undefined : ValueOf<T> | undefined;

/**
 * Matches only entities that do not have it: `not(Frozen)`, `not(ChildOf(ship))`. With a term that has parts, it matches
 * entities for which the term does not hold as a whole: `not(all(Frozen, Heavy))`, `not(or(Frozen, Heavy))`, `not(up(Frozen))`.
 *
 * @cost nothing for components and tags, as archetypes decide them; for tags stored as bits, a step per 32 rows after a change, and
 *   the runs between; for a pair with a target, the tables of the pair and its subjects that store it by value. Inside `or`, `all`
 *   and another `not`, pairs are tested table by table, value pairs, tags in bits and changes row by row. Here and in all
 *   operators, `query` refuses what cannot be inside with `bad-query`.
 */
export function not(what: Filter): Wrapped<"not", undefined> {
  engine.excludeTarget = excludeTarget;
  return wrap("not", notReader, [what]);
}

/**
 * Matches with or without it. Callbacks get what the term would pass, or `undefined`; for tags and pairs without values `true`
 * or `undefined`. The term counts as named: with `maybe(Disabled)`, disabled entities match as well.
 *
 * @cost a read of each archetype, run or table; for `up` and `selfOrUp` what those cost.
 */
export function maybe<const T extends Plain | Wrapped<"up" | "selfOrUp" | "on">>(
  what: T,
): Wrapped<"maybe", MaybeOf<T>> {
  binders.flag = flagBinder;
  return wrap("maybe", maybeReader, [what]);
}

/**
 * Matches if at least one of several holds. Callbacks get the value of the first that holds, `undefined` if that one has no
 * value; no argument is passed if no alternative has values.
 *
 * @cost nothing if archetypes decide all alternatives; others are tested as in `not`. If all are pairs with targets, only their
 *   subjects are read, except in queries with ancestors or variables.
 * @example
 * const drawn = query(world, Position, or(Sprite, Model), not(or(Hidden, up(Hidden))));
 */
export function or<const Terms extends readonly [Filter, ...Filter[]]>(
  ...of: Terms
): Wrapped<"or", ValueOf<Terms[number]>> {
  evaluators.any = evaluateParts;
  engine.collectEither = collectEither;
  binders.first = firstBinder;
  return wrap("or", orReader, of);
}

/**
 * Matches if all of several hold: one part for `or` and `not`. Passes nothing to callbacks.
 *
 * @cost that of its parts.
 */
export function all(...of: readonly [Filter, ...Filter[]]): Wrapped<"all", undefined> {
  evaluators.all = evaluateParts;
  return wrap("all", allReader, of);
}

/** Adds a clause if a clause can express it, else a test. */
const notReader: Reader = {
  demand(draft, { of }) {
    const test = excludedIn(draft, of[0]!);
    if (test.kind === "has" && !isVariable(test.target)) addClause(draft, "not", test);
    else draft.tests.push({ kind: "not", of: test });
  },
  test: (draft, { of }) => ({ kind: "not", of: excludedIn(draft, of[0]!) }),
};

function excludedIn(draft: Draft, term: QueryTerm): Test {
  return readers.own?.existsIn(draft, term) ?? testOf(draft, term);
}

/** Plain parts become clauses, as without `all`. */
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

/** It does not filter. For a part without values, the output is `true` where the entity has it. */
const maybeReader: Reader = {
  demand(draft, { of }) {
    const what = of[0]!;
    if (!isPlain(what) && !(isWrapped(what) && ["up", "selfOrUp", "on"].includes(what.operator)))
      refuse("maybe accepts a component, a tag, a pair, up, selfOrUp or on");
    const test = testOf(draft, what);
    if (test.kind === "has" && !isVariable(test.target)) addClause(draft, "maybe", test);
    addOutput(draft, outputOf(test) ?? { kind: "flag", test });
  },
};

/**
 * Matches only entities whose value was written since this query last read changes: by `set`, `patch`, row views, runs with
 * declared writes, `markChanged`, and by adding the component. `changed(up(C))` and `changed(cascade(C))` match when the value
 * of the nearest ancestor was written, or when another ancestor became the nearest.
 *
 * Of an exclusive relation, without a target, entities match that got it, got another target, or lost it: `changed(ChildOf)` are
 * those that were attached, reparented, detached, or spawned below a parent, in both storages, also if they have their former
 * parent again. A change of storage alone does not count. The first iteration matches all that have a target.
 *
 * `query` refuses with `bad-query`: components without values, `Parent`, relations with many targets, and pairs.
 *
 * Such a query is not shared: the same terms return a new query, which you must dispose. Its iterations read changes; `first`,
 * `count` and `isEmpty` read without marking. The first iteration matches everything. What the iteration itself writes through
 * its row views and declared writes is not unread for it afterwards, unless inside it another query for changes was iterated,
 * one with `removed` was made, or an ordered or grouped one was sorted: what is written after that is unread.
 *
 * A query that leaves out disabled entities does not read their changes either. They stay unread until the entity is enabled, and
 * match then, once. Disabling and enabling are no changes. This holds for `added` and `removed` too.
 *
 * @cost eight bytes a row of every archetype with the component, once such a query exists; an iteration skips unchanged archetypes
 *   and unchanged blocks of 64 rows. 1 % of all rows, scattered, takes a tenth to a third of an iteration of all. For ancestors: 32
 *   bytes for each entity index of the world and each query, and room to grow; after structural changes, a pass over all entities
 *   that have a target along the relation. For a relation also eight bytes a row of archetypes into which entities moved that lost
 *   it, and 20 to 50 nanoseconds more for each new target. In worlds with disabled entities an iteration looks at each archetype,
 *   and at entities that have `DisabledTree`; if any was disabled or enabled since the last one, at all rows of archetypes with
 *   disabled rows.
 */
export function changed<T extends Component | AnyKindOfRelation | Wrapped<"up" | "selfOrUp" | "cascade">>(
  what: T & ToOne<T>,
): Wrapped<"changed", undefined> {
  installChanges();
  return wrap("changed", changesReader, [what as Plain]);
}

/**
 * Matches only entities that got it since this query last read changes, and have it; of an exclusive relation, those that had no
 * target: `added(ChildOf)` are former roots, and what was spawned below a parent. Cost and disposal: as `changed`.
 */
export function added<T extends Component | Tag | AnyKindOfRelation>(
  what: T & ToOne<T>,
): Wrapped<"added", undefined> {
  installChanges();
  return wrap("added", changesReader, [what as Plain]);
}

/**
 * Matches only living entities that lost it since this query last read changes, and do not have it; of an exclusive relation, those
 * that have no target any more: `removed(ChildOf)` are new roots. `monitor` reports destroyed entities.
 *
 * @cost as `changed`; eight bytes a row of the archetypes into which entities that lost it moved.
 */
export function removed<T extends Component | Tag | AnyKindOfRelation>(
  what: T & ToOne<T>,
): Wrapped<"removed", undefined> {
  installChanges();
  return wrap("removed", changesReader, [what as Plain]);
}

/** Installs what queries for changes need. */
function installChanges(): void {
  evaluators.changed = evaluateChanged;
  engine.filterUnread = filterUnread;
  engine.watch = watch;
  engine.beginReading = beginReading;
  engine.endReading = endReading;
  engine.findEnabled = findEnabled;
}

const changesReader: Reader = {
  test(draft, { operator, of }) {
    const what = of[0]!;
    const { tracked } = draft;
    const bare = what as unknown as Definition | undefined;
    const relation = bare?.kind === "relation" ? bare : undefined;
    const inner = isWrapped(what) && readerOf(what).path !== undefined ? what : undefined;
    const definition =
      relation ?? (inner === undefined ? namedIn(draft, what) : parsedIn(draft, inner.of[0])).definition;
    const { kind, holds, name, exclusive } = definition;
    const isOfValues = operator === "changed";
    if (
      kind === "relation"
        ? relation === undefined || !exclusive || relation === Parent
        : isOfValues && holds === "nothing"
    )
      refuseChanges(operator, name, isOfValues);
    draft.isWatching = true;
    // An entity that has no target any more has another one too.
    if (relation !== undefined && isOfValues) tracked.push({ definition, kind: "removed" });
    const track = relation !== undefined && isOfValues ? "retargeted" : (operator as ChangedTest["track"]);
    tracked.push({ definition, kind: track });
    if (inner === undefined) return { kind: "changed", definition, track };
    if (!isOfValues) {
      let text = `${operator} is not about ancestors`;
      CHECK: text = `${operator} cannot be about ancestors; use changed(up(...))`;
      refuse(text);
    }
    const above = readerOf(inner).path!(draft, inner);
    return { kind: "changed above", ...above, note: placeOf(draft.watched, above, ["path", "self"]) };
  },
};

function refuseChanges(operator: string, name: string, isOfValues: boolean): never {
  let text = `${operator}(${name}) is not possible`;
  CHECK: text = `${operator}(${name}) needs a component${isOfValues ? " that has values" : " or tag"}, or an exclusive relation alone; for parents ChildOf`;
  refuse(text);
}

/** Makes the world keep ticks for what the query reads, or stop. */
export function watch(query: Query, isOn: boolean): void {
  const { world, plan } = query;
  for (const { definition, kind } of plan.tracked) track(world, definition, kind, isOn);
}

/**
 * Begins to read changes: what is written from now on is unread for the next iteration, except what this iteration itself
 * writes. A part of a query matches unread changes, but only iterations of the whole mark them as read: else one part would
 * take the changes from the others.
 *
 * @returns the tick of what the iteration itself writes; 0 if the query does not read changes.
 */
export function beginReading(query: Query): number {
  const { world, plan, part } = query;
  if (!plan.isWatching || part !== undefined) return 0;
  query.watch.isReading = true;
  return clockOf(world).now;
}

/** The iteration has listed its rows: what is written from now on has a later tick. */
export function endReading(query: Query, tick: number): void {
  const { world, watch, lastRead } = query;
  watch.isReading = false;
  slotsOf(world).disabledReads?.keepUnread(world, watch, lastRead);
  query.lastRead = tick;
  clockOf(world, -1).now++;
}

/** Finds entities that were disabled when the query last read changes; theirs are unread since an earlier read. */
function findEnabled({ plan, world, watch }: Query): ReadonlyMap<number, number> | undefined {
  if (plan.isWatching && !watch.isReading) clockOf(world); // a read without marking
  return plan.namesDisabled ? undefined : slotsOf(world).disabledReads?.findEnabled(world, watch);
}
