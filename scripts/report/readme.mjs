// The performance table of the project's README, between two marks, from the results of one host.
import { native, timeOf, workloadIn } from "./model.mjs";
import { prose, tableOf } from "./text.mjs";
import { fastest, STORAGES } from "./verdicts.mjs";

const BEGIN = "<!-- how fast: `npm run bench -- report` writes this -->";
const END = "<!-- how fast: end -->";

/** The label of a row, its workload, and which cell of it. */
const ROWS = [
  ["one loop over 100,000 children of one parent", "iterate", { parents: 1 }],
  ["the same, 50,000 parents in random order", "iterate", { parents: 50_000, order: "random" }],
  ["children of one parent after another", "siblings", {}],
  ["world positions, 10-ary tree", "cascade", { tree: "a" }],
  ["world positions, binary tree", "cascade", { tree: "b" }],
  ["world positions, chains of 1,000", "cascade", { tree: "c" }],
  ["spawn below 1,000 parents", "spawn", { parents: 1_000 }],
  ["reparent among 1,000 parents, shuffled", "reparent", { order: "shuffled" }],
  ["destroy a 10-ary tree, a node", "destroy", { tree: "a" }],
  ["destroy chains of 1,000, a node", "destroy", { tree: "c" }],
  ["a tag on or off", "change", { operation: "tag" }],
  ["write a value by handle", "change", { operation: "set" }],
  ["a path of six steps", "names", { operation: "path" }],
  ["parent, child, destroy; 50 queries", "churn", { queries: 50 }],
  ["a query over 50,000 parents", "query", { parents: 50_000 }],
  ["a new parent beside 50,000; 50 queries", "renew", { queries: 50 }],
  ["a copy of a template, an entity", "instances", { parts: "same" }],
  ["a copy, parts of different kinds", "instances", { parts: "distinct" }],
  ["a game frame, 48,000 nodes, 1 % changes, in µs", "frame", {}],
];

const HEAD = [
  "nanoseconds a piece",
  "Treeline, ChildOf",
  "Treeline, Parent",
  "best library",
  "hand-written",
  "Flecs in C",
];

const isCell = (cell, wanted) => Object.entries(wanted).every(([name, value]) => cell[name] === value);

/** Three digits. */
function digits(time) {
  return time >= 100 ? Math.round(time).toLocaleString("en") : String(Number(time.toPrecision(3)));
}

/** Two numbers if they differ by a tenth: isolated, and warmed up. */
function pairOf(isolated, warmedUp, unit) {
  if (isolated === undefined) return "";
  const one = digits(isolated / unit);
  if (warmedUp === undefined || Math.abs(warmedUp / isolated - 1) < 0.1) return one;
  return `${one} / ${digits(warmedUp / unit)}`;
}

function timesOf(workload, contestant, place, unit) {
  const [isolated, warmedUp] = ["isolated", "warmedUp"].map((mode) =>
    timeOf(workload, contestant, place, mode),
  );
  return pairOf(isolated, warmedUp, unit);
}

function nativeOf({ native: figures }, unit) {
  const times = STORAGES.map(({ native: storage }) => figures[storage]);
  if (times.every((time) => time === undefined)) return "";
  return times.map((time) => (time === undefined ? "-" : digits(time / unit))).join(" / ");
}

function lineOf(host, [label, name, wanted]) {
  const workload = workloadIn(host, name);
  const place = workload?.cells.findIndex(({ cell }) => isCell(cell, wanted)) ?? -1;
  if (place < 0) return undefined;
  const unit = name === "frame" ? 1e3 : 1;
  const best = fastest(host, workload, place, "library");
  const byHand = fastest(host, workload, place, "hand");
  const bestName = best && host.contestants[best.contestant].name.replace(/ \d.*$/, "");
  return [
    label,
    ...STORAGES.map(({ key }) => timesOf(workload, key, place, unit)),
    best ? `${timesOf(workload, best.contestant, place, unit)} ${bestName}` : "",
    byHand ? digits(byHand.time / unit) : "",
    nativeOf(workload.cells[place], unit),
  ];
}

/** @returns the README with a new table, or `undefined` if it has no marks, or the host does not have all rows. */
export function withSpeed(readme, host) {
  const begin = readme.indexOf(BEGIN);
  const end = readme.indexOf(END);
  const lines = ROWS.map((row) => lineOf(host, row));
  const isQuick = host.workloads.some((workload) => workload.isQuick);
  if (begin < 0 || end < begin || isQuick || lines.includes(undefined)) return undefined;
  const dates = ROWS.map(([, name]) => workloadIn(host, name).date).sort();
  const days = [...new Set([dates[0], dates.at(-1)])].join(" to ");
  const text = prose(
    `Measured on ${days} with ${host.name} (${host.machine}). ${native.name} was measured separately, on another machine, in`,
    "its two storages.",
  );
  return `${readme.slice(0, begin)}${BEGIN}\n\n${text}\n\n${tableOf(HEAD, lines)}\n\n${readme.slice(end)}`;
}
