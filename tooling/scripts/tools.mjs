// Installs tooling/tools/ and tooling/site/, separate workspaces: dependencies of some scripts only, so that the others need not install them.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readJson, root } from "./lib.mjs";
import { HUNG } from "./tests/limits.mjs";

function wanted(folder) {
  const hash = createHash("sha256").update(`${process.platform} ${process.arch}`);
  for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"]) {
    hash.update(readFileSync(join(root, folder, file)));
  }
  return hash.digest("hex");
}

function install(folder) {
  const cwd = join(root, folder);
  const stamp = join(cwd, "node_modules/.bootstrap");
  const want = wanted(folder);
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === want) return undefined;
  const pnpm = readJson(`${folder}/package.json`).packageManager;
  const { status, error } = spawnSync("npx", ["--yes", pnpm, "install", "--frozen-lockfile"], {
    cwd,
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32",
    env: { CI: "1", npm_config_fetch_retries: "1", ...process.env },
    timeout: HUNG,
  });
  if (status !== 0) return `${folder}/ could not be installed (${error?.code ?? `ended with ${status}`})`;
  writeFileSync(stamp, want);
  return undefined;
}

/** What was installed in this process: folder -> the reason of a failure, or undefined. */
const tried = new Map();

/** Installs a workspace unless its installation is current. @returns the reason of a failure, if there is one. */
function installOnce(folder) {
  if (!tried.has(folder)) tried.set(folder, install(folder));
  return tried.get(folder);
}

/** @returns `{ path }` of an executable of a workspace, or `{ missing }` with the reason. */
export function toolCommand(name, folder = "tooling/tools") {
  const missing = installOnce(folder);
  if (missing !== undefined) return { missing };
  return {
    path: join(root, folder, "node_modules/.bin", process.platform === "win32" ? `${name}.cmd` : name),
  };
}

/** @returns `{ module }` of a workspace, or `{ missing }` with the reason. */
export async function tool(name, folder = "tooling/tools") {
  const missing = installOnce(folder);
  if (missing !== undefined) return { missing };
  const path = createRequire(join(root, folder, "package.json")).resolve(name);
  const module = await import(pathToFileURL(path).href);
  return { module: module.default ?? module };
}
