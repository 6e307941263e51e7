/**
 * Compares Treeline with other libraries: `node main.js [name ...] [--host=node24] [--binary=PATH] [--only=a,b] [--quick]
 * [--out=FOLDER]`. Each cell is a separate process of the given host; contestants take turns in it. Tables are printed, and the
 * results are written to results/comparison-<host>.json after every workload, or to memory-<host>.json. With only some
 * contestants, or `--quick`, they are written to results/partial instead, which no document uses. `--list` lists the workloads,
 * with the question that each replies.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isQuick } from "../measure/settings.ts";
import { FIELD } from "./contestants/field.ts";
import { WEIGHINGS, type WeighingName, weigh } from "./memory/weigh.ts";
import { play } from "./play/play-workload.ts";
import { clearProgress, progressOf, show } from "./play/progress.ts";
import { keep, secondsOf } from "./play/record.ts";
import { tableOf } from "./play/table.ts";
import { chromiumHost } from "./processes/chromium-host.ts";
import type { Host } from "./processes/host.ts";
import { nodeHost } from "./processes/node-host.ts";
import { WORKLOADS, type WorkloadName, workloadsOf } from "./workloads/workloads.ts";

const PLAYED = workloadsOf(undefined);
const WEIGHED = Object.keys(WEIGHINGS) as WeighingName[];
const NAMES: readonly string[] = [...PLAYED, ...WEIGHED];

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function optionOf(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length);
}

if (process.argv.includes("--list")) {
  const played = PLAYED.map((name) => ({ name, question: WORKLOADS[name].question }));
  const weighed = WEIGHED.map((name) => ({ name, question: WEIGHINGS[name].question }));
  console.log(JSON.stringify([...played, ...weighed]));
  process.exit();
}

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = words.find((word) => !NAMES.includes(word));
if (unknown !== undefined) stop(`there is no workload ${unknown}; there are: ${NAMES.join(", ")}`);
const isChosen = (name: string): boolean => words.length === 0 || words.includes(name);

const only = optionOf("only")?.split(",");
const unknownName = only?.find((name) => FIELD[name] === undefined);
if (unknownName !== undefined)
  stop(`there is no contestant ${unknownName}; there are: ${Object.keys(FIELD).join(", ")}`);
// The checksums of the first one are the reference, so it always takes part.
const contestants = Object.keys(FIELD).filter(
  (name, at) => at === 0 || only === undefined || only.includes(name),
);

const binary = optionOf("binary") ?? process.execPath;
const key = optionOf("host") ?? `node${process.versions.node.split(".")[0]}`;

async function openHost(): Promise<Host> {
  if (key === "chromium") return chromiumHost(binary, new URL("./browser/", import.meta.url));
  const version = execFileSync(binary, ["--version"], { encoding: "utf8" }).trim().slice(1);
  return nodeHost(`Node ${version}`, binary, fileURLToPath(new URL("./node-cell.js", import.meta.url)));
}

const usual = isQuick || only !== undefined ? "../../results/partial/" : "../../results/";
const folder = optionOf("out") ?? fileURLToPath(new URL(usual, import.meta.url));
const file = join(folder, `comparison-${key}.json`);

async function playAll(host: Host): Promise<void> {
  const workloads = PLAYED.filter(isChosen);
  const lastTime = (workload: WorkloadName): number | undefined => secondsOf(file, workload);
  const report = progressOf({ host: host.name, workloads, lastTime });
  for (const workload of workloads) {
    const begin = performance.now();
    const results = await play(host, { workload, contestants, report });
    clearProgress();
    keep(file, host, { workload, results, seconds: (performance.now() - begin) / 1e3 });
    const { number, does } = WORKLOADS[workload];
    console.log(`\n${number}: ${does}.\n\n${tableOf(workload, results)}`);
  }
  if (workloads.length > 0) console.log(`\nwritten: ${file}`);
}

async function weighAll(host: Host): Promise<void> {
  const weighings = WEIGHED.filter(isChosen);
  const weighing = {
    host,
    contestants,
    file: join(folder, `memory-${key}.json`),
    report: (line: string) => show(`${host.name}: ${line}`),
  };
  for (const name of weighings) {
    const tables = await weigh(name, weighing);
    clearProgress();
    console.log(`\n${tables}`);
  }
  if (weighings.length > 0) console.log(`\nwritten: ${weighing.file}`);
}

// A program that is ended ends its processes first, which is done where a process exits.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => process.exit(1));

const host = await openHost().catch((error: Error) => stop(`no ${key}: ${error.message}`));
console.log(`\nPlayed in ${host.name}, by ${host.clock}.`);
if (isQuick) console.log("A quick run with fewer entities than the texts say: not to be quoted.");
try {
  await playAll(host);
  await weighAll(host);
} finally {
  await host.close();
}
