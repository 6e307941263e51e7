// Removes everything that the build makes; keeps the installation.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { foldersIn, root } from "./lib.mjs";

const built = [...foldersIn("packages", "examples"), "benchmarks"].map((folder) => `${folder}/dist`);

for (const path of [...built, "node_modules/.cache/tsc-test", "node_modules/.cache/tsc-users"]) {
  rmSync(join(root, path), { recursive: true, force: true });
}
