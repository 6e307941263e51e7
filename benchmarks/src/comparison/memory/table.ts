/** Memory tables for the terminal. */
import { FIELD } from "../contestants/field.ts";
import { titleOf } from "../play/table.ts";
import type { GrowOutcome, LayoutOutcome, Parts } from "./record.ts";

/** Contestants in order, with the texts of their cells. Contestants with only empty ones are left out. */
function tableOf(head: readonly string[], rows: readonly (readonly [string, ...string[]])[]): string {
  const lines = rows
    .filter(([, ...cells]) => cells.some((cell) => cell !== ""))
    .map(([contestant, ...cells]) => {
      const title = titleOf(contestant);
      const missing = head.slice(1 + cells.length).map(() => "");
      return [FIELD[contestant]!.kind === "ours" ? `**${title}**` : title, ...cells, ...missing];
    });
  const rule = head.map((_, at) => (at === 0 ? "---" : "---:"));
  return [head, rule, ...lines].map((line) => `| ${line.join(" | ")} |`).join("\n");
}

function number(value: number, digits: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: digits });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** Bytes per child, and the bytes that each parent after the first adds. */
export function layoutTables(part: NonNullable<Parts["layouts"]>): string[] {
  const { cells, children, results, note } = part;
  const outcomeOf = (contestant: string, place: number): LayoutOutcome | undefined =>
    results.find((one) => one.contestant === contestant && one.place === place)?.outcome;
  const perChild = (contestant: string, place: number): string => {
    const outcome = outcomeOf(contestant, place);
    return outcome?.kind === "weighed" ? number(outcome.held / children, 1) : reasonOf(outcome);
  };
  const perParent = (contestant: string, place: number): string => {
    const { parents, queries } = cells[place]!;
    const single = cells.findIndex((cell) => cell.parents === 1 && cell.queries === queries);
    const [base, outcome] = [outcomeOf(contestant, single), outcomeOf(contestant, place)];
    if (base?.kind !== "weighed" || outcome?.kind !== "weighed") return "";
    return number((outcome.held - base.held) / (parents - 1), 0);
  };
  const labelOf = (place: number): string => {
    const { parents, queries } = cells[place]!;
    return `P = ${number(parents, 0)}${queries === 0 ? "" : `, ${queries} queries`}`;
  };
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const places = [...cells.keys()];
  const several = places.filter((place) => cells[place]!.parents > 1);
  const table = (
    head: string,
    columns: readonly number[],
    cellOf: (contestant: string, place: number) => string,
  ): string =>
    tableOf(
      [head, ...columns.map(labelOf)],
      contestants.map((contestant) => [contestant, ...columns.map((place) => cellOf(contestant, place))]),
    );
  return [
    `W10: ${note}`,
    table("bytes a child, in all", places, perChild),
    table("bytes for each parent more than P = 1", several, perParent),
  ];
}

function reasonOf(outcome: { readonly kind: string; readonly why?: string } | undefined): string {
  return outcome?.kind === "failed" ? (outcome.why ?? "failed") : "";
}

export function namesTable({ names, note, results }: NonNullable<Parts["names"]>): string {
  return `${note}\n\n${tableOf(
    ["bytes a name", `${number(names, 0)} names`],
    results.map(({ contestant, outcome }) => [
      contestant,
      outcome.kind === "weighed" ? number(outcome.held, 1) : reasonOf(outcome),
    ]),
  )}`;
}

/** Bytes of an entity without the extra, and how many more with it, for each of all entities. */
export function storagesTable({ cells, note, results }: NonNullable<Parts["storages"]>): string {
  const outcomeOf = (contestant: string, place: number): LayoutOutcome | undefined =>
    results.find((one) => one.contestant === contestant && one.place === place)?.outcome;
  const text = (contestant: string, place: number): string => {
    const [base, outcome] = [outcomeOf(contestant, 0), outcomeOf(contestant, place)];
    if (base?.kind !== "weighed" || outcome?.kind !== "weighed") return reasonOf(outcome);
    return number((outcome.held - (place === 0 ? 0 : base.held)) / cells[place]!.roots, 1);
  };
  const contestants = [...new Set(results.map(({ contestant }) => contestant))];
  const head = cells.map(({ extra, every }) =>
    extra === "nothing" ? "without" : `${extra}, ${every === 1 ? "all" : `one in ${every}`}`,
  );
  return `${note}\n\n${tableOf(
    ["bytes", ...head],
    contestants.map((contestant) => [contestant, ...cells.map((_, place) => text(contestant, place))]),
  )}`;
}

export function growthTable({ note, results }: NonNullable<Parts["growth"]>): string {
  return `${note}\n\n${tableOf(
    ["megabytes", "first cycles", "then", "last cycles", "then", "bytes a cycle"],
    results.map(({ contestant, outcome }) => {
      if (outcome.kind !== "weighed") return [contestant, reasonOf(outcome)];
      const { firstCycles, first, lastCycles, last } = outcome;
      return [
        contestant,
        number(firstCycles, 0),
        megabytes(first.held),
        number(lastCycles, 0),
        megabytes(last.held),
        lastCycles === firstCycles ? "" : ((last.held - first.held) / (lastCycles - firstCycles)).toFixed(2),
      ];
    }),
  )}`;
}

export function growTable({ entities, note, results }: NonNullable<Parts["grow"]>): string {
  const cellsOf = (outcome: GrowOutcome): string[] =>
    outcome.kind === "timed"
      ? [
          outcome.worst.toFixed(2),
          number(outcome.worstAt, 0),
          (outcome.high * 1e3).toFixed(1),
          number(outcome.mean * 1e6, 0),
        ]
      : [reasonOf(outcome)];
  return `${note}\n\n${tableOf(
    [`${number(entities, 0)} spawns`, "slowest, ms", "at number", "99.99 % below, µs", "mean, ns"],
    results.map(({ contestant, outcome }) => [contestant, ...cellsOf(outcome)]),
  )}`;
}
