// Checks all documents: links, quoted sources, named files, decisions, walkthroughs, invariants.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { describe, expect, it } from "vitest";
import { at, blocksOf, filesBelow, PACKAGES, proseOf, readDocument } from "./support.ts";

const documents = filesBelow(".", ".md");

/** How the info line of a quoted block begins; the path of the file follows. */
const QUOTE = "ts from ";

/** Removes line breaks and indentation, because the formatter moves quoted code to the left. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ");
}

describe.each(documents)("%s", (path) => {
  const text = readDocument(path);

  it("links to files that exist", () => {
    const targets = [...proseOf(text).matchAll(/\]\(([^)\s]+)\)|<img[^>]* src="([^"]+)"/g)].map(
      ([, link, image]) => link ?? image!,
    );
    const inside = targets.filter((target) => !/^[a-z]+:|^#/.test(target));

    const missing = inside.filter((target) => !existsSync(at(join(dirname(path), target.split("#")[0]!))));
    expect(missing).toEqual([]);
  });

  it("quotes source files as they are", () => {
    const changed = blocksOf(text)
      .filter(({ language }) => language.startsWith(QUOTE))
      .filter(({ language, text: quoted }) => {
        const source = readDocument(language.slice(QUOTE.length));
        return !oneLine(source).includes(oneLine(quoted));
      });

    expect(changed.map(({ language, text: quoted }) => `${language}: ${quoted.slice(0, 80)}`)).toEqual([]);
  });
});

// Decisions are excluded: they describe the state at the time of the decision.
describe.each(documents.filter((path) => !path.startsWith("docs/decisions/")))("%s", (path) => {
  it("names source files that exist", () => {
    const named = [...readDocument(path).matchAll(/`([\w./-]+\/[\w.-]+\.(?:ts|mjs|json|md))`/g)].map(
      ([, name]) => name!,
    );
    const places = (name: string): string[] => [
      name,
      join(dirname(path), name),
      ...PACKAGES.flatMap((folder) => [`${folder}/${name}`, `${folder}/src/${name}`]),
    ];

    const isMeant = (name: string): boolean => !name.includes("/NAME.");
    const missing = named.filter(
      (name) => isMeant(name) && !places(name).some((place) => existsSync(at(place))),
    );
    expect(missing).toEqual([]);
  });
});

/** All source files of the packages, by path. */
const sources = new Map(
  PACKAGES.flatMap((folder) => filesBelow(`${folder}/src`, ".ts")).map((path) => [path, readDocument(path)]),
);

/** The texts that a station of a walkthrough can mean: files whose path has this ending. */
function sourcesAt(station: string): string[] {
  return [...sources].filter(([path]) => path.endsWith(`/${station}.ts`)).map(([, text]) => text);
}

function isDeclaredIn(text: string, name: string): boolean {
  return new RegExp(`\\b(?:function\\*?|class|const|let|interface|type) ${name}\\b`).test(text);
}

/** Names that only occur in code: `planMove`, but neither `plan` nor `Parent`. */
const CODE_NAME = /^[a-z]+[A-Z]\w*$/;

describe("docs/decisions", () => {
  const pages = documents.filter((path) => path.startsWith("docs/decisions/"));
  const headOf = (path: string): string => readDocument(path).split("\n## ")[0]!;

  it("states at the beginning of a page by which one it is replaced", () => {
    const replacing = pages.flatMap((path) =>
      [...headOf(path).matchAll(/(?:Replaces|Takes the place of|Follows)[^.]*\]\((\d+[\w-]+\.md)\)/g)].map(
        ([, old]) => ({ path, old: `docs/decisions/${old}` }),
      ),
    );

    expect(replacing.length).toBeGreaterThan(5);
    const silent = replacing.filter(({ path, old }) => {
      return !headOf(old).includes(`Replaced by [${path.slice("docs/decisions/".length, -3).slice(0, 4)}]`);
    });
    expect(silent).toEqual([]);
  });
});

describe("documents and examples", () => {
  /** The packages that `treeline` exports: decision 0108. */
  const PARTS =
    /(?:from|import)\s*\(?\s*["'](@treeline\/(?:core|query|names|document|prefab|transform|three)(?:\/[^"']*)?)["']/g;

  it("import from treeline, as programs do", () => {
    const pages = documents.filter(
      (path) => /^(?:README|docs\/|tooling\/site\/pages\/)/.test(path) && !path.includes("/decisions/"),
    );
    const programs = filesBelow("examples", ".ts").filter(
      (path) => !path.startsWith("examples/readme/test/"),
    );
    const imports = [...pages, ...programs].flatMap((path) =>
      [...readDocument(path).matchAll(PARTS)].map(([, name]) => `${path}: ${name}`),
    );

    expect(programs.length).toBeGreaterThan(50);
    expect(imports).toEqual([]);
  });
});

describe.each([
  ["core", ["index"], 10],
  ["query", ["index"], 10],
  ["names", ["index"], 10],
  ["document", ["index", "json"], 7],
  ["prefab", ["index", "document"], 10],
  ["transform", ["2d", "3d"], 10],
  ["three", ["index"], 3],
])("packages/%s/README.md", (name, entries, least) => {
  it("mentions everything that users can import", () => {
    const words = new Set(proseOf(readDocument(`packages/${name}/README.md`)).match(/\$?\w+/g));
    const texts = entries.map((entry) => readDocument(`packages/${name}/src/${entry}.ts`)).join("\n");
    const lists = texts.matchAll(/^export \{([^}]*)\}/gm);
    const exported = [...lists].flatMap(([, list]) => list!.split(",").map((one) => one.trim()));

    const values = exported.filter((one) => one !== "" && !one.startsWith("type "));
    expect(values.length).toBeGreaterThan(least);
    expect(values.filter((one) => !words.has(one))).toEqual([]);
  });
});

