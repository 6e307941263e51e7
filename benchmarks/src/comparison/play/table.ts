// Results as a table for the terminal (`tableOf`).
import { FIELD } from "../contestants/field.ts";
import { cellsOf, type Given, piecesOf, WORKLOADS, type WorkloadName } from "../workloads/workloads.ts";
import type { Outcome, Result } from "./outcome.ts";

/** Cells as columns, contestants as rows: nanoseconds a piece, isolated and, where it differs by a tenth, warmed up. */
export function tableOf(name: WorkloadName, results: readonly Result[]): string {
  const cells = cellsOf(name);
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const lines = contestants
    .filter((contestant) =>
      results.some((one) => one.contestant === contestant && one.isolated.kind !== "cannot"),
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

/** The label of a contestant in tables. */
export function titleOf(contestant: string): string {
  const { name, isHandKept } = FIELD[contestant]!;
  return isHandKept === true ? `${name} (hand-written child list)` : name;
}

export function labelOf(given: Given<WorkloadName>): string {
  return Object.entries(given)
    .map(([name, value]) => (typeof value === "number" ? `${value.toLocaleString("en")} ${name}` : value))
    .join(", ");
}

function cellText({ isolated, warmedUp }: Result, pieces: number): string {
  const text = outcomeText(isolated, pieces);
  if (warmedUp === isolated) return text;
  const other = outcomeText(warmedUp, pieces);
  if (isolated.kind !== "measured" || warmedUp.kind !== "measured")
    return text === other ? text : `${text} / ${other}`;
  const ratio = warmedUp.median / isolated.median;
  return ratio > 1.1 || ratio < 1 / 1.1 ? `${text} / ${other}` : text;
}

function outcomeText(outcome: Outcome, pieces: number): string {
  if (outcome.kind === "cannot") return "";
  if (outcome.kind === "failed") return outcome.why;
  const nanoseconds = (outcome.median * 1e6) / pieces;
  return nanoseconds.toLocaleString("en", { maximumSignificantDigits: nanoseconds < 1_000 ? 3 : 4 });
}
