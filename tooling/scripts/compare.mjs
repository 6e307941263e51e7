// Compares the speed of the packages in the working tree with that of a commit: `--compare [ref] [workload ...]`, with
// `--only=child-of` or `--only=parent`, `--quick`, `--node24`. Both run the benchmarks of the working tree. For the method
// see benchmarks/src/commits/play.ts and tooling/scripts/compare/statistics.mjs.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { bundleRows, bundleSide, commitOf, copyCommit, copyWorkingTree } from "./compare/sides.mjs";
import { blocksFor, loadJudge } from "./compare/statistics.mjs";
import { tableOf } from "./compare/table.mjs";
import { root } from "./lib.mjs";
import { cacheFolder, findNode24 } from "./node24.mjs";

const FLAGS = ["--quick", "--node24"];
const RESULT = "benchmarks/results/compare.json";
/** Milliseconds that one workload may take, or under `--quick` all of them. */
const BUDGET = 100_000;
const QUICK_BUDGET = 50_000;

function stop(message) {
  console.error(message);
  process.exit(1);
}

const words = process.argv
  .slice(2)
  .map((word) => word.replace(/^--compare=/, ""))
  .filter((word) => word !== "--compare");
const options = words.filter((word) => word.startsWith("--"));
const [firstText, ...otherTexts] = words.filter((word) => !word.startsWith("--"));
const isQuick = options.includes("--quick");
/** Milliseconds of a typical block. */
const BLOCK = isQuick ? 700 : 1_800;
const unknown = options.find((word) => !FLAGS.includes(word) && !word.startsWith("--only="));
if (unknown !== undefined) stop(`there is no option ${unknown}; there are: ${FLAGS.join(", ")}, --only=`);

