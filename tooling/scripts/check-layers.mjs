// Imports go down the layers, never up and never in a circle, and only to declared dependencies.
// Reads import lines as text; type-only imports count. A source file in an unlisted folder fails as well.
import { existsSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path/posix";
import { circlesIn } from "./circles.mjs";
import {
  entryPointsOf,
  filesBelow,
  firstCommentOf,
  foldersIn,
  importsOf,
  readJson,
  readText,
  root,
  withoutComments,
} from "./lib.mjs";

/**
 * Bottom layer first; every folder may import itself and all before it. The entry points are above the last one. Folders may
 * be nested, such as "query/lists"; the outer one then has no files.
 */
const FOLDERS = {
  "packages/core": [
    "base",
    "id",
    "storage",
    "records",
    "graph",
    "world/state",
    "world/change",
    "world/verb",
    "cursor",
    "define",
    "destroy",
    "many",
    "tree",
    "snapshot",
    "debug",
  ],
  "packages/query": [
    "term",
    "match",
    "query/lists",
    "query/batches",
    "query/state",
    "query/rows",
    "query/outputs",
    "query/joins",
    "query/order",
    "query/build",
    "iterate",
    "kernel",
    "tree",
    "cleanup",
    "snapshot",
  ],
  "packages/names": ["text", "state", "verb"],
  "packages/document": ["format", "save", "load", "json", "binary", "snapshot"],
  "packages/prefab": ["base", "state", "publish", "spawn", "make", "merge", "file"],
  "packages/transform": ["math", "space", "box", "2d", "3d", "3d-f64"],
  "packages/three": ["base", "objects", "scene", "instances", "gltf"],
  "packages/treeline": ["document", "prefab", "transform"],
  "packages/compiler": ["syntax", "callback", "print", "module"],
  "packages/create-treeline": ["base", "project"],
  "packages/invariants": [
    "base",
    "twin",
    "step",
    "perform",
    "observe",
    "compare",
    "choose",
    "walk",
    "query",
    "snapshot",
    "prefab",
    "pending",
  ],
};

/** Packages that run in Node only. */
const OF_NODE = ["packages/compiler", "packages/create-treeline"];

/** What `treeline` exports again, and what its invariants are tested with. */
const OF_PROGRAMS = [
  "@treeline/core",
  "@treeline/query",
  "@treeline/names",
  "@treeline/document",
  "@treeline/prefab",
  "@treeline/transform",
  "@treeline/three",
];

/** Packages that these may import. Packages that are not listed may import all that they declare. */
const MAY_IMPORT = {
  "packages/core": [],
  "packages/query": ["@treeline/core"],
  "packages/names": ["@treeline/core"],
  "packages/document": ["@treeline/core", "@treeline/query", "@treeline/names"],
  "packages/prefab": ["@treeline/core", "@treeline/query", "@treeline/names", "@treeline/document"],
  "packages/transform": ["@treeline/core", "@treeline/query"],
  "packages/three": ["@treeline/core", "@treeline/query", "@treeline/names", "@treeline/transform", "three"],
  "packages/treeline": OF_PROGRAMS,
  "packages/create-treeline": [],
  "packages/compiler": ["@jridgewell/sourcemap-codec", "oxc-parser", "unplugin"],
  "packages/invariants": [...OF_PROGRAMS, "fast-check"],
};
const MOST_LINES = 600;
/** Directly in one folder, of sources, tests or scripts. */
const MOST_FILES = 20;
/** The only file that may make code from text, behind a separate entry point. */
const MAKER = "packages/query/src/kernel/isolate.ts";

/** What other packages may use of core in addition to its public API: decision 0039. */
const BORDER = "packages/core/src/internal.ts";
const MOST_NAMES = 95;

/** What is run instead of imported. */
const PROGRAM = "src/main.ts";
const entries = new Map(
  Object.keys(FOLDERS).map((folder) => [
    folder,
    [PROGRAM, ...entryPointsOf(folder).map(({ source }) => source)],
  ]),
);
const problems = [];
const edges = new Map(); // file -> the files it imports
const declared = (manifest) => Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
const forTests = (manifest) => [...declared(manifest), ...Object.keys(manifest.devDependencies ?? {})];
const atRoot = Object.keys(readJson("package.json").devDependencies);

/** 0 is the bottom; -1 if the file is in no listed folder. */
function layerOf(folder, path) {
  const place = path.slice(`${folder}/src/`.length);
  if (entries.get(folder).includes(`src/${place}`)) return FOLDERS[folder].length;
  return FOLDERS[folder].findIndex((one) => place === one || place.startsWith(`${one}/`));
}

function checkRelative({ folder, part, path, strict }, specifier) {
  const target = join(dirname(path), specifier);
  const home = part === "src" ? `${folder}/src/` : `${folder}/`;
  if (!target.endsWith(".ts") || !existsSync(join(root, target))) {
    problems.push(`${path}: "${specifier}" does not name a real file with its .ts ending`);
  } else if (!target.startsWith(home)) {
    problems.push(`${path}: "${specifier}" leaves ${home}`);
  } else {
    edges.get(path).push(target);
    if (strict && layerOf(folder, target) > layerOf(folder, path)) {
      problems.push(`${path}: "${specifier}" is in a higher layer`);
    }
  }
}

function checkPackage({ folder, part, path, strict, manifest }, specifier) {
  if (isBuiltin(specifier)) {
    if (strict && !OF_NODE.includes(folder)) problems.push(`${path}: "${specifier}" exists only in Node`);
    return;
  }
  const name = specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
  const known = part === "test" ? [...forTests(manifest), ...atRoot, manifest.name] : declared(manifest);
  if (!known.includes(name)) problems.push(`${path}: "${name}" is not declared in ${folder}/package.json`);
  if (strict && !MAY_IMPORT[folder].includes(name)) {
    problems.push(`${path}: ${folder} must not import "${name}"`);
  }
}

function checkLength(path, text) {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines > MOST_LINES) problems.push(`${path}: ${lines} lines, more than ${MOST_LINES}`);
}

