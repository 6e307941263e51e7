import { defineConfig } from "vitest/config";
import { limits } from "./vitest.limits.ts";

// Vitest always adds the condition "development" to those given, unless this says production. With neither it nor
// "treeline-source", the packages resolve to the bundles that users get.
process.env.NODE_ENV = "production";
const resolve = { conditions: ["node"] };

const shippedOnly = {
  name: "shipped-only",
  load(id: string): void {
    if (
      /\/packages\/(?:core|query|names|document|prefab|transform|three)\/(?:src\/|dist\/.*\.dev\.js)/.test(id)
    ) {
      throw new Error(`${id} is not what users get`);
    }
  },
};

function project(name: string, folder: string) {
  return {
    plugins: [shippedOnly],
    resolve,
    ssr: { resolve },
    test: {
      name: `${name} (shipped)`,
      include: [`${folder}/test/**/*.test.ts`],
      // The first replace modules of the sources, which the shipped bundles do not import; browsers test pages once; and the others
      // test texts, and what examples do beside Treeline.
      exclude: [
        "examples/files/test/{path-list,tscn,urdf,walk-folder}.test.ts",
        "examples/readme/test/{documents,files,words,type-texts}.test.ts",
        "examples/scene/test/{draw,gltf,options,picture,plan}.test.ts",
        "packages/invariants/test/walk/walk-unobserved*.test.ts",
        "examples/*/test/**/*.page.test.ts",
      ],
      environment: "node",
      // Files share the modules they import: importing them again for each would take longer than the tests.
      isolate: false,
      ...limits,
      env: { TREELINE_BUILD: "shipped" },
    },
  };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      project("invariants", "packages/invariants"),
      project("examples", "examples/*"),
      project("benchmarks", "benchmarks"),
    ],
  },
});
