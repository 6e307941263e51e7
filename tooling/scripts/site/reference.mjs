// Writes the reference into the pages of the site, from the declarations of the packages.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { toolCommand } from "../tools.mjs";

/** @returns what went wrong, or undefined. */
export function writeReference() {
  const { path, missing } = toolCommand("typedoc", "tooling/site");
  if (missing !== undefined) return missing;
  const { status } = spawnSync(path, ["--logLevel", "Warn"], {
    cwd: join(root, "tooling/site"),
    stdio: "inherit",
    shell: process.platform === "win32",
  });
  return status === 0 ? undefined : "the reference could not be written";
}
