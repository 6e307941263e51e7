// Installs the workspace with the pinned pnpm, fetched by npx. Does nothing when the installation is current.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";

const root = new URL("../../", import.meta.url);
const stamp = new URL("node_modules/.bootstrap", root);
const { packageManager } = JSON.parse(readFileSync(new URL("package.json", root), "utf8"));

const hash = createHash("sha256").update(`${process.platform} ${process.arch} ${packageManager}`);
for (const file of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml"]) {
  hash.update(readFileSync(new URL(file, root)));
}
const want = hash.digest("hex");
let have = "";
try {
  have = readFileSync(stamp, "utf8");
} catch {
  // Never installed.
}

if (have !== want) {
  const { status } = spawnSync("npx", ["--yes", packageManager, "install", "--frozen-lockfile"], {
    cwd: root,
    stdio: "inherit",
    shell: process.platform === "win32",
    env: { ...process.env, CI: process.env.CI ?? "1" },
  });
  if (status !== 0) process.exit(status ?? 1);
  writeFileSync(stamp, want);
}
