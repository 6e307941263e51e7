// Publishes the packages whose version is not in the registry yet, after every check. Versions and changelogs come from
// `npx changeset version`; see CONTRIBUTING.md. `--dry-run` does everything but publish.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";
import { packAll } from "./pack.mjs";

const isDry = process.argv.includes("--dry-run");

function runOrExit(command, args, cwd = root) {
  console.log(`> ${command} ${args.join(" ")}`);
  const { status, error } = spawnSync(command, args, {
    cwd,
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  if (status === 0) return;
  console.error(`release: ${command} ended with ${error?.code ?? status}; nothing more was published`);
  process.exit(status ?? 1);
}

function outputOf(command, args) {
  return spawnSync(command, args, { cwd: root, encoding: "utf8", shell: process.platform === "win32" });
}

const changes = outputOf("git", ["status", "--porcelain"]).stdout.trim();
if (changes !== "" && !isDry) {
  console.error(`release: commit these changes first:\n${changes}`);
  process.exit(1);
}

const { path: changeset, missing } = toolCommand("changeset");
if (missing !== undefined) {
  console.error(`release: ${missing}`);
  process.exit(1);
}
runOrExit(changeset, ["status"]);
runOrExit("npm", ["test"]);
const tarballs = mkdtempSync(join(tmpdir(), "treeline-release-"));
for (const { manifest, path } of await packAll(tarballs)) {
  const { name, version } = manifest;
  const isPublished = outputOf("npm", ["view", `${name}@${version}`, "version"]).stdout.trim() === version;
  if (isPublished) console.log(`release: ${name} ${version} is published already`);
  // `publishConfig.provenance` makes npm record the commit and the workflow; that needs a workflow with an identity token.
  else runOrExit("npm", ["publish", path, ...(isDry ? ["--dry-run", "--provenance=false"] : [])]);
}
rmSync(tarballs, { recursive: true });
