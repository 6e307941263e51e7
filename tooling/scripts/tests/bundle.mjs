// Bundles tests and what they import, once for a whole run: Vitest would transform each file, and each process would import 1,500 of them,
// whose bindings are then looked up at each use. A file that replaces modules, or imports by computed names, stays with Vitest.
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { bundling, root } from "../lib.mjs";

/** Where the bundles are. Node itself imports what is in a node_modules. */
const CACHE = join(root, "node_modules/.cache/tests");

/** What only Vitest can do with a test file: replace modules, and import one file several times. */
export const ONLY_VITEST = /\bvi\.(?:mock|doMock|hoisted)\(|\bimport\(`/;

/** For projects of Vitest that load bundles. */
export const mapsStacks = { setupFiles: "tooling/scripts/tests/source-positions.mjs" };

/** Packages of the workspace by the conditions; others as Node finds them, from the file that imports them. */
function imports(bundlesPackages, refused) {
  const resolving = {};
  return {
    name: "imports of tests",
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind === "entry-point" || pluginData === resolving) return undefined;
        if (path === "vitest" || path.startsWith("node:")) return { path, external: true };
        const found = await resolve(path, { kind, importer, resolveDir, pluginData: resolving });
        if (found.errors.length > 0) return { errors: found.errors };
        if (refused?.test(found.path)) return { errors: [{ text: `${found.path} is not what users get` }] };
        if (found.external || (bundlesPackages && /[\\/]packages[\\/]\w+[\\/]src[\\/]/.test(found.path)))
          return found;
        return { path: found.path, external: true };
      });
      // The bundle is elsewhere.
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, "utf8");
        if (!text.includes("import.meta.url")) return undefined;
        const url = JSON.stringify(pathToFileURL(path).href);
        return { contents: text.replaceAll("import.meta.url", url), loader: "ts" };
      });
    },
  };
}

/**
 * @param name of the folder below `CACHE`.
 * @param paths of test files.
 * @param conditions by which packages of the workspace are found.
 * @param bundlesPackages whether they are sources, which are bundled; otherwise they are bundles already.
 * @param refused matches the paths that must not be imported.
 * @returns the bundle of each test file that has one, by its absolute path.
 */
export async function bundleTests({ name, paths, conditions, bundlesPackages = false, refused }) {
  const outdir = join(CACHE, name);
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  const entryPoints = paths.filter((path) => !ONLY_VITEST.test(readFileSync(join(root, path), "utf8")));
  await build({
    ...bundling,
    packages: undefined,
    platform: "node",
    target: "node20",
    entryPoints,
    outdir,
    outbase: root,
    splitting: true,
    chunkNames: "chunks/[hash]",
    sourcemap: "linked",
    sourcesContent: false,
    conditions,
    // Otherwise it finds packages by the conditions of the nearest tsconfig.json as well.
    tsconfigRaw: { compilerOptions: { useDefineForClassFields: false, verbatimModuleSyntax: true } },
    plugins: [imports(bundlesPackages, refused)],
  });
  const bundles = entryPoints.map((path) => [join(root, path), join(outdir, path.replace(/\.ts$/, ".js"))]);
  return new Map(bundles.filter(([, bundle]) => existsSync(bundle)));
}

/** For Vitest: loads the bundles instead of the test files. @param bundles as `bundleTests` returns them. */
export function loadBundles(bundles) {
  return {
    name: "bundled tests",
    enforce: "pre",
    load(id) {
      const bundle = bundles.get(id);
      return bundle === undefined ? undefined : `import ${JSON.stringify(bundle)};`;
    },
  };
}
