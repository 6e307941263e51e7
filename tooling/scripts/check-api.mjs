// Compares the public API of each package, in its emitted declarations, with tooling/api/<package>.d.txt.
// That is what a public entry point exports, and what these mention in the same file. `--accept` rewrites the files.
// Also checks that shipped bundles shorten names of internal properties only.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { entryPointsOf, filesBelow, packageFolders, readText, root, withoutComments } from "./lib.mjs";
import { problemsOfShortNames } from "./short-names.mjs";

const accept = process.argv.includes("--accept");
const declaration =
  /^(?:export )?(?:declare )?(?:abstract )?(?:function|class|interface|type|const|let|var) ([\w$]+)/;
const link = /^(?:import|export)(?: type)? \{([^}]*)\} from "(\.[^"]+|@treeline\/\w+\/internal)"/;

/** A declaration file, cut before every line that begins at its left edge with a word. */
function statementsOf(path) {
  const text = withoutComments(readText(path)).replace(/\n\s*(?=\n)/g, "");
  const statements = text.split(/^(?=[a-z])/m).map((statement) => statement.trim());
  return statements.filter((statement) => statement && statement !== "export {};");
}

/** The names that a statement imports from another file: [{ name, original, path }]. */
function linksOf(path, statement) {
  const [, list, specifier] = link.exec(statement) ?? [];
  if (!list) return [];
  const target = specifier.startsWith("@")
    ? specifier.replace(/^@treeline\/(\w+)\/(.+)$/, "packages/$1/dist/$2.d.ts")
    : join(dirname(path), specifier.replace(/\.[jt]s$/, ".d.ts"));
  const entries = list.split(",").map((entry) => entry.trim().replace(/^type /, ""));
  return entries.filter(Boolean).map((entry) => {
    const [original, name = original] = entry.split(" as ");
    return { name, original, path: target };
  });
}

/** Names in a statement, except in strings. */
function wordsOf(statement) {
  return statement.replace(/"[^"]*"/g, "").split(/[^\w$]+/);
}

/** Adds to `shown` (file -> its statements) the declarations of `name`, following re-exports. */
function show(shown, path, name) {
  const statements = statementsOf(path);
  const declaring = statements.filter((statement) => declaration.exec(statement)?.[1] === name);
  const source = statements
    .flatMap((statement) => linksOf(path, statement))
    .find((each) => each.name === name);
  if (declaring.length === 0 && source) return show(shown, source.path, source.original);
  if (declaring.length === 0) throw new Error(`${path} does not declare "${name}" in a form known here`);

  const known = shown.get(path) ?? shown.set(path, new Set()).get(path);
  if (known.has(declaring[0])) return;
  for (const statement of declaring) known.add(statement);
  for (const neighbour of statements) {
    const other = declaration.exec(neighbour)?.[1];
    const mentioned = other && declaring.some((statement) => wordsOf(statement).includes(other));
    if (mentioned) show(shown, path, other);
  }
}

/** Entry points first, then the files behind them by path; statements in the order of their file. */
function publicApiOf(folder) {
  const entries = entryPointsOf(folder).filter(({ name }) => name !== "internal"); // not public
  const paths = entries.map(({ name }) => `${folder}/dist/${name}.d.ts`);
  const shown = new Map();
  for (const path of paths) {
    const links = statementsOf(path).flatMap((statement) => linksOf(path, statement));
    for (const { path: target, original } of links) show(shown, target, original);
  }
  const behind = [...shown.keys()].filter((path) => !paths.includes(path)).sort();
  const sections = [...paths, ...behind].map((path) => {
    const all = statementsOf(path);
    const statements = paths.includes(path) ? all : all.filter((statement) => shown.get(path).has(statement));
    return `// ${path.replace(`${folder}/dist/`, "")}\n\n${statements.join("\n")}\n`;
  });
  return sections.join("\n");
}

/** Lines that only one side has, at most 20; enough to see the change. */
function difference(before, after) {
  const [old, now] = [before.split("\n"), after.split("\n")];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `  - ${line}`);
  const come = now.filter((line) => !old.includes(line)).map((line) => `  + ${line}`);
  const lines = [...gone, ...come];
  if (lines.length === 0) return "  only the order or number of lines changed";
  return [...lines.slice(0, 20), ...(lines.length > 20 ? [`  ... ${lines.length - 20} more`] : [])].join(
    "\n",
  );
}

mkdirSync(join(root, "tooling/api"), { recursive: true });
const pathOf = (folder) => `tooling/api/${folder.replace("packages/", "")}.d.txt`;
const stray = filesBelow("tooling/api", ".txt").filter(
  (path) => !packageFolders().map(pathOf).includes(path),
);
for (const path of stray) {
  console.error(`api: ${path} belongs to no package; delete it`);
  process.exitCode = 1;
}
for (const folder of packageFolders()) {
  const path = pathOf(folder);
  const face = publicApiOf(folder);
  const accepted = existsSync(join(root, path)) ? readText(path) : "";
  if (face === accepted) {
    console.log(`api: ${path} is up to date`);
  } else if (accept) {
    writeFileSync(join(root, path), face);
    console.log(`api: ${path} written`);
  } else {
    console.error(`api: ${path} differs; accept with npm run check:api -- --accept`);
    console.error(difference(accepted, face));
    process.exitCode = 1;
  }
}
for (const problem of problemsOfShortNames()) {
  console.error(`api: ${problem}`);
  process.exitCode = 1;
}
