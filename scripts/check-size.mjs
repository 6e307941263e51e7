// Minified, gzipped size of what users get, against scripts/size-budget.json.
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { bundling, packageFolders, readJson, root, shipped } from "./lib.mjs";

/** The import a beginner makes, with all that comes along. */
const FIRST_IMPORT = `
  export { createWorld, spawn, add, set, component } from "@treeline/core";
  export { query, each } from "@treeline/query";
`;

async function measure(input) {
  const { outputFiles } = await build({ ...bundling, ...shipped, minify: true, write: false, ...input });
  const code = outputFiles[0].contents;
  return { minified: code.length, gzip: gzipSync(code, { level: 9 }).length };
}

const measured = await Promise.all([
  ...packageFolders().map(async (folder) => [
    folder.replace("packages/", ""),
    await measure({ entryPoints: [`${folder}/src/index.ts`] }),
  ]),
  measure({
    // Read from where both packages resolve; bundled from sources. As "js", a missing name is an error.
    stdin: { contents: FIRST_IMPORT, resolveDir: join(root, "packages/laws"), loader: "js" },
    packages: "bundle",
    conditions: ["treeline-source"],
  }).then((size) => ["first import", size]),
]);

const budgets = readJson("scripts/size-budget.json");
const row = (...cells) => cells.map((cell, at) => (at ? `${cell}`.padStart(10) : cell.padEnd(14))).join("");

console.log(row("bytes", "minified", "gzip", "budget"));
for (const [name, { minified, gzip }] of measured) {
  const budget = budgets[name];
  const over = !(gzip <= budget); // no budget is over as well
  console.log(row(name, minified, gzip, budget ?? "none") + (over ? "  OVER" : ""));
  if (over) process.exitCode = 1;
}
