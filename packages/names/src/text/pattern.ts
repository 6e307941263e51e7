/** Paths with wildcards; know no world. */
import { TreelineError } from "@treeline/core";
import { escapeName, indexInStep, readStep, type Separator, type Step, unescapedStep } from "./step.ts";
import { kindOf } from "./text.ts";

/** Steps joined by a separator, or a list of them: globs, and regular expressions that are tested against names. */
export type Pattern = string | readonly (string | RegExp)[];

/** What one step of a pattern stands for. */
export type PatternStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "glob" | "test"; readonly test: RegExp }
  /** `*`: anybody, named or not. */
  | { readonly kind: "any" }
  /** `**`: any number of steps, also none. */
  | { readonly kind: "deep" };

/**
 * The one step of a pattern that stands for a name, whatever characters the name has: as `escapeName`, and a backslash
 * before each `*` and `?`.
 *
 * @param options `separator`: `::` unless given, also in a world that has another one.
 * @throws TreelineError `bad-name` unless the name is a string that is not empty; `bad-path` for what cannot separate.
 *
 * @example
 * findAll(world, `**::${escapePattern(userInput)}`);
 */
export function escapePattern(name: string, options?: { readonly separator?: string | undefined }): string {
  return escapeName(name, options).replace(/[*?]/g, "\\$&");
}

/**
 * @param start of the first step, if the pattern is a text; behind its end if there is none.
 * @param step where the text is read to.
 * @throws TreelineError `bad-path`.
 */
export function readPattern(
  pattern: Pattern,
  start: number,
  separator: Separator,
  step: Step,
): PatternStep[] {
  if (Array.isArray(pattern)) return pattern.map((part, at) => stepFrom(part, at));
  if (typeof pattern !== "string") {
    throw new TreelineError(
      "bad-path",
      `a pattern is a string or a list of globs and RegExps, not ${kindOf(pattern)}; use "Ship::Gun?" or ["Ship", /^Gun/]`,
    );
  }
  const steps: PatternStep[] = [];
  for (let at = start; at <= pattern.length; at = step.end + separator.length) {
    readStep(pattern, at, separator, step);
    steps.push(textStep(pattern.slice(at, step.end)));
  }
  return steps;
}

function stepFrom(part: unknown, at: number): PatternStep {
  // Flags that make a regular expression remember where it was would make answers depend on earlier ones.
  if (part instanceof RegExp) {
    return { kind: "test", test: new RegExp(part.source, part.flags.replace(/[gy]/g, "")) };
  }
  let why = `neither text nor RegExp but ${kindOf(part)}`;
  if (part === "") why = "empty";
  else if (typeof part === "string") {
    if (!/(?:^|[^\\])(?:\\\\)*\\$/.test(part)) return textStep(part);
    why = "cut off behind a backslash";
  }
  throw new TreelineError("bad-path", `step ${at} (from 0) of the pattern is ${why}; give "Gun?" or /^Gun/`);
}

function textStep(text: string): PatternStep {
  if (text === "*") return { kind: "any" };
  if (text === "**") return { kind: "deep" };
  const index = indexInStep(text, 0, text.length);
  if (index >= 0) return { kind: "index", index };
  const test = globTest(text);
  return test === undefined
    ? { kind: "name", name: unescapedStep(text, 0, text.length) }
    : { kind: "glob", test };
}

/**
 * What a text matches in which `*` and `?` stand for any text and for one character; a backslash makes the next character
 * literal. `undefined` if nothing in it stands for others.
 *
 * Cost of a test: the length of the text times that of the glob at worst. Each `*` takes as little as it can, for good: to take
 * less need never be tried again, so what it has taken stands in a look-ahead, which is not gone back into.
 */
export function globTest(text: string): RegExp | undefined {
  const signs = text.match(/\*+|\\.|./gsu) ?? [];
  if (!signs.some((sign) => sign === "?" || sign.startsWith("*"))) return undefined;
  const parts = [""]; // between the `*`
  for (const sign of signs) {
    const literal = sign.length > 1 && sign.startsWith("\\") ? sign.slice(1) : sign;
    if (sign.startsWith("*")) parts.push("");
    else parts[parts.length - 1] += sign === "?" ? "." : literal.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  }
  const last = parts.length > 1 ? `.*${parts.pop()}` : "";
  const [first, ...between] = parts;
  return new RegExp(
    `^${first}${between.map((part, at) => `(?=(.*?${part}))(?:\\${at + 1})`).join("")}${last}$`,
    "su",
  );
}

/** Is an entity meant by a step other than `**`? */
export function isMeant(step: PatternStep, index: number, name: string | undefined): boolean {
  switch (step.kind) {
    case "any":
      return true;
    case "index":
      return step.index === index;
    case "name":
      return step.name === name;
    case "deep":
      return false;
    default:
      return name !== undefined && step.test.test(name);
  }
}
