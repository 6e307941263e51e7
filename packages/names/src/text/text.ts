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
  if (typeof name !== "string") refuseKind(name);
  if (name === "") throw new TreelineError("bad-name", "a name is not empty; give a text, or remove Name");
}

function refuseKind(name: unknown): never {
  throw new TreelineError("bad-name", `a name is a string, not ${kindOf(name)}; give a text, or remove Name`);
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
