// The front page: how it was measured, the pictures, and how Treeline compares, row by row.
import { machineOf, titleOf } from "./host-page.mjs";
import { merged } from "./kept.mjs";
import { keyOf, native, periodOf, placeOf, timeOf } from "./model.mjs";
import { one, picture, prose, ratio, reason, tableOf, unitFor } from "./text.mjs";
import { COMPONENT_STORAGES, fastest, rowsOf, STORAGES, verdictOf, WAYS } from "./verdicts.mjs";

/** The heading of the summaries, which `keptFront` searches for. */
export const COMPARISON = "How Treeline compares";

/**
 * @param hosts those with results: [{ host, kept }] with what `keptPage` has read.
 * @param pictures of the first host: [{ file, heading, alt, text }]
 * @param others links to further pages: [{ path, text }]
 * @param kept what `keptFront` has read; rows, pictures and hosts without results stay as they are there.
 */
export function frontPage(hosts, pictures, others, kept) {
  const shown = pictures.map(({ file, heading, alt, text }) => ({
    heading,
    text: `${picture(file, alt)}\n\n${text}`,
  }));
  const summaries = hosts.map(({ host }) => ({
    name: host.name,
    tables: mergedTables(kept.summaries.get(host.name) ?? [], summary(host)),
  }));
  const stay = [...kept.summaries].map(([name, tables]) => ({ name, tables }));
  const all = inHostOrder(merged(withoutOlder(stay, summaries), summaries));
  const parts = [
    "# Benchmarks",
    prose(
      "What fragmentation and other work with trees of entities costs, in Treeline and in other libraries.",
      "`npm run bench` measures on your machine; `npm run bench -- report` makes these pages from the last results.",
    ),
    ...howMeasured(),
    pagesList(all, hosts, others, kept),
    ...merged(kept.pictures, shown, ({ heading }) => heading).map(
      ({ heading, text }) => `## ${heading}\n\n${text}`,
    ),
    `## ${COMPARISON}`,
    introduction(),
    tallies(all),
    ...all.flatMap(({ name, tables }) => [`### ${name}`, ...tables.map(textOf)]),
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Without hosts that have results of another version. */
function withoutOlder(stay, fresh) {
  const keys = fresh.map(({ name }) => keyOf(name));
  return stay.filter(({ name }) => fresh.some((one) => one.name === name) || !keys.includes(keyOf(name)));
}

function inHostOrder(hosts) {
  return [...hosts].sort((one, other) => placeOf(keyOf(one.name)) - placeOf(keyOf(other.name)));
}

function howMeasured() {
  return [
    prose(
      "Every contestant does the same work in the fastest way that its documentation describes; first it must reach the same",
      "checksum. Each cell runs isolated, in a separate process, and again warmed up, after the other cells of its table, since JIT",
      "compilers optimise a process that runs a single loop better than a real program. Contestants take turns in many short rounds,",
      "so that a machine that is slow for a second is slow for all of them; the tables show medians. A contestant that overflows",
      "the stack, has a wrong result or takes over 60 seconds has failed, and the table says so. Libraries without relations",
      "have parents and children in a hand-written list, and are marked (†). Treeline plays with both storages of parents, or, where",
      "rows are about components and tags, with both storages of those.",
    ),
    prose(
      `${native.name}: ${native.source} It ran on another machine: ${native.machine}. So its figures show what a native`,
      `engine can do, not how it compares on the same machine. ${native.caveat}`,
    ),
  ];
}

function pagesList(all, hosts, others, kept) {
  const lines = [
    ...all.map(({ name }) => {
      const fresh = hosts.find(({ host }) => host.name === name);
      return fresh === undefined ? kept.links.get(name) : linkTo(fresh);
    }),
    ...others.map(({ path, text }) => `- [${text}](${path})`),
  ];
  return lines.join("\n");
}

function linkTo({ host, kept }) {
  const days = periodOf(merged(kept.sections, host.workloads));
  const machines = [...new Set([machineOf(host, kept), host.machine])].join(", and ");
  return `- [${host.name}](${host.key}.md): all contestants, ${days}, ${machines}${quickly(host)}`;
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
    "Loops are by kernels there. The last table of each host has them by `each`, as programs are written, and compiled by",
    "`@treeline/compiler`, all with ChildOf: isolated / warmed up.",
  );
}

const RANK = "among libraries";

/** The columns beside the time of a storage. */
function columnsOf({ native: storage }) {
  return [RANK, "to hand-written", ...(storage === undefined ? [] : ["to Flecs"])];
}

const PLACES = ["first", "level", "not first"];

/** The number of the place; the worse one, if isolated and warmed up differ; `undefined` if it did not take part. */
function placeIn(text) {
  if (text === "") return undefined;
  if (text.includes("not first")) return 2;
  return text.includes("level") ? 1 : 0;
}

/** How often each storage, or the better of both, is first, level and not first among the rows of all tables. */
function tallies(all) {
  const lines = all.flatMap(({ name, tables }) =>
    tables
      .filter(({ head }) => head.includes(RANK))
      .flatMap(({ head, groups }) => {
        const rows = groups.flatMap((group) => group.lines.slice(1));
        const columns = [...head.keys()].filter((at) => head[at] === RANK);
        return [...columns.map((column) => [column]), columns].map((some) => [
          name,
          some.length === 1 ? head[some[0] - 1] : "the better of both",
          ...count(rows.map((row) => some.map((column) => placeIn(row[column])))),
        ]);
      }),
  );
  return tableOf(["rows among libraries", "storage", ...PLACES], lines, 3);
}

function count(rows) {
  const counts = PLACES.map(() => 0);
  for (const row of rows) {
    const places = row.filter((place) => place !== undefined);
    if (places.length > 0) counts[Math.min(...places)]++;
  }
  return counts.map(String);
}

/** Tables for workloads of parents, of components, and for loops: [{ head, groups: [{ name, lines }] }]. */
function summary(host) {
  return [...storageTables(host), ...waysTable(host)];
}

/** Times of loops, by how they are written, beside the fastest library and the fastest hand-written program. */
function waysTable(host) {
  const workloads = host.workloads.filter((workload) => workload.rows.has(WAYS[0].keys[0]));
  if (workloads.length === 0) return [];
  const groups = workloads.map((workload) => {
    const own = WAYS.map(({ keys }) => keys.find((key) => workload.rows.has(key)));
    const times = own.flatMap((key) => workload.cells.map((_, place) => timeOf(workload, key, place)));
    const unit = unitFor(times.filter((time) => time !== undefined));
    const both = (key, place) =>
      ["isolated", "warmedUp"]
        .map((mode) => timeOf(workload, key, place, mode))
        .filter((time) => time !== undefined)
        .map(unit.of)
        .join(" / ");
    const lines = workload.cells.map(({ label }, place) => [
      label,
      ...[...own, ...["library", "hand"].map((kind) => fastest(host, workload, place, kind)?.contestant)].map(
        (key) => (key === undefined ? "" : both(key, place)),
      ),
    ]);
    const head = [`**${headingOf(workload)}**, ${unit.name} ${one(workload.piece)}`];
    return { name: workload.name, lines: [head, ...lines] };
  });
  return [{ head: ["", ...WAYS.map(({ name }) => name), "best library", "hand-written"], groups }];
}

function storageTables(host) {
  return [STORAGES, COMPONENT_STORAGES].flatMap((storages) => {
    const workloads = rowsOf(host).filter((workload) => storages.some(({ key }) => workload.rows.has(key)));
    if (workloads.length === 0) return [];
    const columns = storages.flatMap((storage) => [storage.name, ...columnsOf(storage)]);
    return [
      {
        head: ["", ...columns, "best library"],
        groups: workloads.map((workload) => ({
          name: workload.name,
          lines: groupOf(host, workload, storages),
        })),
      },
    ];
  });
}

function groupOf(host, workload, storages) {
  const unit = workload.unit ?? unitOf(workload, storages);
  const head = [`**${headingOf(workload)}**, ${unit.name} ${one(workload.piece)}`];
  const rows = workload.cells.map(({ label }, place) => {
    const best = fastest(host, workload, place, "library");
    return [
      label,
      ...storages.flatMap((storage) => {
        const cells = comparisonCells(unit, verdictOf(host, workload, place, storage));
        return cells.slice(0, 1 + columnsOf(storage).length);
      }),
      best === undefined ? "" : titleOf(host.contestants[best.contestant]),
    ];
  });
  return [head, ...rows];
}

/** Tables of the same storages have the same head. */
function mergedTables(old, fresh) {
  const headOf = ({ head }) => head.join();
  const known = merged(old, [], headOf);
  return merged(
    known,
    fresh.map((table) => {
      const before = known.find((one) => headOf(one) === headOf(table));
      return { head: table.head, groups: merged(before?.groups ?? [], table.groups) };
    }),
    headOf,
  );
}

function textOf({ head, groups }) {
  return tableOf(
    head,
    groups.flatMap(({ lines }) => lines),
  );
}

/** "W4 cascade" */
function headingOf({ number, name }) {
  return /^W\d/.test(number) ? `${number} ${name}` : name;
}

function unitOf(workload, storages) {
  const times = storages.flatMap(({ key }) => workload.cells.map((_, place) => timeOf(workload, key, place)));
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
