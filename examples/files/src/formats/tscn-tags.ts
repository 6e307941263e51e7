// How the tags of a Godot text are read (`nextTag`): fields, strings with escapes, brackets; skips comments and assignments.
import { brokenAt } from "../text/files-error.ts";
import { quoted } from "../text/text.ts";

/** A text, and the position up to which it has been read. */
export interface Reader {
  readonly text: string;
  at: number;
}

/** A value in a tag. */
export interface FieldValue {
  /** For a string its content, with escapes resolved; for anything else the text as it is in the file. */
  readonly text: string;
  readonly isString: boolean;
}

/** One `[kind field=value ...]`. */
export interface Tag {
  readonly kind: string;
  readonly fields: ReadonlyMap<string, FieldValue>;
  /** Position where it begins. */
  readonly at: number;
}

const CLOSERS: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };
const ESCAPED: Readonly<Record<string, string>> = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r" };
const SPACE = /\s/;

/**
 * Reads the next tag, skipping comments and `key = value` lines; returns `undefined` at the end of the text.
 *
 * @throws FilesError naming the line.
 */
export function nextTag(reader: Reader): Tag | undefined {
  const { text } = reader;
  for (;;) {
    skipSpace(reader);
    const sign = text[reader.at];
    if (sign === undefined) return undefined;
    if (sign === "[") return readTag(reader);
    if (sign === ";") skipComment(reader);
    else skipAssignment(reader);
  }
}

function readTag(reader: Reader): Tag {
  const { text } = reader;
  const at = reader.at;
  reader.at += 1;
  skipSpace(reader);
  const kind = readWord(reader);
  if (kind === "") throw brokenAt(text, at, 'no word after "["');
  const fields = new Map<string, FieldValue>();
  for (;;) {
    skipSpace(reader);
    if (reader.at >= text.length) throw brokenAt(text, at, `[${kind} is never closed`);
    if (text[reader.at] === "]") break;
    const from = reader.at;
    const field = readWord(reader);
    skipSpace(reader);
    if (field === "" || text[reader.at] !== "=") {
      throw brokenAt(text, from, `[${kind}: field="value" expected, not ${excerpt(text, from)}`);
    }
    reader.at += 1;
    skipSpace(reader);
    if (fields.has(field)) throw brokenAt(text, from, `[${kind}: ${field} is given twice`);
    fields.set(field, readValue(reader));
  }
  reader.at += 1;
  return { kind, fields, at };
}

function readValue(reader: Reader): FieldValue {
  const { text } = reader;
  const from = reader.at;
  // Names and node paths are strings with a prefix.
  if (/^[&^@]?"/.test(text.slice(from, from + 2))) {
    if (text[from] !== '"') reader.at += 1;
    return { text: readString(reader), isString: true };
  }
  skipBalanced(reader, (sign) => sign === "]" || SPACE.test(sign));
  if (reader.at === from) throw brokenAt(text, from, `a value expected, not ${excerpt(text, from)}`);
  return { text: text.slice(from, reader.at), isString: false };
}

/** Skips a `key = value` line, which continues on the next lines while a bracket or a string is open. */
function skipAssignment(reader: Reader): void {
  const { text } = reader;
  const from = reader.at;
  skipBalanced(reader, (sign) => sign === "=" || sign === "\n");
  if (text[reader.at] !== "=") {
    throw brokenAt(text, from, `neither a [tag] nor key = value: ${excerpt(text, from)}`);
  }
  skipBalanced(reader, (sign) => sign === "\n");
}

/** Reads up to a character at which it may stop, or to the end; strings, brackets and comments are skipped as a whole. */
function skipBalanced(reader: Reader, stopsAt: (sign: string) => boolean): void {
  const { text } = reader;
  const open: number[] = []; // position of each bracket
  for (; reader.at < text.length; reader.at++) {
    const sign = text[reader.at]!;
    if (open.length === 0 && stopsAt(sign)) return;
    if (sign === '"') {
      readString(reader);
      reader.at -= 1;
    } else if (sign === ";") {
      skipComment(reader);
      reader.at -= 1;
    } else if (sign in CLOSERS) open.push(reader.at);
    else if (sign === ")" || sign === "]" || sign === "}") {
      const opened = open.pop();
      if (opened === undefined) throw brokenAt(text, reader.at, `"${sign}" closes nothing`);
      if (CLOSERS[text[opened]!] !== sign) {
        throw brokenAt(text, reader.at, `"${sign}" cannot close "${text[opened]}"`);
      }
    }
  }
  const last = open.pop();
  if (last !== undefined) throw brokenAt(text, last, `"${text[last]}" is never closed`);
}

/** Reads a string from its opening quote; it may span several lines. */
function readString(reader: Reader): string {
  const { text } = reader;
  const start = reader.at;
  let read = "";
  let from = start + 1;
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') {
      reader.at = at + 1;
      return read + text.slice(from, at);
    }
    if (text[at] !== "\\") continue;
    const [sign, length] = readEscape(text, at);
    read += text.slice(from, at) + sign;
    from = at + length;
    at = from - 1;
  }
  throw brokenAt(text, start, "a string is never closed");
}

/** @returns the text that the escape at this position means, and the length of the escape. */
function readEscape(text: string, at: number): readonly [string, number] {
  const letter = text[at + 1] ?? "";
  if (letter !== "u" && letter !== "U") return [ESCAPED[letter] ?? letter, 2];
  const digits = letter === "u" ? 4 : 6;
  const hex = text.slice(at + 2, at + 2 + digits);
  const code = /^[\da-fA-F]+$/.test(hex) && hex.length === digits ? Number.parseInt(hex, 16) : Infinity;
  if (code > 0x10ffff) throw brokenAt(text, at, `\\${letter} needs ${digits} hexadecimal digits`);
  return [String.fromCodePoint(code), 2 + digits];
}

function readWord(reader: Reader): string {
  const from = reader.at;
  while (/[^\s="[\]]/.test(reader.text[reader.at] ?? " ")) reader.at += 1;
  return reader.text.slice(from, reader.at);
}

function skipSpace(reader: Reader): void {
  while (SPACE.test(reader.text[reader.at] ?? ".")) reader.at += 1;
}

function skipComment(reader: Reader): void {
  const end = reader.text.indexOf("\n", reader.at);
  reader.at = end === -1 ? reader.text.length : end;
}

/** The text at this position up to the end of the line, for messages. */
function excerpt(text: string, at: number): string {
  return at >= text.length ? "the end" : quoted(/^[^\r\n]{0,30}/.exec(text.slice(at, at + 30))![0]);
}
