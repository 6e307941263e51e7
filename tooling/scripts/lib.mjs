// Shared by the scripts: paths, and reading source text.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository, without a slash at its end. Every path below is relative to it, with forward slashes. */
export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/[\\/]$/, "");

export const readText = (path) => readFileSync(join(root, path), "utf8");
export const readJson = (path) => JSON.parse(readText(path));

/** The folders directly in the given ones, sorted: ["packages/core", ...]. */
export function foldersIn(...parents) {
  const folders = parents
    .filter((parent) => existsSync(join(root, parent)))
    .flatMap((parent) =>
      readdirSync(join(root, parent), { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && entry.name !== "node_modules")
        .map((entry) => `${parent}/${entry.name}`),
    );
  return folders.sort();
}

/** All files below `folder` whose name ends with one of `endings`, sorted; none if there is no such folder. */
export function filesBelow(folder, ...endings) {
  if (!existsSync(join(root, folder))) return [];
  const paths = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && endings.some((ending) => entry.name.endsWith(ending)))
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(root.length + 1)
        .replaceAll("\\", "/"),
    );
  return paths.sort();
}

/** What a file says of itself in its first comment, which is apart from what follows it; undefined if it says nothing. */
export function firstCommentOf(text) {
  const [, lines, block] =
    /^(?:#!.*\n)?(?:((?:\/\/(?! biome-).*\n)+)|\/\*\* ?((?:(?!\*\/)[\s\S])*)\*\/\n(?=\n|import |export [*{]|\/))/.exec(
      text,
    ) ?? [];
  const words = (lines ?? block)
    ?.replaceAll(/^ *(\/\/|\*)/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  return words || undefined;
}

/** The entry points of a package, as `exports` lists them: [{ entry: "./2d/box", name: "2d/box", source: "src/2d/box.ts" }]. */
export function entryPointsOf(folder) {
  return Object.entries(readJson(`${folder}/package.json`).exports ?? {})
    .filter(([, target]) => target["treeline-source"])
    .map(([entry, { "treeline-source": source }]) => ({
      entry,
      name: source.replace(/^\.\/src\/|\.ts$/g, ""),
      source: source.replace("./", ""),
    }));
}

/** The package that programs import. Its name is written in its manifest only; what scripts cannot set, `packages/rename.mjs` rewrites. */
export const FRONT = "packages/treeline";
export const frontName = readJson(`${FRONT}/package.json`).name;

/** Whether a package is one of this repository, by its name. */
export const isOurs = (name) => name.startsWith("@treeline/") || name === frontName;

/** The packages that have entry points, as folders. */
export const packageFolders = () =>
  foldersIn("packages").filter(
    (folder) => existsSync(join(root, folder, "package.json")) && entryPointsOf(folder).length > 0,
  );

/** The examples that are programs, as folders: those that run in Node, or the pages. */
export const examplesIn = (host) =>
  foldersIn("examples").filter(
    (folder) =>
      existsSync(join(root, folder, "src/main.ts")) &&
      existsSync(join(root, folder, "index.html")) === (host === "browser"),
  );

/** Removes comments that begin a line, and no others, so a string like "a/*" is safe. */
export const withoutComments = (text) => text.replace(/^[ \t]*(?:\/\*[\s\S]*?\*\/|\/\/.*$)/gm, "");

/** Every specifier that a file imports or exports from, type-only ones and `import("x")` included. */
export function importsOf(text) {
  const code = withoutComments(text);
  const statements = code.matchAll(/^[ \t]*(?:import|export)\b[^;"']*?\bfrom\s+["']([^"']+)["']/gm);
  const bare = code.matchAll(/^[ \t]*import\s+["']([^"']+)["']/gm);
  const dynamic = code.matchAll(/\bimport\(\s*["']([^"']+)["']/g);
  return [...statements, ...bare, ...dynamic].map((match) => match[1]);
}

/** For every bundle that esbuild makes here. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  format: "esm",
  platform: "neutral",
  target: ["es2023"],
  packages: "external",
  legalComments: "none",
  logLevel: "warning",
  // An entry point imports each chunk below it, also one that it does not use; chunks have no side effects.
  logOverride: { "ignored-bare-import": "silent" },
};

/** For shipped bundles: without the checks behind the CHECK label. */
export const shipped = { dropLabels: ["CHECK"], minifySyntax: true };
