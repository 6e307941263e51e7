import { defineConfig } from "vitest/config";
import { filesBelow, packageFolders } from "../scripts/lib.mjs";
import { bundleTests, loadBundles, mapsStacks } from "../scripts/tests/bundle.mjs";
import { isLong, limits, walks } from "./limits.ts";

// Vitest starts its processes with the condition "development", unless this says production. With neither that nor "treeline-source",
// packages resolve to the bundles that users get.
process.env.NODE_ENV = "production";
const resolve = { conditions: ["node"] };

/** What users do not get. Tests of the compiler import its sources. */
const AT_RUN_TIME = packageFolders()
  .map((folder) => folder.slice("packages/".length))
  .filter((name) => name !== "compiler");
const REFUSED = new RegExp(
  `[\\\\/]packages[\\\\/](?:${AT_RUN_TIME.join("|")})[\\\\/](?:src[\\\\/]|dist[\\\\/].*\\.dev\\.js)`,
);

const LEFT_OUT = [
  // They replace modules of the sources, which the shipped bundles do not import.
  /^packages\/invariants\/test\/walk\/walk-unobserved/,
  // Browsers test pages once.
  /\.page\.test\.ts$/,
  // They test texts that the compiler makes, what bundlers do with them, and what only development builds tell.
  /^packages\/compiler\/test\/(?:bundlers\/|compile\.test|development\.test)/,
  // They test texts, and what examples do beside Treeline.
  /^examples\/files\/test\/(?:path-list|tscn|urdf|walk-folder)\.test/,
  /^examples\/readme\/test\/(?:changesets\.|documents\.|files\.|words\.|waits\.|type-texts\.|site\/)/,
  /^examples\/scene\/test\/(?:draw|gltf|options|picture|plan)\.test/,
  // They test the twin, which is no part of a package, what programs do that are tested as they are built, and a walk in a
  // large world, whose steps other walks take.
  ...(isLong
    ? []
    : [
        /^packages\/invariants\/test\/(?:(?:\w+\/)?twin-|large-world)/,
        /^examples\/files\/test\/(?:bundled-scenes|commands|grow|load|options|test262|text)\.test/,
        /^examples\/scene\/test\/(?:load|moving-trees|names-resolve|sibling-names|text|world-matrices)\.test/,
        /^examples\/readme\/test\/opaque\.test/,
      ]),
];

async function project(name: string, folder: string) {
  const paths = filesBelow(folder, ".test.ts").filter((path) => !LEFT_OUT.some((one) => one.test(path)));
  const bundles = await bundleTests({ name, paths, conditions: resolve.conditions, refused: REFUSED });
  return {
    plugins: [loadBundles(bundles)],
    resolve,
    ssr: { resolve },
    test: {
      ...limits,
      ...mapsStacks,
      name: `${name} (shipped)`,
      include: paths,
      environment: "node" as const,
      // Files share the modules they import: importing them again for each would take longer than the tests.
      isolate: false,
      env: { TREELINE_BUILD: "shipped", TREELINE_WALKS: walks },
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: await Promise.all([
      project("invariants", "packages/invariants"),
      project("examples", "examples"),
      project("benchmarks", "benchmarks"),
      project("compiler", "packages/compiler"),
    ]),
  },
});
