/** What visitors are given, held against what the naive twin would give. */
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf } from "../step/fast-world.ts";
import { sameValue } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { fieldsOf } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import type { Match, QuestionTerm } from "./twin.ts";

/** Which argument is none of those that were expected. */
export function strangeCall(
  fast: FastWorld,
  giving: readonly QuestionTerm[],
  args: readonly unknown[],
  twin: Twin,
  expected: readonly Match[],
): string {
  const answers = expected.filter((answer) => answer.twin === twin);
  const place = giving.findIndex(
    (term, at) => !answers.some(({ given }) => isGiven(fast, term, args[at], given[at])),
  );
  if (place < 0) return `e${twin} came with values that do not belong together, or too often`;
  const wanted = answers.map(({ given }) => textOf(given[place])).join(" or ");
  return `e${twin} was given ${shown(giving[place]!, args[place])} for ${textOf(giving[place])} instead of ${wanted || "not coming"}`;
}

function shown(term: QuestionTerm, value: unknown): string {
  if (typeof value !== "object" || value === null) return textOf(value);
  const fields = whatsIn(term).flatMap((what) => Object.keys(fieldsOf(what) ?? {}));
  return textOf(
    Object.fromEntries(fields.map((field) => [field, (value as Record<string, unknown>)[field]])),
  );
}

export function isGiven(fast: FastWorld, term: QuestionTerm, actual: unknown, expected: unknown): boolean {
  if (term.kind === "variable") return actual === handleOf(fast, expected as Twin);
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  return whatsIn(term).some((what) => isValueOf(fast, what, actual, expected as Fields));
}

function isValueOf(fast: FastWorld, what: string, actual: object, expected: Fields): boolean {
  const fields = Object.keys(fieldsOf(what) ?? {});
  if (fields.join() !== Object.keys(expected).join()) return false;
  try {
    sameValue(fast, what, actual, expected, () => "");
    return true;
  } catch {
    return false;
  }
}

/** Whose values a term may hand over. */
function whatsIn(term: QuestionTerm): string[] {
  switch (term.kind) {
    case "or":
    case "all":
      return term.terms.flatMap(whatsIn);
    case "not":
    case "maybe":
    case "on":
      return whatsIn(term.term);
    case "variable":
    case "changedAbove":
      return [];
    default:
      return [term.what];
  }
}
