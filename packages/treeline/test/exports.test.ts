import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));
const packages = fileURLToPath(new URL("../..", import.meta.url));
const { name: front, exports: entries } = JSON.parse(readFileSync(join(home, "package.json"), "utf8")) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};
const isBuilt = existsSync(join(home, "dist/index.js"));

/** What programs print as JSON, in a process of its own, as users run it. Packages are found from the folder. */
function printedBy(program: string, folder: string, flags: readonly string[]): unknown {
  const words = ["--no-warnings", ...flags, "--input-type=module", "--eval", program];
  const env = { ...process.env, NODE_OPTIONS: "" };
  return JSON.parse(execFileSync(process.execPath, words, { cwd: folder, encoding: "utf8", env }));
}

/** Of which packages each entry exports all. */
const exported = Object.entries(entries).flatMap(([entry, target]) => {
  if (typeof target === "string") return [];
  const text = readFileSync(join(home, target["treeline-source"]!), "utf8");
  const whole = [...text.matchAll(/^export \* from "([^"]+)";$/gm)].map(([, name]) => name!);
  return [{ name: `${front}${entry.slice(1)}`, whole }];
});

/** Reads all entries, by `load`, and tells what is missing, too many or another object. */
const COMPARING = `
  import { createRequire } from "node:module";
  const require = createRequire(process.cwd() + "/program.js");
  const ways = { import: (name) => import(name), require: async (name) => require(name) };
  const differences = [];
  let compared = 0;
  for (const [way, load] of Object.entries(ways)) {
    for (const { name, whole } of ${JSON.stringify(exported)}) {
      const own = await load(name);
      const seen = new Map();
      for (const part of whole) {
        for (const [key, value] of Object.entries(await ways.import(part))) {
          if (seen.has(key) && seen.get(key) !== value) differences.push(key + " of " + part + " clashes in " + name);
          if (own[key] !== value) differences.push(key + " of " + part + " is missing in " + name + ", by " + way);
          seen.set(key, value);
          compared++;
        }
      }
      const more = Object.keys(own).filter((key) => !seen.has(key) && key !== "__esModule" && key !== "module.exports");
      if (more.length > 0) differences.push(name + " has more: " + more.join(" "));
    }
  }
  const all = await import(${JSON.stringify(front)});
  const tree = await import(${JSON.stringify(`${front}/hierarchy`)});
  const others = Object.keys(tree).filter((key) => all[key] !== tree[key]);
  console.log(JSON.stringify({ differences, compared, others }));
`;

describe.skipIf(!isBuilt).each([
  ["shipped", []],
  ["development", ["--conditions", "development"]],
])("in the %s build, by import and by require", (_, flags) => {
  it("each entry exports exactly what its packages do: the same objects, and no name twice", () => {
    const { differences, compared, others } = printedBy(COMPARING, home, flags) as {
      readonly differences: readonly string[];
      readonly compared: number;
      readonly others: readonly string[];
    };

    expect(differences).toEqual([
      `${front} has more: attach attachMany attachNew detach`,
      `${front} has more: attach attachMany attachNew detach`,
    ]);
    expect(compared).toBeGreaterThan(400);
    // The short names of the article, which mean something else in core and query, or do not say what they sort.
    expect([...others].sort()).toEqual(["remove", "removeAll", "sort"]);
  });

  it("what one would look for in four packages is in one", () => {
    const names = ["destroy", "children", "parentOf", "attach", "ChildOf", "each", "Name", "lookup"];
    const program = `import * as all from ${JSON.stringify(front)};
      import { ChildOf } from "@treeline/core";
      console.log(JSON.stringify([${JSON.stringify(names)}.filter((name) => typeof all[name] !== "function"), all.ChildOf === ChildOf]));`;

    expect(printedBy(program, home, flags)).toEqual([[], true]);
  });
});

describe.skipIf(!isBuilt)("two copies in one program", () => {
  let folder = "";
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "treeline-copies-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Installs a copy of the packages. */
  function install(copy: string): void {
    for (const name of ["core", "names", "query", "treeline"]) {
      const { name: installed } = JSON.parse(readFileSync(join(packages, name, "package.json"), "utf8")) as {
        readonly name: string;
      };
      for (const part of ["package.json", "dist"]) {
        cpSync(join(packages, name, part), join(folder, copy, "node_modules", installed, part), {
          recursive: true,
          filter: (path) => !/\.(?:map|ts|tsbuildinfo)$/.test(path),
        });
      }
    }
    writeFileSync(join(folder, copy, "all.js"), `export * from ${JSON.stringify(front)};\n`);
    writeFileSync(
      join(folder, copy, "parts.js"),
      'export * from "@treeline/core";\nexport * from "@treeline/names";\nexport * from "@treeline/query";\n',
    );
    writeFileSync(join(folder, copy, "package.json"), '{ "type": "module" }');
  }

  /** What functions of `other` say to a world of `one`. */
  const mixing = (one: string, other: string): string => `
    import * as one from ${JSON.stringify(one)};
    import * as other from ${JSON.stringify(other)};
    const Position = one.component("Position", { x: 1 });
    const world = one.createWorld();
    const ship = one.spawn(world, Position);
    const saidBy = (call) => {
      try {
        return typeof call();
      } catch (error) {
        return error instanceof other.TreelineError ? error.code : String(error);
      }
    };
    console.log(JSON.stringify([
      one.ChildOf === other.ChildOf,
      saidBy(() => other.query(world, Position)),
      saidBy(() => other.spawn(world, other.ChildOf(ship))),
      saidBy(() => other.spawn(world, other.Name("Ship"))),
    ]));`;
  const development = ["--conditions", "development"];
  const refused = [false, "bad-value", "bad-value", "bad-value"];
  const accepted = [true, "object", "number", "number"];

  it("are told apart by development builds, however each is imported", () => {
    for (const copy of ["a", "b"]) install(copy);

    for (const [one, other] of [
      ["./a/parts.js", "./b/parts.js"], // as without the package for programs
      ["./a/parts.js", "./b/all.js"],
      ["./a/all.js", "./b/parts.js"],
      ["./a/all.js", "./b/all.js"],
    ] as const) {
      expect(printedBy(mixing(one, other), folder, development)).toEqual(refused);
    }
  });

  it("are not made by importing the packages beside the one for programs", () => {
    install("c");

    expect(printedBy(mixing("./c/all.js", "./c/parts.js"), folder, development)).toEqual(accepted);
    expect(printedBy(mixing("./c/parts.js", "./c/all.js"), folder, [])).toEqual(accepted);
  });
});
