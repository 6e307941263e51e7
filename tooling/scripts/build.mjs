// Bundles every entry point of every package twice: dist/<entry>.js (shipped) and dist/<entry>.dev.js (checked);
// then the examples and the benchmarks, which import the shipped bundles. Declarations come from `tsc -b`.
import { readFileSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";
import { bundling, entryPointsOf, examplesIn, filesBelow, packageFolders, root, shipped } from "./lib.mjs";
import { shortNames } from "./short-names.mjs";

const maps = { sourcemap: true, sourcesContent: false };

/** All entry points in one call: shared code, above all module state, goes into chunks and exists once. */
async function bundlePackage(folder) {
  const entries = {
    ...bundling,
    ...maps,
    entryPoints: entryPointsOf(folder).map((entry) => `${folder}/${entry.source}`),
    outbase: `${folder}/src`,
    outdir: `${folder}/dist`,
    splitting: true,
    metafile: true,
  };
  const written = await Promise.all([
    build({
      ...entries,
      ...shipped,
      ...shortNames,
      entryNames: "[dir]/[name]",
      chunkNames: "chunks/[name]-[hash]",
    }),
    build({ ...entries, entryNames: "[dir]/[name].dev", chunkNames: "chunks/[name]-[hash].dev" }),
  ]);

  const current = new Set(written.flatMap(({ metafile }) => Object.keys(metafile.outputs)));
  for (const path of filesBelow(`${folder}/dist/chunks`, ".js", ".js.map")) {
    if (!current.has(path)) rmSync(join(root, path));
  }
}

function bundleProgram(entryPoint, outdir, plugins = []) {
  const node = { platform: "node", target: ["node20"] };
  return build({ ...bundling, ...maps, ...node, entryPoints: [entryPoint], outdir, plugins });
}

/** Each contestant in a separate chunk, so that a process loads only one library. */
function bundleComparison() {
  const names = ["main", "node-cell"];
  const node = { platform: "node", target: ["node20"] };
  return build({
    ...bundling,
    ...maps,
    ...node,
    entryPoints: [
      ...names.map((name) => ({ in: `${comparison}/${name}.ts`, out: `comparison/${name}` })),
      ...playing.map((path) => ({ in: path, out: basename(path, ".ts") })),
    ],
    outdir: "benchmarks/dist",
    chunkNames: "comparison/[name]-[hash]",
    splitting: true,
    plugins: [compiledLoops],
  });
}

/** The same for pages, with the libraries bundled: some of them read `process`, which pages do not have. */
function bundleComparisonForBrowsers() {
  return build({
    ...bundling,
    ...maps,
    platform: "browser",
    packages: "bundle",
    mainFields: ["module", "main"],
    define: { "process.env.NODE_ENV": '"production"', "process.argv": "words" },
    entryPoints: [`${comparison}/browser-cell.ts`],
    outdir: "benchmarks/dist/comparison/browser",
    splitting: true,
    plugins: [compiledLoops],
  });
}

/** Loads loops by `each` compiled, as `compiled.ts` and as `kernels.ts`: the compiler must have been built before. */
const compiledLoops = {
  name: "compiled loops",
  setup({ onLoad }) {
    onLoad({ filter: /fixtures.each.(compiled|kernels)\.ts$/ }, async ({ path }) => {
      const { compile, reportLine } = await import("../../packages/compiler/dist/index.js");
      const written = join(dirname(path), "written.ts");
      const { code, report } = compile(readFileSync(written, "utf8"), written, {
        kernels: basename(path) === "kernels.ts",
      });
      const errors = report
        .filter(({ isCompiled }) => !isCompiled)
        .map((entry) => ({ text: reportLine(entry) }));
      return { contents: code, loader: "ts", errors };
    });
  },
};

const comparison = "benchmarks/src/comparison";
const compiling = "benchmarks/src/questions/queries/what-does-compiling-each-bring.bench.ts";
/** Questions that run contestants of the comparison, in their processes. */
const playing = ["benchmarks/src/questions/process/how-fast-is-a-fresh-process.bench.ts"];
const examples = examplesIn("node");

// A failed bundle has already printed the reason.
await Promise.all([
  ...packageFolders().map(bundlePackage),
  bundleProgram("packages/create-treeline/src/main.ts", "packages/create-treeline/dist"),
  ...examples.map((folder) => bundleProgram(`${folder}/src/main.ts`, `${folder}/dist`)),
  ...filesBelow("benchmarks/src/questions", ".bench.ts")
    .filter((path) => !playing.includes(path) && path !== compiling)
    .map((path) => bundleProgram(path, "benchmarks/dist")),
])
  .then(() =>
    Promise.all([
      bundleComparison(),
      bundleComparisonForBrowsers(),
      bundleProgram(compiling, "benchmarks/dist", [compiledLoops]),
    ]),
  )
  .catch((error) => {
    if (!error.errors) throw error;
    process.exit(1);
  });
