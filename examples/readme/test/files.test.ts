import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { at, filesBelow, PACKAGES, readDocument } from "./support.ts";

const page = readDocument("docs/files.md");

const BESIDES_PACKAGES = [
  "tooling/scripts",
  "tooling/scripts/report",
  "tooling/scripts/browser",
  "tooling/scripts/compare",
  "tooling/scripts/home",
  "tooling/scripts/packages",
  "tooling/scripts/packages/project",
  "tooling/scripts/reference",
  "tooling/scripts/site",
  "tooling/scripts/tests",
  "tooling/site/.vitepress",
  "tooling/site/.vitepress/theme",
  "tooling/site/.vitepress/theme/example",
  "tooling/site/.vitepress/theme/playground",
  "tooling/site/.vitepress/theme/tutorial",
  "benchmarks/src/measure",
  "benchmarks/src/fixtures",
  "benchmarks/src/fixtures/each",
  "benchmarks/src/commits",
  "benchmarks/src/gates",
  "benchmarks/src/comparison",
  "examples/files/src",
  "examples/scene/src",
  "examples/fleet/src",
  "examples/station/src",
  "examples/fleet-3d/src",
  "examples/solar-system/src",
  "examples/viewer/src",
  "examples/page-parts/src",
  "examples/page-tests/src",
  "examples/playground/src",
  "examples/readme/test",
  "examples/readme/test/site",
];
/** The page also lists the folders inside these. */
const WITH_INNER_FOLDERS = [
  "benchmarks/src/comparison",
  "benchmarks/src/gates",
  "benchmarks/src/questions",
  "examples/files/src",
  "examples/scene/src",
  "examples/fleet-3d/src",
  "examples/solar-system/src",
  "examples/viewer/src",
];
/** Has a folder per library, which is listed as one line. */
const CONTESTANTS = "benchmarks/src/comparison/contestants";

const LONGEST_LINE = 150;

interface Line {
  readonly folder: string;
  readonly file: string;
  readonly text: string;
}

/** The lines of the page in order, each with the folder of its table. */
const lines: Line[] = page.split(/^### `/m).flatMap((section, place) => {
  if (place === 0) return [];
  const folder = section.slice(0, section.indexOf("`"));
  const rows = section.matchAll(/^\| `([^`]+)`\s*\| (.*?)\s*\|$/gm);
  return [...rows].map(([, file, text]) => ({ folder, file: file!, text: text! }));
});

const folders = [...new Set(lines.map(({ folder }) => folder))];

/** What a folder holds directly, sorted: its source files and, if wanted, its folders with a slash at the end. */
function entriesOf(folder: string, withFolders: boolean): string[] {
  const entries = readdirSync(at(folder), { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  const inner = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
  return [...files.filter((name) => /\.m?[jt]s$/.test(name)), ...(withFolders ? inner : [])].sort();
}

/** The source of a listed file, or of all files below a listed folder. */
function sourceOf({ folder, file }: Line): string {
  const path = `${folder}/${file}`;
  if (!file.endsWith("/")) return readDocument(path);
  return filesBelow(path.slice(0, -1), ".ts").map(readDocument).join("\n");
}

/** Words between backticks that are names: of constants, functions, types, error codes. No paths, options or commands. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/`([\w$]+(?:-\w+)*)`/g)].map(([, name]) => name!);
}

function isIn(source: string, name: string): boolean {
  return new RegExp(
    `(?<![\\w$])${name.replaceAll("$", "\\$")}${name.endsWith("_") ? "" : "(?![\\w$])"}`,
  ).test(source);
}

describe("docs/files.md", () => {
  it.each(PACKAGES)("lists the folders of %s in the order of check-layers.mjs", (folder) => {
    const layers = new RegExp(`"${folder}": \\[([^\\]]*)\\]`).exec(
      readDocument("tooling/scripts/check-layers.mjs"),
    )![1]!;
    const inner = [...layers.matchAll(/"([^"]+)"/g)].map(([, name]) => `${folder}/src/${name}`);

    const listed = folders.filter((one) => one.startsWith(`${folder}/src/`));
    expect(listed).toEqual(inner);
  });

  it("lists every file of the packages", () => {
    const files = PACKAGES.flatMap((folder) => filesBelow(`${folder}/src`, ".ts"));
    const listed = new Set(lines.map(({ folder, file }) => `${folder}/${file}`));

    expect(files.filter((path) => !listed.has(path))).toEqual([]);
  });

  it("lists the folders of scripts, benchmarks and examples", () => {
    const inner = WITH_INNER_FOLDERS.flatMap((folder) => {
      const names = entriesOf(folder, true).filter((name) => name.endsWith("/"));
      return names.map((name) => `${folder}/${name.slice(0, -1)}`);
    });
    const wanted = [...BESIDES_PACKAGES, ...inner];

    const listed = folders.filter((folder) => !folder.startsWith("packages/"));
    expect([...listed].sort()).toEqual(wanted.sort());
  });

  it.each(folders)("lists each file of %s once, by name", (folder) => {
    const listed = lines.filter((line) => line.folder === folder).map(({ file }) => file);

    expect([...listed].sort()).toEqual(entriesOf(folder, folder === CONTESTANTS));
  });

  it.each(folders)("names only what the files of %s have", (folder) => {
    const missing = lines
      .filter((line) => line.folder === folder)
      .flatMap((line) => {
        const source = sourceOf(line);
        return namesIn(line.text)
          .filter((name) => !isIn(source, name))
          .map((name) => `${line.file}: ${name}`);
      });

    expect(missing).toEqual([]);
  });

  it("names things to search for in most lines, and has no long ones", () => {
    const withNames = lines.filter(({ text }) => namesIn(text).length > 0);

    expect(withNames.length).toBeGreaterThan(lines.length / 2);
    expect(lines.filter(({ text }) => text.length > LONGEST_LINE).map(({ file }) => file)).toEqual([]);
  });
});
