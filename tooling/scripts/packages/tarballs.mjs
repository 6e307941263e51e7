// `npm run tarballs`: packs the packages into dist/tarballs/ as they are published, and prints the command that installs them elsewhere.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "../lib.mjs";
import { packAll } from "./pack.mjs";

const folder = join(root, "dist/tarballs");
rmSync(folder, { recursive: true, force: true });
const tarballs = await packAll(folder);
rmSync(join(folder, "staged"), { recursive: true });
const paths = tarballs.map(({ path }) => path).filter((path) => !path.includes("create-treeline"));
console.log(`npm install ${paths.map((path) => JSON.stringify(path)).join(" ")}`);
