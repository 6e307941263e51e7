// Whether editors show of installed tarballs what they show in this repository: types and doc comments of every export, and definitions that
// have their comments above them. What the package for programs exports again is shown as by the package that it comes from.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { entryPointsOf, readText, root } from "../lib.mjs";
import { answersOfEditor } from "../tests/language-server.mjs";
import { frontEntries } from "./front.mjs";

const EXPORTED = /^export (?:type )?\{([^}]*)\}|^export declare (?:abstract )?\w+ ([\w$]+)/gm;

/** The names that an entry point exports, `export *` left aside. */
function exportsOf(folder, name) {
  const found = readText(`${folder}/dist/${name}.d.ts`).matchAll(EXPORTED);
  const names = [...found].flatMap(([, list, declared]) => declared ?? list.split(","));
  return names
    .map((one) =>
      one
        .replace(/^.* as /, "")
        .replace("type ", "")
        .trim(),
    )
    .filter(Boolean);
}

/**
 * [{ name, from }]: what programs can import of the packages, without what is only for our own. What the package for programs exports again
 * has the place of the same import from its package in this list, as `original`.
 */
function importsOf(packages) {
  const own = packages.flatMap(({ folder, manifest }) =>
    entryPointsOf(folder)
      .filter(({ name }) => name !== "internal")
      .flatMap(({ entry, name }) =>
        exportsOf(folder, name).map((one) => ({ name: one, from: `${manifest.name}${entry.slice(1)}` })),
      ),
  );
  const again = [...frontEntries()].flatMap(([front, parts]) =>
    own.flatMap(({ name, from }, original) =>
      parts.includes(from) ? [{ name, from: front, original }] : [],
    ),
  );
  return [...own, ...again];
}

const START = "import { ";

async function shownIn(folder, imports) {
  mkdirSync(folder, { recursive: true });
  const text = imports.map(({ name, from }) => `${START}${name} } from "${from}";`).join("\n");
  const questions = ["hover", "definition"].flatMap((ask) =>
    imports.map((_, line) => ({ ask, line, character: START.length })),
  );
  const answers = await answersOfEditor(folder, text, questions);
  return imports.map((_, at) => ({
    hover: answers[at]?.contents?.value ?? "",
    definition: [answers[at + imports.length]].flat()[0],
  }));
}

/** Whether a definition is in `dist` of an installed package, with a doc comment above it if there is one in the hover text. */
function isReadable({ hover, definition }) {
  const path = fileURLToPath(definition?.uri ?? definition?.targetUri ?? "file:///");
  if (!/[\\/]node_modules[\\/].*[\\/]dist[\\/].*\.d\.ts$/.test(path)) return false;
  const { start } = definition.range ?? definition.targetSelectionRange;
  const above = readFileSync(path, "utf8").split("\n")[start.line - 1] ?? "";
  return !/```\s+\S/.test(hover) || /\*\/$|^(?:export )?declare function/.test(above.trim());
}

/** @returns a line for each export that an editor shows worse from a tarball than from this repository. */
export async function problemsInEditor(packages, project) {
  const imports = importsOf(packages);
  const here = await shownIn(join(root, "examples/readme/dist/editor"), imports);
  const there = await shownIn(join(project, "editor"), imports);
  if (imports.length < 600) return [`only ${imports.length} exports were found`];
  return imports.flatMap(({ name, from, original }, at) => {
    const [one, other] = [here[at], there[at]];
    if (one.hover === "") return [`${name} of ${from} has no hover text in this repository`];
    if (one.hover !== other.hover)
      return [`${name} of ${from} shows\n${other.hover}\ninstead of\n${one.hover}`];
    if (other.hover !== there[original ?? at].hover)
      return [`${name} of ${from} shows\n${other.hover}\ninstead of\n${there[original ?? at].hover}`];
    return isReadable(other) ? [] : [`${name} of ${from} is defined at ${JSON.stringify(other.definition)}`];
  });
}
