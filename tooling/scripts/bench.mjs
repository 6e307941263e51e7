// Runs benchmarks: the question files in benchmarks/src/questions, each in a separate process, and the comparison, in which
// other libraries do the same work. Without words it runs both, and then writes docs/benchmarks/; `--help` lists the options.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findChromium } from "./browser/chromium.mjs";
import { filesBelow, root } from "./lib.mjs";
import { findNode } from "./node24.mjs";
import { runQuestions } from "./report/own-rows.mjs";

const USAGE = `usage: npm run bench -- [words] [options]

  (no words)              all questions and the whole comparison; writes docs/benchmarks/
  <text>                  the questions whose name contains the text, about Treeline and in the comparison
  fresh, cliffs           such texts: first runs of processes; features that slow down code that does not use them
  comparison [name ...]   only the comparison, or these workloads of it
  report                  rewrites docs/benchmarks/ and the README's table from benchmarks/results/

  --quick                 less of everything, not to be quoted; without words only the comparison, with three libraries,
                          in under a minute
  --hosts=a,b             where the comparison runs: node20, node24 (default), chromium
  --only=a,b              these contestants, and the reference
  --compare <git ref>     this checkout against another one, by a paired test; with --rows gates by the gates of the storage,
                          or those that contain a text; with --host=node20, node24 or chromium there`;

function stop(message) {
  console.error(message);
  process.exit(1);
}

/** Runs a script with Node, in the terminal. @returns its exit code. */
function run(path, words, cwd = root) {
  return spawnSync(process.execPath, [join(root, path), ...words], { cwd, stdio: "inherit" }).status ?? 1;
}

const given = process.argv.slice(2);
const words = given.filter((word) => !word.startsWith("--"));
const options = given.filter((word) => word.startsWith("--"));
if (options.includes("--help")) {
  console.log(USAGE);
  process.exit();
}
if (words[0] === "report")
  process.exit(run("tooling/scripts/report.mjs", given.slice(given.indexOf("report") + 1)));
if (options.some((option) => /^--compare(=|$)/.test(option)))
  process.exit(run("tooling/scripts/compare.mjs", given));

const isQuick = options.includes("--quick");
const unknown = options.find((option) => option !== "--quick" && !/^--(hosts|only)=./.test(option));
if (unknown !== undefined) stop(`there is no option ${unknown}\n\n${USAGE}`);

/** Who takes part in a quick run of everything, which is to end within a minute. */
const QUICK_FIELD = [
  "treeline-child-of",
  "treeline-parent",
  "treeline-sparse",
  "treeline-table",
  "sorted",
  "piecs",
  "bitecs",
  "koota",
];
if (isQuick && words.length === 0 && !options.some((option) => option.startsWith("--only="))) {
  options.push(`--only=${QUICK_FIELD.join(",")}`);
}

const HOSTS = { node20: () => findNode(20), node24: () => findNode(24), chromium: findChromium };

/** @returns hosts by name, with the path of each. */
function findHosts() {
  const wanted = options.find((option) => option.startsWith("--hosts="))?.slice("--hosts=".length);
  const unknownHost = wanted?.split(",").find((name) => HOSTS[name] === undefined);
  if (unknownHost !== undefined)
    stop(`there is no host ${unknownHost}; there are: ${Object.keys(HOSTS).join(", ")}`);
  if (wanted === undefined) return [usualHost()];
  return [...new Set(wanted.split(","))].map((name) => {
    const { path, missing } = HOSTS[name]();
    if (missing !== undefined) stop(`no ${name}: ${missing}`);
    return { name, path };
  });
}

/** Node 24; where there is none, this Node. */
function usualHost() {
  const { path, missing } = findNode(24);
  if (missing === undefined) return { name: "node24", path };
  console.error(`no Node 24: ${missing}\nUsing this Node instead, ${process.version}.`);
  return { name: `node${process.versions.node.split(".")[0]}`, path: process.execPath };
}

const comparisonScript = "benchmarks/dist/comparison/main.js";

/** All workloads: `{ name, question }` of each. */
function workloadList() {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, comparisonScript), "--list"], {
    encoding: "utf8",
  });
  return stdout ? JSON.parse(stdout) : stop(`the comparison is not built: ${stderr}`);
}

/** @returns whether all hosts succeeded. */
function playComparison(hosts, names) {
  const passed = options.filter((option) => !option.startsWith("--hosts="));
  return hosts.every(({ name, path }) => {
    const where = [`--host=${name}`, `--binary=${path}`];
    return run(comparisonScript, [...names, ...where, ...passed], join(root, "benchmarks")) === 0;
  });
}

/** The questions about Treeline, and the workloads of the comparison, whose names contain a text; all without a text. */
function choose(text) {
  const questions = filesBelow("benchmarks/src/questions", ".bench.ts").map((path) =>
    path.replace(/^.*\/|\.ts$/g, ""),
  );
  const played = workloadList();
  if (text === undefined) return { own: isQuick ? [] : questions, names: played.map(({ name }) => name) };
  const own = questions.filter((name) => name.includes(text));
  const names = played.filter(({ name, question }) => name === text || question.includes(text));
  if (own.length === 0 && names.length === 0) {
    const all = new Set([
      ...questions.map((name) => name.replace(/\.bench$/, "")),
      ...played.map((one) => one.question),
    ]);
    stop(`no question contains "${text}"; there are:\n  ${[...all].sort().join("\n  ")}`);
  }
  return { own, names: names.map(({ name }) => name) };
}

if (words[0] === "comparison") process.exit(playComparison(findHosts(), words.slice(1)) ? 0 : 1);
if (words.length > 1) stop(`one text at a time, not "${words.join('" and "')}"\n\n${USAGE}`);

const { own, names } = choose(words[0]);
const hosts = findHosts();
const isAll = words.length === 0 && !isQuick && !options.some((option) => option.startsWith("--only="));
const node = hosts.find(({ name }) => name.startsWith("node"));
let isFine = true;
if (own.length > 0 && node === undefined) console.log("Questions about Treeline run only in Node.");
else if (own.length > 0) isFine = runQuestions(own, { node: node.path, isQuick });
if (names.length > 0) isFine = playComparison(hosts, names) && isFine;
if (isFine && isAll) isFine = run("tooling/scripts/report.mjs", []) === 0;
else if (isFine && !isQuick)
  console.log("\n`npm run bench -- report` puts comparison results into docs/benchmarks/.");
process.exitCode = isFine ? 0 : 1;
