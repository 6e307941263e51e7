/** What stands between the steps of a path. */
import { TreelineError } from "@treeline/core";
import { kindOf, quoted } from "./text.ts";

/** A separator, taken apart for readers that go from sign to sign. */
export interface Separator {
  readonly text: string;
  readonly length: number;
  /** Its first UTF-16 code unit. */
  readonly first: number;
  /** The second one; that of no text at all (NaN) if there is none. */
  readonly second: number;
}

/** Signs that mean something else in a path or in a pattern. */
const FORBIDDEN = /[\\#*?0-9]/;

export const DEFAULT_SEPARATOR: Separator = /* @__PURE__ */ separatorFrom("::");

/** @throws TreelineError `bad-path` for what cannot separate steps. */
export function separatorFrom(text: unknown): Separator {
  if (typeof text !== "string") refuse(`a separator is a string, not ${kindOf(text)}`);
  if (text === "") refuse("a separator is not empty");
  if (FORBIDDEN.test(text))
    refuse(`${quoted(text)} is no separator: \\, #, *, ? and digits mean something else`);
  return { text, length: text.length, first: text.charCodeAt(0), second: text.charCodeAt(1) };
}

function refuse(why: string): never {
  throw new TreelineError("bad-path", `${why}; use "::", ".", "/" or the like`);
}

/** Does the separator stand here? The caller has seen its first sign. */
export function isSeparatorAt(path: string, at: number, { length, second, text }: Separator): boolean {
  if (length === 1) return true;
  return path.charCodeAt(at + 1) === second && (length === 2 || path.startsWith(text, at));
}
