// `npm run changeset` notes a change for the changelogs; `npm run changeset -- version` raises the versions by the notes, and writes them into
// the changelogs.
import { spawnSync } from "node:child_process";
import { readJson, root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";
import { readNotes, writeChangelogs } from "./changelog.mjs";
import { publishedPackages } from "./pack.mjs";

function runOrExit(command, words) {
  const options = { cwd: root, stdio: "inherit", shell: process.platform === "win32" };
  const { status } = spawnSync(command, words, options);
  if (status !== 0) process.exit(status ?? 1);
}

const { path, missing } = toolCommand("changeset");
if (missing !== undefined) {
  console.error(`changeset: ${missing}`);
  process.exit(1);
}
const words = process.argv.slice(2);
const notes = words[0] === "version" ? readNotes() : [];
runOrExit(path, words);
if (notes.length > 0) {
  writeChangelogs(publishedPackages(), notes);
  // Packages depend on one another by their versions.
  runOrExit("npx", ["--yes", readJson("package.json").packageManager, "install", "--lockfile-only"]);
}
