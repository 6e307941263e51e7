// Text for terminals: names from files may contain newlines and control sequences.

/** Control characters, line separators, and the marks that change the writing direction. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;
const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text on one line: characters that could break the line or control the terminal are written as escapes. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (unsafe) => {
    return SHORT_ESCAPES[unsafe] ?? `\\u{${unsafe.codePointAt(0)!.toString(16)}}`;
  });
}

/** The text in at most `width` characters; a cut is marked with "…". */
export function clip(text: string, width: number): string {
  if (text.length <= width) return text;
  const signs = [...text];
  return signs.length <= width ? text : `${signs.slice(0, width - 1).join("")}…`;
}

/** A name or path inside a message: quoted, on one line, and short enough for a message. */
export function quoted(name: string): string {
  return `"${clip(visible(name), 80)}"`;
}

/** 1397 as "1,397". */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 node", "1,397 nodes". */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** A size: "812 bytes", "1.4 MB"; powers of a thousand. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, "byte");
  const units = ["kB", "MB", "GB", "TB", "PB"];
  let scaled = bytes / 1_000;
  let unit = 0;
  while (scaled >= 999.95 && unit < units.length - 1) {
    scaled /= 1_000;
    unit += 1;
  }
  return `${scaled.toFixed(1)} ${units[unit]}`;
}

/** A time given in milliseconds, in a unit of suitable size. */
export function timeText(milliseconds: number): string {
  if (milliseconds >= 1_000) return `${(milliseconds / 1_000).toFixed(2)} s`;
  if (milliseconds >= 1) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds >= 0.001) return `${(milliseconds * 1_000).toFixed(1)} µs`;
  return `${Math.round(milliseconds * 1_000_000)} ns`;
}

/**
 * Lines under one label: the first has it, the others are indented as far. Lines are never cut, so that long paths can be
 * copied.
 */
export function labelled(label: string, lines: readonly string[]): string[] {
  return lines.map((line, at) => `${(at === 0 ? label : "").padEnd(11)}${visible(line)}`);
}

/** A table with one line per row and columns as wide as needed; all columns but the first are right-aligned. */
export function columnsText(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) => {
    return row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ");
  });
}
