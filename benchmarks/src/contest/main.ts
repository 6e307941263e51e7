/**
 * Plays workloads against other libraries: `node main.js [workload ...] [--only a,b] [--quick]`. Each cell is a process of
 * its own; contestants take turns in it. Tables go to the screen.
 */
import { fileURLToPath } from "node:url";
import { isQuick } from "../settings.ts";
import { FIELD } from "./field.ts";
import { play } from "./match.ts";
import { nodeHost } from "./node-host.ts";
import { tableOf } from "./table.ts";
import { WORKLOADS, type WorkloadName } from "./workloads.ts";

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const only = process.argv
  .find((word) => word.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",");
const chosen = (Object.keys(WORKLOADS) as WorkloadName[]).filter((name) => {
  return words.length === 0 || words.includes(name);
});
const contestants = Object.keys(FIELD).filter(
  (name, at) => at === 0 || only === undefined || only.includes(name),
);

const host = nodeHost(
  `Node ${process.versions.node}`,
  process.execPath,
  fileURLToPath(new URL("./node-cell.js", import.meta.url)),
);
for (const workload of chosen) {
  const results = await play(host, {
    workload,
    contestants,
    tell: (line) => process.stderr.write(`${line}\n`),
  });
  const { number, does } = WORKLOADS[workload];
  console.log(`\n${number}: ${does}.\n\n${tableOf(workload, results, isQuick)}\n`);
}
await host.close();
