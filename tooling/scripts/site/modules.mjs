// Which modules an example may import in a page: every entry point of our packages that browsers can load, in its development build, and
// three.js. All of them are files of the site.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { transform } from "esbuild";
import { filesBelow, importsOf, packageFolders, readJson, root } from "../lib.mjs";

const THREE = "packages/three/node_modules/three";
/** The addons that programs for Treeline use; each may import others, which come along. */
const ADDONS = ["controls/OrbitControls.js", "controls/TransformControls.js", "loaders/GLTFLoader.js"];

/** [{ name, path, place }]: what programs write, the file in the repository, and where it is below the modules of the site. */
function ownEntries() {
  return packageFolders()
    .filter((folder) => !readJson(`${folder}/package.json`).private)
    .flatMap((folder) => {
      const { name, exports } = readJson(`${folder}/package.json`);
      const short = folder.slice("packages/".length);
      return Object.entries(exports)
        .filter(([, { development }]) => development !== undefined)
        .map(([entry, { development }]) => ({
          name: `${name}${entry.slice(1)}`,
          path: `${folder}/${development.slice(2)}`,
          place: `${short}/${development.slice("./dist/".length)}`,
        }));
    });
}

function threeEntries() {
  const { exports } = readJson(`${THREE}/package.json`);
  const file = exports["."].import.slice(2);
  const folder = exports["./addons/*"].slice(2).replace("*", "");
  return [
    { name: "three", path: `${THREE}/${file}`, place: `three.js/${file}` },
    ...ADDONS.map((addon) => ({
      name: `three/addons/${addon}`,
      path: `${THREE}/${folder}${addon}`,
      place: `three.js/${folder}${addon}`,
    })),
  ];
}

/** Bare specifiers that a built module imports, itself or by the files beside it. */
function bareImportsOf(path, seen = new Set()) {
  if (seen.has(path)) return [];
  seen.add(path);
  return importsOf(readFileSync(path, "utf8")).flatMap((name) =>
    name.startsWith(".") ? bareImportsOf(join(dirname(path), name), seen) : [name],
  );
}

/** Without the entries that import what is not listed, such as those of Node. */
function loadable(entries) {
  const names = new Set(entries.map(({ name }) => name));
  const kept = entries.filter(({ path }) => {
    if (!existsSync(join(root, path))) throw new Error(`${path} is missing: run npm run build`);
    return bareImportsOf(join(root, path)).every((name) => names.has(name));
  });
  return kept.length === entries.length ? kept : loadable(kept);
}

const entriesOfPages = () => loadable([...ownEntries(), ...threeEntries()]);

/** @param base where the site will be, such as "/". @returns the import map of the pages. */
export function importMap(base) {
  return Object.fromEntries(entriesOfPages().map(({ name, place }) => [name, `${base}modules/${place}`]));
}

/** Copies the modules of the import map, and what they import, below a folder. */
export async function writeModules(folder) {
  for (const path of packageFolders()) {
    for (const file of filesBelow(`${path}/dist`, ".dev.js")) {
      copyFile(file, join(folder, file.slice("packages/".length).replace("/dist/", "/")));
    }
  }
  const copied = new Set();
  const copyThree = async (path) => {
    if (copied.has(path)) return;
    copied.add(path);
    const text = readFileSync(join(root, path), "utf8");
    const { code } = await transform(text, { minify: true, legalComments: "inline" });
    const target = join(folder, "three.js", path.slice(THREE.length + 1));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, code);
    const beside = importsOf(text).filter((name) => name.startsWith("."));
    await Promise.all(beside.map((name) => copyThree(join(dirname(path), name).replaceAll("\\", "/"))));
  };
  await Promise.all(threeEntries().map(({ path }) => copyThree(path)));
}

function copyFile(path, target) {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(root, path), target);
}
