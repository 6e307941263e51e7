// Reads benchmarks/results/, what runs on this machine have left there, as data of hosts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { root } from "../lib.mjs";
import { keyOf } from "./model.mjs";

/** The results in a folder, not below it, whose file names begin with `start`; by name. */
function recordsIn(folder, start) {
  const path = resolve(root, folder);
  if (!existsSync(path)) return [];
  const names = readdirSync(path).filter((name) => name.startsWith(start) && name.endsWith(".json"));
  return names.sort().map((name) => JSON.parse(readFileSync(join(path, name), "utf8")));
}

const digits = (number) => Number(number.toPrecision(4));

/** Nanoseconds a piece, or why there are none. */
function outcomeOf(outcome, pieces) {
  return outcome.kind === "measured" ? digits((outcome.median * 1e6) / pieces) : outcome.why;
}

function cellOf({ isolated, warmedUp }, pieces) {
  if (isolated.kind === "cannot") return null;
  const { p99, garbage } = isolated;
  return {
    isolated: outcomeOf(isolated, pieces),
    warmedUp: outcomeOf(warmedUp, pieces),
    ...(p99 === undefined ? {} : { p99: digits((p99 * 1e6) / pieces) }),
    ...(garbage === undefined ? {} : { garbage }),
  };
}

function workloadOf(name, record, host) {
  const rows = {};
  for (const { contestant, place, ...outcomes } of record.results) {
    rows[contestant] ??= record.cells.map(() => null);
    rows[contestant][place] = cellOf(outcomes, record.pieces[place]);
  }
  const { number, does, piece, cells, commit, isBusy, isQuick = host.isQuick } = record;
  return {
    name,
    number,
    does,
    piece,
    date: record.date ?? host.date,
    commit,
    ...(isBusy ? { isBusy } : {}),
    ...(isQuick ? { isQuick } : {}),
    cells,
    rows: Object.fromEntries(Object.entries(rows).filter(([, row]) => row.some((cell) => cell !== null))),
  };
}

const MEMORY = ["layouts", "names", "storages", "growth", "grow"];

/** Without what only the measuring program needs: single repetitions. */
function memoryOf(record = {}) {
  const withoutRepetitions = ({ outcome, ...row }) => {
    const { repetitions: _, ...rest } = outcome;
    return { ...row, outcome: rest };
  };
  return Object.fromEntries(
    MEMORY.filter((name) => record[name] !== undefined).map((name) => [
      name,
      { ...record[name], results: record[name].results.map(withoutRepetitions) },
    ]),
  );
}

/** All hosts that have results; of two files for one host, the one with the newer version counts. */
export function resultsIn(folder) {
  const hosts = new Map();
  const weighings = recordsIn(folder, "memory-");
  for (const record of recordsIn(folder, "comparison-")) {
    const { host, machine, clock, contestants, workloads } = record;
    const other = hosts.get(keyOf(host));
    if (other !== undefined && other.host.localeCompare(host, "en", { numeric: true }) > 0) continue;
    hosts.set(keyOf(host), {
      host,
      machine,
      clock,
      contestants,
      workloads: Object.entries(workloads).map(([name, one]) => workloadOf(name, one, record)),
      memory: memoryOf(weighings.findLast((one) => one.host === host)),
    });
  }
  return [...hosts.values()];
}

/** Tables of single questions, which were measured since the last full run. */
export function rowsIn(folder) {
  return recordsIn(join(folder, "rows"), "");
}
