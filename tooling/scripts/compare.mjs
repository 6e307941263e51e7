// Compares the speed of the packages in the working tree with that of a commit: `--compare [ref] [workload ...]`, with
// `--only=child-of` or `--only=parent`, `--quick`, `--node24`, `--host=node20`, `node24` or `chromium`; or `--rows gates [text ...]`. Both run
// the benchmarks of the working tree. For the method see benchmarks/src/commits/play.ts and tooling/scripts/compare/statistics.mjs.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { findChromium } from "./browser/chromium.mjs";
import { bundleRows, bundleSide, commitOf, copyCommit, copyWorkingTree } from "./compare/sides.mjs";
import { blocksFor, loadJudge } from "./compare/statistics.mjs";
import { gateTableOf, tableOf } from "./compare/table.mjs";
import { root } from "./lib.mjs";
import { cacheFolder, findNode } from "./node24.mjs";

const FLAGS = ["--quick", "--node24", "--rows=gates"];
/** Where gates are played, if it is there. */
const HOST_OF_GATES = "node24";
/** Milliseconds that one workload may take, or under `--quick` all of them. */
const BUDGET = 100_000;
const QUICK_BUDGET = 50_000;
/** Blocks of a gate: their ratios are compared with limits, not with chance. */
const GATE_BLOCKS = 8;
const QUICK_GATE_BLOCKS = 3;
/** A row with fewer has no interval. */
const FEWEST_BLOCKS = 2;
/** So few gates are played twice as often. */
const FEW_GATES = 12;

function stop(message) {
  console.error(message);
  process.exit(1);
}

const given = process.argv.slice(2).map((word) => word.replace(/^--compare=/, ""));
const words = given
  .map((word, at) => (word === "--rows" ? `--rows=${given[at + 1]}` : word))
  .filter((word, at) => word !== "--compare" && given[at - 1] !== "--rows");
const options = words.filter((word) => word.startsWith("--"));
const [firstText, ...otherTexts] = words.filter((word) => !word.startsWith("--"));
const isQuick = options.includes("--quick");
const isGates = options.includes("--rows=gates");
const RESULT = `benchmarks/results/${isGates ? "gates" : "compare"}.json`;
/** Milliseconds of a typical block. */
const BLOCK = isQuick ? 700 : 1_800;
const unknown = options.find((word) => !FLAGS.includes(word) && !/^--(only|host)=./.test(word));
if (unknown !== undefined)
  stop(`there is no option ${unknown}; there are: ${FLAGS.join(", ")}, --only=, --host=`);

/** Removed at the end, also after an error. */
const folder = mkdtempSync(join(madeFolder(cacheFolder("compare")), "sides-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let isPlaying = false;
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    if (isPlaying) report();
    process.exit(1);
  });
}

function madeFolder(path) {
  mkdirSync(path, { recursive: true });
  return path;
}

const { chaptersOf, gateChaptersOf, isWorkload, playerOf, STORAGES } = await import(
  pathToFileURL(await bundleRows(join(folder, "rows"))).href
);

const isName = (text) => (isGates ? gateChaptersOf([text]).length > 0 : isWorkload(text));

/** The first word is a commit, unless it is not one and a workload or gate has this name. */
function chosen() {
  if (firstText === undefined) return { ref: "main", texts: [] };
  if (commitOf(firstText) !== undefined) return { ref: firstText, texts: otherTexts };
  if (isName(firstText)) return { ref: "main", texts: [firstText, ...otherTexts] };
  return stop(`there is neither a commit nor a ${isGates ? "gate" : "workload"} ${firstText}`);
}

const { ref, texts } = chosen();
const commit = commitOf(ref) ?? stop(`git has no commit ${ref}`);
const unknownText = texts.find((text) => !isName(text));
if (unknownText !== undefined) stop(`there is no ${isGates ? "gate" : "workload"} ${unknownText}`);

function chosenStorages() {
  const named = options.find((word) => word.startsWith("--only="))?.slice("--only=".length);
  if (named === undefined) return isQuick && texts.length === 0 ? STORAGES.slice(0, 1) : STORAGES;
  const storages = named.split(",").map((name) => name.replace(/^treeline-/, ""));
  const odd = storages.find((name) => !STORAGES.includes(name));
  return odd === undefined ? storages : stop(`there is no storage ${odd}; there are: ${STORAGES.join(", ")}`);
}

const HOSTS = { node20: () => findNode(20), node24: () => findNode(24), chromium: findChromium };

/** @returns the path of a Node or of Chromium. */
function chosenHost() {
  const named = options.find((word) => word.startsWith("--host="))?.slice("--host=".length);
  const asked = options.includes("--node24") ? "node24" : named;
  const host = asked ?? (isGates ? HOST_OF_GATES : undefined);
  if (host === undefined) return { binary: process.execPath, isChromium: false };
  if (HOSTS[host] === undefined)
    stop(`there is no host ${host}; there are: ${Object.keys(HOSTS).join(", ")}`);
  const { path, missing } = HOSTS[host]();
  if (missing === undefined) return { binary: path, isChromium: host === "chromium" };
  if (asked !== undefined) stop(`no ${host}: ${missing}`);
  console.error(`no ${host}: ${missing}\nUsing this Node instead, ${process.version}.`);
  return { binary: process.execPath, isChromium: false };
}

const { binary, isChromium } = chosenHost();
const { judge, missing } = await loadJudge();
if (missing !== undefined) stop(missing);

const failure = copyCommit(commit, join(folder, "old"));
if (failure !== undefined) stop(failure);
copyWorkingTree(join(folder, "new"));
const old = await bundled("old");
const fresh = await bundled("new");