/** Removed at the end, also after an error. */
const folder = mkdtempSync(join(madeFolder(cacheFolder("compare")), "sides-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

function madeFolder(path) {
  mkdirSync(path, { recursive: true });
  return path;
}

const { chaptersOf, isWorkload, playerOf, STORAGES } = await import(
  pathToFileURL(await bundleRows(join(folder, "rows"))).href
);

/** The first word is a commit, unless it is not one and a workload has this name. */
function chosen() {
  if (firstText === undefined) return { ref: "main", texts: [] };
  if (commitOf(firstText) !== undefined) return { ref: firstText, texts: otherTexts };
  if (isWorkload(firstText)) return { ref: "main", texts: [firstText, ...otherTexts] };
  return stop(`there is neither a commit nor a workload ${firstText}`);
}

const { ref, texts } = chosen();
const commit = commitOf(ref) ?? stop(`git has no commit ${ref}`);
const unknownWorkload = texts.find((text) => !isWorkload(text));
if (unknownWorkload !== undefined) stop(`there is no workload ${unknownWorkload}`);

function chosenStorages() {
  const named = options.find((word) => word.startsWith("--only="))?.slice("--only=".length);
  if (named === undefined) return isQuick && texts.length === 0 ? STORAGES.slice(0, 1) : STORAGES;
  const storages = named.split(",").map((name) => name.replace(/^treeline-/, ""));
  const odd = storages.find((name) => !STORAGES.includes(name));
  return odd === undefined ? storages : stop(`there is no storage ${odd}; there are: ${STORAGES.join(", ")}`);
}

function chosenNode() {
  if (!options.includes("--node24")) return process.execPath;
  const { path, missing } = findNode24();
  return missing === undefined ? path : stop(`no Node 24: ${missing}`);
}

const execPath = chosenNode();
const { judge, missing } = await loadJudge();
if (missing !== undefined) stop(missing);

const failure = copyCommit(commit, join(folder, "old"));
if (failure !== undefined) stop(failure);
copyWorkingTree(join(folder, "new"));
const old = await bundled("old");
const fresh = await bundled("new");

/** esbuild has already printed its errors. */
function bundled(side) {
  return bundleSide(join(folder, side)).catch((error) =>
    stop(`the ${side} packages cannot be measured: ${error.message.split("\n")[0]}`),
  );
}

const chapters = chaptersOf(texts, chosenStorages());
const rows = chapters.flatMap((chapter) => chapter.rows);
const share = (isQuick ? QUICK_BUDGET : BUDGET * chapters.length) / rows.length;
const blocks = blocksFor(rows.length, isQuick ? 0 : 1, Math.floor(share / BLOCK));
const pace = { warmUp: isQuick ? 30 : 70, turn: isQuick ? 3 : 10, block: share / blocks };

console.log(`Old: ${ref} (${commit.slice(0, 9)}). New: the working tree.`);
if (old.hash === fresh.hash) console.log("Both are the same code, byte for byte: any difference is noise.");
for (const [name, { lacking }] of [
  ["old", old],
  ["new", fresh],
]) {
  if (lacking.length > 0)
    console.log(`The ${name} one lacks what the benchmarks import: ${lacking.join(", ")}.`);
}
if (isQuick) console.log("A quick run with fewer entities than the texts say: not to be quoted.");
const load = loadavg()[0];
if (load > cpus().length / 2) {
  console.log(`The machine is busy (load ${load.toFixed(1)}): intervals will be wide.`);
}
console.log(`${rows.length} rows, ${blocks} blocks of three fresh processes for each.\n`);

const play = playerOf({ old: old.cell, new: fresh.cell, execPath });
const begin = performance.now();
const taken = new Map(
  rows.map((row) => [row, { effects: [], noises: [], oldTimes: [], newTimes: [], remark: undefined }]),
);

function remarkOf({ kind, arm, why }) {
  if (kind === "cannot") return "cannot be done";
  const lacks = / is not in @treeline/.test(why);
  if (!lacks) process.exitCode = 1;
  return `${lacks ? "" : "failed: "}${arm === "new" ? "new" : "old"}: ${why}`;
}

let done = 0;
/** Block by block, not row by row: a slow minute of the machine is then a slow block of every row. */
for (const chapter of chapters) {
  for (let block = 0; block < blocks; block++) {
    for (const row of chapter.rows) {
      const record = taken.get(row);
      if (record.remark === undefined) {
        const result = await play(row.cell, pace);
        if (result.kind === "measured") keep(record, result);
        else record.remark = remarkOf(result);
      }
      done++;
      printProgress(chapter, block, row === chapter.rows.at(-1));
    }
  }
}
process.stderr.write("\n\n");

function keep({ effects, noises, oldTimes, newTimes }, { effect, noise, times }) {
  effects.push(effect);
  noises.push(noise);
  oldTimes.push(Math.sqrt(times.old * times.again));
  newTimes.push(times.new);
}

/** On a terminal in one line; elsewhere a line per block. */
function printProgress({ workload }, block, isBlockDone) {
  const left = ((performance.now() - begin) / done) * (rows.length * blocks - done);
  const text = `${workload}, block ${block + 1} of ${blocks}, about ${Math.ceil(left / 1_000)} s left`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (isBlockDone) process.stderr.write(`${text}\n`);
}

const middleOf = (numbers) => [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
const whole = rows.filter((row) => taken.get(row).remark === undefined);
const judged = new Map(judge(whole.map((row) => taken.get(row))).map((one, at) => [whole[at], one]));
const outcomeOf = (row) => {
  const { oldTimes, newTimes, remark } = taken.get(row);
  return { remark, times: { old: middleOf(oldTimes), new: middleOf(newTimes) }, judged: judged.get(row) };
};
for (const chapter of chapters)
  console.log(`${tableOf(chapter, chapter.rows, chapter.rows.map(outcomeOf))}\n`);

const verdicts = [...judged.values()];
const countOf = (verdict) => verdicts.filter((one) => one.verdict === verdict).length;
const alarms = verdicts.filter((one) => one.isFalseAlarm).length;
console.log(
  `${countOf("faster")} faster, ${countOf("slower")} slower, ${countOf("noise")} noise. ` +
    `Old against old passes the same test in ${alarms} of ${verdicts.length} rows.`,
);

madeFolder(join(root, "benchmarks/results"));
const record = {
  date: new Date().toISOString(),
  node: execFileSync(execPath, ["--version"], { encoding: "utf8" }).trim(),
  machine: `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} processors, ${process.platform}`,
  load,
  ref,
  commit,
  isSameCode: old.hash === fresh.hash,
  isQuick,
  blocks,
  unit: "milliseconds a run; natural logarithms",
  rows: rows.map((row) => ({
    ...row.cell,
    label: row.label,
    pieces: row.pieces,
    ...taken.get(row),
    ...judged.get(row),
  })),
};
writeFileSync(join(root, RESULT), `${JSON.stringify(record, undefined, 1)}\n`);
console.log(`written: ${RESULT}`);
