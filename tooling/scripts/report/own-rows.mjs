// Runs the question files of benchmarks/src/questions one after another, each in a separate process. It prints the tables and
// writes them to benchmarks/results/latest.md, and unless the run was quick, each to a file of benchmarks/results/rows, from which
// `npm run bench -- report` puts it into docs/benchmarks/rows.json.
import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { dirname, join } from "node:path";
import { root } from "../lib.mjs";

/** @returns what it printed, or `undefined` if it failed; then it has printed the error. */
function runQuestion(name, node, isQuick) {
  const { status, stdout } = spawnSync(
    node,
    [join(root, "benchmarks/dist", `${name}.js`), ...(isQuick ? ["--quick"] : [])],
    { cwd: join(root, "benchmarks"), encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  process.stdout.write(stdout ?? "");
  return status === 0 ? stdout.trim() : undefined;
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`\nwritten: ${path}`);
}

/** "Node 24.21.0 on linux, <model>, 2 processors" */
function placeOf(version) {
  const [{ model }, ...others] = cpus();
  return `Node ${version} on ${process.platform}, ${model.trim()}, ${others.length + 1} processors`;
}

/** As in the comparison. */
const isBusy = () => loadavg()[0] > 2 * cpus().length;

/** The date, and the commit if git knows it. */
function moment() {
  const { stdout } = spawnSync("git", ["describe", "--always", "--dirty", "--abbrev=8", "--exclude=*"], {
    cwd: root,
    encoding: "utf8",
  });
  const date = new Date().toISOString().slice(0, 10);
  return stdout ? `${date} at ${stdout.trim()}` : date;
}

function pageOf(tables, version, isQuick) {
  return `# Rows about Treeline

${new Date().toISOString().slice(0, 10)}, ${placeOf(version)}${isQuick ? "; a quick run, not to be quoted" : ""}.
Made by \`npm run bench\`.

Every file first checks that its contestants have the same checksum. Then they take turns in many short rounds, so
that a machine that is slow for a second is slow for all of them. "Measured" is the median of all samples, in CPU time
of the process where the system counts it in microseconds, otherwise in wall time. "Ratio" is the median over the rounds
of each round's ratio: on a busy machine, it is more reliable than the times. Rows without a target are for comparison.

${tables.join("\n\n")}
`;
}

const cellsOf = (line) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

/** What a question printed, as data: its heading, and tables below notes. */
function dataOf(text, measured) {
  const [heading, ...blocks] = text.split(/\n{2,}/);
  const tables = [];
  let note = "";
  for (const block of blocks) {
    if (!block.startsWith("|")) {
      note = block.replaceAll("\n", " ");
      continue;
    }
    const [, , ...lines] = block.split("\n").map(cellsOf);
    const rows = lines.map(([row, time, ratio, target, verdict]) => ({
      row,
      measured: time,
      ratio,
      target,
      verdict: verdict.replaceAll("*", ""),
    }));
    tables.push({ note, rows });
  }
  return { question: heading.replace("## ", ""), measured, tables };
}

function keepRows(names, tables, { when, version }) {
  for (const [at, name] of names.entries()) {
    const measured = `${when}, ${placeOf(version)}${isBusy() ? ", while other programs ran" : ""}`;
    const file = `benchmarks/results/rows/${name.replace(/\.bench$/, "")}.json`;
    write(file, `${JSON.stringify(dataOf(tables[at], measured), undefined, 2)}\n`);
  }
}

/**
 * @param names names of the files, without folder and ending.
 * @param how `node`: path of the Node that runs them.
 * @returns whether all succeeded.
 */
export function runQuestions(names, { node, isQuick }) {
  const version = spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1);
  const when = moment();
  const begin = performance.now();
  const tables = names.map((name, at) => {
    const spent = (performance.now() - begin) / 1e3;
    const left = at === 0 ? "" : `, about ${Math.ceil(((spent / at) * (names.length - at)) / 60)} min left`;
    console.error(`Node ${version}: ${name} (${at + 1} of ${names.length} questions${left})`);
    return runQuestion(name, node, isQuick);
  });
  const isFine = !tables.includes(undefined);
  if (isFine) {
    write("benchmarks/results/latest.md", pageOf(tables, version, isQuick));
    if (!isQuick) keepRows(names, tables, { when, version });
  }
  return isFine;
}
