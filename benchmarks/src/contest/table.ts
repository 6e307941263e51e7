import { FIELD } from "./field.ts";
import { type Outcome, type Result, titleOf } from "./match.ts";
import { type Given, WORKLOADS, type WorkloadName } from "./workloads.ts";

/** Cells as columns, contestants as rows: nanoseconds a piece, alone and, where it differs by a tenth, after other cells. */
export function tableOf(name: WorkloadName, results: readonly Result[], isQuick: boolean): string {
  const workload = WORKLOADS[name];
  const cells: readonly Given<WorkloadName>[] = isQuick ? workload.quick : workload.cells;
  const piecesOf = workload.pieces as (given: Given<WorkloadName>) => number;
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const lines = contestants
    .filter((contestant) =>
      results.some((one) => one.contestant === contestant && one.alone.kind !== "cannot"),
    )
    .map((contestant) => [
      FIELD[contestant]!.kind === "ours" ? `**${titleOf(contestant)}**` : titleOf(contestant),
      ...cells.map((given, place) => {
        const result = results.find((one) => one.contestant === contestant && one.place === place);
        return result === undefined ? "" : cellText(result, piecesOf(given));
      }),
    ]);
  const head = [`ns a ${workload.piece}`, ...cells.map(labelOf)];
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
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
