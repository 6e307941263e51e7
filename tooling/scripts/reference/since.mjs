// Which version each export first appeared in, as tooling/api/since.json has it: version -> entry point -> names.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow, readJson, readText, root } from "../lib.mjs";
import { allExports } from "./exports.mjs";

const FILE = "tooling/api/since.json";

const placeOf = ({ entries: [{ place }] }) => place || ".";

/** "lookup" of "." -> "0.1.0"; undefined if the file does not have it. */
function versionIn(file, one) {
  return Object.keys(file).find((version) => file[version][placeOf(one)]?.includes(one.name));
}

/** @returns a function: export -> its version. */
export function versionsOfExports() {
  const file = readJson(FILE);
  return (one) => versionIn(file, one);
}

/** The version that comes next: changesets that wait say how far it is from that of the manifests. */
function nextVersion() {
  const [major, minor, patch] = readJson("packages/core/package.json").version.split(".").map(Number);
  const texts = filesBelow(".changeset", ".md").map(readText);
  if (texts.some((text) => /^"[^"]+": (?:major|minor)$/m.test(text))) return `${major}.${minor + 1}.0`;
  return `${major}.${minor}.${patch + (texts.length > 0 ? 1 : 0)}`;
}

/** Enters new exports with the next version, and drops those that are gone. */
export function acceptSince() {
  const file = readJson(FILE);
  const version = nextVersion();
  const next = {};
  for (const one of allExports().values()) {
    const names = ((next[versionIn(file, one) ?? version] ??= {})[placeOf(one)] ??= []);
    names.push(one.name);
  }
  const sorted = Object.fromEntries(
    Object.keys(next)
      .toSorted((one, other) => one.localeCompare(other, "en", { numeric: true }))
      .map((each) => [each, Object.fromEntries(Object.entries(next[each]).toSorted())]),
  );
  for (const places of Object.values(sorted)) for (const names of Object.values(places)) names.sort();
  writeFileSync(join(root, FILE), `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Exports without an entry, and entries without an export. */
export function problemsOfSince() {
  const file = readJson(FILE);
  const all = [...allExports().values()];
  const missing = all.filter((one) => versionIn(file, one) === undefined);
  const gone = Object.entries(file).flatMap(([version, places]) =>
    Object.entries(places).flatMap(([place, names]) =>
      names
        .filter((name) => !all.some((one) => placeOf(one) === place && one.name === name))
        .map((name) => `${FILE} has ${name} of ${place} in ${version}, which is no export`),
    ),
  );
  const problems = [
    ...missing.map((one) => `${one.name} of ${one.entries[0].specifier} is not in ${FILE}`),
    ...gone,
  ];
  return problems.map((problem) => `${problem}; enter it with npm run check:reference -- --accept`);
}