/** A page of the site is made of what files say of themselves. */
function checkComment(path, text) {
  if (firstCommentOf(text) === undefined)
    problems.push(`${path}: begins with no comment; say in a line above all else what it decides`);
}

function checkFile(folder, part, path, manifest) {
  const file = { folder, part, path, manifest, strict: part === "src" && folder in FOLDERS };
  const text = readText(path);
  checkLength(path, text);
  if (part === "src") checkComment(path, text);
  edges.set(path, []);
  for (const specifier of new Set(importsOf(text))) {
    (specifier.startsWith(".") ? checkRelative : checkPackage)(file, specifier);
  }
  if (!file.strict) return;
  if (layerOf(folder, path) < 0) problems.push(`${path}: is in no folder that check-layers.mjs lists`);
  if (path !== MAKER && /(?<![\w.])(?:eval|Function)\s*\(|\bnew\s+Function\b/.test(withoutComments(text))) {
    problems.push(`${path}: makes code from text (eval or Function)`);
  }
}

for (const folder of [...foldersIn("packages", "examples"), "benchmarks"]) {
  if (!existsSync(join(root, folder, "package.json"))) continue;
  const manifest = readJson(`${folder}/package.json`);
  for (const part of ["src", "test"]) {
    for (const path of filesBelow(`${folder}/${part}`, ".ts")) checkFile(folder, part, path, manifest);
  }
}
for (const circle of circlesIn(edges)) problems.push(`circle: ${circle.join(" -> ")}`);
const names = [...readText(BORDER).matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) =>
  list.split(",").filter((name) => name.trim()),
);
if (/^export (?!(type )?\{)/m.test(readText(BORDER))) problems.push(`${BORDER}: list exports by name`);
if (names.length > MOST_NAMES) problems.push(`${BORDER}: ${names.length} names, more than ${MOST_NAMES}`);
const scripts = filesBelow("tooling/scripts", ".mjs");
for (const path of scripts) {
  checkLength(path, readText(path));
  checkComment(path, readText(path));
}
const filesIn = new Map(); // folder -> number of files directly in it
for (const folder of [...edges.keys(), ...scripts].map((path) => dirname(path))) {
  filesIn.set(folder, (filesIn.get(folder) ?? 0) + 1);
}
for (const [folder, count] of filesIn) {
  if (count > MOST_FILES) problems.push(`${folder}: ${count} files, more than ${MOST_FILES}`);
}
if (edges.size === 0) problems.push("found no files to check");

for (const problem of problems) console.error(problem);
console.log(`layers: ${edges.size + scripts.length} files, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
