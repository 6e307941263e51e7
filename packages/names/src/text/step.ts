/** The steps of a path as text, and the separators between them; independent of worlds. */
import { TreelineError } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { quoted, requireName, SHOWN } from "./text.ts";

// ---- separators --------------------------------------------------------------------------------------------------

/** A separator, prepared for code that reads a path character by character. */
export interface Separator {
  readonly text: string;
  readonly length: number;
  /** Its first UTF-16 code unit. */
  readonly first: number;
  /** Its second code unit; NaN if there is none. */
  readonly second: number;
  /** What a path from the roots begins with instead of a separator; empty if there is no such text. */
  readonly prefix: string;
}

/** Characters with another meaning in a path or in a pattern. */
const FORBIDDEN = /[\\#*?0-9]/;

export const DEFAULT_SEPARATOR: Separator = /* @__PURE__ */ separatorFrom("::");

/** @throws TreelineError `bad-path` unless it can be a separator; the message calls it `what`. */
export function separatorFrom(text: unknown, what = "a separator"): Separator {
  const isText = typeof text === "string" && text !== "";
  if (isText && !FORBIDDEN.test(text)) {
    return { text, length: text.length, first: text.charCodeAt(0), second: text.charCodeAt(1), prefix: "" };
  }
  const why = isText
    ? `${quoted(text)} is not ${what}: \\, #, *, ? and digits mean something else`
    : `${what} is a string that is not empty, not ${shown(text)}`;
  throw new TreelineError("bad-path", `${why}; use "::", ".", "/" or the like`);
}

/** Is the separator at this place? The caller has compared its first code unit. */
export function isSeparatorAt(path: string, at: number, { length, second, text }: Separator): boolean {
  if (length === 1) return true;
  return path.charCodeAt(at + 1) === second && (length === 2 || path.startsWith(text, at));
}

// ---- steps -------------------------------------------------------------------------------------------------------

const BACKSLASH = 92;
const HASH_SIGN = 35;
const ZERO = 48;
const NINE = 57;

/** The hash of the empty text: the 32-bit hash here is FNV-1a over UTF-16 code units. */
const HASH_BASIS = 0x811c9dc5 | 0;

/** The result of `readStep`; reused from step to step. */
export interface Step {
  /** Where the step ends, without its separator; the path's length if it is the last one. */
  end: number;
  /** `hashOfName` of its text, escapes included. */
  hash: number;
  /** Contains a backslash or begins with `#`: its name may differ from its text. */
  isSpecial: boolean;
}

export function createStep(): Step {
  return { end: 0, hash: 0, isSpecial: false };
}

/** @throws TreelineError `bad-path` unless it is a string. */
export function requireText(path: unknown): asserts path is string {
  if (typeof path === "string") return;
  const why = `a path is a string or a list of names, not ${shown(path)}; use "Ship::Cockpit"`;
  throw new TreelineError("bad-path", why);
}

/**
 * The step of a path for a name, whatever characters the name has: with a backslash before each backslash, before a leading
 * `#`, and before every character that would be part of a separator if the name were between two separators.
 */
export function stepOf(name: string, separator: Separator): string {
  const { text, length } = separator;
  const between = text + name + text;
  const end = length + name.length;
  let step = "";
  let written = length; // of `between`
  let inSeparator = 0; // code units before this place belong to a separator
  for (let at = 0; at < end; at++) {
    if (at !== 0 && at < end && between.startsWith(text, at)) inSeparator = at + length;
    if (at < length) continue;
    const code = between.charCodeAt(at);
    if (at >= inSeparator && code !== BACKSLASH && !(code === HASH_SIGN && at === length)) continue;
    step += `${between.slice(written, at)}\\`;
    written = at;
  }
  return step + between.slice(written, end);
}

/** The step of an entity without a name. */
export function stepOfIndex(index: number): string {
  return `#${index}`;
}

/** Could the step of a name differ from the name? False means that it does not. */
export function mayNeedEscape(name: string, { first, text, length }: Separator): boolean {
  for (let at = 0; at < name.length; at++) {
    const code = name.charCodeAt(at);
    if (code === BACKSLASH || code === first || (code === HASH_SIGN && at === 0)) return true;
  }
  // The separator before the name may end with the first characters of the name.
  return length > 1 && text.includes(name.charAt(0));
}

/**
 * The step of a path for a name, whatever characters the name has.
 *
 * It adds a backslash before each backslash, before a leading `#`, and before characters that would be part of a separator
 * if the name were between two separators: with `::`, colons at an end of the name or beside another colon. Everything else
 * stays.
 *
 * A list of names needs no escapes, and works with every separator: `lookup(world, ["Ship", userInput])`.
 *
 * @param options `separator`: `::` by default, also in a world that has another one.
 * @throws TreelineError `bad-name` unless the name is a string that is not empty; `bad-path` for a separator that is not
 *   allowed.
 *
 * @example
 * lookup(world, `Ship::${escapeName(userInput)}`);
 * names.map((name) => escapeName(name)).join("::");
 */
export function escapeName(name: string, options?: { readonly separator?: string | undefined }): string {
  CHECK: requireOptions("escapeName", options, ["separator"]);
  requireName(name);
  return escaped(name, separatorFrom(options?.separator ?? DEFAULT_SEPARATOR.text));
}

/** As `escapeName`, for a legal name. */
export function escaped(name: string, separator: Separator): string {
  return mayNeedEscape(name, separator) ? stepOf(name, separator) : name;
}

function mixIn(hash: number, code: number): number {
  return Math.imul(hash ^ code, 0x01000193);
}

/** The last name that was hashed: a name is checked first and then put into the index. */
let lastName = "";
let lastHash = HASH_BASIS;

/** The hash of a name; different names may have the same. */
export function hashOfName(name: string): number {
  if (name === lastName) return lastHash;
  let hash = HASH_BASIS;
  for (let at = 0; at < name.length; at++) hash = mixIn(hash, name.charCodeAt(at));
  lastName = name;
  lastHash = hash;
  return hash;
}

/** The length of the separator, or of the prefix, with which a path from the roots begins; 0 for another path. */
export function leadOf(path: string, separator: Separator): number {
  const { first, length, prefix } = separator;
  if (prefix !== "" && path.startsWith(prefix)) return prefix.length;
  return path.charCodeAt(0) === first && isSeparatorAt(path, 0, separator) ? length : 0;
}

/**
 * Reads one step of a path. The next step begins one separator after its end, unless the path ends there.
 *
 * @param start 0-based.
 * @param step gets what was found.
 * @throws TreelineError `bad-path` if the step is empty, or if the path ends with a lone backslash.
 */
export function readStep(path: string, start: number, separator: Separator, step: Step): void {
  const { length } = path;
  const { first } = separator;
  let isSpecial = path.charCodeAt(start) === HASH_SIGN;
  let hash = HASH_BASIS;
  let at = start;
  for (; at < length; at++) {
    const code = path.charCodeAt(at);
    if (code === first) {
      if (isSeparatorAt(path, at, separator)) break;
    } else if (code === BACKSLASH) {
      isSpecial = true;
      at++;
    }
    hash = mixIn(hash, code);
  }
  if (at === start) refuseEmptyStep(path, start);
  if (at > length) {
    refusePath(path, length - 1, 'it ends with a lone backslash; write "\\\\" for a backslash');
  }
  step.end = at;
  step.hash = hash;
  step.isSpecial = isSpecial;
}

/** The step that means the roots, at the start of a path that begins there. */
const ROOTS = /* @__PURE__ */ stepOfIndex(0);

/**
 * Where the first step of a path begins: after a leading separator, and after `#0`. After the end of the path if no step
 * follows.
 *
 * @param isFromRoots whether the path begins at the roots without a leading separator too.
 */
export function startOfSteps(path: string, separator: Separator, isFromRoots: boolean): number {
  const start = leadOf(path, separator);
  if (!path.startsWith(ROOTS, start) || (!isFromRoots && start === 0)) return start;
  const end = start + ROOTS.length;
  return end === path.length || path.startsWith(separator.text, end) ? end + separator.length : start;
}

/**
 * The steps of a path: names, and numbers for steps like `#12`.
 *
 * @param start of the first step; after the end of the path if there is none.
 * @throws TreelineError `bad-path`.
 */
export function readSteps(
  path: string,
  separator: Separator,
  start: number = startOfSteps(path, separator, false),
): (string | number)[] {
  const step = createStep();
  const steps: (string | number)[] = [];
  for (let at = start; at <= path.length; at = step.end + separator.length) {
    readStep(path, at, separator, step);
    const index = step.isSpecial ? indexInStep(path, at, step.end) : -1;
    if (index >= 0) steps.push(index);
    else steps.push(step.isSpecial ? unescapedStep(path, at, step.end) : path.slice(at, step.end));
  }
  return steps;
}

/** The name that a step means, without the backslashes that escape. */
export function unescapedStep(path: string, start: number, end: number): string {
  return path.slice(start, end).replace(/\\([\s\S])/g, "$1");
}

/** @returns the entity index in a step of the form `#12`, without zeros before it; -1 for every other step. */
export function indexInStep(path: string, start: number, end: number): number {
  if (path.charCodeAt(start) !== HASH_SIGN || end === start + 1) return -1;
  if (path.charCodeAt(start + 1) === ZERO && end > start + 2) return -1;
  let index = 0;
  for (let at = start + 1; at < end; at++) {
    const digit = path.charCodeAt(at);
    if (digit < ZERO || digit > NINE) return -1;
    index = index * 10 + digit - ZERO;
  }
  return index;
}

function refuseEmptyStep(path: string, start: number): never {
  let why = "a step is empty, but names are not";
  CHECK: why += "; write a backslash before a separator that belongs to a name";
  refusePath(path, start, path === "" ? "it is empty; name at least one step" : why);
}

function refusePath(path: string, place: number, why: string): never {
  const from = Math.max(0, place - SHOWN / 2);
  const end = Math.min(path.length, place + SHOWN / 2);
  const part = `${from > 0 ? "..." : ""}${path.slice(from, end)}${end < path.length ? "..." : ""}`;
  throw new TreelineError("bad-path", `path ${JSON.stringify(part)}, character ${place} (from 0): ${why}`);
}
