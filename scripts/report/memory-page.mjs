// The page about memory: worlds of the same children below more and more parents, names, growth, and the slowest
// single spawn while a large archetype grows.
import { titleOf } from "./host-page.mjs";
import { native, recordsIn } from "./model.mjs";
import { memoryPicture, shortName } from "./pictures.mjs";
import { bytes, picture, prose, reason, short, tableOf, whole } from "./text.mjs";
import { STORAGES } from "./verdicts.mjs";

/**
 * Sets `weighed`, in the form of a workload, on each host of the comparison that has memory results.
 *
 * @returns for each of these: { host, record, pictures }
 */
export function memoryIn(folder, hosts) {
  const records = recordsIn(folder, "memory-");
  return hosts.flatMap((host) => {
    const record = records.findLast((one) => one.host === host.name);
    if (record === undefined) return [];
    const { layouts } = record;
    host.weighed = layouts === undefined ? [] : [asWorkload(layouts)];
    return [{ host, record, pictures: layouts === undefined ? [] : [pictureOf(host, layouts)] }];
  });
}

export function memoryPage(weighings, pictures) {
  const parts = [
    "# Memory",
    prose(
      "Memory in use, without temporary garbage: each measurement is a separate process. † has parents and children in",
      `a hand-written list. ${native.name} was measured on another machine: ${native.memory.way}.`,
    ),
    ...weighings.flatMap(({ host, record }) => [
      `## ${host.name}`,
      `${record.machine}.`,
      ...pictures
        .filter((one) => one.host === host && one.name === "memory")
        .map(({ file, alt }) => picture(file, alt)),
      ...[layoutsPart, namesPart, growthPart, growPart].flatMap((part) => part(host, record)),
    ]),
    "[All hosts and the summary](README.md)",
  ];
  return `${parts.join("\n\n")}\n`;
}

const nameOf = (host, key) => (host.contestants[key] === undefined ? key : titleOf(host.contestants[key]));

function measuredOn({ date, isQuick, note = "" }, name = "memory") {
  const quick = isQuick ? ["**A quick run: not to be quoted.**"] : [];
  return prose(
    note,
    `Measured on ${date}; again with \`npm run bench -- comparison ${name}\`.`,
    ...quick,
  ).trim();
}

function wordsFor(outcome, write) {
  if (outcome === undefined || outcome.kind === "cannot") return "";
  return outcome.kind === "failed" ? reason(outcome.why) : write(outcome);
}

const observedIn = (layouts, contestant, place) =>
  layouts.results.find((one) => one.contestant === contestant && one.place === place)?.outcome;

const contestantsIn = ({ results }) => {
  const keys = [...new Set(results.map(({ contestant }) => contestant))];
  return keys.filter((key) => results.some((one) => one.contestant === key && one.outcome.kind !== "cannot"));
};

/** With bytes in place of nanoseconds. */
function asWorkload(layouts) {
  const { cells, children, date, isQuick } = layouts;
  const rows = contestantsIn(layouts).map((key) => [
    key,
    cells.map((_, place) => {
      const outcome = observedIn(layouts, key, place) ?? { kind: "cannot" };
      const isolated =
        outcome.kind === "weighed" ? { kind: "measured", time: outcome.held / children } : outcome;
      return { isolated, warmedUp: isolated };
    }),
  ]);
  return {
    name: "memory",
    number: "W10",
    piece: "child",
    unit: { name: "bytes", of: short },
    date,
    isQuick,
    cells: cells.map((cell, place) => ({
      cell,
      label: labelOf(cell),
      native: nativeAt(native.memory.perChild, layouts, place) ?? {},
    })),
    rows: new Map(rows),
  };
}

/** What each parent after the first adds, with its table. */
function perParent(layouts, contestant, place) {
  const { parents, queries } = layouts.cells[place];
  const single = layouts.cells.findIndex((one) => one.parents === 1 && one.queries === queries);
  const [base, one] = [observedIn(layouts, contestant, single), observedIn(layouts, contestant, place)];
  if (one?.kind !== "weighed" || base?.kind !== "weighed") return one?.kind === "weighed" ? base : one;
  return { kind: "weighed", held: (one.held - base.held) / (parents - 1) };
}

const placesWith = (layouts, fits) => [...layouts.cells.keys()].filter((place) => fits(layouts.cells[place]));

const labelOf = ({ parents, queries }) =>
  `${parents.toLocaleString("en")} ${parents === 1 ? "parent" : "parents"}${queries === 0 ? "" : `, ${queries} ${queries === 1 ? "query" : "queries"}`}`;

/** Quick runs have fewer children. */
function nativeAt(list, { isQuick, cells }, place) {
  const { parents, queries } = cells[place];
  return isQuick ? undefined : list.find(({ cell }) => cell.parents === parents && cell.queries === queries);
}

