// The front page: how it was measured, the pictures, and how Treeline compares, row by row.
import { titleOf } from "./host-page.mjs";
import { daysOf, native, timeOf } from "./model.mjs";
import { one, picture, prose, ratio, reason, tableOf, unitFor } from "./text.mjs";
import { fastest, rowsOf, STORAGES, tally, verdictOf } from "./verdicts.mjs";

/** @param pictures [{ file, heading, alt, text }] @param others links to further pages: [{ path, text }] */
export function frontPage(hosts, pictures, others) {
  const parts = [
    "# Benchmarks",
    prose(
      "What fragmentation and other work with trees of entities costs, in Treeline and in other libraries.",
      "`npm run bench` measures on your machine; `npm run bench -- report` makes these pages from the last results.",
    ),
    ...howMeasured(),
    pagesList(hosts, others),
    ...pictures.flatMap(({ file, heading, alt, text }) => [`## ${heading}`, picture(file, alt), text]),
    "## How Treeline compares",
    introduction(),
    tallies(hosts),
    ...hosts.flatMap((host) => [`### ${host.name}`, summary(host)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function howMeasured() {
  return [
    prose(
      "Every contestant does the same work in the fastest way that its documentation describes; first it must reach the same",
      "checksum. Each cell runs isolated, in a separate process, and again warmed up, after the other cells of its table, since JIT",
      "compilers optimise a process that runs a single loop better than a real program. Contestants take turns in many short rounds,",
      "so that a machine that is slow for a second is slow for all of them; the tables show medians. A contestant that overflows",
      "the stack, has a wrong result or takes over 60 seconds has failed, and the table says so. Libraries without relations",
      "have parents and children in a hand-written list, and are marked (†).",
    ),
    prose(
      `${native.name}: ${native.source} It ran on another machine: ${native.machine}. So its figures show what a native`,
      `engine can do, not how it compares on the same machine. ${native.caveat}`,
    ),
  ];
}

function pagesList(hosts, others) {
  const lines = [
    ...hosts.map(
      (host) =>
        `- [${host.name}](${host.key}.md): all contestants, ${daysOf(host)}, ${host.machine}${quickly(host)}`,
    ),
    ...others.map(({ path, text }) => `- [${text}](${path})`),
  ];
  return lines.join("\n");
}

function quickly(host) {
  return host.workloads.some(({ isQuick }) => isQuick) ? " (with quick runs, not to be quoted)" : "";
}

function introduction() {
  return prose(
    "Ratios are Treeline's time, or bytes, divided by the other's: below 1, Treeline is faster, or smaller. The best library is the",
    "fastest one from npm in that row, hand-written the fastest program that was written for that row only, Flecs the same storage in C",
    'on another machine. "First" is ahead of every library, "level" within 5 % of the best one, "warmed up" in a process in',
    "which other cells have run before. A row counts as first if it is first both isolated and warmed up.",
  );
}

function tallies(hosts) {
  const lines = hosts.flatMap((host) =>
    [...STORAGES.map((storage) => [storage]), STORAGES].map((storages) => [
      host.name,
      storages.length === 1 ? storages[0].name : "the better of both",
      ...tally(host, storages).map(String),
    ]),
  );
  return tableOf(["rows among libraries", "storage", "first", "level", "not first"], lines, 3);
}

function summary(host) {
  const columns = STORAGES.flatMap(({ name }) => [name, "among libraries", "to hand-written", "to Flecs"]);
  const lines = rowsOf(host).flatMap((workload) => {
    const unit = workload.unit ?? unitOf(workload);
    return [
      [`**${headingOf(workload)}**, ${unit.name} ${one(workload.piece)}`],
      ...workload.cells.map(({ label }, place) => {
        const best = fastest(host, workload, place, "library");
        return [
          label,
          ...STORAGES.flatMap((storage) => comparisonCells(unit, verdictOf(host, workload, place, storage))),
          best === undefined ? "" : titleOf(host.contestants[best.contestant]),
        ];
      }),
    ];
  });
  return tableOf(["", ...columns, "best library"], lines);
}

/** "W4 cascade" */
function headingOf({ number, name }) {
  return /^W\d/.test(number) ? `${number} ${name}` : name;
}

function unitOf(workload) {
  const times = STORAGES.flatMap(({ key }) => workload.cells.map((_, place) => timeOf(workload, key, place)));
  return unitFor(times.filter((time) => time !== undefined));
}

/** Time, place among libraries, ratio to the hand-written program and to native Flecs. */
function comparisonCells(unit, verdict) {
  if (verdict === undefined) return ["", "", "", ""];
  if (verdict.failure !== undefined) return [reason(verdict.failure), "not first", "", ""];
  const { time, isolated, warmedUp, toHandWritten, toNative } = verdict;
  return [
    unit.of(time),
    isolated.place === warmedUp.place
      ? placeText(isolated)
      : `${placeText(isolated)}; warmed up ${placeText(warmedUp)}`,
    ...[toHandWritten, toNative].map((times) => (times === undefined ? "" : ratio(times))),
  ];
}

function placeText({ place, ratio: times }) {
  const words = place === "first" ? "**first**" : place;
  return times === undefined ? `${words}, no other` : `${words}, ${ratio(times)}`;
}
