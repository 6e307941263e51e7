// Runs the benchmarks one after another, each in a process of its own: all, or those whose name contains the given
// text. `--quick` measures less of everything. Tables go to the screen and to benchmarks/results/latest.md; with
// `--write`, which takes the whole suite at full length, to docs/benchmarks.md as well.
// `contest [workload ...]` lets other libraries do the same work, each cell in a process of its own; with `--node24` in Node 24.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { filesBelow, root } from "./lib.mjs";
import { findNode24 } from "./node24.mjs";

if (process.argv[2] === "contest") {
  const words = process.argv.slice(3);
  if (words.includes("--node24")) {
    const { path, missing } = findNode24();
    if (missing !== undefined) {
      console.error(`no Node 24: ${missing}`);
      process.exit(1);
    }
    words.splice(words.indexOf("--node24"), 1, `--node=${path}`);
  }
  const { status } = spawnSync(process.execPath, [join(root, "benchmarks/dist/contest/main.js"), ...words], {
    cwd: join(root, "benchmarks"),
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}

const options = process.argv.slice(2).filter((word) => word.startsWith("--"));
const [filter = ""] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const isQuick = options.includes("--quick");
const isKept = options.includes("--write");
const names = filesBelow("benchmarks/src", ".bench.ts").map((path) => path.replace(/^.*\/|\.ts$/g, ""));
const chosen = names.filter((name) => name.includes(filter));

function stop(message) {
  console.error(message);
  process.exit(1);
}

const unknown = options.find((option) => option !== "--quick" && option !== "--write");
if (unknown !== undefined) stop(`no option is called ${unknown}; there are: --quick, --write`);
if (chosen.length === 0) stop(`no benchmark is named like "${filter}"; there are: ${names.join(", ")}`);
if (isKept && (isQuick || filter !== "")) stop("--write keeps the whole suite at full length only");

/** @returns what it printed, or "" if it failed, which it has then said itself. */
function run(name) {
  const { status, stdout } = spawnSync(
    process.execPath,
    [join(root, "benchmarks/dist", `${name}.js`), ...(isQuick ? ["--quick"] : [])],
    { cwd: join(root, "benchmarks"), encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  process.stdout.write(stdout);
  if (status === 0) return stdout.trim();
  process.exitCode = 1;
  return "";
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`\nwritten: ${path}`);
}

const tables = chosen.map(run);
if (process.exitCode !== 1) {
  const [{ model }, ...others] = cpus();
  const text = `# Benchmarks

${new Date().toISOString().slice(0, 10)}, Node ${process.version} on ${process.platform}, ${model.trim()}, ${others.length + 1} processors${isQuick ? "; a quick run, not to be quoted" : ""}.
Made by \`npm run bench${isKept ? " -- --write" : ""}\`.

Every file proves first that its contestants come to the same checksum. Then they take turns in many short rounds, so
that a machine which is slow for a second is slow for all of them. "Measured" is the median of all samples, in CPU time
of the process where the system counts it in microseconds, else in wall time. "Ratio" is the median over the rounds of
each round's own ratio: on a busy machine, trust it more than the times. Rows without a target are there to compare with.

${tables.join("\n\n")}
`;
  write("benchmarks/results/latest.md", text);
  if (isKept) write("docs/benchmarks.md", text);
}
