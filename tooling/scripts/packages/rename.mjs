// `node tooling/scripts/packages/rename.mjs @treeline/treeline` gives the package that programs import another name, if a registry has given its
// name away: in its manifest, from which scripts and tests read it, and in the texts that cannot read it. Pages of decisions keep theirs.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { FRONT, frontName, readJson, readText, root } from "../lib.mjs";

const CODE = /\.(?:[cm]?[jt]sx?|vue|html)$/;
const PROSE = /\.mdx?$/;
/** Manifests, those of templates among them, and lists of packages. */
const MANIFEST = /\.json(?:\.\w+)?$/;
/** In benchmarks the word is the name of a library among others. */
const LEFT_ALONE = /^(?:benchmarks\/|docs\/(?:benchmarks|decisions)\/|.*CHANGELOG\.md$)/;

const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");

/** @returns a function from a file and its text to the text with the other name. */
export function renaming(from, to) {
  const name = literal(from);
  const entry = `${name}(?=["'\`\\\\/])`;
  const imported = new RegExp(
    `((?:\\bfrom|\\bimport|\\b(?:import|require|[mM]ock|importActual)\\()\\s*\\\\?["'\`])${entry}`,
    "g",
  );
  const entryText = new RegExp(`(["'\`])${name}(?=/[\\w/-]+\\\\?["'\`])`, "g");
  const quoted = new RegExp(`(["'\`])${entry}`, "g");
  const installed = new RegExp(
    `^(.*\\b(?:npm|pnpm|yarn|bun|deno) (?:install|i|add)\\b.*\\s)${name}(?=[\\s@]|$)`,
    "gm",
  );
  const title = new RegExp(`^# ${name}$`, "m");
  const key = new RegExp(`"${name}"`, "g");
  const inComments = (text) =>
    text.replace(/^[ \t]*(?:\*|\/\*\*|\/\/).*$/gm, (line) => line.replace(quoted, `$1${to}`));
  return (path, text) => {
    if (MANIFEST.test(path)) return text.replace(key, `"${to}"`);
    if (PROSE.test(path)) {
      const prose = text.replace(quoted, `$1${to}`).replace(installed, `$1${to}`);
      return path.startsWith(FRONT) ? prose.replace(title, `# ${to}`) : prose;
    }
    return inComments(text.replace(imported, `$1${to}`).replace(entryText, `$1${to}`)).replace(
      installed,
      `$1${to}`,
    );
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
    .filter((path) => (CODE.test(path) || PROSE.test(path) || MANIFEST.test(path)) && !LEFT_ALONE.test(path));
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
