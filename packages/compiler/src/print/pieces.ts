// How pieces become a text and a source map (`join`).
import { encode, type SourceMapMappings, type SourceMapSegment } from "@jridgewell/sourcemap-codec";

/** A part of the output. */
export interface Piece {
  readonly text: string;
  /** Where it comes from in the source, as an offset; -1 for what has no place there. */
  readonly at: number;
  /** It is a copy of the source, so that all of its words have their places there. */
  readonly isCopy: boolean;
}

export function copied(code: string, start: number, end: number): Piece {
  return { text: code.slice(start, end), at: start, isCopy: true };
}

export function made(text: string, at = -1): Piece {
  return { text, at, isCopy: false };
}

/** A source map, as bundlers take it. */
export interface SourceMap {
  readonly version: 3;
  readonly file: string;
  readonly sources: string[];
  readonly sourcesContent: string[];
  readonly names: string[];
  readonly mappings: string;
}

/** Offsets of the beginnings of lines. */
export function linesOf(code: string): number[] {
  const starts = [0];
  for (let at = code.indexOf("\n"); at >= 0; at = code.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** @returns line and column of an offset, from 0. */
export function placeIn(lines: readonly number[], offset: number): { line: number; column: number } {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (lines[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low, column: offset - lines[low]! };
}

/** Joins pieces to a text, and tells where each word of it is in the source. */
export function join(pieces: readonly Piece[], code: string, id: string): { code: string; map: SourceMap } {
  const lines = linesOf(code);
  const mappings: SourceMapMappings = [[]];
  let column = 0;
  for (const { text, at, isCopy } of pieces) {
    if (text === "") continue;
    if (at < 0) mappings.at(-1)!.push([column]);
    else if (!isCopy) mappings.at(-1)!.push(segment(lines, column, at));
    // Words, line ends, and what is between.
    for (const { 0: word, index } of text.matchAll(/[\w$]+|\n|[^\w$\n]+/g)) {
      if (isCopy && word !== "\n") mappings.at(-1)!.push(segment(lines, column, at + index));
      column += word.length;
      if (word !== "\n") continue;
      mappings.push([]);
      column = 0;
    }
  }
  const map: SourceMap = {
    version: 3,
    file: id,
    sources: [id],
    sourcesContent: [code],
    names: [],
    mappings: encode(mappings),
  };
  return { code: pieces.map(({ text }) => text).join(""), map };
}

function segment(lines: readonly number[], column: number, offset: number): SourceMapSegment {
  const place = placeIn(lines, offset);
  return [column, 0, place.line, place.column];
}
