/** Compares the arguments of callbacks with those of the naive twin. */
import type { RealWorld } from "../step/real-world.ts";
import { handleOf } from "../step/real-world.ts";
import { sameValue } from "../step/same.ts";
import { textOf } from "../step/step.ts";
import { fieldsOf } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import type { Match, QueryTerm } from "./twin.ts";

/** Says which argument is not among the expected ones. */
export function unexpectedCall(
  real: RealWorld,
  outputTerms: readonly QueryTerm[],
  args: readonly unknown[],
  twin: Twin,
  expected: readonly Match[],
): string {
  const matches = expected.filter((match) => match.twin === twin);
  const place = outputTerms.findIndex(
    (term, at) => !matches.some(({ outputs }) => isEqualOutput(real, term, args[at], outputs[at])),
  );
  if (place < 0) return `e${twin} matched with a combination of values that is not expected, or too often`;
  const wanted = matches.map(({ outputs }) => textOf(outputs[place])).join(" or ");
  return `e${twin} received ${shown(outputTerms[place]!, args[place])} for ${textOf(outputTerms[place])} instead of ${wanted || "no match"}`;
}

function shown(term: QueryTerm, value: unknown): string {
  if (typeof value !== "object" || value === null) return textOf(value);
  const fields = whatsIn(term).flatMap((what) => Object.keys(fieldsOf(what) ?? {}));
  return textOf(
    Object.fromEntries(fields.map((field) => [field, (value as Record<string, unknown>)[field]])),
  );
}

export function isEqualOutput(real: RealWorld, term: QueryTerm, actual: unknown, expected: unknown): boolean {
  if (term.kind === "variable") return actual === handleOf(real, expected as Twin);
  if (Object.is(actual, expected)) return true;
  if (typeof expected !== "object" || expected === null) return false;
  if (typeof actual !== "object" || actual === null) return false;
  return whatsIn(term).some((what) => isValueOf(real, what, actual, expected as Fields));
}

function isValueOf(real: RealWorld, what: string, actual: object, expected: Fields): boolean {
  const fields = Object.keys(fieldsOf(what) ?? {});
  if (fields.join() !== Object.keys(expected).join()) return false;
  try {
    sameValue(real, what, actual, expected, () => "");
    return true;
  } catch {
    return false;
  }
}

/** The definitions whose values a term may output. */
function whatsIn(term: QueryTerm): string[] {
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
    case "none":
      return [];
    default:
      return [term.what];
  }
}
