import { FIELD } from "../contestants/field.ts";
import { cellsOf, type Given, piecesOf, WORKLOADS, type WorkloadName } from "../workloads/workloads.ts";
import type { Outcome, Result } from "./outcome.ts";

/** Cells as columns, contestants as rows: nanoseconds a piece, alone and, where it differs by a tenth, after other cells. */
export function tableOf(name: WorkloadName, results: readonly Result[]): string {
  const cells = cellsOf(name);
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const lines = contestants
    .filter((contestant) =>
      results.some((one) => one.contestant === contestant && one.alone.kind !== "cannot"),
    )
    .map((contestant) => [
      FIELD[contestant]!.kind === "ours" ? `**${titleOf(contestant)}**` : titleOf(contestant),
      ...cells.map((given, place) => {
        const result = results.find((one) => one.contestant === contestant && one.place === place);
        return result === undefined ? "" : cellText(result, piecesOf(name, given));
      }),
    ]);
  const head = [`ns a ${WORKLOADS[name].piece}`, ...cells.map(labelOf)];
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

/** How a contestant is called in tables. */
export function titleOf(contestant: string): string {
  const { name, isHandKept } = FIELD[contestant]!;
  return isHandKept === true ? `${name} (child list by hand)` : name;
}

export function labelOf(given: Given<WorkloadName>): string {
  return Object.entries(given)
    .map(([name, value]) => (typeof value === "number" ? `${value.toLocaleString("en")} ${name}` : value))
    .join(", ");
}

function cellText({ alone, seasoned }: Result, pieces: number): string {
  const text = outcomeText(alone, pieces);
  if (seasoned === alone) return text;
  const other = outcomeText(seasoned, pieces);
  if (alone.kind !== "measured" || seasoned.kind !== "measured")
    return text === other ? text : `${text} / ${other}`;
  const ratio = seasoned.median / alone.median;
  return ratio > 1.1 || ratio < 1 / 1.1 ? `${text} / ${other}` : text;
}

function outcomeText(outcome: Outcome, pieces: number): string {
  if (outcome.kind === "cannot") return "";
  if (outcome.kind === "failed") return outcome.why;
  const nanoseconds = (outcome.median * 1e6) / pieces;
  return nanoseconds.toLocaleString("en", { maximumSignificantDigits: nanoseconds < 1_000 ? 3 : 4 });
}
