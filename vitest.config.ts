import { defineConfig } from "vitest/config";

// Sources, with their checks on.
const resolve = { conditions: ["treeline-source", "development"] };

function project(name: string, folder: string) {
  return {
    resolve,
    ssr: { resolve },
    test: {
      name,
      include: [`${folder}/test/**/*.test.ts`],
      environment: "node",
      // Files share the modules they import: importing them anew for each would take longer than the tests.
      isolate: false,
      // Shared machines are slow at times; nothing here tests speed.
      testTimeout: 60_000,
      env: { TREELINE_BUILD: "checked" },
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("core", "packages/core"),
      project("query", "packages/query"),
      project("names", "packages/names"),
      project("laws", "packages/laws"),
      project("examples", "examples/*"),
    ],
  },
});
