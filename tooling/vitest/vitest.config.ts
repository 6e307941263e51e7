import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { filesBelow, frontName, packageFolders, root } from "../scripts/lib.mjs";
import { bundleTests, loadBundles, mapsStacks, ONLY_VITEST } from "../scripts/tests/bundle.mjs";
import { limits, walks } from "./limits.ts";

/** Sources, with checks. */
const SOURCES = ["treeline-source", "development"];
/** The packages' bundles with checks. */
const CHECKED = ["development"];

/**
 * Set by `npm test`, which has just bundled the packages: tests are bundled too, and those of what imports packages by name use the
 * packages' bundles with checks. Otherwise Vitest transforms what a test imports, and nothing must have been built.
 */
const isBundled = process.env.TREELINE_BUNDLED === "1" && !process.env.TREELINE_COMPILE;

/** Each is a project; `npm test` makes them one, and so the next two: projects wait for one another's last file. */
const PACKAGES = [...packageFolders().map((folder) => folder.slice("packages/".length)), "create-treeline"];
/** What imports the packages by name. */
const PROGRAMS = { invariants: "packages/invariants/test", examples: "examples" };

/** Tests of examples that are pages: they need a browser, which is started once. */
const isPage = (path: string): boolean => path.endsWith(".page.test.ts");
/** Files that replace modules, mostly by ones that count calls: they need separate modules. */
const isAlone = (path: string): boolean => ONLY_VITEST.test(readFileSync(`${root}/${path}`, "utf8"));

const all = [...Object.values(PROGRAMS), ...PACKAGES.map((name) => `packages/${name}/test`)].flatMap(
  (folder) => filesBelow(folder, ".test.ts"),
);
const pages = all.filter(isPage);
const alone = all.filter((path) => !isPage(path) && isAlone(path));
const shared = all.filter((path) => !pages.includes(path) && !alone.includes(path));
const below = (folder: string): string[] => shared.filter((path) => path.startsWith(`${folder}/`));

/** `TREELINE_COMPILE=1 npm run test:src` compiles the callbacks of `each` in tests: they must pass all the same. */
const compiling = process.env.TREELINE_COMPILE
  ? [
      (await import("../../packages/compiler/src/index.ts")).compiler.vite({
        modules: [frontName, "@treeline/query", /\/src\/index\.ts$/],
        runtime: fileURLToPath(new URL("../../packages/query/src/compiled.ts", import.meta.url)),
        report: process.env.TREELINE_COMPILE === "report",
      }),
    ]
  : [];

/**
 * @param isolate otherwise files share the modules they import: importing them again would take longer than the tests.
 * @param conditions by which packages are found that are imported by name, in the processes of Vitest as well.
 */
function project(
  name: string,
  include: readonly string[],
  isolate: boolean,
  plugins: ViteUserConfig["plugins"] = compiling,
  conditions: readonly string[] = SOURCES,
) {
  const resolve = { conditions: [...conditions] };
  return {
    plugins,
    resolve,
    ssr: { resolve },
    test: {
      ...limits,
      name,
      include: [...include],
      environment: "node" as const,
      isolate,
      env: { TREELINE_BUILD: "checked", TREELINE_WALKS: walks },
    },
  };
}

async function bundled() {
  const programs = Object.values(PROGRAMS).flatMap(below);
  const bundles = await Promise.all([
    bundleTests({
      name: "sources",
      paths: shared.filter((path) => !programs.includes(path)),
      conditions: SOURCES,
      bundlesPackages: true,
    }),
    bundleTests({ name: "checked", paths: programs, conditions: CHECKED }),
  ]);
  const { test, ...rest } = project("checked", shared, false, bundles.map(loadBundles), CHECKED);
  return { ...rest, test: { ...test, ...mapsStacks } };
}

function pagesInBrowser() {
  const { test, ...rest } = project("pages", pages, true);
  return { ...rest, test: { ...test, globalSetup: "tooling/scripts/browser/for-tests.mjs" } };
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      ...(isBundled
        ? [await bundled()]
        : [
            ...PACKAGES.map((name) => project(name, below(`packages/${name}`), false)),
            ...Object.entries(PROGRAMS).map(([name, folder]) => project(name, below(folder), false)),
          ]),
      project("alone", alone, true),
      pagesInBrowser(),
    ],
  },
});