function layoutsPart(host, { layouts }) {
  if (layouts === undefined) return [];
  const keys = contestantsIn(layouts);
  const table = (first, places, weigh, known, write) => {
    const lines = keys.map((key) => [
      nameOf(host, key),
      ...places.map((place) => wordsFor(weigh(key, place), ({ held }) => write(held))),
    ]);
    const natives = STORAGES.map((storage) => [
      `_${native.name}, ${storage.name}_`,
      ...places.map((place) => nativeText(nativeAt(known, layouts, place)?.[storage.native])),
    ]).filter(([, ...texts]) => texts.some((text) => text !== ""));
    return tableOf([first, ...places.map((place) => labelOf(layouts.cells[place]))], [...lines, ...natives]);
  };
  const perChild = (key, place) => {
    const outcome = observedIn(layouts, key, place);
    return outcome?.kind === "weighed" ? { ...outcome, held: outcome.held / layouts.children } : outcome;
  };
  const all = placesWith(layouts, () => true);
  const several = placesWith(layouts, ({ parents }) => parents > 1);
  return [
    `### ${layouts.children.toLocaleString("en")} children below so many parents`,
    measuredOn(layouts),
    table("bytes a child", all, perChild, native.memory.perChild, short),
    table(
      "bytes for each further parent",
      several,
      (key, place) => perParent(layouts, key, place),
      native.memory.perParent,
      whole,
    ),
  ];
}

const nativeText = (weight) => (weight === undefined ? "" : `_${whole(weight)}_`);

/** A table with one row for each contestant. */
function listPart(host, part, { name = "memory", heading, head, lineOf }) {
  const lines = part.results
    .filter(({ outcome }) => outcome.kind !== "cannot")
    .map(({ contestant, outcome }) => [
      nameOf(host, contestant),
      ...(outcome.kind === "failed" ? [reason(outcome.why)] : lineOf(outcome)),
    ]);
  return [`### ${heading}`, measuredOn(part, name), tableOf(["", ...head], lines)];
}

function namesPart(host, { names }) {
  if (names === undefined) return [];
  return listPart(host, names, {
    heading: `${whole(names.names)} different names`,
    head: ["bytes a name"],
    lineOf: ({ held }) => [short(held)],
  });
}

function growthPart(host, { growth }) {
  if (growth === undefined) return [];
  return listPart(host, growth, {
    heading: "Growth over cycles of creating and destroying",
    head: ["after", "held more", "and after", "held more", "bytes a cycle between"],
    lineOf: ({ firstCycles, first, lastCycles, last }) => [
      `${whole(firstCycles)} cycles`,
      signed(first.held),
      `${whole(lastCycles)} cycles`,
      signed(last.held),
      lastCycles > firstCycles ? ((last.held - first.held) / (lastCycles - firstCycles)).toFixed(2) : "",
    ],
  });
}

const signed = (weight) => (weight < 0 ? `-${bytes(-weight)}` : bytes(weight));

function growPart(host, { grow }) {
  if (grow === undefined) return [];
  return listPart(host, grow, {
    name: "grow",
    heading: `The slowest single spawn of ${whole(grow.entities)}`,
    head: ["slowest, ms", "at entity", "99.99th percentile, µs", "mean, ns"],
    lineOf: ({ worst, worstAt, high, mean }) => [
      short(worst),
      whole(worstAt),
      short(high * 1e3),
      short(mean * 1e6),
    ],
  });
}

function pictureOf(host, layouts) {
  const places = placesWith(layouts, ({ parents, queries }) => parents > 1 && queries === 0);
  const rows = contestantsIn(layouts).map((key) => ({
    name: shortName(host.contestants[key] ?? { name: key }),
    kind: host.contestants[key]?.kind ?? "library",
    isSecond: key === "treeline-parent",
    cells: places.map((place) => weightOf(perParent(layouts, key, place))),
  }));
  for (const storage of STORAGES) {
    const cells = places.map((place) => ({
      value: nativeAt(native.memory.perParent, layouts, place)?.[storage.native],
    }));
    if (cells.some(({ value }) => value !== undefined)) {
      rows.push({ name: `Flecs in C, ${storage.name}*`, kind: "native", cells });
    }
  }
  const panels = places.map((place) => labelOf(layouts.cells[place]));
  return memoryPicture({ host, panels, rows });
}

/** Zero or a negative number cannot be shown on a logarithmic axis. */
function weightOf(outcome) {
  if (outcome?.kind === "weighed")
    return outcome.held >= 1 ? { value: outcome.held } : { text: "under 1 byte" };
  return outcome?.kind === "failed" ? { text: "failed" } : {};
}
