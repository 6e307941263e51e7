// How many slips the tests notice: `node scripts/mutants.mjs 20 seed packages/core/src/world`. Draws that many small changes
// of the files given (all below a folder), makes one at a time, and runs the tests until one fails: those named like the
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

/** Nodes of types hold no code; those that wrap an expression do. */
const isType = (type) => type.startsWith("TS") && !/^TS(NonNull|As|Satisfies)Exp/.test(type);

/** Every slip that a file allows: `{ path, start, end, text }`. */
function slipsOf(path) {
  const source = readText(path);
  const slips = [];
  const replace = (start, end, text) => slips.push({ path, start, end, text });
  const negate = ({ start, end }) => replace(start, end, `!(${source.slice(start, end)})`);
  const operator = (node, from, to) => {
    const at = source.indexOf(node.operator, from);
    if (OTHER[node.operator] !== undefined && at < to)
      replace(at, at + node.operator.length, OTHER[node.operator]);
  };

  function look(node) {
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
    for (const child of Object.values(node).flat()) if (typeof child?.type === "string") look(child);
  }
  look(parseSync(path, source).program);
  return slips;
}

/** Draws without putting back, the same for the same seed. */
function draw(slips, count, seed) {
  let state = [...seed].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) | 0, 1);
  const left = [...slips];
  return Array.from({ length: Math.min(count, left.length) }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return left.splice(Math.floor(((state >>> 0) / 2 ** 32) * left.length), 1)[0];
  });
}

/** Runs tests until the first fails. Tests that never end count as failing, and are told, since slow ones look the same. */
function fails(options, seconds) {
  const child = spawn("npx", ["vitest", "run", "--bail", "1", "--reporter", "dot", ...options], {
    cwd: root,
    detached: true,
    stdio: "ignore",
  });
  const timer = setTimeout(() => {
    console.log(`no end after ${seconds} s`);
    process.kill(-child.pid, "SIGKILL");
  }, seconds * 1000);
  return new Promise((resolve) => {
    child.on("exit", (code) => {
      clearTimeout(timer);
      resolve(code !== 0);
    });
  });
}

/** The tests of a package that share a word of their name with the file, and those of its folder if they are few. */
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

/** Makes a slip for as long as the tests of a stage run. */
async function isNoticed({ path, start, end, text }, stage) {
  const source = readText(path);
  const folder = path.split("/").slice(0, 2).join("/");
  mend = () => writeFileSync(join(root, path), source);
  writeFileSync(join(root, path), source.slice(0, start) + text + source.slice(end));
  const noticed = await stage(path, folder, basename(folder));
  mend();
  return noticed;
}

function told({ path, start, end, text }) {
  const source = readText(path);
  const before = source.slice(0, start).split("\n");
  const after = source.slice(end).split("\n")[0];
  return `${path}:${before.length}: ${before.at(-1).trimStart()}[${source.slice(start, end)} => ${text}]${after}`;
}

const [count = "20", seed = "treeline", ...paths] = process.argv.slice(2);
const files = paths.flatMap((path) => (path.endsWith(".ts") ? [path] : filesBelow(path, ".ts")));
const drawn = draw(files.flatMap(slipsOf), Number(count), seed);
// Stage by stage: what the quick tests do not notice is known early.
let left = drawn;
for (const [number, stage] of STAGES.entries()) {
  const unnoticed = [];
  for (const slip of left) {
    if (await isNoticed(slip, stage)) continue;
    unnoticed.push(slip);
    console.log(`stage ${number + 1} misses ${told(slip)}`);
  }
  left = unnoticed;
  console.log(`stage ${number + 1}: ${drawn.length - left.length} of ${drawn.length} noticed`);
}
