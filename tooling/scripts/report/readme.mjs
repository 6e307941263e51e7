// The performance table of the project's README, between two marks, from the results of one host.
import { native, timeOf, workloadIn } from "./model.mjs";
import { prose, tableOf } from "./text.mjs";
import { fastest, GROUPS, STORAGES } from "./verdicts.mjs";

const BEGIN = "<!-- how fast: `npm run bench -- report` writes this -->";
const END = "<!-- how fast: end -->";

/** The label of a row, its workload, and which cell of it: rows that Treeline wins, and rows that it loses. */
const ROWS = [
  ["a loop over 100,000 children of one parent", "iterate", { parents: 1 }],
  ["the same, 50,000 parents in random order", "iterate", { parents: 50_000, order: "random" }],
  ["world positions, 10-ary tree", "cascade", { tree: "a" }],
  ["world positions, chains of 1,000", "cascade", { tree: "c" }],
  ["spawn below 1,000 parents", "spawn", { parents: 1_000 }],
  ["reparent among 1,000 parents, shuffled", "reparent", { order: "shuffled" }],
  ["destroy a 10-ary tree, a node", "destroy", { tree: "a" }],
  ["a path of six steps", "names", { operation: "path" }],
];

const HEAD = [
  "nanoseconds a piece",
  "Treeline, ChildOf",
  "Treeline, Parent",
  "best library",
  "unchecked",
  "hand-written",
  "Flecs in C",
];

const isCell = (cell, wanted) => Object.entries(wanted).every(([name, value]) => cell[name] === value);

/** Three digits. */
function digits(time) {
  return time >= 100 ? Math.round(time).toLocaleString("en") : String(Number(time.toPrecision(3)));
}

/** The time in a process that ran the other cells first, or else in one that did nothing else; empty without either. */
function timeIn(workload, contestant, place) {
  const [warmedUp, isolated] = ["warmedUp", "isolated"].map((mode) =>
    timeOf(workload, contestant, place, mode),
  );
  const time = warmedUp ?? isolated;
  return time === undefined ? "" : digits(time);
}

/** In the faster of its storages. */
function nativeOf({ native: figures }) {
  const times = STORAGES.map(({ native: storage }) => figures[storage]).filter((time) => time !== undefined);
  return times.length === 0 ? "" : digits(Math.min(...times));
}

function lineOf(host, [label, name, wanted]) {
  const workload = workloadIn(host, name);
  const place = workload?.cells.findIndex(({ cell }) => isCell(cell, wanted)) ?? -1;
  if (place < 0) return undefined;
  const byHand = fastest(host, workload, place, "hand");
  const libraries = Object.values(GROUPS).map((group) => {
    const best = fastest(host, workload, place, "library", { group });
    if (best === undefined) return "";
    const name = host.contestants[best.contestant].name.replace(/ \d.*$/, "");
    return `${timeIn(workload, best.contestant, place)} ${name}`;
  });
  return [
    label,
    ...STORAGES.map(({ key }) => timeIn(workload, key, place)),
    ...libraries,
    byHand ? timeIn(workload, byHand.contestant, place) : "",
    nativeOf(workload.cells[place]),
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
    'the faster of its two storages. "Unchecked" is the fastest of piecs, wolf-ecs and elics, which check no handle.',
  );
  return `${readme.slice(0, begin)}${BEGIN}\n\n${text}\n\n${tableOf(HEAD, lines)}\n\n${readme.slice(end)}`;
}
