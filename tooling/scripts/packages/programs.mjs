// Whether the programs whose sizes are limited do with installed tarballs what they do in this repository: they print the same, and bundlers
// make as little of them.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { build } from "esbuild";
import { filesBelow, readText, root } from "../lib.mjs";

const PROGRAMS = filesBelow("tooling/scripts/programs", ".js");

/** It counts places in compiled texts that development builds do not have. */
const IN_SHIPPED_BUILDS_ONLY = "loops.js";

/** Copies them into the project, with two that import the others. @returns { development, shipped }: their paths, and what they print. */
export function copyPrograms(project) {
  const folder = join(project, "programs");
  mkdirSync(folder);
  const write = (name, paths) => {
    const imports = paths.map((path) => `import "./${basename(path)}";\n`);
    writeFileSync(join(folder, name), imports.join(""));
    const expected = paths.flatMap((path) => [...readText(path).matchAll(/^\/\/> (.*)$/gm)]);
    return { path: `programs/${name}`, expected: expected.map(([, line]) => line).join("\n") };
  };
  for (const path of PROGRAMS) copyFileSync(join(root, path), join(folder, basename(path)));
  return {
    shipped: write("all-of-them.js", PROGRAMS),
    development: write(
      "all-but-one.js",
      PROGRAMS.filter((path) => basename(path) !== IN_SHIPPED_BUILDS_ONLY),
    ),
  };
}

/** So that bundlers find out by themselves what has no effects. */
const ignoreManifests = {
  name: "ignoreManifests",
  setup({ onResolve, resolve }) {
    onResolve({ filter: /./ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === "resolving") return;
      return { ...(await resolve(path, { ...from, pluginData: "resolving" })), sideEffects: true };
    });
  },
};

async function bytesOf(path, modules) {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [path],
    bundle: true,
    format: "esm",
    // Without shorter identifiers, whose lengths depend on the order of files.
    minifySyntax: true,
    minifyWhitespace: true,
    nodePaths: [modules],
    external: ["three"],
    plugins: [ignoreManifests],
    logLevel: "warning",
    write: false,
  });
  return outputFiles[0].contents.length;
}

/** @returns a line for each program that is larger when it is bundled from tarballs. */
export async function largerBundles(project) {
  const problems = [];
  for (const path of PROGRAMS) {
    const here = await bytesOf(path, join(root, "packages/invariants/node_modules"));
    const there = await bytesOf(path, join(project, "node_modules"));
    if (there > here) problems.push(`${path}: ${there} bytes instead of ${here}`);
  }
  return problems;
}
