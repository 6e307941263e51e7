// Prints tables, and whether a target is reached by the printed value (`atMost`, `atLeast`).
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import type { Timing } from "./interleave.ts";

/** The target of a row. */
export interface Goal {
  readonly text: string;
  readonly isReached: boolean;
}

export interface Row {
  readonly row: string;
  readonly measured: string;
  /** How many times as long as the row that the table's note names. */
  readonly ratio?: number;
  /** None if the row is there for comparison only. */
  readonly goal?: Goal;
}

/** The printed value counts: 1.104 reaches "at most 1.1 x". */
export function atMost(limit: number, unit: string, value: number): Goal {
  const isReached = Number(value.toFixed(limit < 10 ? 2 : limit < 100 ? 1 : 0)) <= limit;
  return { text: `at most ${limit.toLocaleString("en")} ${unit}`, isReached };
}

/** The same from below: 2.996 reaches "at least 3 x". */
export function atLeast(limit: number, unit: string, value: number): Goal {
  const isReached = Number(value.toFixed(limit < 10 ? 2 : limit < 100 ? 1 : 0)) >= limit;
  return { text: `at least ${limit.toLocaleString("en")} ${unit}`, isReached };
}

/** Prints the file's name as a question: "does-a-run-cost.bench.js" becomes "Does a run cost?". */
export function printQuestion(url: string): void {
  const words = basename(fileURLToPath(url))
    .replace(/\.bench\.[jt]s$/, "")
    .replaceAll("-", " ");
  console.log(`\n## ${words[0]!.toUpperCase()}${words.slice(1)}?\n`);
}

/** A Markdown table, with a note above it that describes the work and the base of the ratios. */
export function printTable(note: string, rows: readonly Row[]): void {
  const cells = rows.map(({ row, measured, ratio, goal }) => [
    row,
    measured,
    ratio === undefined ? "" : `${ratio.toFixed(2)} x`,
    goal?.text ?? "",
    goal === undefined ? "" : goal.isReached ? "reached" : "**falls short**",
  ]);
  const lines = [["row", "measured", "ratio", "target", "verdict"], ...cells];
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const isNumber = (column: number): boolean => column === 1 || column === 2;
  const pad = (cell: string, column: number): string =>
    isNumber(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!);
  const lineOf = (line: readonly string[]): string => `| ${line.map(pad).join(" | ")} |`;
  const rule = lineOf(
    widths.map((width, column) => (isNumber(column) ? `${"-".repeat(width - 1)}:` : "-".repeat(width))),
  );
  console.log(`${note}\n`);
  console.log([lineOf(lines[0]!), rule, ...lines.slice(1).map(lineOf)].join("\n"));
  console.log();
}

function perPiece(milliseconds: number, pieces: number): string {
  const value = (milliseconds * 1e6) / pieces;
  return value.toLocaleString("en", {
    maximumSignificantDigits: value < 1_000 ? 3 : 4,
    minimumSignificantDigits: 3,
  });
}

/** The median per piece, in nanoseconds, of calls that do `pieces` of them. */
export function nanoseconds({ median }: Timing, pieces: number, piece: string): string {
  return `${perPiece(median, pieces)} ns a ${piece}`;
}

/** The same for rows with a target time: with an estimate for an idle machine. */
export function nanosecondsAndLow(timing: Timing, pieces: number, piece: string): string {
  return `${nanoseconds(timing, pieces, piece)}, low ${perPiece(timing.low, pieces)}`;
}
