// One host's page: a table for each workload, with all contestants.
import { merged } from "./kept.mjs";
import { entrantsOf, native, periodOf, timeOf } from "./model.mjs";
import { bytes, one, picture, prose, reason, tableOf, unitFor } from "./text.mjs";
import { STORAGES } from "./verdicts.mjs";

const FURTHER = 1.1;

/**
 * @param pictures those of this host that exist: [{ workload, file, alt }].
 * @param kept what `keptPage` has read: sections without results stay, and the page keeps the machine of these.
 */
export function hostPage(host, pictures, kept) {
  const machine = machineOf(host, kept);
  const sections = host.workloads.map((workload) => ({
    name: workload.name,
    date: workload.date,
    text: section(host, workload, pictures, machine),
  }));
  const all = merged(kept.sections, sections);
  const isQuick = host.workloads.some((one) => one.isQuick);
  const parts = [
    `# ${host.name}`,
    `${periodOf(all)}, ${machine}. Measured in ${host.clock}.${isQuick ? "\n\n**Some of it was a quick run: not to be quoted.**" : ""}`,
    legend(host),
    ...all.map(({ text }) => text),
    `[All hosts and the summary](README.md)`,
  ];
  return `${parts.join("\n\n")}\n`;
}

/** The machine of the sections that stay, or else that of the results. */
export function machineOf(host, { machine = host.machine, sections }) {
  const isStaying = sections.some(({ name }) => host.workloads.every((workload) => workload.name !== name));
  return isStaying ? machine : host.machine;
}

function legend(host) {
  const listed = Object.values(host.contestants).some(({ isHandKept }) => isHandKept);
  return prose(
    "Medians of isolated cells: each runs in a separate process. A second number is warmed up, after the other cells of the table have",
    "run in that process, where it differs by a tenth. **Bold** is the fastest of Treeline and the libraries. A failed cell",
    "says why; an empty cell is work that the library cannot do.",
    ...(listed ? ["† has no relations: parents and children are in a hand-written list."] : []),
    `${native.name} was measured on another machine: ${native.machine}.`,
  );
}

function section(host, workload, pictures, machine) {
  const { name, number, does, isQuick } = workload;
  const shown = pictures.filter((one) => one.workload === name);
  const parts = [
    `## ${number[0].toUpperCase()}${number.slice(1)}: ${does}`,
    ...shown.map(({ file, alt }) => picture(file, alt)),
    timesTable(host, workload),
    ...extras(host, workload),
    prose(
      `Measured on ${momentOf(workload, host.machine === machine ? [] : [host.machine])}${isQuick ? ", in a quick run with fewer entities" : ""}; again with`,
      `\`npm run bench -- comparison ${name}\`.`,
      ...nativeNote(workload),
    ),
  ];
  return parts.join("\n\n");
}

/** The day, the commit if it is known, and the machine if it is another one than that of the page. */
export function momentOf({ date, commit, isBusy }, machine) {
  const when = commit === undefined ? date : `${date} at ${commit}`;
  return [when, ...(machine ?? []), ...(isBusy ? ["while other programs ran"] : [])].join(", ");
}

function nativeNote({ name, cells }) {
  const isShown = cells.some((cell) => Object.keys(cell.native).length > 0);
  return isShown ? [`Flecs: ${native.workloads[name].way}.`] : [];
}

export function titleOf({ name, kind, isHandKept }) {
  const title = kind === "ours" ? `**${name}**` : name;
  return isHandKept ? `${title} †` : title;
}

function timesTable(host, workload) {
  const all = entrantsOf(host, workload);
  const times = all.flatMap((key) =>
    workload.cells.map((_, place) => timeOf(workload, key, place)).filter((time) => time !== undefined),
  );
  const unit = unitFor(times);
  const best = workload.cells.map((_, place) => {
    const rivals = all.filter((key) => host.contestants[key].kind !== "hand");
    return Math.min(...rivals.map((key) => timeOf(workload, key, place) ?? Number.POSITIVE_INFINITY));
  });
  const lines = all.map((key) => [
    titleOf(host.contestants[key]),
    ...workload.cells.map((_, place) => cellText(workload.rows.get(key)?.[place], unit, best[place])),
  ]);
  const head = [`${unit.name} ${one(workload.piece)}`, ...workload.cells.map(({ label }) => label)];
  return tableOf(head, [...lines, ...nativeLines(workload, unit)]);
}

function nativeLines({ cells }, unit) {
  return STORAGES.filter((storage) => cells.some((cell) => cell.native[storage.native] !== undefined)).map(
    (storage) => [
      `_${native.name}, ${storage.name}_`,
      ...cells.map((cell) => {
        const time = cell.native[storage.native];
        return time === undefined ? "" : `_${unit.of(time)}_`;
      }),
    ],
  );
}

function cellText(result, unit, best) {
  if (result === undefined) return "";
  const { isolated, warmedUp } = result;
  const text = outcomeText(isolated, unit);
  const shown = isolated.kind === "measured" && isolated.time === best ? `**${text}**` : text;
  return isFurther(isolated, warmedUp) ? `${shown} / ${outcomeText(warmedUp, unit)}` : shown;
}

function isFurther(isolated, warmedUp) {
  if (isolated.kind !== "measured" || warmedUp.kind !== "measured") {
    return isolated.kind !== warmedUp.kind || isolated.why !== warmedUp.why;
  }
  const times = warmedUp.time / isolated.time;
  return times > FURTHER || times < 1 / FURTHER;
}

function outcomeText(outcome, unit) {
  if (outcome.kind === "cannot") return "";
  return outcome.kind === "failed" ? reason(outcome.why) : unit.of(outcome.time);
}

/** For workloads in which more than the median counts: the slowest runs, and garbage. */
function extras(host, workload) {
  if (workload.piece !== "frame") return [];
  return workload.cells.map(({ label }, place) => {
    const rows = entrantsOf(host, workload)
      .map((key) => ({ key, ...workload.rows.get(key)[place] }))
      .filter(({ isolated }) => isolated?.kind === "measured");
    const unit = unitFor(rows.map(({ isolated }) => isolated.time));
    const lines = rows.map(({ key, isolated }) => [
      titleOf(host.contestants[key]),
      unit.of(isolated.time),
      unit.of(isolated.p99),
      ...garbageCells(isolated.garbage),
    ]);
    const head = [
      label,
      `median, ${unit.name}`,
      "99th percentile",
      "garbage a frame",
      "collections",
      "longest pause",
    ];
    return tableOf(head, lines);
  });
}

/** Browsers do not report how often they collect. */
function garbageCells(garbage) {
  if (garbage === undefined) return ["", "", ""];
  const { bytes: left, collections, frames, longest } = garbage;
  if (collections === undefined) return [bytes(left), "", ""];
  return [
    bytes(left),
    `${collections} in ${frames} frames`,
    longest === undefined ? "" : `${longest.toFixed(1)} ms`,
  ];
}
