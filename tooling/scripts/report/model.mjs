// The data of a host as pages and pictures read it: labels, times per piece by contestant and cell, and figures of native Flecs.
import { readJson } from "../lib.mjs";

export const native = readJson("benchmarks/src/comparison/native.json");

/** In this order on every page. */
const HOSTS = ["node-24", "node-20", "chromium"];

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

const isTime = (value) => typeof value === "number";

/** { kind: "measured", time, .. }, { kind: "failed", why } or { kind: "cannot" } */
function outcomeOf(value, further = {}) {
  if (value === undefined || value === null) return { kind: "cannot" };
  return isTime(value) ? { kind: "measured", time: value, ...further } : { kind: "failed", why: value };
}

function resultOf(cell) {
  if (cell === null) return { isolated: outcomeOf(), warmedUp: outcomeOf() };
  const { isolated, warmedUp = isolated, p99, garbage } = cell;
  return { isolated: outcomeOf(isolated, { p99, garbage }), warmedUp: outcomeOf(warmedUp) };
}

/** A workload of the data, with the figures of native Flecs, and its rows as contestant -> outcomes, cell by cell. */
function workloadOf(workload) {
  const known = workload.isQuick ? [] : (native.workloads[workload.name]?.cells ?? []); // quick runs have fewer entities
  return {
    ...workload,
    cells: workload.cells.map((cell) => ({
      cell,
      label: labelOf(cell),
      native: known.find((one) => sameCell(one.cell, cell)) ?? {},
    })),
    rows: new Map(Object.entries(workload.rows).map(([key, cells]) => [key, cells.map(resultOf)])),
  };
}

/** The data of a host, as pages and pictures read it. */
export function modelOf({ host, workloads, ...rest }) {
  return { ...rest, key: keyOf(host), name: host, workloads: workloads.map(workloadOf) };
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
