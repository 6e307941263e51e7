// Reads the numbers that the home page shows from the last results of benchmarks and from the budgets of sizes. A missing one throws.
import { readJson } from "../lib.mjs";

/** What is shown of one workload: how the home page names it, which of its cells, and by which contestant of ours. */
const SPEEDS = [
  [
    "a loop over 100,000 children of 50,000 parents, by columns",
    "iterate",
    { parents: 50_000, order: "random" },
  ],
  [
    "a loop over 100,000 children of 50,000 parents, by each",
    "iterate",
    { parents: 50_000, order: "random" },
    "treeline-each",
  ],
  ["world positions, parents first, in a 10-ary tree, by columns", "cascade", { tree: "a" }],
  ["world positions, parents first, in a 10-ary tree, by each", "cascade", { tree: "a" }, "treeline-each"],
  ["destroying that tree", "destroy", { tree: "a" }],
  ["finding an entity by a path of six names", "names", { operation: "path" }],
  ["a loop over the 100 children of one parent", "siblings", { parents: 1_000 }],
  ["spawning below 1,000 parents", "spawn", { parents: 1_000 }],
  ["moving to another parent", "reparent", { order: "shuffled" }],
  ["adding or removing a tag", "change", { operation: "tag" }],
  ["reading a component by its handle", "change", { operation: "get" }],
];

/** Programs of tooling/scripts/programs, as the home page names them. */
const SIZES = [
  ["components: spawn, get", "first"],
  ["with queries and each", "query"],
  ["with a tree and destroy", "tree"],
  ["with names and paths", "names"],
  ["with saving as JSON", "json"],
  ["a tree with 3D transforms", "transform3d"],
];

/** The default storage of parents, and what others are compared with. */
const OWN = "treeline-child-of";
const OTHER_STORAGE = "treeline-parent";

/** Who is in the picture: who keeps a table or an array for each parent first. */
const LINES = [
  { key: OWN, label: "Treeline", isOwn: true },
  { key: "treeline-each", label: "by each", isOwn: true, isDashed: true },
  { native: "childOf", label: "Flecs*", how: "a table for each parent", splits: true },
  { key: "tables", label: "hand-written", how: "an array for each parent", splits: true },
  { key: "koota", label: "koota" },
  { key: "miniplex", label: "miniplex" },
  { key: "bitecs", label: "bitECS" },
];

/** @returns what was found. @throws if nothing was: a page must not show an empty number. */
function found(value, what) {
  if (value === undefined) throw new Error(`home: ${what} is missing`);
  return value;
}

const isCell = (cell, wanted) => Object.entries(wanted).every(([name, value]) => cell[name] === value);

/** @returns the workload, and the place of the cell in its rows. */
function placeOf(results, name, wanted) {
  const workload = found(
    results.workloads.find((one) => one.name === name),
    `workload ${name} of ${results.host}`,
  );
  const place = workload.cells.findIndex((cell) => isCell(cell, wanted));
  return {
    workload,
    place: found(place < 0 ? undefined : place, `cell ${JSON.stringify(wanted)} of ${name}`),
  };
}

const MODES = ["isolated", "warmedUp"];

/** Nanoseconds in a process that did nothing else, or that also ran the other cells; undefined for what failed, or cannot do it. */
function timeIn({ workload, place }, contestant, mode = "warmedUp") {
  const cell = workload.rows[contestant]?.[place];
  const time = cell?.[mode] ?? cell?.isolated;
  return typeof time === "number" ? time : undefined;
}

/** The fastest contestant of a kind. */
function fastest(results, cell, kind, mode) {
  const times = Object.entries(results.contestants)
    .filter(([, one]) => one.kind === kind)
    .map(([key, { name, isHandKept = false }]) => ({
      name: name.replace(/ \d.*$/, ""),
      isHandKept,
      time: timeIn(cell, key, mode),
    }))
    .filter(({ time }) => time !== undefined)
    .sort((one, other) => one.time - other.time);
  return times[0];
}

/** In the mode in which Treeline stands worse beside the fastest library. */
function speedOf(results, [label, name, wanted, contestant = OWN]) {
  const cell = placeOf(results, name, wanted);
  const inMode = (mode) => ({
    own: found(timeIn(cell, contestant, mode), `Treeline in ${name}`),
    otherStorage: found(timeIn(cell, OTHER_STORAGE, mode), `Treeline with Parent in ${name}`),
    library: found(fastest(results, cell, "library", mode), `a library in ${name}`),
    byHand: fastest(results, cell, "hand", mode),
  });
  const [one, other] = MODES.map(inMode);
  const isWorse = one.own / one.library.time >= other.own / other.library.time;
  return { label, piece: cell.workload.piece, ...(isWorse ? one : other) };
}

/** What the same loop takes while its children have more and more parents. */
function costOf(results, native) {
  const workload = placeOf(results, "iterate", { parents: 1 }).workload;
  const parents = [...new Set(workload.cells.map((cell) => cell.parents))].sort((one, other) => one - other);
  const wanted = (count) => (count === 1 ? { parents: 1 } : { parents: count, order: "random" });
  const nativeTime = (storage, count) =>
    native.workloads.iterate.cells.find(({ cell }) => isCell(cell, wanted(count)))?.[storage];
  const timesOf = (contestant) =>
    parents.map((count) =>
      found(
        timeIn(placeOf(results, "iterate", wanted(count)), contestant),
        `${contestant} with ${count} parents`,
      ),
    );
  const lines = LINES.map(({ key, native: storage, ...line }) => ({
    ...line,
    times:
      storage === undefined
        ? timesOf(key)
        : parents.map((count) => found(nativeTime(storage, count), `Flecs with ${count} parents`)),
  }));
  const most = parents.at(-1);
  const flecs = native.workloads.iterate.cells.find(({ cell }) =>
    isCell(cell, { parents: most, order: "block" }),
  );
  return {
    parents,
    lines,
    compiled: timesOf("treeline-compiled"),
    /** The other storage of Flecs has no table for each parent. */
    flecsParent: found(flecs?.parent, `Flecs with Parent and ${most} parents`),
  };
}

/** @returns all that the home page shows, from results of a host, those of Flecs, and budgets of bundles. */
export function figuresOf(results, native, budgets) {
  const speeds = SPEEDS.map((row) => speedOf(results, row));
  const used = new Set(SPEEDS.map(([, name]) => name));
  const dates = results.workloads.filter(({ name }) => used.has(name)).map(({ date }) => date);
  return {
    host: found(results.host, "the host"),
    machine: found(results.machine, "the machine"),
    date: found(dates.sort().at(-1), "the date"),
    cost: costOf(results, native),
    speeds,
    sizes: SIZES.map(([label, program]) => ({
      label,
      program,
      bytes: found(budgets[program]?.esbuild, `the size of ${program}`),
    })),
  };
}

/** @returns the figures of the last results that the repository has. */
export function lastFigures() {
  return figuresOf(
    readJson("docs/benchmarks/node-24.json"),
    readJson("benchmarks/src/comparison/native.json"),
    readJson("tooling/scripts/size-budget.json"),
  );
}
