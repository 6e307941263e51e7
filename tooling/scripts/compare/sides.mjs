// Two versions of the packages with the same benchmarks, outside the repository: sources of the working tree or
// of a commit, bundled as users get them. The two folders differ in packages/*/src, their package.json, and
// how the commit compiles classes.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { bundling, readJson, root, shipped } from "../lib.mjs";

const PACKAGES = ["core", "query", "names"];
const COMPILER = "tooling/tsconfig/base.json";
const PAGE = "benchmarks/dist/page";

/** The working tree is copied, so that it may change while processes start. */
export function copyWorkingTree(folder) {
  for (const name of PACKAGES) {
    for (const part of ["package.json", "src"]) {
      cpSync(join(root, "packages", name, part), join(folder, "packages", name, part), { recursive: true });
    }
  }
  cpSync(join(root, COMPILER), join(folder, COMPILER));
}

/** @returns the reason of a failure, if there is one. */
export function copyCommit(commit, folder) {
  mkdirSync(folder, { recursive: true });
  const archive = git("archive", "--format=tar", commit, "packages", COMPILER);
  if (archive.status !== 0) return `git archive: ${archive.stderr}`;
  const tar = spawnSync("tar", ["-x", "-C", folder], { input: archive.stdout });
  return tar.status === 0 ? undefined : `tar: ${tar.error?.code ?? tar.stderr}`;
}

/** @returns the full name of a commit, `undefined` if there is none. */
export function commitOf(ref) {
  const { status, stdout } = git("rev-parse", "--verify", "--quiet", "--end-of-options", `${ref}^{commit}`);
  return status === 0 ? stdout.toString().trim() : undefined;
}

function git(...words) {
  return spawnSync("git", words, { cwd: root, maxBuffer: 1 << 28 });
}

/**
 * Bundles a folder's packages, and the process, or the page, that runs cells with them.
 *
 * @returns `cell`, the path of that process, or the folder of the page; a hash of what it loads from the packages; and, as texts, the imports of the
 *   benchmarks that these packages lack: using one of these throws, and nothing else does.
 */
export async function bundleSide(folder, isPage = false) {
  cpSync(join(root, "benchmarks/src"), join(folder, "benchmarks/src"), { recursive: true });
  for (const name of PACKAGES) link(folder, `@treeline/${name}`, join(folder, "packages", name));
  for (const name of librariesOf()) link(folder, name, join(root, "benchmarks/node_modules", name));
  await Promise.all(PACKAGES.map((name) => bundlePackage(folder, name)));
  const lacking = await findLacking(folder);
  await (isPage ? bundlePage : bundleCell)(folder, lacking);
  return {
    cell: join(folder, isPage ? PAGE : "benchmarks/dist/cell.js"),
    hash: hashOf(folder),
    lacking: lacking.map(({ name, entry }) => `${name} of ${entry}`),
  };
}

/** Bundles the program that plays cells: it knows the contestants, but loads none. @returns its path. */
export async function bundleRows(folder) {
  const entryPoints = [join(root, "benchmarks/src/commits/rows.ts")];
  const { external, ...usual } = cellBundling(root);
  await build({ ...usual, entryPoints, outdir: folder, external: [...external, "@treeline/*"] });
  return join(folder, "rows.js");
}

