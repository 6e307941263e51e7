// Runs the question files of benchmarks/src/questions one after another, each in a separate process. It prints the tables and
// writes them to benchmarks/results/latest.md, and unless the run was quick, each to a file of benchmarks/results/rows, from which
// `npm run bench -- report` puts it into docs/benchmarks/rows.md. A full run of all files writes that page as a whole.
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

function keepSections(names, tables, { when, version }) {
  for (const [at, name] of names.entries()) {
    const file = `benchmarks/results/rows/${name.replace(/\.bench$/, "")}.md`;
    write(
      file,
      `${tables[at]}\n\nMeasured on ${when}, ${placeOf(version)}${isBusy() ? ", while other programs ran" : ""}.\n`,
    );
  }
}

/**
 * @param names names of the files, without folder and ending.
 * @param how `node`: path of the Node that runs them; `isAll`: whether it is a full run of all files.
 * @returns whether all succeeded.
 */
export function runQuestions(names, { node, isQuick, isAll }) {
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
    const text = pageOf(tables, version, isQuick);
    write("benchmarks/results/latest.md", text);
    if (isAll) write("docs/benchmarks/rows.md", text);
    else if (!isQuick) keepSections(names, tables, { when, version });
  }
  return isFine;
}
