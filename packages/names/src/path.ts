/** Paths and names as text; knows no world. */
import { TreelineError } from "@treeline/core";

export const SEPARATOR = "::";

const COLON = 58;
const BACKSLASH = 92;
const HASH_SIGN = 35;
const ZERO = 48;
const NINE = 57;

/** The hash of no signs at all; with it the 32-bit hash here is FNV-1a over UTF-16 code units. */
const HASH_BASIS = 0x811c9dc5 | 0;

/** What in a name would be read as something else in a path: backslashes, a leading #, colons at a border. */
const SPECIAL = /\\|^[#:]|:$|:(?=:)|(?<=:):/g;
/** Names without these, nearly all, need no closer look. */
const SUSPICIOUS = /[#:\\]/;

/** How much of a text messages show. */
const SHOWN = 60;

/** What `readStep` found out; reused from step to step. */
export interface Step {
  /** Where the step ends, without its separator; the path's length if it is the last one. */
  end: number;
  /** `hashOfName` of its text, as it stands. */
  hash: number;
  /** Holds a backslash or begins with `#`: its name may not be its text as it stands. */
  isSpecial: boolean;
}

/** A long text with its middle left out. */
export function shortened(text: string): string {
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN / 2)}...${text.slice(-SHOWN / 2)}`;
}

/** A name as messages show it: in quotes, with line ends and the like made visible. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/** @throws TreelineError `bad-name` unless it is a string that is not empty. */
export function requireName(name: unknown): void {
  if (typeof name !== "string") {
    throw new TreelineError(
      "bad-name",
      `a name is a string, not ${kindOf(name)}; give a text, or remove Name`,
    );
  }
  if (name === "") throw new TreelineError("bad-name", "a name is not empty; give a text, or remove Name");
}

/** @throws TreelineError `bad-path` unless it is a string. */
export function requirePath(path: unknown): void {
  if (typeof path !== "string") {
    throw new TreelineError("bad-path", `a path is a string, not ${kindOf(path)}; use "Ship::Cockpit"`);
  }
}

function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/**
 * The one path step that stands for a name, whatever characters the name has.
 *
 * A backslash becomes `\\`; a colon that begins or ends the name or has a colon beside it becomes `\:`; a leading `#`
 * becomes `\#`. Everything else stays.
 *
 * @throws TreelineError `bad-name` unless the name is a string that is not empty.
 *
 * @example
 * lookup(world, `Ship::${escapeName(userInput)}`);
 */
export function escapeName(name: string): string {
  requireName(name);
  return SUSPICIOUS.test(name) ? name.replace(SPECIAL, "\\$&") : name;
}

/** The step of an entity without a name. */
export function stepOfIndex(index: number): string {
  return `#${index}`;
}

function mixIn(hash: number, sign: number): number {
  return Math.imul(hash ^ sign, 0x01000193);
}

/** A number that spreads names; different names may have the same. */
export function hashOfName(name: string): number {
  let hash = HASH_BASIS;
  for (let at = 0; at < name.length; at++) hash = mixIn(hash, name.charCodeAt(at));
  return hash;
}

/** Where the first step of a path begins: behind a leading separator, if there is one. */
export function startOfSteps(path: string): number {
  return path.charCodeAt(0) === COLON && path.charCodeAt(1) === COLON ? SEPARATOR.length : 0;
}

/**
 * Walks over one step of a path. The next one begins `SEPARATOR.length` behind its end, unless the path ends there.
 *
 * @param start 0-based.
 * @param step gets what was found.
 * @throws TreelineError `bad-path` if the step is empty, or if the path ends with a lone backslash.
 */
export function readStep(path: string, start: number, step: Step): void {
  const { length } = path;
  let isSpecial = path.charCodeAt(start) === HASH_SIGN;
  let hash = HASH_BASIS;
  let at = start;
  for (; at < length; at++) {
    const sign = path.charCodeAt(at);
    if (sign === COLON) {
      if (path.charCodeAt(at + 1) === COLON) break;
    } else if (sign === BACKSLASH) {
      isSpecial = true;
      at++;
    }
    hash = mixIn(hash, sign);
  }
  if (at === start) refuseEmptyStep(path, start);
  if (at > length)
    refusePath(path, length - 1, 'it ends with a lone backslash; write "\\\\" for a backslash');
  step.end = at;
  step.hash = hash;
  step.isSpecial = isSpecial;
}

/** The name that a step stands for, its backslashes resolved. */
export function unescapedStep(path: string, start: number, end: number): string {
  return path.slice(start, end).replace(/\\([\s\S])/g, "$1");
}

/** @returns the entity index in a step of the form `#12`; -1 for every other step. */
export function indexInStep(path: string, start: number, end: number): number {
  if (path.charCodeAt(start) !== HASH_SIGN || end === start + 1) return -1;
  let index = 0;
  for (let at = start + 1; at < end; at++) {
    const digit = path.charCodeAt(at);
    if (digit < ZERO || digit > NINE) return -1;
    index = index * 10 + digit - ZERO;
  }
  return index;
}

function refuseEmptyStep(path: string, start: number): never {
  if (path === "") refusePath(path, 0, "it is empty; name at least one step");
  refusePath(
    path,
    start,
    'a step is empty; names are not, and a colon at the border of one is written "\\:"',
  );
}

function refusePath(path: string, place: number, why: string): never {
  const from = Math.max(0, place - SHOWN / 2);
  const end = Math.min(path.length, place + SHOWN / 2);
  const part = `${from > 0 ? "..." : ""}${path.slice(from, end)}${end < path.length ? "..." : ""}`;
  throw new TreelineError("bad-path", `path ${JSON.stringify(part)}, character ${place} (from 0): ${why}`);
}
