/** Names as text in messages; independent of worlds. */
import { TreelineError } from "@treeline/core";
import { shown } from "@treeline/core/internal";

/** How many characters of a text messages show. */
export const SHOWN = 60;

/** A text without its middle, if it is long. */
export function shortened(text: string): string {
  if (text.length <= SHOWN) return text;
  return `${text.slice(0, SHOWN / 2)}...${text.slice(-SHOWN / 2)}`;
}

/** A name as messages show it: in quotes, with line breaks and other control characters escaped. */
export function quoted(name: string): string {
  return JSON.stringify(shortened(name));
}

/** @throws TreelineError `bad-name` unless it is a string that is not empty. */
export function requireName(name: unknown): void {
  if (typeof name === "string" && name !== "") return;
  throw new TreelineError("bad-name", `a name is a string that is not empty, not ${shown(name)}`);
}

/** From this length on, JavaScript engines may keep a slice of a text as a view of the whole. */
const VIEWED = 13;

/** A copy of a text that does not keep a longer text in memory of which it is a slice. */
export function ownCopy(text: string): string {
  if (text.length < VIEWED) return text;
  const codes: number[] = [];
  for (let at = 0; at < text.length; at++) codes.push(text.charCodeAt(at));
  let copy = "";
  for (let at = 0; at < codes.length; at += 1_000)
    copy += String.fromCharCode(...codes.slice(at, at + 1_000));
  return copy;
}

/** " (7)" at the end of a name; numbers of up to nine digits, from which `freeName` counts on. */
const NUMBERED = /^(.+) \(([1-9]\d{0,8})\)$/su;

/**
 * The name itself if it is free, else the name with a number after it: `Crate (2)`. A name that has a number already counts
 * on from there. A free number is found by doubling and halving, with two calls of `isTaken` for each doubling: about twenty
 * for the thousandth crate. If some numbers in between are free, it returns one of those or the next after the last.
 *
 * @param isTaken is called with whole names.
 */
export function freeName(name: string, isTaken: (candidate: string) => boolean): string {
  if (!isTaken(name)) return name;
  const [, base, digits] = NUMBERED.exec(name) ?? [name, name, "1"];
  const first = Number(digits) + 1;
  const candidate = (number: number): string => `${base} (${number})`;
  if (!isTaken(candidate(first))) return candidate(first);

  let taken = first;
  let free = first + 1;
  for (let stride = 2; isTaken(candidate(free)); stride *= 2) {
    taken = free;
    free = first + stride;
  }
  while (free - taken > 1) {
    const middle = taken + Math.floor((free - taken) / 2);
    if (isTaken(candidate(middle))) taken = middle;
    else free = middle;
  }
  return candidate(free);
}
