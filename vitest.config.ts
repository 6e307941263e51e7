import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { limits } from "./vitest.limits.ts";

/** Sources, with checks. */
const SOURCES = ["treeline-source", "development"];

/** Set by `npm test`, which has just bundled the packages: importing and running bundles with checks takes less time. */
const isBundled = process.env.TREELINE_BUNDLED === "1";
const BUNDLES = isBundled ? ["development"] : SOURCES;

/** Each is a project. `npm test` makes them one, and so the others: every project imports the sources in both workers, which wait for each other then. */
const PACKAGES = ["core", "query", "names", "document", "prefab", "transform", "three", "compiler"];

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

/**
 * @param isolate otherwise files share the modules they import: importing them again would take longer than the tests.
 * @param conditions by which packages are found that are imported by name.
 */
function project(name: string, include: string[], isolate: boolean, conditions = SOURCES) {
  const resolve = { conditions };
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
      ...limits,
      env: { TREELINE_BUILD: "checked" },
    },
  };
}

const testsOf = (folder: string): string => `${folder}/test/**/*.test.ts`;

function packageTests(...names: string[]) {
  return project(
    names.join("-"),
    names.map((name) => testsOf(`packages/${name}`)),
    false,
  );
}

const PROGRAMS = { invariants: testsOf("packages/invariants"), examples: testsOf("examples/*") };

/** What imports the packages by name. */
function programs(...names: (keyof typeof PROGRAMS)[]) {
  return project(
    names.join("-"),
    names.map((name) => PROGRAMS[name]),
    false,
    BUNDLES,
  );
}

function pages() {
  const { test, ...rest } = project("pages", [PAGES], true);
  return { ...rest, test: { ...test, globalSetup: "scripts/browser/for-tests.mjs" } };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      ...(isBundled ? [packageTests(...PACKAGES)] : PACKAGES.map((name) => packageTests(name))),
      project("alone", REPLACING, true),
      ...(isBundled ? [programs("invariants", "examples")] : [programs("invariants"), programs("examples")]),
      pages(),
    ],
  },
});
