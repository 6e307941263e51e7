// The page of the benchmarks: what was measured and how, pictures, where Treeline is first and where it is not, and tables to unfold.
import { engineTables, headingOf } from "./engine-table.mjs";
import { memoryOf } from "./memory.mjs";
import { native, periodOf } from "./model.mjs";
import { picture, prose, ratio, tableOf } from "./text.mjs";
import { COMPONENT_STORAGES, fastest, GROUPS, STORAGES, verdictOf } from "./verdicts.mjs";

/** @param pictures of the first host: [{ file, heading, alt, text }] */
export function pageOf(hosts, pictures, rows) {
  const [first] = hosts;
  const parts = [
    "# Benchmarks",
    introduction(hosts),
    ...pictures.map(({ file, heading, alt, text }) => `## ${heading}\n\n${picture(file, alt)}\n\n${text}`),
    "## Where Treeline is first, and where others win",
    standing(first),
    "## All figures",
    legend(),
    ...hosts.map(engine),
    "## What the rows do",
    descriptions(first),
    ...(rows.length === 0 ? [] : ["## Treeline alone", targets(rows)]),
    "## How it is measured",
    ...method(),
  ];
  return `${parts.join("\n\n")}\n`;
}

const allOf = (host) => [...host.workloads, ...memoryOf(host)];

/** Of these parts of memory, differences near zero have no ratio that tells something. */
const WITHOUT_RATIOS = ["storages", "growth"];

const fold = (summary, ...parts) =>
  ["<details>", `<summary>${summary}</summary>`, ...parts, "</details>"].join("\n\n");

function introduction(hosts) {
  const links = hosts.map(({ key, name }) => `[${name}](${key}.json)`).join(", ");
  return prose(
    "What trees of entities cost in Treeline, in other libraries, and in programs written for one task only. Every contestant does",
    "the same work in the fastest way that its documentation describes, and must reach the same checksum first.",
    "`npm run bench -- --quick` measures on your machine. The machines are shared: trust ratios more than times.",
    `The pictures are of ${hosts[0].name}; [all figures](#all-figures) are below, and as data: ${links}.`,
  );
}

/** Whether a cell is first, level with the best library, or behind it, in the better of some storages. */
function placeIn(host, workload, place, group) {
  const verdicts = [...STORAGES, ...COMPONENT_STORAGES]
    .map((storage) => verdictOf(host, workload, place, storage, group))
    .filter((one) => one?.isolated !== undefined);
  if (verdicts.length === 0) return undefined;
  const bestOf = (mode) => {
    const ranks = verdicts.map((one) => one[mode]).filter((rank) => rank.ratio !== undefined);
    return ranks.sort((one, other) => one.ratio - other.ratio)[0] ?? { place: "first" };
  };
  const [isolated, warmedUp] = ["isolated", "warmedUp"].map(bestOf);
  const worse = (isolated.ratio ?? 0) >= (warmedUp.ratio ?? 0) ? isolated : warmedUp;
  return { place: worse.place, ratio: worse.ratio };
}

/** How many times as long as the fastest library, from the best cell of a workload to the worst. */
function rangeOf(places) {
  const ratios = places
    .flatMap(({ ratio: times }) => (times === undefined ? [] : [times]))
    .sort((a, b) => a - b);
  if (ratios.length === 0) return "";
  const ends = [ratio(ratios[0]), ratio(ratios.at(-1))];
  return ends[0] === ends[1] ? ends[0] : `${ends[0]} to ${ends[1]}`;
}

/** A line for each workload that a library of the group can do, with the counts of its cells. */
function linesAgainst(host, group, countsOf) {
  const compared = allOf(host).filter(({ name }) => !WITHOUT_RATIOS.includes(name));
  return compared.flatMap((workload) => {
    const cells = [...workload.cells.keys()];
    const places = cells
      .map((place) => ({ at: place, ...placeIn(host, workload, place, group) }))
      .filter((one) => one.ratio !== undefined);
    if (places.length === 0) return [];
    const worst = places.reduce((one, other) => (other.ratio > one.ratio ? other : one));
    const best = fastest(host, workload, worst.at, "library", { group });
    const winner = worst.place === "first" ? "" : host.contestants[best.contestant].name;
    return [[headingOf(workload), ...countsOf(places).map(String), rangeOf(places), winner]];
  });
}

const countOf = (places, fits) => places.filter(fits).length;

const LAST = "which wins where Treeline is furthest behind";

