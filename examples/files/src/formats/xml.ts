// The elements of an XML text (`parseXml`): what is skipped, which entities are known, and what is refused.
import { brokenAt } from "../text/files-error.ts";
import { quoted } from "../text/text.ts";

/** An element of an XML text; the text between its tags is not kept. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Index of the element that contains it; -1 for the outermost. */
  readonly parent: number;
  /** Position in the text where it begins. */
  readonly at: number;
}

/** What has been read so far. */
interface Reading {
  readonly text: string;
  readonly elements: XmlElement[];
  /** Indices of the elements that are not closed yet, outermost first. */
  readonly open: number[];
  at: number;
}

/** What is skipped: how it begins, how it ends, and its name in messages. */
const PASSED_OVER: readonly (readonly [begin: string, end: string, what: string])[] = [
  ["<!--", "-->", "a comment"],
  ["<![CDATA[", "]]>", "a CDATA section"],
  ["<?", "?>", "an instruction"],
  ["<!DOCTYPE", ">", "a DOCTYPE"],
];

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/**
 * Returns the elements of an XML text in document order, so each before those inside it. It knows only the five named entities
 * of XML and numeric ones, and refuses a DOCTYPE that defines others.
 *
 * @throws FilesError naming the line, if the text is not well formed.
 */
export function parseXml(text: string): XmlElement[] {
  const reading: Reading = { text, elements: [], open: [], at: 0 };
  for (;;) {
    const next = text.indexOf("<", reading.at);
    requireNoText(reading, next === -1 ? text.length : next);
    if (next === -1) break;
    reading.at = next;
    if (passOver(reading)) continue;
    if (text[next + 1] === "/") readEndTag(reading);
    else readStartTag(reading);
  }
  const unclosed = reading.open.at(-1);
  if (unclosed !== undefined) {
    const { name, at } = reading.elements[unclosed]!;
    throw brokenAt(text, at, `<${name}> is never closed`);
  }
  if (reading.elements.length === 0) throw brokenAt(text, 0, "not XML: there is no element");
  return reading.elements;
}

/** Refuses text outside the outermost element. */
function requireNoText({ text, open, at }: Reading, end: number): void {
  if (open.length > 0) return;
  const found = /\S/.exec(text.slice(at, end));
  if (found !== null) throw brokenAt(text, at + found.index, "not XML: text outside all elements");
}

function passOver(reading: Reading): boolean {
  const { text, at } = reading;
  const kind = PASSED_OVER.find(([begin]) => text.startsWith(begin, at));
  if (kind === undefined) return false;
  const [begin, closer, what] = kind;
  const end = text.indexOf(closer, at + begin.length);
  if (end === -1) throw brokenAt(text, at, `${what} is never closed`);
  if (begin === "<!DOCTYPE" && text.slice(at, end).includes("[")) {
    throw brokenAt(text, at, "a DOCTYPE with definitions is not read here");
  }
  reading.at = end + closer.length;
  return true;
}

function readEndTag(reading: Reading): void {
  const { text, at, open, elements } = reading;
  const [whole, name = ""] = matchAt(/<\/([^\s<>/]*)\s*>/y, text, at) ?? [];
  if (whole === undefined || name === "") throw brokenAt(text, at, "broken end of an element");
  const last = open.pop();
  if (last === undefined) throw brokenAt(text, at, `</${name}> closes nothing`);
  if (elements[last]!.name !== name) {
    throw brokenAt(text, at, `</${name}> cannot close <${elements[last]!.name}>`);
  }
  reading.at = at + whole.length;
}

function readStartTag(reading: Reading): void {
  const { text, at, open, elements } = reading;
  const name = matchAt(/<([^\s<>/="'!?]+)/y, text, at)?.[1];
  if (name === undefined) throw brokenAt(text, at, 'no name after "<"');
  if (open.length === 0 && elements.length > 0)
    throw brokenAt(text, at, `<${name}> is a second root element`);
  reading.at = at + 1 + name.length;
  const attributes = readAttributes(reading, name);
  elements.push({ name, attributes, parent: open.at(-1) ?? -1, at });
  if (text[reading.at] === "/") reading.at += 2;
  else {
    open.push(elements.length - 1);
    reading.at += 1;
  }
}

/** Reads up to the `>` or `/>` that ends the tag. */
function readAttributes(reading: Reading, element: string): Map<string, string> {
  const { text } = reading;
  const attributes = new Map<string, string>();
  for (;;) {
    const gap = matchAt(/\s*/y, text, reading.at)![0];
    reading.at += gap.length;
    const { at } = reading;
    if (at >= text.length) throw brokenAt(text, at, `the tag <${element} is never closed`);
    if (text[at] === ">" || text.startsWith("/>", at)) return attributes;
    const [whole, name = "", double, single] =
      matchAt(/([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y, text, at) ?? [];
    if (whole === undefined || gap === "") {
      throw brokenAt(text, at, `<${element}: name="value" expected, in single or double quotes`);
    }
    if (attributes.has(name)) throw brokenAt(text, at, `<${element}: ${name} is given twice`);
    attributes.set(name, resolved(text, at, double ?? single ?? ""));
    reading.at += whole.length;
  }
}

/** An attribute's value with entities resolved; line ends and tabs become spaces. */
function resolved(text: string, at: number, value: string): string {
  return value.replace(/\r\n|[\t\r\n]/g, " ").replace(/&([^;&]*;)?/g, (whole, name: string | undefined) => {
    const known = name === undefined ? undefined : entityText(name.slice(0, -1));
    if (known === undefined) {
      throw brokenAt(text, at, `${quoted(whole)} is not a known entity; write "&" itself as &amp;`);
    }
    return known;
  });
}

function entityText(name: string): string | undefined {
  if (Object.hasOwn(ENTITIES, name)) return ENTITIES[name];
  const [, hex, decimal] = /^#(?:x([\da-fA-F]+)|(\d+))$/.exec(name) ?? [];
  if (hex === undefined && decimal === undefined) return undefined;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/** A match that begins exactly at this position; the expression is sticky. */
function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | null {
  expression.lastIndex = at;
  return expression.exec(text);
}
