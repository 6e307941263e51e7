// The package that programs import: which of its entries exports which of another package, and programs rewritten to import it.
import { entryPointsOf, FRONT, frontName, readText } from "../lib.mjs";

/** What each entry exports again, such as "treeline" -> ["@treeline/core", ...]. */
export const frontEntries = () =>
  new Map(
    entryPointsOf(FRONT).map(({ entry, source }) => [
      `${frontName}${entry.slice(1)}`,
      [...readText(`${FRONT}/${source}`).matchAll(/^export \* from "([^"]+)";$/gm)].map(([, name]) => name),
    ]),
  );

const IMPORT = /^import (?:[^"]* from )?"([^"]+)";\n/gm;

/** A program with its imports in the order in which the front package has them: packages of others first, then core, names and query. */
export function inFrontOrder(program) {
  const places = [...frontEntries().values()].flat();
  const imports = [...program.matchAll(IMPORT)].map(([line, name]) => ({
    line,
    place: places.indexOf(name),
  }));
  const sorted = imports.toSorted((one, other) => one.place - other.place).map(({ line }) => line);
  return program.replace(IMPORT, () => sorted.shift());
}

/** The same program, importing the front package. Names of ours that it does not export, such as `internal`, stay. */
export function importingFront(program) {
  const fronts = new Map([...frontEntries()].flatMap(([front, names]) => names.map((name) => [name, front])));
  return program.replace(IMPORT, (line, name) =>
    fronts.has(name) ? line.replace(`"${name}"`, `"${fronts.get(name)}"`) : line,
  );
}
