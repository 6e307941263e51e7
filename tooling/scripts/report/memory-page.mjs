// The page about memory: worlds of the same children below more and more parents, names, growth, and the slowest
// single spawn while a large archetype grows.
import { momentOf, titleOf } from "./host-page.mjs";
import { merged } from "./kept.mjs";
import { keyOf, native, placeOf, recordsIn } from "./model.mjs";
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

/** @param kept what `keptMemory` has read: parts and hosts without results stay as they are there. */
export function memoryPage(weighings, pictures, kept) {
  const fresh = weighings.map(({ host, record: given }) => {
    const before = kept.get(host.name);
    const isIntroKept = given.layouts === undefined && before !== undefined;
    const record = isIntroKept && !before.intro.startsWith(`${given.machine}.`) ? withMachine(given) : given;
    const parts = [layoutsPart, storagesPart, namesPart, growthPart, growPart]
      .flatMap((part) => part(host, record))
      .reduce(intoParts, []);
    const intro = [
      `${record.machine}.`,
      ...pictures
        .filter((one) => one.host === host && one.name === "memory")
        .map(({ file, alt }) => picture(file, alt)),
    ];
    const old = before?.parts ?? [];
    return {
      name: host.name,
      intro: isIntroKept ? before.intro : intro.join("\n\n"),
      parts: merged(old, parts, ({ heading }) => heading),
    };
  });
  const keys = fresh.map(({ name }) => keyOf(name));
  const stay = [...kept]
    .filter(([name]) => !keys.includes(keyOf(name)))
    .map(([name, one]) => ({ name, ...one }));
  const all = [...stay, ...fresh].sort((one, other) => placeOf(keyOf(one.name)) - placeOf(keyOf(other.name)));
  const parts = [
    "# Memory",
    prose(
      "Memory in use, without temporary garbage: each measurement is a separate process. † has parents and children in",
      `a hand-written list. ${native.name} was measured on another machine: ${native.memory.way}.`,
    ),
    ...all.flatMap(({ name, intro, parts: some }) => [
      `## ${name}`,
      intro,
      ...some.map(({ heading, text }) => `### ${heading}\n\n${text}`),
    ]),
    "[All hosts and the summary](README.md)",
  ];
  return `${parts.join("\n\n")}\n`;
}

/** Says of each part where it was measured. */
function withMachine(record) {
  const named = ["layouts", "names", "storages", "growth", "grow"]
    .filter((name) => record[name] !== undefined)
    .map((name) => [name, { ...record[name], machine: [record.machine] }]);
  return { ...record, ...Object.fromEntries(named) };
}

/** Collects blocks of text below their headings. */
function intoParts(parts, block) {
  if (block.startsWith("### ")) return [...parts, { heading: block.slice(4), text: "" }];
  const { heading, text } = parts.at(-1);
  return [...parts.slice(0, -1), { heading, text: text === "" ? block : `${text}\n\n${block}` }];
}

const nameOf = (host, key) => (host.contestants[key] === undefined ? key : titleOf(host.contestants[key]));

function measuredOn({ date, commit, machine, isQuick, note = "" }, name = "memory") {
  const quick = isQuick ? ["**A quick run: not to be quoted.**"] : [];
  return prose(
    note,
    `Measured on ${momentOf({ date, commit }, machine)}; again with \`npm run bench -- comparison ${name}\`.`,
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

/** Bytes of an entity without the extra, and how many more with it, for each of all entities. */
function storagesPart(host, { storages }) {
  if (storages === undefined) return [];
  const { cells } = storages;
  const weightOfExtra = (key, place) => {
    const [base, one] = [observedIn(storages, key, 0), observedIn(storages, key, place)];
    if (one?.kind !== "weighed" || base?.kind !== "weighed") return one?.kind === "weighed" ? base : one;
    return { kind: "weighed", held: (one.held - (place === 0 ? 0 : base.held)) / cells[place].roots };
  };
  const heads = cells.map(({ extra, every }) =>
    extra === "nothing" ? "neither" : `${extra}, ${every === 1 ? "all have it" : `one in ${every} has it`}`,
  );
  const lines = contestantsIn(storages).map((key) => [
    nameOf(host, key),
    ...cells.map((_, place) => wordsFor(weightOfExtra(key, place), ({ held }) => held.toFixed(1))),
  ]);
  return [
    `### One more component or tag on ${whole(cells[0].roots)} entities`,
    measuredOn(storages, "storages"),
    tableOf(["bytes an entity, and more with", ...heads], lines),
  ];
}

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
