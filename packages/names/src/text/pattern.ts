/** Paths with wildcards; know no world. */
import { TreelineError } from "@treeline/core";
import { type Glob, literalOf, matchesGlob, readGlob } from "./glob.ts";
import { DEFAULT_SEPARATOR, type Separator } from "./separator.ts";
import { escaped, givenSeparator, indexInStep, readStep, refuseKind, type Step } from "./step.ts";
import { kindOf, requireName } from "./text.ts";

/** Steps joined by a separator, or a list of them: globs, and regular expressions that are tested against names. */
export type Pattern = string | readonly (string | RegExp)[];

/** What one step of a pattern stands for. */
export type PatternStep =
  | { readonly kind: "name"; readonly name: string }
  | { readonly kind: "index"; readonly index: number }
  | { readonly kind: "glob"; readonly glob: Glob }
  | { readonly kind: "test"; readonly test: RegExp }
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
  requireName(name);
  return escaped(name, givenSeparator(options) ?? DEFAULT_SEPARATOR).replace(/[*?]/g, "\\$&");
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
  if (typeof pattern !== "string") refuseKind(pattern, "pattern");
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
  const isOpen = typeof part === "string" && /(?:^|[^\\])(?:\\\\)*\\$/.test(part);
  if (typeof part === "string" && part !== "" && !isOpen) return textStep(part);
  const what =
    part === ""
      ? "empty"
      : isOpen
        ? "cut off behind a backslash"
        : `neither text nor RegExp but ${kindOf(part)}`;
  throw new TreelineError("bad-path", `step ${at} (from 0) of the pattern is ${what}; give "Gun?" or /^Gun/`);
}

function textStep(text: string): PatternStep {
  if (text === "*") return { kind: "any" };
  if (text === "**") return { kind: "deep" };
  const index = indexInStep(text, 0, text.length);
  if (index >= 0) return { kind: "index", index };
  const glob = readGlob(text);
  const name = literalOf(glob);
  return name === undefined ? { kind: "glob", glob } : { kind: "name", name };
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
    case "glob":
      return name !== undefined && matchesGlob(step.glob, name);
    case "test":
      return name !== undefined && step.test.test(name);
    default:
      return false;
  }
}
