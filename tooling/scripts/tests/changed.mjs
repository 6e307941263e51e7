// `npm run test:changed`: what a change of some files can break, for daily work. Lint of these files, layers, types, and the tests on sources
// that import one of them. What must be built for it, bundles and pages among it, is left to `npm test`.
//
// Changed is what differs from where this branch left main, and what is not committed; `npm run test:changed -- HEAD` compares with another commit.
import { spawn, spawnSync } from "node:child_process";
import { root } from "../lib.mjs";

/** Tests of all texts: documents, their lists of files, words, and waits of tests. */
const TEXTS = ["documents", "files", "words", "waits"];

function git(...words) {
  const { status, stdout } = spawnSync("git", words, { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

/** The commit that `main` and this branch have in common, or the last but one on main itself. */
function start() {
  const main = ["main", "origin/main"].find((name) => git("rev-parse", "--verify", "--quiet", name));
  const common = main && git("merge-base", main, "HEAD");
  if (common === undefined) return "HEAD";
  return common === git("rev-parse", "HEAD") && git("status", "--porcelain") === "" ? "HEAD~1" : common;
}

/** Prints what the command says when it ends, so that texts do not mix. @returns its exit code, or 1. */
function run(command, ...words) {
  return new Promise((resolve) => {
    const said = [];
    const child = spawn(command, words, { cwd: root, shell: process.platform === "win32" });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => said.push(chunk));
    const end = (status) => {
      process.stdout.write(Buffer.concat(said));
      if (status !== 0) console.error(`${[command, ...words].slice(0, 4).join(" ")} FAILED`);
      resolve(status ?? 1);
    };
    child.on("error", () => end(1));
    child.on("close", end);
  });
}

const since = process.argv[2] ?? start();
const listed = git("diff", "--name-only", "--diff-filter=d", since);
const added = git("ls-files", "--others", "--exclude-standard");
if (listed === undefined || added === undefined) {
  console.error(`test:changed: git does not know ${since}`);
  process.exit(1);
}
const changed = [...new Set(`${listed}\n${added}`.split("\n"))].filter(Boolean);
console.log(`test:changed: ${changed.length} files since ${since.slice(0, 12)}`);
if (changed.length === 0) process.exit(0);

const checks = [
  ["npx", "biome", "ci", "--config-path=tooling/lint.json", "--no-errors-on-unmatched", ...changed],
  ["node", "tooling/scripts/check-layers.mjs"],
  ["npx", "tsc", "-b"],
  [
    "npx",
    "vitest",
    "run",
    "--config",
    "tooling/vitest/vitest.config.ts",
    "--changed",
    since,
    "--passWithNoTests",
    "--project",
    "!pages",
  ],
  // They read files, which they do not import.
  [
    "npx",
    "vitest",
    "run",
    "--config",
    "tooling/vitest/vitest.config.ts",
    "--project",
    "examples",
    ...TEXTS.map((name) => `examples/readme/test/${name}.test.ts`),
  ],
];
let failed = 0;
for (const [command, ...words] of checks) failed = (await run(command, ...words)) || failed;
process.exit(failed);
