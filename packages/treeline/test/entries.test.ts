import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly version: string;
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const readJson = <T>(path: string): T => JSON.parse(readFileSync(at(path), "utf8")) as T;
const manifestOf = (folder: string): Manifest => readJson(`packages/${folder}/package.json`);

const folders = readdirSync(at("packages")).filter((folder) =>
  existsSync(at(`packages/${folder}/package.json`)),
);
const published = folders.filter((folder) => manifestOf(folder).private !== true);
const front = manifestOf("treeline");

/** They run before programs do, and are no part of them: decision 0108. */
const OF_BUILDS = ["compiler", "create-treeline"];
/** Their entries lose the name of the package; those that are called as the package are one entry. */
const WITHOUT_NAME = ["core", "query", "names"];
const parts = published.filter((folder) => folder !== "treeline" && !OF_BUILDS.includes(folder));

const entriesOf = ({ exports = {} }: Manifest): string[] =>
  Object.keys(exports).filter((entry) => !["./internal", "./package.json"].includes(entry));

/** What the front package should have: its entry -> the entries of others that it exports. */
const wanted = new Map<string, string[]>();
for (const folder of parts) {
  for (const entry of entriesOf(manifestOf(folder))) {
    const own = WITHOUT_NAME.includes(folder) ? entry : entry.replace(".", `./${folder}`);
    wanted.set(own, [...(wanted.get(own) ?? []), `${manifestOf(folder).name}${entry.slice(1)}`]);
  }
}

describe("the package that programs import", () => {
  it("has an entry for each public entry of each package that runs in programs, and no other", () => {
    expect(parts.length).toBeGreaterThan(6);
    expect(entriesOf(front).sort()).toEqual([...wanted.keys()].sort());
  });

  it.each(entriesOf(front))("exports in %s all of the entries of that name", (entry) => {
    const conditions = front.exports?.[entry] as Readonly<Record<string, string>>;
    const text = readFileSync(at(`packages/treeline/${conditions["treeline-source"]}`), "utf8");
    const whole = [...text.matchAll(/^export \* from "([^"]+)";$/gm)].map(([, name]) => name);

    expect(whole.sort()).toEqual(wanted.get(entry)?.sort());
  });

  it("names files by its entries, under the conditions of all packages", () => {
    const named = entriesOf(front).map((entry) => {
      const name = entry === "." ? "index" : entry.slice(2);
      return [
        entry,
        {
          "treeline-source": `./src/${name}.ts`,
          types: `./dist/${name}.d.ts`,
          development: `./dist/${name}.dev.js`,
          default: `./dist/${name}.js`,
        },
      ];
    });

    expect(front.exports).toEqual(Object.fromEntries([...named, ["./package.json", "./package.json"]]));
  });

  it("depends on exactly these packages, in their version", () => {
    const versions = parts.map((folder) => [manifestOf(folder).name, front.version]);

    expect(front.dependencies).toEqual(Object.fromEntries(versions));
    expect(parts.map((folder) => manifestOf(folder).version)).toEqual(parts.map(() => front.version));
  });
});

describe("lists that name packages", () => {
  const names = published.map((folder) => manifestOf(folder).name).sort();

  it("have all published packages where versions are raised together", () => {
    const { fixed } = readJson<{ readonly fixed: readonly (readonly string[])[] }>(".changeset/config.json");

    expect(fixed.map((list) => [...list].sort())).toEqual([names]);
  });

  it.each(["tsconfig.json", "tooling/tsconfig/users.json", "tooling/tsconfig/pages.json"])(
    "have all packages that programs can import in %s",
    (path) => {
      const { references } = readJson<{ readonly references: readonly { readonly path: string }[] }>(path);
      const listed = references.flatMap(({ path: one }) => /(?:^|\/)packages\/(\w+)$/.exec(one)?.[1] ?? []);

      for (const folder of [...parts, "treeline"]) expect(listed).toContain(folder);
    },
  );
});
