// Counts mutations that the tests detect: `node tooling/scripts/mutants.mjs 20 seed packages/core/src/world`. Draws that many small
// changes of the given files (all below a folder), makes one at a time, and runs the tests until one fails: those named like the
// file, then its package's, then all. Prints what each stage misses. Changes the files while it runs.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { parseSync } from "rolldown/utils";
import { filesBelow, readText, root } from "./lib.mjs";

const OTHER = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "+": "-",
  "-": "+",
  "*": "+",
  "%": "*",
  "&": "|",
  "|": "&",
  "^": "|",
  "<<": ">>",
  ">>": "<<",
  ">>>": "<<",
  "&&": "||",
  "||": "&&",
  "++": "--",
  "--": "++",
  "+=": "-=",
  "-=": "+=",
  "|=": "&=",
  "&=": "|=",
};

/** Nodes of types contain no code, except those that wrap an expression. */
const isType = (type) => type.startsWith("TS") && !/^TS(NonNull|As|Satisfies)Exp/.test(type);

/** Every mutation that is possible in a file: `{ path, start, end, text }`. */
function mutationsOf(path) {
  const source = readText(path);
  const mutations = [];
  const replace = (start, end, text) => mutations.push({ path, start, end, text });
  const negate = ({ start, end }) => replace(start, end, `!(${source.slice(start, end)})`);
  const operator = (node, from, to) => {
    const at = source.indexOf(node.operator, from);
    if (OTHER[node.operator] !== undefined && at < to)
      replace(at, at + node.operator.length, OTHER[node.operator]);
  };

  function collect(node) {
    if (isType(node.type) || node.type === "ImportDeclaration") return;
    const { type, start, end } = node;
    if (type === "BinaryExpression" || type === "LogicalExpression" || type === "AssignmentExpression") {
      operator(node, node.left.end, node.right.start);
    } else if (type === "UpdateExpression") {
      operator(node, node.prefix ? start : node.argument.end, end);
    } else if (type === "UnaryExpression" && node.operator === "!") {
      replace(start, start + 1, "");
    } else if (type === "Literal" && typeof node.value === "number") {
      replace(start, end, `${node.value + 1}`);
    } else if (type === "Literal" && typeof node.value === "boolean") {
      replace(start, end, `${!node.value}`);
    } else if (type === "IfStatement" || type === "ConditionalExpression") {
      negate(node.test);
    } else if (
      /^(Expression|Continue|Break)Statement$/.test(type) ||
      (type === "ReturnStatement" && !node.argument)
    ) {
      replace(start, end, ";");
    }
    for (const child of Object.values(node).flat()) if (typeof child?.type === "string") collect(child);
  }
  collect(parseSync(path, source).program);
  return mutations;
}

/** Draws without replacement, the same for the same seed. */
function draw(mutations, count, seed) {
  let state = [...seed].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 1);
  const left = [...mutations];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return left.splice(Math.floor(((state >>> 0) / 2 ** 32) * left.length), 1)[0];
  });
}

/** Runs tests until the first fails. Tests that never end count as failing, and are reported, because slow ones look the same. */
function fails(options, seconds) {
  const child = spawn(
    "npx",
    [
      "vitest",
      "run",
      "--config",
      "tooling/vitest/vitest.config.ts",
      "--bail",
      "1",
      "--reporter",
      "dot",
      ...options,
    ],
    {
      cwd: root,
      detached: true,
      stdio: "ignore",
    },
  );
  const timer = setTimeout(() => {
    console.log(`not finished after ${seconds} s`);
    process.kill(-child.pid, "SIGKILL");
  }, seconds * 1000);
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code !== 0);
    });
  });
}

/** The tests of a package whose names share a word with the file, and those of its folder if they are few. */
function nearest(path, folder) {
  const words = basename(path, ".ts").split("-");
  const tests = filesBelow(`${folder}/test`, ".test.ts");
  const own = dirname(path).replace("/src", "/test");
  const few = tests.filter((test) => dirname(test) === own).length <= 20;
  const isNear = (test) =>
    (few && dirname(test) === own) ||
    basename(test, ".test.ts")
      .split("-")
      .some((word) => words.includes(word));
  return tests.filter(isNear);
}

const STAGES = [
  (path, folder, project) => {
    const near = nearest(path, folder);
    return near.length > 0 && fails(["--project", project, ...near], 120);
  },
  (_, __, project) => fails(["--project", project], 600),
  () => fails([], 1800),
];

let mend = () => {};
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    mend();
    process.exit(1);
  });
}

/** Makes a mutation while the tests of a stage run. */
async function isDetected({ path, start, end, text }, stage) {
  const source = readText(path);
  const folder = path.split("/").slice(0, 2).join("/");
  mend = () => writeFileSync(join(root, path), source);
  writeFileSync(join(root, path), source.slice(0, start) + text + source.slice(end));
  const noticed = await stage(path, folder, basename(folder));
  mend();
  return noticed;
}

function textOf({ path, start, end, text }) {
  const source = readText(path);
  const before = source.slice(0, start).split("\n");
  const after = source.slice(end).split("\n")[0];
  return `${path}:${before.length}: ${before.at(-1).trimStart()}[${source.slice(start, end)} => ${text}]${after}`;
}

const [count = "20", seed = "treeline", ...paths] = process.argv.slice(2);
const files = paths.flatMap((path) => (path.endsWith(".ts") ? [path] : filesBelow(path, ".ts")));
const drawn = draw(files.flatMap(mutationsOf), Number(count), seed);
// Stage by stage: mutations that the quick tests miss are known early.
let left = drawn;
for (const [number, stage] of STAGES.entries()) {
  const unnoticed = [];
  for (const mutation of left) {
    if (await isDetected(mutation, stage)) continue;
    unnoticed.push(mutation);
    console.log(`stage ${number + 1} misses ${textOf(mutation)}`);
  }
  left = unnoticed;
  console.log(`stage ${number + 1}: ${drawn.length - left.length} of ${drawn.length} detected`);
}
