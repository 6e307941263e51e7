// Reads benchmarks/results/ as data for pages and pictures: one host after another, with times per piece.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readJson, root } from "../lib.mjs";

export const native = readJson("benchmarks/src/comparison/native.json");

/** In this order on every page. */
export const HOSTS = ["node-24", "node-20", "chromium"];

/** Unknown ones come last. */
export const placeOf = (key) => (HOSTS.includes(key) ? HOSTS.indexOf(key) : HOSTS.length);

/** "Node 24.21.0" -> "node-24" */
export function keyOf(host) {
  return host
    .toLowerCase()
    .replace(/^(node) (\d+).*$|^(\w+).*$/, (_, node, major, word) =>
      node === undefined ? word : `${node}-${major}`,
    );
}

const WORDS = {
  block: "parent by parent",
  random: "in random order",
  creation: "in order of creation",
  shuffled: "in shuffled order",
  tag: "tag on and off",
  component: "component on and off",
  pair: "component of two fields on and off",
  get: "read",
  put: "write one field",
  set: "write",
  same: "parts of one kind",
  distinct: "parts of ten kinds",
  path: "find by path",
  child: "find a child by name",
  write: "write the path",
  parent: "find the parent",
  none: "all of them",
  tenth: "without every tenth",
  spawned: "spawned with names",
  existing: "named later",
  few: "1,000 at once",
};
const TREES = {
  a: "a: 10-ary",
  b: "b: binary",
  c: "c: 100 chains of 1,000",
  c2: "c2: 1,000 chains of 100",
  d: "d: 100,000 under one",
  leaves: "10,000 leaves at once",
};

/** The label of a cell: { parents: 1, order: "block" } is "1 parent, parent by parent". */
export function labelOf(cell) {
  const entries = Object.entries(cell).filter(([name]) => name !== "order" || cell.parents !== 1);
  const parts = entries.map(([name, value]) => {
    if (name === "tree") return TREES[value] ?? value;
    if (typeof value !== "number") return WORDS[value] ?? value;
    if (value === 0) return `no ${name}`;
    return `${value.toLocaleString("en")} ${value === 1 ? singular(name) : name}`;
  });
  return parts.join(", ") || "everything";
}

function singular(name) {
  return name.replace(/ies$/, "y").replace(/s$/, "");
}

const sameCell = (one, other) => JSON.stringify(one) === JSON.stringify(other);

/** Nanoseconds a piece, or why there are none. */
function outcomeOf(outcome, pieces) {
  if (outcome.kind !== "measured") return outcome;
  const { median, p99, garbage } = outcome;
  return { kind: "measured", time: (median * 1e6) / pieces, p99: (p99 * 1e6) / pieces, garbage };
}

/** Results of older versions have other names. */
const OLD_WORKLOADS = { ask: "query" };
const withNewKeys = ({ asked, ...cell }) => (asked === undefined ? cell : { operation: asked, ...cell });

/** @returns cells, and contestant -> its outcomes, cell by cell; a contestant that can do no cell is left out. */
function workloadOf(name, record, host) {
  const isQuick = record.isQuick ?? host.isQuick;
  const known = isQuick ? [] : (native.workloads[name]?.cells ?? []); // quick runs have fewer entities
  const rows = new Map();
  for (const { contestant, place, ...outcomes } of record.results) {
    const { isolated = outcomes.alone, warmedUp = outcomes.seasoned } = outcomes;
    const pieces = record.pieces[place];
    const row = rows.get(contestant) ?? rows.set(contestant, []).get(contestant);
    row[place] = {
      isolated: outcomeOf(isolated, pieces),
      warmedUp: outcomeOf(warmedUp, pieces),
      garbage: isolated.garbage,
    };
  }
  for (const [contestant, row] of rows) {
    if (row.every(({ isolated }) => isolated.kind === "cannot")) rows.delete(contestant);
  }
  return {
    name,
    number: record.number,
    does: record.does,
    piece: record.piece,
    question: record.question,
    date: record.date ?? host.date,
    commit: record.commit,
    isBusy: record.isBusy,
    isQuick,
    cells: record.cells.map(withNewKeys).map((cell) => ({
      cell,
      label: labelOf(cell),
      native: known.find((one) => sameCell(one.cell, cell)) ?? {},
    })),
    rows,
  };
}

/** The results in a folder, not below it, whose file names begin with `start`; by name. */
export function recordsIn(folder, start) {
  const path = resolve(root, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.startsWith(start) && name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(readFileSync(join(path, name), "utf8")));
}

/** Many checkouts have files in an older form. */
function isKnownForm({ workloads }) {
  return Object.values(workloads).every(({ pieces }) => pieces !== undefined);
}

/** All hosts that have results; of two files for one host the one with the newer version counts. */
export function hostsIn(folder) {
  const hosts = new Map();
  for (const record of recordsIn(folder, "comparison-").filter(isKnownForm)) {
    const key = keyOf(record.host);
    const other = hosts.get(key);
    if (other !== undefined && other.name.localeCompare(record.host, "en", { numeric: true }) > 0) continue;
    hosts.set(key, {
      key,
      name: record.host,
      machine: record.machine,
      clock: record.clock,
      contestants: record.contestants,
      workloads: Object.entries(record.workloads)
        .filter(([name]) => record.workloads[OLD_WORKLOADS[name]] === undefined)
        .map(([name, one]) => workloadOf(OLD_WORKLOADS[name] ?? name, one, record)),
    });
  }
  return [...hosts.values()].sort((one, other) => placeOf(one.key) - placeOf(other.key));
}

export const workloadIn = (host, name) => host.workloads.find((one) => one.name === name);

/** @returns nanoseconds a piece, if they were measured. */
export function timeOf(workload, contestant, place, mode = "isolated") {
  const outcome = workload.rows.get(contestant)?.[place]?.[mode];
  return outcome?.kind === "measured" ? outcome.time : undefined;
}

/** Keys of the contestants that have results for a workload, of one kind or of all. */
export function entrantsOf(host, workload, kind) {
  return [...workload.rows.keys()].filter((key) => kind === undefined || host.contestants[key].kind === kind);
}

/** The days on which some workloads were measured, first and last. */
export function periodOf(workloads) {
  const days = workloads.map(({ date }) => date).sort();
  return days[0] === days.at(-1) ? days[0] : `${days[0]} to ${days.at(-1)}`;
}
