// Removes everything that the build makes; keeps the installation.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { foldersIn, root } from "./lib.mjs";

const built = [...foldersIn("packages", "examples"), "benchmarks"].map((folder) => `${folder}/dist`);

const caches = ["test", "users", "pages"].map((name) => `node_modules/.cache/tsc-${name}`);

for (const path of [...built, ...caches]) {
  rmSync(join(root, path), { recursive: true, force: true });
}
