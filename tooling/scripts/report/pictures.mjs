// What the pictures show: rows, names and texts.

import { lineChart } from "./line-chart.mjs";
import { entrantsOf, labelOf, timeOf, workloadIn } from "./model.mjs";
import { panelChart } from "./panel-chart.mjs";
import { prose } from "./text.mjs";
import { STORAGES } from "./verdicts.mjs";

const NATIVE_NAMES = { childOf: "Flecs in C, ChildOf*", parent: "Flecs in C, Parent*" };

/** Without a version, and short enough for a place beside a picture. */
export function shortName({ name, kind, isHandKept }) {
  const plain = name.replace(/ \d+\.\d+\.\d+/, "");
  if (kind === "hand")
    return plain
      .replace(", ", ": ")
      .replace(/: (a|sorted) /, ": ")
      .replace("arrays for each", "by")
      .replace(" for each parent", "");
  return isHandKept ? `${cut(plain)} †` : cut(plain);
}

const cut = (text) => (text.length > 27 ? `${text.slice(0, 26)}…` : text);

const styledName = (host, key) => ({
  name: shortName(host.contestants[key]),
  kind: host.contestants[key].kind,
  isSecond: key === "treeline-parent",
});

/** All pictures of one host that are possible with its results: [{ name, workload, heading, alt, text, describe }]. */
export function picturesOf(host) {
  const panelled = PANELLED.map((one) => panelledIn(host, one));
  return [slowdown(host), ...panelled, frame(host)].filter((one) => one !== undefined);
}

const MARKS = "† parents and children in a hand-written list. \\* on another machine.";

function slowdown(host) {
  const workload = workloadIn(host, "iterate");
  const places = (workload?.cells ?? []).flatMap(({ cell }, place) =>
    cell.order === "block" ? [place] : [],
  );
  const parentsAt = (place) => workload.cells[place].cell.parents;
  if (places.length < 2 || parentsAt(places[0]) !== 1) return undefined;
  const lines = [
    ...entrantsOf(host, workload).map((key) => ({
      ...styledName(host, key),
      times: places.map((place) => timeOf(workload, key, place)),
      whys: places.map((place) => pieceOf(workload.rows.get(key)[place]?.isolated).text),
    })),
    ...STORAGES.map((storage) => ({
      name: NATIVE_NAMES[storage.native],
      kind: "native",
      times: places.map((place) => workload.cells[place].native[storage.native]),
    })),
  ].flatMap((line) => lineOf(line, places.map(parentsAt)));
  const slowdowns = lines.flatMap(({ points }) => points.map(([, y]) => y));
  const [least, most] = [Math.min(...slowdowns), Math.max(...slowdowns)];
  return {
    name: "iterate",
    workload: "iterate",
    heading: "What fragmentation costs",
    alt: `Slowdown of one loop over all children while their number of parents grows, in ${host.name}: a line for each contestant, relative to one parent`,
    text: prose(
      "The same 100,000 children, iterated by one loop, below more and more parents: how many times longer it takes than",
      `below one. A line ends early where the contestant failed. ${MARKS}`,
    ),
    describe: lineChart({
      title: `position += velocity, against the time for one parent (${host.name})`,
      xName: "parents of 100,000 children",
      lines,
      xTicks: places.map(parentsAt),
      yRange: [Math.min(0.5, least * 0.8), Math.max(10, most * 1.3)],
      yText: (value) => `${value.toLocaleString("en")} x`,
    }),
  };
}

/** Points up to the first cell without a time, and why there is none. */
function lineOf({ times, whys = [], ...line }, parents) {
  const end = times.includes(undefined) ? times.indexOf(undefined) : times.length;
  const points = times.slice(0, end).map((time, at) => [parents[at], time / times[0]]);
  return points.length === 0 ? [] : [{ ...line, points, note: whys[end] }];
}

/** Workloads whose cells are side by side. */
const PANELLED = [
  {
    name: "iterate-times",
    workload: "iterate",
    heading: "The same in nanoseconds",
    title: "Nanoseconds a child: position += velocity",
    alt: "Time for each of 100,000 children below more and more parents",
    text: "A contestant that is slow with one parent can lose little. One logarithmic scale for all; further left is faster.",
    shows: ({ order }) => order === "block",
  },
  {
    name: "cascade",
    workload: "cascade",
    heading: "What depth costs",
    title: "Nanoseconds a node: world = parent's world + local",
    alt: "Time for each node of five trees to get its world position from its parent's",
    text: "Every node's world position from its parent's, parents first, in five trees: (a) 10-ary, (b) binary, (c) 100 chains of 1,000, (c2) 1,000 chains of 100, (d) 100,000 below one root. One logarithmic scale for all; further left is faster.",
  },
  {
    name: "destroy",
    workload: "destroy",
    heading: "What a destroy costs",
    title: "Nanoseconds a node: the root is destroyed with all below it",
    alt: "Time for each node of five trees to be destroyed with its root",
    text: "The same five trees: their roots are destroyed with everything below them.",
  },
];
const TREE_HEADINGS = { a: "a: 10-ary", b: "b: binary", c: "c: long chains", c2: "c2: chains", d: "d: flat" };

