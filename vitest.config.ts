import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Sources, with checks.
const resolve = { conditions: ["treeline-source", "development"] };

/** Files that replace modules, mostly by ones that count calls: they need separate modules. */
const REPLACING = [
  "packages/invariants/test/walk/walk-unobserved.test.ts",
  "packages/invariants/test/walk/walk-unobserved-values.test.ts",
  "packages/query/test/kernel/random.test.ts",
  "packages/query/test/query/build/query.test.ts",
  "packages/query/test/query/rows/rarest-pair.test.ts",
  "packages/query/test/query/rows/targeted.test.ts",
  "packages/query/test/query/rows/steps.test.ts",
];

/** Tests of examples that are pages: they need a browser, which is started once. */
const PAGES = "examples/*/test/**/*.page.test.ts";

/** `TREELINE_COMPILE=1 npx vitest run` compiles the callbacks of `each` in tests: they must pass all the same. */
const plugins = process.env.TREELINE_COMPILE
  ? [
      (await import("./packages/compiler/src/index.ts")).compiler.vite({
        modules: ["@treeline/query", /\/src\/index\.ts$/],
        runtime: fileURLToPath(new URL("packages/query/src/compiled.ts", import.meta.url)),
        report: process.env.TREELINE_COMPILE === "report",
      }),
    ]
  : [];

/** @param isolate otherwise files share the modules they import: importing them again would take longer than the tests. */
function project(name: string, include: string[], isolate: boolean) {
  return {
    plugins,
    resolve,
    ssr: { resolve },
    test: {
      name,
      include,
      exclude: isolate ? [] : [...REPLACING, PAGES],
      environment: "node",
      isolate,
      // Shared machines are slow at times; nothing here tests speed.
      testTimeout: 60_000,
      env: { TREELINE_BUILD: "checked" },
    },
  };
}

function folder(name: string, path: string) {
  return project(name, [`${path}/test/**/*.test.ts`], false);
}

function pages() {
  const { test, ...rest } = project("pages", [PAGES], true);
  return { ...rest, test: { ...test, globalSetup: "scripts/browser/for-tests.mjs" } };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      folder("core", "packages/core"),
      folder("query", "packages/query"),
      project("alone", REPLACING, true),
      folder("names", "packages/names"),
      folder("document", "packages/document"),
      folder("prefab", "packages/prefab"),
      folder("transform", "packages/transform"),
      folder("three", "packages/three"),
      folder("compiler", "packages/compiler"),
      folder("invariants", "packages/invariants"),
      folder("examples", "examples/*"),
      pages(),
    ],
  },
});
