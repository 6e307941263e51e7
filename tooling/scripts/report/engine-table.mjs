// The table of one JavaScript engine: a line for each cell of every workload, a column for each contestant.
import { entrantsOf, timeOf } from "./model.mjs";
import { one, reason, tableOf, unitFor } from "./text.mjs";
import { COMPONENT_STORAGES, fastest, STORAGES } from "./verdicts.mjs";

/** A second figure is shown if it differs by this factor. */
const FURTHER = 1.1;

/** "W4 cascade" */
export const headingOf = ({ number, name }) => (/^W\d/.test(number) ? `${number} ${name}` : name);

function unitOf(host, workload) {
  if (workload.unit !== undefined) return workload.unit;
  const times = entrantsOf(host, workload).flatMap((key) =>
    workload.cells.map((_, place) => timeOf(workload, key, place)),
  );
  return unitFor(times.filter((time) => time !== undefined));
}

const outcomeText = (outcome, unit) =>
  outcome.kind === "failed" ? reason(outcome.why) : unit.of(outcome.time);

function isFurther(isolated, warmedUp) {
  if (isolated.kind !== "measured" || warmedUp.kind !== "measured") {
    return isolated.kind !== warmedUp.kind || isolated.why !== warmedUp.why;
  }
  const times = warmedUp.time / isolated.time;
  return times > FURTHER || times < 1 / FURTHER;
}

function cellText(result, unit, isBest) {
  if (result === undefined || result.isolated.kind === "cannot") return "";
  const { isolated, warmedUp } = result;
  const text = outcomeText(isolated, unit);
  const shown = isBest ? `**${text}**` : text;
  return isFurther(isolated, warmedUp) ? `${shown} / ${outcomeText(warmedUp, unit)}` : shown;
}

/** The fastest program that was written for the cell alone. */
function handWritten(host, workload, place) {
  const best = fastest(host, workload, place, "hand");
  return best === undefined ? undefined : workload.rows.get(best.contestant)[place];
}

/** The faster of its storages. */
function nativeText({ native }, unit) {
  const times = STORAGES.map((storage) => native[storage.native]).filter((time) => time !== undefined);
  return times.length === 0 ? "" : `_${unit.of(Math.min(...times))}_`;
}

function linesOf(host, workload, keys) {
  const unit = unitOf(host, workload);
  const lines = workload.cells.map((cell, place) => {
    const rivals = entrantsOf(host, workload).filter((key) => host.contestants[key].kind !== "hand");
    const least = Math.min(...rivals.map((key) => timeOf(workload, key, place) ?? Number.POSITIVE_INFINITY));
    const textOf = (key) =>
      cellText(workload.rows.get(key)?.[place], unit, timeOf(workload, key, place) === least);
    const [ours, others] = ["ours", "library"].map((kind) =>
      keys.filter((key) => host.contestants[key].kind === kind),
    );
    return [
      cell.label,
      ...ours.map(textOf),
      cellText(handWritten(host, workload, place), unit, false),
      ...others.map(textOf),
      nativeText(cell, unit),
    ];
  });
  return [[`**${headingOf(workload)}**, ${unit.name} ${one(workload.piece)}`], ...lines];
}

function nameIn(host, key) {
  const { name, kind, isHandKept } = host.contestants[key];
  return kind === "ours" ? name.replace("Treeline, ", "") : `${name}${isHandKept ? " †" : ""}`;
}

function tableFor(host, workloads) {
  if (workloads.length === 0) return [];
  const played = new Set(workloads.flatMap((workload) => entrantsOf(host, workload)));
  const keys = Object.keys(host.contestants).filter((key) => played.has(key));
  const namesOf = (kind) =>
    keys.filter((key) => host.contestants[key].kind === kind).map((key) => nameIn(host, key));
  const head = ["", ...namesOf("ours"), "hand-written", ...namesOf("library"), "Flecs in C"];
  return [
    tableOf(
      head,
      workloads.flatMap((workload) => linesOf(host, workload, keys)),
    ),
  ];
}

/** @returns tables in Markdown: of workloads about trees, and of those about the storages of components. */
export function engineTables(host, workloads) {
  const isAboutComponents = ({ rows }) => COMPONENT_STORAGES.some(({ key }) => rows.has(key));
  return [
    ...tableFor(
      host,
      workloads.filter((one) => !isAboutComponents(one)),
    ),
    ...tableFor(host, workloads.filter(isAboutComponents)),
  ];
}
