// Text for terminals: names from files may contain newlines, control sequences and wide characters.

const graphemes: Intl.Segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Control characters, line separators, and the marks that change the writing direction. */
const UNSAFE = /[\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Characters that are two columns wide in a terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[\u{20000}-\u{3fffd}]/u;

const SHORT_ESCAPES: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text on one line: characters that could break the line or control the terminal are written as escapes. */
export function visible(text: string): string {
  return text.replace(UNSAFE, (unsafe) => {
    const hex = unsafe.codePointAt(0)?.toString(16) ?? "";
    return SHORT_ESCAPES[unsafe] ?? `\\u{${hex}}`;
  });
}

/** The width of the text in columns of a terminal. */
export function widthOf(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text in at most `width` columns; a cut is marked with "…". */
export function clip(text: string, width: number): string {
  if (text.length <= width && widthOf(text) <= width) return text;
  let kept = "";
  let used = 1; // the mark itself
  for (const { segment } of graphemes.segment(text)) {
    used += WIDE.test(segment) ? 2 : 1;
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** A name inside a message: quoted, on one line, and short enough for a message. */
export function quoted(name: string): string {
  return `"${clip(visible(name), 60)}"`;
}

/** 1397 as "1,397". */
export function grouped(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 node", "1,397 nodes". */
export function counted(count: number, noun: string, plural: string = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`;
}

/** A measured number, short: at most six digits, no trailing zeros, never "-0". */
export function short(value: number): string {
  const rounded = Number(value.toPrecision(6));
  return rounded === 0 ? "0" : String(rounded);
}
