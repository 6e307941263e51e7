/** Paths with wildcards; independent of worlds. */
import { TreelineError } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { escapeName, indexInStep, readStep, type Separator, type Step, unescapedStep } from "./step.ts";

/** Steps joined by a separator, or a list of them: globs, and regular expressions that are tested against names. */
export type Pattern = string | readonly (string | RegExp)[];

/** What one step of a pattern matches. */
export type PatternStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "glob" | "test"; readonly test: RegExp }
  /** `*`: any entity, named or not. */
  | { readonly kind: "any" }
  /** `**`: any number of steps, also none. */
  | { readonly kind: "deep" };

/**
 * The step of a pattern that matches exactly a name, whatever characters the name has: as `escapeName`, and a backslash
 * before each `*` and `?`.
 *
 * @param options `separator`: `::` by default, also in a world that has another one.
 * @throws TreelineError `bad-name` unless the name is a string that is not empty; `bad-path` for a separator that is not
 *   allowed.
 *
 * @example
 * findAll(world, `**::${escapePattern(userInput)}`);
 */
export function escapePattern(name: string, options?: { readonly separator?: string | undefined }): string {
  CHECK: requireOptions("escapePattern", options, ["separator"]);
  return escapeName(name, options).replace(/[*?]/g, "\\$&");
}

/**
 * @param start of the first step, if the pattern is a text; after its end if there is none.
 * @param step reused for each step of a text.
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
      `a pattern is a string or a list of globs and RegExps, not ${shown(pattern)}; use "Ship::Gun?" or ["Ship", /^Gun/]`,
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
  // With the flags g and y a regular expression keeps a position between tests: results would depend on earlier tests.
  if (part instanceof RegExp) {
    return { kind: "test", test: new RegExp(part.source, part.flags.replace(/[gy]/g, "")) };
  }
  let why = `neither text nor RegExp but ${shown(part)}`;
  if (part === "") why = "empty";
  else if (typeof part === "string") {
    if (!/(?:^|[^\\])(?:\\\\)*\\$/.test(part)) return textStep(part);
    why = "cut off after a backslash";
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
 * The test of a glob, in which `*` matches any text and `?` one character; a backslash makes the next character literal.
 * `undefined` if the glob has no wildcards.
 *
 * Cost of a test: at worst the length of the text times that of the glob. Each `*` takes as little as it can, and no other
 * length of it need ever be tried: so its match is in a look-ahead, into which a regular expression does not backtrack.
 */
export function globTest(text: string): RegExp | undefined {
  const tokens = text.match(/\*+|\\.|./gsu) ?? [];
  if (!tokens.some((token) => token === "?" || token.startsWith("*"))) return undefined;
  const parts = [""]; // between the `*`
  for (const token of tokens) {
    const literal = token.length > 1 && token.startsWith("\\") ? token.slice(1) : token;
    if (token.startsWith("*")) parts.push("");
    else parts[parts.length - 1] += token === "?" ? "." : literal.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  }
  const last = parts.length > 1 ? `.*${parts.pop()}` : "";
  const [first, ...between] = parts;
  return new RegExp(
    `^${first}${between.map((part, at) => `(?=(.*?${part}))(?:\\${at + 1})`).join("")}${last}$`,
    "su",
  );
}

/** Does an entity match a step? False for `**`. */
export function matchesStep(step: PatternStep, index: number, name: string | undefined): boolean {
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
