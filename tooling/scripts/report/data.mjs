// The data of docs/benchmarks/*.json: what was measured last, host by host. New results replace what they measured again; the rest stays.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { keyOf, placeOf } from "./model.mjs";

/** Tables of questions about Treeline alone; every other file is that of a host. */
const ROWS = "rows.json";

const inOrder = (hosts) => hosts.sort((one, other) => placeOf(keyOf(one.host)) - placeOf(keyOf(other.host)));

/** @returns `{ hosts, rows }` of a folder, empty without files. */
export function readData(folder) {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  const read = (name) => JSON.parse(readFileSync(join(folder, name), "utf8"));
  return {
    hosts: inOrder(names.filter((name) => name !== ROWS).map(read)),
    rows: names.includes(ROWS) ? read(ROWS) : [],
  };
}

/** Old ones in their order, replaced where there is a new one of the same key; then further new ones. */
function merged(old, fresh, keyOfOne) {
  const isIn = (list, one) => list.find((other) => keyOfOne(other) === keyOfOne(one));
  return [
    ...old.map((one) => isIn(fresh, one) ?? one),
    ...fresh.filter((one) => isIn(old, one) === undefined),
  ];
}

/** What stays was measured on the machine of the host's data, which may be another one than that of the new results. */
function withMachine(part, { machine }, other) {
  return machine === other ? part : { machine, ...part };
}

/** Figures of two versions of a host do not stand side by side: those of the older one are dropped. */
function mergedHost(old, fresh) {
  if (old?.host !== fresh.host) return fresh;
  const isStaying = old.workloads.some(({ name }) => fresh.workloads.every((one) => one.name !== name));
  const machine = isStaying ? old.machine : fresh.machine;
  const memory = Object.entries(fresh.memory).map(([name, part]) => [
    name,
    withMachine(part, fresh, machine),
  ]);
  return {
    ...fresh,
    machine,
    contestants: { ...old.contestants, ...fresh.contestants },
    workloads: merged(
      old.workloads,
      fresh.workloads.map((one) => withMachine(one, fresh, machine)),
      ({ name }) => name,
    ),
    memory: { ...old.memory, ...Object.fromEntries(memory) },
  };
}

/** @returns data with everything that `fresh` has measured again in the place of the old. */
export function mergedData(old, fresh) {
  const hosts = fresh.hosts.map((host) =>
    mergedHost(
      old.hosts.find((one) => keyOf(one.host) === keyOf(host.host)),
      host,
    ),
  );
  return {
    hosts: inOrder(merged(old.hosts, hosts, ({ host }) => keyOf(host))),
    rows: merged(old.rows, fresh.rows, ({ question }) => question).sort((one, other) =>
      one.question < other.question ? -1 : 1,
    ),
  };
}

/** JSON that breaks lines only down to this depth, so that a row of a table is a line. */
function json(value, depth, indent = "") {
  if (depth === 0 || typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((one) => `${inner}${json(one, depth - 1, inner)}`)
    : Object.entries(value)
        .filter(([, one]) => one !== undefined)
        .map(([key, one]) => `${inner}${JSON.stringify(key)}: ${json(one, depth - 1, inner)}`);
  if (parts.length === 0) return isList ? "[]" : "{}";
  return `${isList ? "[" : "{"}\n${parts.join(",\n")}\n${indent}${isList ? "]" : "}"}`;
}

/** The files of data: [name, text]. */
export const filesOf = ({ hosts, rows }) => [
  ...hosts.map((host) => [`${keyOf(host.host)}.json`, `${json(host, 4)}\n`]),
  [ROWS, `${json(rows, 4)}\n`],
];
