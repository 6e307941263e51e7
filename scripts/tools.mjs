// Installs tools/, a separate workspace: dependencies of some scripts only, so that the others need not install them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readJson, root } from "./lib.mjs";

const folder = join(root, "tools");

function wanted() {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"]) {
    hash.update(readFileSync(join(folder, file)));
  }
  return hash.digest("hex");
}

/** Does nothing when the installation is current. @returns the reason of a failure, if there is one. */
function install() {
  const stamp = join(folder, "node_modules/.bootstrap");
  const want = wanted();
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return undefined;
  const pnpm = readJson("tools/package.json").packageManager;
  const { status, error } = spawnSync("npx", ["--yes", pnpm, "install", "--frozen-lockfile"], {
    cwd: folder,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    env: { CI: "1", npm_config_fetch_retries: "1", ...process.env },
    timeout: 180_000,
  });
  if (status !== 0) return `tools/ could not be installed (${error?.code ?? `ended with ${status}`})`;
  writeFileSync(stamp, want);
  return undefined;
}

let installed;
/** Installs once in a process. @returns the reason of a failure, if there is one. */
function installOnce() {
  installed ??= { missing: install() };
  return installed.missing;
}

/** @returns `{ path }` of an executable of a tool, or `{ missing }` with the reason. */
export function toolCommand(name) {
  const missing = installOnce();
  if (missing !== undefined) return { missing };
  return { path: join(folder, "node_modules/.bin", process.platform === "win32" ? `${name}.cmd` : name) };
}

/** @returns `{ module }`, or `{ missing }` with the reason. */
export async function tool(name) {
  const missing = installOnce();
  if (missing !== undefined) return { missing };
  const path = createRequire(join(folder, "package.json")).resolve(name);
  const module = await import(pathToFileURL(path).href);
  return { module: module.default ?? module };
}