describe("docs/architecture.md", () => {
  const text = readDocument("docs/architecture.md");
  const rowsOf = (part: string): string[][] =>
    [...part.matchAll(/^\| (.*) \|$/gm)].map(([, row]) => row!.split(" | ").map((cell) => cell.trim()));

  it.each(PACKAGES)("lists the folders of %s from the bottom up, as check-layers.mjs has them", (folder) => {
    const listed = new RegExp(`"${folder}": \\[([^\\]]*)\\]`).exec(
      readDocument("tooling/scripts/check-layers.mjs"),
    )![1]!;
    const table = text.slice(text.indexOf(`\n| \`${folder}/src\``) + 1).split("\n\n")[0]!;

    const folders = [...listed.matchAll(/"([^"]+)"/g)].map(([, name]) => name);
    expect(
      rowsOf(table)
        .slice(2)
        .map(([cell]) => cell!.replaceAll("`", "")),
    ).toEqual(folders);
  });

  it("names, for each question, a file that exists and declarations in it", () => {
    const answers = rowsOf(text).filter(([question]) => question!.endsWith("?"));

    expect(answers.length).toBeGreaterThan(50);
    const wrong = answers.filter(([, file, names]) => {
      const path = file!.replaceAll("`", "");
      if (!existsSync(at(path))) return true;
      const declared = names!.split(", ").map((name) => name.replaceAll("`", ""));
      return !declared.every((name) => isDeclaredIn(readDocument(path), name));
    });
    expect(wrong.map((answer) => answer.join(": "))).toEqual([]);
  });
});

describe("the table of codes in docs/architecture.md", () => {
  it("lists the files of the published packages that throw each code", () => {
    const union = /TreelineErrorCode =([^;]*);/.exec(readDocument("packages/core/src/base/error.ts"))![1]!;
    const published = [...sources].filter(([path]) => !path.startsWith("packages/invariants/"));
    const expected = [...union.matchAll(/"([a-z-]+)"/g)].map(([quoted, code]) => {
      const files = published.filter(([, text]) => text.includes(quoted)).map(([path]) => path);
      const thrown = files.filter((path) => path !== "packages/core/src/base/error.ts");
      return `${code}: ${(thrown.length === 0 ? files : thrown).sort().join(", ")}`;
    });

    const table = readDocument("docs/architecture.md").split("## Which file throws a code?")[1]!;
    const listed = [...table.matchAll(/^\| `([a-z-]+)`\s*\| (.*?)\s*\|$/gm)].map(
      ([, code, files]) => `${code}: ${files!.replaceAll("`", "").split(", ").sort().join(", ")}`,
    );
    expect(listed.length).toBeGreaterThan(15);
    expect(listed.sort()).toEqual(expected.sort());
  });
});

describe("docs/walkthroughs.md", () => {
  const lines = blocksOf(readDocument("docs/walkthroughs.md")).flatMap(({ text }) => text.split("\n"));

  it("leads every walkthrough through folders and files that exist", () => {
    const stations = lines.flatMap((line) => /^\s*([a-z-]+(?:\/[a-z-]+)*)(?: {2,}|$)/.exec(line)?.[1] ?? []);

    expect(stations.length).toBeGreaterThan(30);
    const missing = stations.filter((station) => sourcesAt(station).length === 0);
    expect(missing).toEqual([]);
  });

  it("names functions that are in the files of their stations", () => {
    const missing: string[] = [];
    let station = "";
    for (const line of lines) {
      const [, place, rest = ""] = /^\s*(?:core: )?([a-z-]+(?:\/[a-z-]+)*)?(?: {2,}(.*))?$/.exec(line) ?? [];
      if (place !== undefined && sourcesAt(place).length > 0) station = place;
      const [, names = ""] = /^(\w+(?:, \w+)*):/.exec(rest) ?? [];
      for (const name of names.split(", ").filter((word) => CODE_NAME.test(word))) {
        if (!sourcesAt(station).some((text) => isDeclaredIn(text, name))) missing.push(`${station}: ${name}`);
      }
    }

    expect(missing).toEqual([]);
  });

  it("names nothing else that the code does not have", () => {
    const known = new Set([...sources.values()].join("\n").match(/\b[a-z]\w*/g));
    const named = lines.flatMap((line) => line.match(/\b\w+/g) ?? []).filter((word) => CODE_NAME.test(word));

    expect(named.length).toBeGreaterThan(60);
    expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([]);
  });
});

describe("docs/invariants.md", () => {
  const rows = [...readDocument("docs/invariants.md").matchAll(/^\|\s*(I\d+)\s*\|.*`([^`]+\.ts)`\s*\|$/gm)];
  const invariants = rows.map(([, invariant, path]) => ({ invariant: invariant!, path: path! }));

  it("lists the invariants that the code mentions, each once and in order", () => {
    const mentioned = [...sources.values()].flatMap((text) => text.match(/(?<=["`])I\d+(?=: )/g) ?? []);

    expect(invariants.map(({ invariant }) => invariant)).toEqual(
      invariants.map((_, place) => `I${place + 1}`),
    );
    expect([...new Set(mentioned)].sort()).toEqual(invariants.map(({ invariant }) => invariant).sort());
  });

  it("names files that report broken invariants", () => {
    expect(
      invariants.filter(({ invariant, path }) => !sources.get(path)?.includes(`${invariant}: `)),
    ).toEqual([]);
  });
});
