/**
 * Plays workloads against other libraries: `node main.js [workload ...] [--only=a,b] [--node=PATH] [--quick]`. Each cell is a
 * process of its own, of this Node or of another one; contestants take turns in it. Tables go to the screen, and what was
 * measured to results/contest-<host>.json.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { clock } from "../clock.ts";
import { isQuick } from "../settings.ts";
import { FIELD } from "./field.ts";
import { play, type Result } from "./match.ts";
import { nodeHost } from "./node-host.ts";
import { tableOf } from "./table.ts";
import { WORKLOADS, type WorkloadName } from "./workloads.ts";

const NAMES = Object.keys(WORKLOADS) as WorkloadName[];

function stop(message: string): never {
  console.error(message);
  process.exit(1);
}

function optionOf(name: string): string | undefined {
  const start = `--${name}=`;
  return process.argv.find((word) => word.startsWith(start))?.slice(start.length);
}

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const unknown = words.find((word) => !NAMES.some((name) => name === word));
if (unknown !== undefined) stop(`no workload is called ${unknown}; there are: ${NAMES.join(", ")}`);
const chosen = NAMES.filter((name) => words.length === 0 || words.includes(name));

const only = optionOf("only")?.split(",");
const stranger = only?.find((name) => FIELD[name] === undefined);
if (stranger !== undefined)
  stop(`no contestant is called ${stranger}; there are: ${Object.keys(FIELD).join(", ")}`);
// The first one says what is right, so it always takes part.
const contestants = Object.keys(FIELD).filter(
  (name, at) => at === 0 || only === undefined || only.includes(name),
);

const execPath = optionOf("node") ?? process.execPath;
const version = execFileSync(execPath, ["--version"], { encoding: "utf8" }).trim().slice(1);
const host = nodeHost(`Node ${version}`, execPath, fileURLToPath(new URL("./node-cell.js", import.meta.url)));

if (isQuick) console.log("A quick run with fewer entities than the texts say: not to be quoted.");
const results: Partial<Record<WorkloadName, readonly Result[]>> = {};
for (const workload of chosen) {
  const tell = (line: string): void => {
    process.stderr.write(`${line}\n`);
  };
  const played = await play(host, { workload, contestants, tell });
  results[workload] = played;
  const { number, does } = WORKLOADS[workload];
  console.log(`\n${number}: ${does}.\n\n${tableOf(workload, played, isQuick)}\n`);
}
await host.close();

const folder = new URL("../../results/", import.meta.url);
const file = new URL(`contest-node-${version}.json`, folder);
const record = {
  date: new Date().toISOString().slice(0, 10),
  host: host.name,
  machine: `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} processors, ${process.platform}`,
  clock: clock.name,
  isQuick,
  unit: "milliseconds a run",
  contestants: Object.fromEntries(contestants.map((name) => [name, FIELD[name]!.name])),
  workloads: Object.fromEntries(
    chosen.map((name) => [
      name,
      { cells: isQuick ? WORKLOADS[name].quick : WORKLOADS[name].cells, results: results[name] },
    ]),
  ),
};
mkdirSync(folder, { recursive: true });
writeFileSync(file, `${JSON.stringify(record, undefined, 1)}\n`);
console.log(`written: ${fileURLToPath(file)}`);
