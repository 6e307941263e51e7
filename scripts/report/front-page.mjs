// The front page: how it was measured, the pictures, and where Treeline stands, row by row.
import { titleOf } from "./host-page.mjs";
import { daysOf, native, timeOf } from "./model.mjs";
import { one, picture, prose, ratio, reason, tableOf, unitFor } from "./text.mjs";
import { fastest, rowsOf, STORAGES, tally, verdictOf } from "./verdicts.mjs";

/** @param pictures [{ file, heading, alt, text }] @param others links to further pages: [{ path, text }] */
export function frontPage(hosts, pictures, others) {
  const parts = [
    "# Benchmarks",
    prose(
      "What fragmentation costs, and what else it costs to keep entities in a tree, in Treeline and in other libraries.",
      "`npm run bench` measures on your machine; `npm run bench -- report` makes these pages of what was measured last.",
    ),
    ...howMeasured(),
    pagesList(hosts, others),
    ...pictures.flatMap(({ file, heading, alt, text }) => [`## ${heading}`, picture(file, alt), text]),
    "## Where Treeline stands",
    standingIntro(),
    tallies(hosts),
    ...hosts.flatMap((host) => [`### ${host.name}`, summary(host)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

function howMeasured() {
  return [
    prose(
      "Every contestant does the same work in the fastest way that its documentation knows, and proves the same checksum",
      "first. Each cell runs in a process of its own, and once more after the other cells of its table, since an engine",
      "that has seen one kind of work only flatters. Contestants take turns in many short rounds, so that a machine which",
      "is slow for a second is slow for all of them; what is shown are medians. A contestant that overflows the stack,",
      "comes to a wrong result or takes over 60 seconds has failed, and the table says so. Libraries without relations",
      "keep parents and children in a list by hand, and are marked (†).",
    ),
    prose(
      `${native.name}: ${native.source} That was another machine: ${native.machine}. So its figures say what a native`,
      `engine can do, not what it would do beside the others. ${native.caveat}`,
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

function standingIntro() {
  return prose(
    "Ratios are Treeline's time, or bytes, by the other one's: below 1, Treeline is ahead. The best library is the fastest one from",
    "npm in that row, the floor the fastest program written by hand for that row alone, Flecs the same storage in C on",
    'another machine. "First" is ahead of every library, "level" within 5 % of the best one, "later" in a process in',
    "which other cells have run before. A row counts as first if it is first both alone and later.",
  );
}

function tallies(hosts) {
  const lines = hosts.flatMap((host) =>
    [...STORAGES.map((storage) => [storage]), STORAGES].map((storages) => [
      host.name,
      storages.length === 1 ? storages[0].name : "the better one of both",
      ...tally(host, storages).map(String),
    ]),
  );
  return tableOf(["rows among libraries", "storage", "first", "level", "not first"], lines, 3);
}

function summary(host) {
  const columns = STORAGES.flatMap(({ name }) => [name, "among libraries", "to floor", "to Flecs"]);
  const lines = rowsOf(host).flatMap((workload) => {
    const unit = workload.unit ?? unitOf(workload);
    return [
      [`**${headingOf(workload)}**, ${unit.name} ${one(workload.piece)}`],
      ...workload.cells.map(({ label }, place) => {
        const best = fastest(host, workload, place, "library");
        return [
          label,
          ...STORAGES.flatMap((storage) => standingCells(unit, verdictOf(host, workload, place, storage))),
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

/** Time, place among libraries, ratio to the floor and to native Flecs. */
function standingCells(unit, verdict) {
  if (verdict === undefined) return ["", "", "", ""];
  if (verdict.failure !== undefined) return [reason(verdict.failure), "not first", "", ""];
  const { time, alone, later, toFloor, toNative } = verdict;
  return [
    unit.of(time),
    alone.place === later.place ? placeText(alone) : `${placeText(alone)}; later ${placeText(later)}`,
    ...[toFloor, toNative].map((times) => (times === undefined ? "" : ratio(times))),
  ];
}

function placeText({ place, ratio: times }) {
  const words = place === "first" ? "**first**" : place;
  return times === undefined ? `${words}, no other can` : `${words}, ${ratio(times)}`;
}
