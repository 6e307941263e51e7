// `npm run changeset` notes a change for the changelogs; `npm run changeset -- version` raises the versions by the notes.
import { spawnSync } from "node:child_process";
import { root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";

const { path, missing } = toolCommand("changeset");
if (missing !== undefined) {
  console.error(`changeset: ${missing}`);
  process.exit(1);
}
const { status } = spawnSync(path, process.argv.slice(2), {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
});
process.exitCode = status ?? 1;
