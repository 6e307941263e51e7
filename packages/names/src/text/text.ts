/** Names as text for people; knows no world. */
import { TreelineError } from "@treeline/core";

/** How much of a text messages show. */
export const SHOWN = 60;

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
  if (typeof name === "string" && name !== "") return;
  const why = name === "" ? "not empty" : `a string, not ${kindOf(name)}`;
  throw new TreelineError("bad-name", `a name is ${why}; give a text, or remove Name`);
}

export function kindOf(value: unknown): string {
  return value === null ? "null" : typeof value;
}

/** From this length on an engine may keep a piece of a text as a view of the whole. */
const VIEWED = 13;

/** The same text, which does not keep a longer one alive that it was cut out of. */
export function ownCopy(text: string): string {
  if (text.length < VIEWED) return text;
  const codes: number[] = [];
  for (let at = 0; at < text.length; at++) codes.push(text.charCodeAt(at));
  let copy = "";
  for (let at = 0; at < codes.length; at += 1_000)
    copy += String.fromCharCode(...codes.slice(at, at + 1_000));
  return copy;
}

/** " (7)" at the end of a name; of the number no more digits than a name may count on with. */
const NUMBERED = /^(.+) \(([1-9]\d{0,8})\)$/su;

/**
 * The name itself if it is free, or with a number behind it: `Crate (2)`. A name that has a number already counts on
 * from there. Free numbers are found by doubling and halving, two questions for each doubling, so that the thousandth
 * crate asks about twenty; where some in between are free, it is one of those or the next one.
 *
 * @param isTaken is asked for whole names.
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