function link(folder, name, target) {
  const place = join(folder, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(target, place, "junction");
}

/** The path of the folder does not affect esbuild: equal sources become equal bundles. */
function bundlingIn(folder) {
  const { useDefineForClassFields } = JSON.parse(
    readFileSync(join(folder, COMPILER), "utf8"),
  ).compilerOptions;
  const compilerOptions = { target: "es2023", verbatimModuleSyntax: true, useDefineForClassFields };
  return { ...bundling, absWorkingDir: folder, splitting: true, tsconfigRaw: { compilerOptions } };
}

/** The packages' entry points: [{ entry: "@treeline/core/internal", source: "packages/core/src/internal.ts", built: "packages/..." }]. */
function entryPointsIn(folder, name) {
  const { exports = {} } = JSON.parse(readFileSync(join(folder, "packages", name, "package.json"), "utf8"));
  return Object.entries(exports)
    .filter(([, target]) => target["treeline-source"])
    .map(([entry, { "treeline-source": source, default: built }]) => ({
      entry: `@treeline/${name}${entry.slice(1)}`,
      source: `packages/${name}${source.slice(1)}`,
      built: `packages/${name}${built.slice(1)}`,
    }));
}

function bundlePackage(folder, name) {
  return build({
    ...bundlingIn(folder),
    ...shipped,
    entryPoints: entryPointsIn(folder, name).map(({ source }) => source),
    outdir: `packages/${name}/dist`,
    entryNames: "[name]",
    chunkNames: "chunks/[name]-[hash]",
  });
}

function cellBundling(folder) {
  return {
    ...bundlingIn(folder),
    platform: "node",
    target: ["node20"],
    packages: "bundle",
    external: librariesOf(),
    nodePaths: [join(root, "benchmarks/node_modules")],
    entryPoints: ["benchmarks/src/commits/cell.ts"],
    outdir: "benchmarks/dist",
  };
}

/** What the benchmarks import, and is not bundled. */
function librariesOf() {
  const { dependencies } = readJson("benchmarks/package.json");
  return Object.keys(dependencies).filter((name) => name !== "tinybench" && !isOurs(name));
}

const isOurs = (name) => name.startsWith("@treeline/");

/** Imports of the benchmarks that do not exist, as esbuild reports them: [{ entry, name }]. */
async function findLacking(folder) {
  const entries = PACKAGES.flatMap((name) => entryPointsIn(folder, name));
  const trial = { ...cellBundling(folder), write: false, logLevel: "silent", logLimit: 0 };
  const errors = await build(trial).then(
    () => [],
    (failure) => failure.errors,
  );
  const found = errors.map(({ text }) => {
    const [, path, name] = /^No matching export in "([^"]+)" for import "([^"]+)"$/.exec(text) ?? [];
    const entry = entries.find(({ built }) => built === path)?.entry;
    if (entry === undefined) throw new Error(`the benchmarks cannot be bundled with these packages: ${text}`);
    return { entry, name };
  });
  return found.filter(
    (one, at) => at === found.findIndex(({ entry, name }) => entry === one.entry && name === one.name),
  );
}

/** The packages stay external, as for users. */
function bundleCell(folder, lacking) {
  return build({ ...cellBundling(folder), plugins: [substituting(folder, lacking, { external: true })] });
}

/** The same for a page, with everything in the bundle. */
function bundlePage(folder, lacking) {
  return build({
    ...cellBundling(folder),
    platform: "browser",
    target: ["es2023"],
    external: [],
    mainFields: ["module", "main"],
    define: { "process.env.NODE_ENV": '"production"', "process.argv": "words" },
    entryPoints: ["benchmarks/src/commits/browser-cell.ts"],
    outdir: PAGE,
    plugins: [substituting(folder, lacking, { external: false })],
  });
}

/** Where a package lacks something, a substitute module wraps it. */
function substituting(folder, lacking, { external }) {
  return {
    name: "substitute",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^@treeline\// }, ({ path, namespace }) => {
        const isWhole = namespace === "substitute" || lacking.every(({ entry }) => entry !== path);
        if (!isWhole) return { path, namespace: "substitute" };
        return external ? { path, external } : undefined;
      });
      onLoad({ filter: /./, namespace: "substitute" }, ({ path }) => {
        const names = lacking.filter(({ entry }) => entry === path).map(({ name }) => name);
        return { contents: textOfSubstitute(path, names), loader: "js", resolveDir: folder };
      });
    },
  };
}

function textOfSubstitute(entry, names) {
  const texts = names.map(
    (name) => `export const ${name} = () => { throw new Error("${name} is not in ${entry}"); };`,
  );
  return [`export * from "${entry}";`, ...texts].join("\n");
}

function hashOf(folder) {
  const hash = createHash("sha256");
  for (const name of PACKAGES) {
    const dist = join(folder, "packages", name, "dist");
    for (const file of readdirSync(dist, { recursive: true }).sort()) {
      if (file.endsWith(".js")) hash.update(file).update(readFileSync(join(dist, file)));
    }
  }
  return hash.digest("hex");
}