function standing(host) {
  const { alternative, unchecked } = GROUPS;
  const namesOf = ({ isIn }) =>
    Object.entries(host.contestants)
      .filter(([key, { kind }]) => kind === "library" && isIn(key))
      .map(([, { name }]) => name.replace(/ \d[\d.]*(?:, (\w+))?/, (_, how) => (how ? ` with ${how}` : "")));
  const listed = (names) => `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
  const isWithin = ({ ratio: times }) => times <= unchecked.limit;
  return [
    prose(
      "Treeline in the better of its storages against the fastest library of each cell, isolated and warmed up, whichever is worse.",
      'A ratio below 1 means that Treeline is faster, or smaller; "level" is within 5 %. Two things are told apart.',
    ),
    "### Against what programs would use instead",
    prose(`${listed(namesOf(alternative))}. Treeline aims at being first in every cell.`),
    tableOf(
      ["", "first", "level", "behind", "times the best of them", LAST],
      linesAgainst(host, alternative, (places) =>
        ["first", "level", "not first"].map((word) => countOf(places, ({ place }) => place === word)),
      ),
      5,
    ),
    "### Against libraries that check no handle",
    prose(
      `${listed(namesOf(unchecked))}. With the handle of a destroyed entity they change the one that has its number now, without an error.`,
      `Treeline checks every handle, and aims at ${unchecked.limit} times their time at most.`,
    ),
    tableOf(
      ["", `within ${unchecked.limit} x`, "behind", "times the best of them", LAST],
      linesAgainst(host, unchecked, (places) => [
        countOf(places, isWithin),
        countOf(places, (one) => !isWithin(one)),
      ]),
      4,
    ),
    prose(
      "Others win single changes: a component, a tag or a parent is a move of a row here, and a number in a list there.",
      "[Rows that others win](../decisions/0036-rows-that-others-win.md) says why. They also win reads and writes of one entity by",
      "its handle, and the memory of entities that are in no tree.",
    ),
  ].join("\n\n");
}

function legend() {
  return prose(
    "A figure is the median of an isolated process. A second one, after the stroke, is from a process that has run the other cells of the",
    "workload before (warmed up), where it differs by a tenth: it tells more about programs that do several things.",
    "**Bold** is the fastest of Treeline and the libraries. ChildOf and Parent are Treeline's storages of parents, with loops by kernels;",
    '"each" is the same loop as programs write it, and "each, compiled" as `@treeline/compiler` makes it.',
    "† has no relations: parents and children are in a hand-written list. An empty cell is work that the library cannot do; a failed one says why.",
    `${native.name}, in the faster of its storages, was measured on another machine.`,
  );
}

function engine(host) {
  const all = allOf(host);
  const noted = (text, fits) => {
    const names = all.filter(fits).map(({ name }) => name);
    return names.length === 0 ? [] : [`${text}: ${names.join(", ")}.`];
  };
  const others = [...new Set(all.map(({ machine }) => machine).filter((one) => one !== undefined))];
  return fold(
    `${host.name}, ${host.machine}, ${periodOf(all)}`,
    prose(
      `Measured in ${host.clock}.`,
      ...others.flatMap((machine) =>
        noted(`On another machine (${machine})`, (one) => one.machine === machine),
      ),
      ...noted("While other programs ran", ({ isBusy }) => isBusy),
      ...noted("**In a quick run, not to be quoted**", ({ isQuick }) => isQuick),
    ),
    ...engineTables(host, all),
  );
}

function descriptions(host) {
  return allOf(host)
    .map((workload) => `- **${headingOf(workload)}**: ${workload.does}.`)
    .join("\n");
}

/** Questions about Treeline alone, with how many of their targets are reached, and those that are not. */
function targets(questions) {
  const lines = questions.map(({ question, tables }) => {
    const aimed = tables.flatMap((table) => table.rows).filter(({ target }) => target !== "");
    const missed = aimed.filter(({ verdict }) => verdict !== "reached");
    const texts = missed.map(({ row, measured, ratio: times, target }) => {
      return `${row}: ${target.includes(" x") ? times : measured} (${target})`;
    });
    return [question, `${aimed.length - missed.length} of ${aimed.length}`, texts.join("; ")];
  });
  return [
    prose(
      "Rows about single operations, with targets that were set before measuring unless they say otherwise. All rows are in",
      "[rows.json](rows.json); `npm run bench -- <a word of the question>` measures them again.",
    ),
    fold(
      "Questions, targets reached, and rows that fall short",
      tableOf(["", "reached", "falls short"], lines, 0),
    ),
  ].join("\n\n");
}

function method() {
  return [
    prose(
      "Each cell runs isolated, in a separate process, and again warmed up, since JIT compilers optimise a process that runs a single loop",
      "better than a real program. Contestants take turns in many short rounds, so that a machine that is slow for a second is slow for all of",
      "them. A contestant that overflows the stack, has a wrong result or takes over 60 seconds has failed. Memory is heap and",
      "array buffers after collecting garbage, each measurement in a separate process.",
    ),
    prose(
      `${native.name}: ${native.source} It ran on another machine: ${native.machine}. So its figures show what a native`,
      `engine can do, not how it compares on the same machine. ${native.caveat}`,
    ),
    prose(
      "[How to add a row](https://github.com/treeline-ecs/treeline/blob/main/benchmarks/README.md). `npm run bench` measures everything,",
      "in hours; `npm run bench -- report` writes this page from the data and the last results.",
    ),
  ];
}