/** esbuild has already printed its errors. */
function bundled(side) {
  return bundleSide(join(folder, side), isChromium).catch((error) =>
    stop(`the ${side} packages cannot be measured: ${error.message.split("\n")[0]}`),
  );
}

/** Not every Chromium says how much memory a page has. */
const isPlayed = ({ match }) => !isChromium || match.mode !== "bytes";
const chapters = (isGates ? gateChaptersOf : chaptersOf)(texts, chosenStorages()).map((chapter) => ({
  ...chapter,
  rows: chapter.rows.filter(isPlayed),
}));
const rows = chapters.flatMap((chapter) => chapter.rows);
const { blocks, pace } = isGates ? paceOfGates() : paceOfWorkloads();

function paceOfWorkloads() {
  const share = (isQuick ? QUICK_BUDGET : BUDGET * chapters.length) / rows.length;
  const blocks = blocksFor(rows.length, isQuick ? 0 : 1, Math.floor(share / BLOCK));
  return { blocks, pace: { warmUp: isQuick ? 30 : 70, turn: isQuick ? 3 : 10, block: share / blocks } };
}

/** A row that is asked for by its name gets more blocks. */
function paceOfGates() {
  const usual = isQuick ? QUICK_GATE_BLOCKS : GATE_BLOCKS;
  const blocks = texts.length > 0 && rows.length <= FEW_GATES ? usual * 2 : usual;
  return { blocks, pace: { warmUp: isQuick ? 50 : 150, turn: isQuick ? 4 : 10, block: BLOCK } };
}

console.log(`Old: ${ref} (${commit.slice(0, 9)}). New: the working tree.`);
if (old.hash === fresh.hash) console.log("Both are the same code, byte for byte: any difference is noise.");
for (const [name, { lacking }] of [
  ["old", old],
  ["new", fresh],
]) {
  if (lacking.length > 0)
    console.log(`The ${name} one lacks what the benchmarks import: ${lacking.join(", ")}.`);
}
if (isQuick) {
  const less = isGates ? "fewer blocks" : "fewer entities than the texts say";
  console.log(`A quick run with ${less}: not to be quoted.`);
}
const load = loadavg()[0];
if (load > cpus().length / 2) {
  console.log(`The machine is busy (load ${load.toFixed(1)}): intervals will be wide.`);
}
const player = await playerOf({ old: old.cell, new: fresh.cell, binary, isChromium });
const host = isChromium ? player.host : `Node ${versionOf(binary)}`;
console.log(`${rows.length} rows, ${blocks} blocks of three fresh processes for each, in ${host}.\n`);

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
isPlaying = true;
function versionOf(path) {
  return execFileSync(path, ["--version"], { encoding: "utf8" }).trim().slice(1);
}

/** Rows that are played together, block by block: a slow minute of the machine is then a slow block of every row. */
const groups = isGates ? [rows] : chapters.map((chapter) => chapter.rows);
for (const group of groups) {
  for (let block = 0; block < blocks; block++) {
    for (const row of group) {
      const record = taken.get(row);
      if (record.remark === undefined) {
        const result = await player.play(row, pace);
        if (result.kind === "measured") keep(record, result);
        else record.remark = remarkOf(result);
      }
      done++;
      printProgress(row, block, row === group.at(-1));
    }
  }
}
process.stderr.write("\n\n");
await player.close();
isPlaying = false;
report();

function keep({ effects, noises, oldTimes, newTimes }, { effect, noise, times }) {
  effects.push(effect);
  noises.push(noise);
  oldTimes.push(Math.sqrt(times.old * times.again));
  newTimes.push(times.new);
}

/** On a terminal in one line; elsewhere a line per block. */
function printProgress(row, block, isBlockDone) {
  const left = ((performance.now() - begin) / done) * (rows.length * blocks - done);
  const { workload } = chapters.find((chapter) => chapter.rows.includes(row));
  const text = `${workload}, block ${block + 1} of ${blocks}, about ${Math.ceil(left / 1_000)} s left`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
  else if (isBlockDone) process.stderr.write(`${text}\n`);
}

function middleOf(numbers) {
  return [...numbers].sort((one, other) => one - other)[numbers.length >> 1];
}

/** Prints tables, and writes the results, of what has been played. */
function report() {
  for (const record of taken.values()) {
    if (record.effects.length < FEWEST_BLOCKS) record.remark ??= "not played";
  }
  const whole = rows.filter((row) => taken.get(row).remark === undefined);
  const judged = new Map(judge(whole.map((row) => taken.get(row))).map((one, at) => [whole[at], one]));
  const outcomeOf = (row) => {
    const { oldTimes, newTimes, remark } = taken.get(row);
    return { remark, times: { old: middleOf(oldTimes), new: middleOf(newTimes) }, judged: judged.get(row) };
  };
  for (const chapter of chapters) {
    const write = isGates ? gateTableOf : tableOf;
    console.log(`${write(chapter, chapter.rows, chapter.rows.map(outcomeOf))}\n`);
  }
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
    host,
    machine: `${cpus()[0]?.model.trim() ?? "unknown"}, ${cpus().length} processors, ${process.platform}`,
    load,
    ref,
    commit,
    isSameCode: old.hash === fresh.hash,
    isQuick,
    blocks,
    unit: "milliseconds a run; natural logarithms",
    rows: rows.map((row) => ({
      ...row.match.cells?.new,
      label: row.label,
      pieces: row.pieces,
      ...row.gate,
      ...taken.get(row),
      ...judged.get(row),
    })),
  };
  writeFileSync(join(root, RESULT), `${JSON.stringify(record, undefined, 1)}\n`);
  console.log(`written: ${RESULT}`);
}