function panelledIn(host, { name, workload: workloadName, heading, title, alt, text, shows = () => true }) {
  const workload = workloadIn(host, workloadName);
  const places = [...(workload?.cells.keys() ?? [])].filter((place) => shows(workload.cells[place].cell));
  if (places.length < 2) return undefined;
  return {
    name,
    workload: workloadName,
    heading,
    alt: `${alt}, in ${host.name}`,
    text: prose(text, MARKS),
    describe: panelChart({
      title: `${title} (${host.name})`,
      panels: places.map((place) => headingOf(workload.cells[place].cell)),
      rows: rowsOf(host, workload, places),
    }),
  };
}

function headingOf({ tree, parents }) {
  return tree === undefined ? labelOf({ parents }) : TREE_HEADINGS[tree];
}

function frame(host) {
  const workload = workloadIn(host, "frame");
  if (workload === undefined) return undefined;
  const milliseconds = (key, read) => {
    const outcome = workload.rows.get(key)[0]?.isolated;
    return outcome?.kind === "measured" ? { value: read(outcome) / 1e6 } : pieceOf(outcome);
  };
  const rows = entrantsOf(host, workload).map((key) => ({
    ...styledName(host, key),
    cells: [milliseconds(key, ({ time }) => time), milliseconds(key, ({ p99 }) => p99)],
  }));
  return {
    name: "frame",
    workload: "frame",
    heading: "How long a game frame takes",
    alt: `Milliseconds that a game frame takes, as the median and the 99th percentile, in ${host.name}`,
    text: prose(`A game frame: ${workload.does.replace(/^[^:]*: /, "")}. ${MARKS}`),
    describe: panelChart({
      title: `Milliseconds a game frame, ${workload.cells[0].label} (${host.name})`,
      panels: ["median", "99th percentile"],
      rows: inOrder(rows),
    }),
  };
}

const KINDS = ["hand", "ours", "library", "native"];

function rowsOf(host, workload, places) {
  const rows = entrantsOf(host, workload).map((key) => ({
    ...styledName(host, key),
    cells: places.map((place) => pieceOf(workload.rows.get(key)[place]?.isolated)),
  }));
  for (const storage of STORAGES) {
    const cells = places.map((place) => ({ value: workload.cells[place].native[storage.native] }));
    if (cells.some(({ value }) => value !== undefined)) {
      rows.push({ name: NATIVE_NAMES[storage.native], kind: "native", cells });
    }
  }
  return inOrder(rows);
}

function pieceOf(outcome) {
  if (outcome?.kind === "measured") return { value: outcome.time };
  if (outcome?.kind !== "failed") return {};
  return { text: outcome.why.length > 16 ? "failed" : outcome.why };
}

/** Kind by kind; within libraries the faster ones first, by the geometric mean, and those that failed last. */
export function inOrder(rows) {
  const levelOf = ({ cells }) => {
    const values = cells.map(({ value }) => value).filter((value) => value > 0);
    const sum = values.reduce((total, value) => total + Math.log(value), 0);
    return values.length < cells.length ? 1e3 + sum : sum / values.length;
  };
  return rows
    .map((row, at) => ({
      row,
      at,
      kind: KINDS.indexOf(row.kind),
      level: row.kind === "library" ? levelOf(row) : 0,
    }))
    .sort((one, other) => one.kind - other.kind || one.level - other.level || one.at - other.at)
    .map(({ row }) => row);
}

/** @param weights [{ name, kind, isSecond, cells: [{ value } | { text }] }] bytes a parent. */
export function memoryPicture({ host, panels, rows }) {
  return {
    name: "memory",
    workload: "memory",
    heading: "What a parent weighs",
    alt: `Bytes of memory that each further parent costs, in ${host.name}`,
    text: prose(
      "100,000 children below one parent, then below more: how many bytes each further parent adds, with its table where",
      `there are tables. ${MARKS}`,
    ),
    describe: panelChart({
      title: `Bytes for each further parent (${host.name})`,
      panels,
      rows: inOrder(rows),
    }),
  };
}
