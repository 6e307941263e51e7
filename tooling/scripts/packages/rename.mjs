// `node tooling/scripts/packages/rename.mjs @treeline/treeline` gives the package that programs import another name, if a registry has given its
// name away: in its manifest, from which scripts and tests read it, and in the texts that cannot read it. Pages of decisions keep theirs.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FRONT, frontName, readJson, readText, root } from "../lib.mjs";

const CODE = /\.(?:[cm]?[jt]sx?|vue|html)$/;
const PROSE = /\.mdx?$/;
/** Manifests, those of templates among them, and lists of packages. */
const DATA = /\.json(?:\.\w+)?$/;
const FENCED = /^[ \t]*```[\s\S]*?^[ \t]*```$/m;
/** In benchmarks the word is the name of a library among others. */
const LEFT_ALONE = /^(?:benchmarks\/|docs\/(?:benchmarks|decisions)\/|.*CHANGELOG\.md$)/;

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** @returns a function from a path and its text to the text with the other name. In files of documents the word is the name of a format. */
export function renaming(from, to) {
  const name = literal(from);
  const patterns = {
    imported: `((?:\\bfrom|\\bimport|\\b(?:import|require|[mM]ock|importActual)\\()\\s*\\\\?["'\`])${name}(?=["'\`\\\\/])`,
    entry: `(["'\`])${name}(?=/[\\w/-]+\\\\?["'\`])`,
    installed: `^(.*\\b(?:npm|pnpm|yarn|bun|deno) (?:install|i|add)\\b.*\\s)${name}(?=[\\s@]|$)`,
    mentioned: `(\`)${name}(?=\`)`,
    key: `^(\\s*")${name}(?="\\s*:)`,
    listed: `^(\\s*")${name}(?=",?$)`,
    named: `^(\\s*"name":\\s*")${name}(?=")`,
    title: `^(# )${name}$`,
  };
  const replacing = (...kinds) => {
    const expressions = kinds.map((kind) => new RegExp(patterns[kind], "gm"));
    return (text) => expressions.reduce((now, expression) => now.replace(expression, `$1${to}`), text);
  };
  const inCode = replacing("imported", "entry", "installed");
  const inProse = replacing("mentioned", "entry", "installed", "key");
  const comment = /^[ \t]*(?:\*|\/\*|\/\/).*$/gm;

  return (path, text) => {
    if (path === `${FRONT}/package.json`) return replacing("named")(text);
    if (DATA.test(path)) return replacing("key", "listed")(text);
    if (!PROSE.test(path)) return inCode(text).replace(comment, replacing("mentioned"));
    const titled = path.startsWith(FRONT) ? replacing("title")(text) : text;
    return titled
      .split(new RegExp(`(${FENCED.source})`, "m"))
      .map((part) => (FENCED.test(part) ? inCode(part) : inProse(part)))
      .join("");
  };
}

function runOrExit(command, ...words) {
  const { status } = spawnSync(command, words, {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}

function rename(to) {
  const { stdout } = spawnSync("git", ["ls-files"], { cwd: root, encoding: "utf8" });
  const rewritten = renaming(frontName, to);
  const paths = stdout
    .split("\n")
    .filter((path) => (CODE.test(path) || PROSE.test(path) || DATA.test(path)) && !LEFT_ALONE.test(path));
  const changed = paths.filter((path) => {
    const text = readText(path);
    const now = rewritten(path, text);
    if (now !== text) writeFileSync(join(root, path), now);
    return now !== text;
  });
  console.log(`rename: ${frontName} is ${to} in ${changed.length} files`);
  // Sorts imports and dependencies, and fits lines and tables.
  runOrExit("npx", "biome", "check", "--write", "--config-path=tooling/lint.json", ...changed);
  runOrExit("npx", "--yes", readJson("package.json").packageManager, "install", "--lockfile-only");
  console.log("rename: run node tooling/scripts/bootstrap.mjs, then npm test");
}

const [to] = process.argv.slice(2);
if (import.meta.filename === process.argv[1]) {
  if (!/^(?:@[\w-]+\/)?[\w.-]+$/.test(to ?? "")) {
    console.error("usage: node tooling/scripts/packages/rename.mjs NAME");
    process.exit(1);
  }
  rename(to);
}
