import { tellers, tellParts } from "../../match/tests.ts";
import type { Filter, Plain, ValueOf, Wrapped } from "../../term/operators.ts";
import { isVariable, isWrapped } from "../../term/operators.ts";
import { type Draft, giftOf, type Test } from "../../term/plan.ts";
import { addClause, demandPlain, give, isPlain, type Reader, refuse, testOf, wrap } from "../../term/read.ts";
import { firstGiving, givings, markGiving } from "../outputs/givers.ts";
import { collectEither, takeOutTarget } from "../rows/collect.ts";
import { engine } from "../state/scene.ts";

type MaybeOf<T> = [ValueOf<T>] extends [undefined] ? true | undefined : ValueOf<T> | undefined;

/**
 * Only entities that do not have it: `not(Frozen)`, `not(ChildOf(ship))`. Of a term with parts, those for whom it does not
 * hold as a whole: `not(all(Frozen, Heavy))`, `not(or(Frozen, Heavy))`, `not(up(Frozen))`.
 *
 * Cost: components and tags nothing, shapes tell them; a pair with a target the tables and loose sources of the pair. Inside
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
 * Cost: a look at each shape, run or table; for `up` and `selfOrUp` what those cost.
 */
export function maybe<const T extends Plain | Wrapped<"up" | "selfOrUp" | "on">>(
  what: T,
): Wrapped<"maybe", MaybeOf<T>> {
  givings.mark = markGiving;
  return wrap("maybe", maybeReader, [what]);
}

/**
 * At least one of several. Hands over the value of the first alternative that holds; `undefined` if that has no values. If no
 * alternative has any, it hands over nothing.
 *
 * Cost: nothing if shapes tell all alternatives; those that they leave open are asked for as in `not`. If all are pairs with
 * targets, only the sources of those are looked at, but for queries with ancestors or variables.
 *
 * @example
 * const drawn = query(world, Position, or(Sprite, Model), not(or(Hidden, up(Hidden))));
 */
export function or<const Terms extends readonly [Filter, ...Filter[]]>(
  ...of: Terms
): Wrapped<"or", ValueOf<Terms[number]>> {
  tellers.parts = tellParts;
  engine.collectEither = collectEither;
  givings.first = firstGiving;
  return wrap("or", orReader, of);
}

/** All of several, as one part of `or` and `not`. Hands over nothing. Cost: that of its parts. */
export function all(...of: readonly [Filter, ...Filter[]]): Wrapped<"all", undefined> {
  tellers.parts = tellParts;
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
    give(draft, giftOf(test) ?? { kind: "mark", test });
  },
};
