import {
  addClause,
  type Draft,
  demandPlain,
  giftOf,
  holdsValues,
  isPlain,
  namedIn,
  type Reader,
  refuse,
  testOf,
} from "./draft.ts";
import { isWrapped, type Wrapped } from "./operators.ts";
import type { Gift, Test } from "./plan.ts";
import { isVariable } from "./variable.ts";

/** Reads `not`: by a clause, if that can tell it, else by a test. */
export const notReader: Reader = {
  demand(draft, term) {
    const [what] = term.of;
    if (!isPlain(what)) {
      draft.tests.push(testOf(draft, term));
      return;
    }
    const question = namedIn(draft, what);
    if (!isVariable(question.target)) addClause(draft, "not", question);
    else draft.tests.push({ kind: "not", of: { kind: "has", ...question } });
  },
  test: (draft, { of }) => ({ kind: "not", of: testOf(draft, of[0]!) }),
};

/** Reads `all`: plain parts as if they stood alone. */
export const allReader: Reader = {
  demand(draft, term) {
    requireParts(term);
    for (const one of term.of) {
      if (isPlain(one)) demandPlain(draft, one);
      else draft.tests.push(testOf(draft, one));
    }
  },
  test: (draft, term) => ({ kind: "all", of: partsOf(draft, term) }),
};

/** Reads `or`. */
export const orReader: Reader = {
  test: (draft, term) => ({ kind: "any", of: partsOf(draft, term) }),
  gift(draft, term): Gift | undefined {
    const of = term.of.map((one) => giftOf(draft, one));
    if (of.every((gift) => gift === undefined)) return undefined;
    return { from: "first", tests: partsOf(draft, term), of };
  },
};

function partsOf(draft: Draft, term: Wrapped): Test[] {
  requireParts(term);
  return term.of.map((one) => testOf(draft, one));
}

function requireParts({ operator, of }: Wrapped): void {
  if (of.length === 0) refuse(`${operator} needs terms inside`);
}

/** Reads `maybe`, which leaves nobody out. What has no values is handed over as whether it is there. */
export const maybeReader: Reader = {
  demand(draft, { of }) {
    const what = of[0]!;
    if (isPlain(what)) {
      const question = namedIn(draft, what);
      if (!isVariable(question.target)) addClause(draft, "maybe", question);
      draft.gifts.push(
        holdsValues(question)
          ? { from: "own", ...question }
          : { from: "mark", test: { kind: "has", ...question } },
      );
      return;
    }
    if (!isWrapped(what) || !["up", "selfOrUp", "on"].includes(what.operator)) {
      refuse("maybe takes a component, a tag, a pair, up, selfOrUp or on");
    }
    draft.gifts.push(giftOf(draft, what) ?? { from: "mark", test: testOf(draft, what) });
  },
};
