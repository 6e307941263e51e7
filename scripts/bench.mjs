// Runs the benchmarks one after another: all, or those whose name contains the given text.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { filesBelow, root } from "./lib.mjs";

const filter = process.argv[2] ?? "";
const names = filesBelow("benchmarks/src", ".bench.ts").map((path) => path.replace(/^.*\/|\.ts$/g, ""));
const chosen = names.filter((name) => name.includes(filter));

if (chosen.length === 0) {
  console.error(`no benchmark is named like "${filter}"; there are: ${names.join(", ")}`);
  process.exit(1);
}
for (const name of chosen) {
  console.log(`\n${name}`);
  const { status } = spawnSync(process.execPath, [join(root, "benchmarks/dist", `${name}.js`)], {
    cwd: join(root, "benchmarks"),
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
