// Memory in the form of workloads, with bytes in the place of nanoseconds: children below more and more parents, names, growth, and one
// more component; and the slowest single spawn while an archetype grows.
import { native } from "./model.mjs";
import { memoryPicture, shortName } from "./pictures.mjs";
import { short, whole } from "./text.mjs";
import { STORAGES } from "./verdicts.mjs";

const isWeighed = (outcome) => outcome?.kind === "weighed" || outcome?.kind === "timed";

const outcomeIn = ({ results }, contestant, place) =>
  results.find((one) => one.contestant === contestant && (one.place ?? 0) === place)?.outcome;

const BYTES = { name: "bytes", of: short };

/**
 * A part of the memory data as a workload.
 *
 * @param weigh what counts of an outcome, and of that of the first cell.
 */
function asWorkload(part, { name, number, does, piece, unit = BYTES, cells, weigh }) {
  const keys = [...new Set(part.results.map(({ contestant }) => contestant))];
  const rowOf = (key) =>
    cells.map((_, place) => {
      const outcome = outcomeIn(part, key, part.results[0].place === undefined ? 0 : place);
      const isolated = isWeighed(outcome)
        ? { kind: "measured", time: weigh(outcome, place, outcomeIn(part, key, 0)) }
        : (outcome ?? { kind: "cannot" });
      return { isolated, warmedUp: isolated };
    });
  const { date, commit, machine, isQuick } = part;
  return {
    ...{ name, number, does, piece, unit, date, commit, machine, isQuick },
    cells: cells.map(({ label, native: known = {} }) => ({ label, native: known })),
    rows: new Map(keys.map((key) => [key, rowOf(key)])),
  };
}

const parentsLabel = ({ parents, queries }) =>
  `${whole(parents)} ${parents === 1 ? "parent" : "parents"}${queries === 0 ? "" : `, ${queries} queries`}`;

/** Quick runs have fewer children. */
function nativeAt(list, { isQuick }, { parents, queries }) {
  return isQuick ? undefined : list.find(({ cell }) => cell.parents === parents && cell.queries === queries);
}

function layoutsOf(layouts) {
  return asWorkload(layouts, {
    name: "memory",
    number: "W10",
    does: `worlds of ${whole(layouts.children)} children with two components below so many parents: heap and array buffers after collecting garbage, minus those before, the lowest of three processes; with what a program must keep beside the library`,
    piece: "child",
    cells: layouts.cells.map((cell) => ({
      label: parentsLabel(cell),
      native: nativeAt(native.memory.perChild, layouts, cell) ?? {},
    })),
    weigh: ({ held }) => held / layouts.children,
  });
}

const extraLabel = ({ extra, every }) =>
  extra === "nothing" ? "neither" : `${extra}, ${every === 1 ? "all have it" : `one in ${every} has it`}`;

function storagesOf(storages) {
  const { roots } = storages.cells[0];
  return asWorkload(storages, {
    name: "storages",
    number: "memory",
    does: `${whole(roots)} roots with two components, and what each more costs: the difference for each of all roots`,
    piece: "root",
    cells: storages.cells.map((cell) => ({ label: extraLabel(cell) })),
    weigh: ({ held }, place, base) => (held - (place === 0 ? 0 : base.held)) / roots,
  });
}

function namesOf(names) {
  return asWorkload(names, {
    name: "memory of names",
    number: "memory",
    does: `${whole(names.names)} roots with different names, minus such roots without; the texts themselves are not counted`,
    piece: "name",
    cells: [{ label: "different names" }],
    weigh: ({ held }) => held,
  });
}

function growthOf(growth) {
  return asWorkload(growth, {
    name: "growth",
    number: "memory",
    does: "a parent and its child come and go, up to a million times in one world: what is left, a cycle; engines drop code that was not used for a while, which shows as less than nothing",
    piece: "cycle",
    unit: { name: "bytes", of: (bytes) => bytes.toFixed(2) },
    cells: [{ label: "after the first cycles" }],
    weigh: ({ firstCycles, first, lastCycles, last }) =>
      lastCycles > firstCycles ? (last.held - first.held) / (lastCycles - firstCycles) : Number.NaN,
  });
}

function slowestOf(grow) {
  return asWorkload(grow, {
    name: "grow",
    number: "spawns",
    does: `${whole(grow.entities)} roots with two components, spawned one by one in a fresh process, by wall time: the slowest, of the three runs in which it is the fastest`,
    piece: "spawn",
    unit: { name: "ns", of: whole },
    cells: [{ label: "the slowest" }, { label: "99.99th percentile" }, { label: "mean" }],
    weigh: ({ worst, high, mean }, place) => [worst, high, mean][place] * 1e6,
  });
}

/** The parts that a host has, as workloads. */
export function memoryOf({ memory: { layouts, storages, names, growth, grow } }) {
  return [
    ...(layouts === undefined ? [] : [layoutsOf(layouts)]),
    ...(storages === undefined ? [] : [storagesOf(storages)]),
    ...(names === undefined ? [] : [namesOf(names)]),
    ...(growth === undefined ? [] : [growthOf(growth)]),
    ...(grow === undefined ? [] : [slowestOf(grow)]),
  ];
}

/** What each parent after the first adds, with its table. */
function perParent(layouts, contestant, place) {
  const { parents, queries } = layouts.cells[place];
  const single = layouts.cells.findIndex((one) => one.parents === 1 && one.queries === queries);
  const [base, one] = [outcomeIn(layouts, contestant, single), outcomeIn(layouts, contestant, place)];
  if (!isWeighed(one) || !isWeighed(base)) return isWeighed(one) ? base : one;
  return { kind: "weighed", held: (one.held - base.held) / (parents - 1) };
}

/** Zero or a negative number cannot be shown on a logarithmic axis. */
function weightOf(outcome) {
  if (isWeighed(outcome)) return outcome.held >= 1 ? { value: outcome.held } : { text: "under 1 byte" };
  return outcome?.kind === "failed" ? { text: "failed" } : {};
}

/** The picture of what parents weigh, if that was measured. */
export function memoryPicturesOf(host) {
  const { layouts } = host.memory;
  if (layouts === undefined) return [];
  const places = [...layouts.cells.keys()].filter(
    (place) => layouts.cells[place].parents > 1 && layouts.cells[place].queries === 0,
  );
  const rows = [...layoutsOf(layouts).rows.keys()].map((key) => ({
    name: shortName(host.contestants[key]),
    kind: host.contestants[key].kind,
    isSecond: key === "treeline-parent",
    cells: places.map((place) => weightOf(perParent(layouts, key, place))),
  }));
  for (const storage of STORAGES) {
    const cells = places.map((place) => ({
      value: nativeAt(native.memory.perParent, layouts, layouts.cells[place])?.[storage.native],
    }));
    if (cells.some(({ value }) => value !== undefined)) {
      rows.push({ name: `Flecs in C, ${storage.name}*`, kind: "native", cells });
    }
  }
  return [memoryPicture({ host, panels: places.map((place) => parentsLabel(layouts.cells[place])), rows })];
}
