// Copies of the published packages as users get them: manifest, README, licence, bundles and declarations; no sources and no maps. Decision 0109.
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { filesBelow, root } from "../lib.mjs";
import { printed } from "./bundles.mjs";
import { namesFromBorders, writeDeclarations } from "./declarations.mjs";

/** Only for work in this repository. */
const NOT_PUBLISHED = ["devDependencies", "scripts"];

/**
 * The bundles that the manifest names, and their chunks, as users get them: path in the package -> code. A build with checks is left out
 * where it has none.
 */
async function bundlesOf(folder, manifest) {
  const targets = Object.values(manifest.exports ?? {});
  const hasDevelopment = targets.some((target) => target.development !== undefined);
  const paths = filesBelow(`${folder}/dist`, ".js").filter(
    (path) => hasDevelopment || !path.endsWith(".dev.js"),
  );
  const bundles = new Map();
  for (const path of paths) {
    const code = await printed(join(root, path), !path.endsWith(".dev.js"));
    bundles.set(`./${path.slice(folder.length + 1)}`, code);
  }
  for (const { development, default: shipped } of targets) {
    if (development === undefined) continue;
    const short = await printed(join(root, folder, development), true);
    if (short === bundles.get(shipped)) bundles.delete(development);
  }
  return bundles;
}

/** Without what only this repository uses. */
function publishedManifest({ exports, ...manifest }, bundles) {
  const entries = Object.entries(manifest).filter(([key]) => !NOT_PUBLISHED.includes(key));
  if (exports === undefined) return Object.fromEntries(entries);
  const trimmed = Object.entries(exports).map(([entry, target]) => {
    const conditions = Object.entries(target).filter(
      ([condition, path]) =>
        condition !== "treeline-source" && (condition !== "development" || bundles.has(path)),
    );
    return [entry, typeof target === "string" ? target : Object.fromEntries(conditions)];
  });
  return { ...Object.fromEntries(entries), exports: Object.fromEntries(trimmed) };
}

/** What `files` of a manifest lists beside `dist`, such as templates. */
function copyOthers(folder, into, manifest) {
  for (const name of manifest.files.filter((one) => one !== "dist"))
    for (const path of filesBelow(`${folder}/${name}`, ""))
      write(join(into, path.slice(folder.length + 1)), path);
}

function write(target, path) {
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(root, path), target);
}

/**
 * Writes a folder for each package, below `into`.
 *
 * @param packages what `publishedPackages` returns: each after those that it depends on.
 * @returns the same list, with the paths of the folders as `staged`.
 */
export async function stageAll(packages, into) {
  const wanted = new Map(packages.map(({ manifest }) => [manifest.name, new Set()]));
  const staged = [];
  for (const one of packages.toReversed()) {
    const { folder, manifest } = one;
    const target = join(into, folder);
    const bundles = await bundlesOf(folder, manifest);
    for (const [path, code] of bundles) {
      mkdirSync(dirname(join(target, path)), { recursive: true });
      writeFileSync(join(target, path), code);
    }
    const published = publishedManifest(manifest, bundles);
    writeFileSync(join(target, "package.json"), `${JSON.stringify(published, undefined, 2)}\n`);
    write(join(target, "LICENSE"), "LICENSE");
    write(join(target, "README.md"), `${folder}/README.md`);
    copyOthers(folder, target, manifest);
    if (manifest.exports !== undefined) {
      const names = [...wanted.get(manifest.name)].sort();
      const text = await writeDeclarations(folder, join(target, "dist"), names);
      for (const border of namesFromBorders(text))
        for (const name of border.names) wanted.get(border.name)?.add(name);
    }
    staged.unshift({ ...one, staged: target });
  }
  return staged;
}
