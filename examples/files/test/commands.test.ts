import type { World } from "treeline";
import { describe, expect, it } from "vitest";
import type { PathEntry } from "../src/formats/listing.ts";
import { completionsOf } from "../src/program/complete.ts";
import { drawTree } from "../src/program/draw.ts";
import type { Command } from "../src/program/options.ts";
import { parseCommand } from "../src/program/prompt.ts";
import { runCommand } from "../src/tree/commands.ts";
import { growListing, growNodes } from "../src/tree/grow.ts";
import { complaintOf } from "./support.ts";

const file = (path: string, bytes?: number): PathEntry => ({ path, kind: "file", bytes });

const { world } = growListing({
  entries: [
    file("README.md", 1_500),
    file("src/app.ts", 10),
    file("src/App.TS", 20),
    file("src/lib/deep/core.ts", 5),
    file("src/lib/makefile", 1),
    file("odd/#12"),
    file("odd/a\\b*"),
    { path: "odd/way", kind: "link", bytes: undefined },
  ],
  notes: [],
});

const result = (kind: Command["kind"], text: string, limit = 20, where: World = world): readonly string[] => {
  const { label, lines } = runCommand(where, { kind, text }, limit);
  return [label, ...lines];
};

describe("a path of an entity", () => {
  it.each([
    ["src/app.ts", ["found", "src/app.ts", "file, 10 bytes"]],
    ["./src/lib/", ["found", "src/lib", "directory, 2 entities directly below it"]],
    ["/src", ["found", "src", "directory, 3 entities directly below it"]],
    ["odd/\\#12", ["found", "odd/\\#12", "file"]],
    ["odd/a\\\\b*", ["found", "odd/a\\\\b*", "file"]],
    ["odd/way", ["found", "odd/way", "link"]],
  ])("shows the entity: %s", (path, lines) => {
    expect(result("find", path)).toEqual(lines);
    expect(runCommand(world, { kind: "find", text: path }, 20).isFound).toBe(true);
  });
});

describe("a path without an entity", () => {
  it("shows the part that exists, and the most similar names first", () => {
    expect(result("find", "src/lib/Maker/x")).toEqual([
      "not found",
      '"src/lib/Maker/x" does not exist',
      '"src/lib" exists; directly below it: 2 entities',
      "  makefile",
      "  deep/",
    ]);
    expect(runCommand(world, { kind: "find", text: "src/none" }, 20).isFound).toBe(false);
  });

  it.each(["sre", "/sre", "sre/app.ts"])("may not exist from its first step on: %s", (path) => {
    expect(result("find", path).slice(1)).toEqual([
      `"${path}" does not exist`,
      "at the top level: 3 entities",
      "  src/",
      "  README.md",
      "  odd/",
    ]);
  });

  it("may continue below a file", () => {
    expect(result("below", "README.md/x").slice(2)).toEqual([
      '"README.md" exists; directly below it: nothing',
    ]);
  });

  it("shows at most five names", () => {
    const many = growListing({ entries: Array.from({ length: 9 }, (_, at) => file(`f${at}`)), notes: [] });

    expect(result("find", "f7x", 20, many.world).slice(2)).toEqual([
      "at the top level: 9 entities",
      "  f7",
      "  f0",
      "  f1",
      "  f2",
      "  f3",
      "  … 4 more",
    ]);
  });
});

describe("a pattern", () => {
  it("shows all matches, in the order of the tree", () => {
    expect(result("glob", "**/*.ts")).toEqual([
      "glob",
      "2 matches",
      "  src/app.ts",
      "  src/lib/deep/core.ts",
    ]);
    expect(result("glob", "./src/*/")).toEqual([
      "glob",
      "3 matches",
      "  src/app.ts",
      "  src/App.TS",
      "  src/lib",
    ]);
    expect(result("glob", "odd/a\\\\b\\*")).toEqual(["glob", "1 match", "  odd/a\\\\b*"]);
  });

  it("may have no match", () => {
    expect(runCommand(world, { kind: "glob", text: "**/*.js" }, 20)).toEqual({
      label: "glob",
      lines: ["0 matches"],
      isFound: false,
    });
  });

  it("shows at most as many as the limit, or all", () => {
    expect(result("glob", "**", 2).slice(-1)).toEqual(["  … 10 more"]);
    expect(result("glob", "**", 11)).toHaveLength(14);
    expect(result("glob", "**", 0)).toHaveLength(14);
  });
});

describe("the command below", () => {
  it("counts entities by kind and extension, and adds known sizes", () => {
    expect(result("below", "src")).toEqual([
      "below",
      "src, directory",
      "6 entities in 3 levels, 36 bytes",
      "3 .ts, 2 directories, 1 (no ending)",
      "  app.ts",
      "  App.TS",
      "  lib/",
    ]);
  });

  it.each([".", "./", "/", ""])("can count the whole tree: %j", (path) => {
    expect(result("below", path, 1).slice(1, 3)).toEqual(["everything", "12 entities in 4 levels, 1.5 kB"]);
  });

  it("counts nodes of a scene by kind", () => {
    const root = { name: "a/b", parent: -1, kind: "Node3D" };
    const scene = growNodes({ nodes: [root, { ...root, parent: 0 }, { ...root, parent: 0 }], notes: [] });

    expect(result("below", "a\\/b", 20, scene.world)).toEqual([
      "below",
      "a\\/b, Node3D",
      "2 entities in 1 level",
      "2 Node3D",
      "  a\\/b",
      "  a\\/b (2)",
    ]);
  });

  it("may find nothing below a file", () => {
    expect(result("below", "README.md")).toEqual(["below", "README.md, file", "nothing below it"]);
  });
});

describe("a command with an invalid path", () => {
  it.each<[Command["kind"], string, RegExp]>([
    ["find", "", /^find "": .*empty/],
    ["find", "a//b", /^find "a\/\/b": .*a step is empty/],
    ["below", "none\\", /^below "none\\": .*lone backslash/],
    ["glob", "**//x", /^glob "\*\*\/\/x": .*a step is empty/],
  ])("is refused in one line: %s %j", (kind, text, message) => {
    expect(complaintOf(() => runCommand(world, { kind, text }, 20))).toMatch(message);
  });
});

describe("a typed line", () => {
  it.each<[string, Command["kind"], string]>([
    ["find a b", "find", "a b"],
    ["glob  a", "glob", "a"],
    ["below .", "below", "."],
    ["below", "below", ""],
    ["src/app.ts", "find", "src/app.ts"],
    ["findings", "find", "findings"],
    ["src/*.ts", "glob", "src/*.ts"],
    ["what?", "glob", "what?"],
    ["odd/a\\*", "find", "odd/a\\*"],
  ])("is parsed as a command: %s", (line, kind, text) => {
    expect(parseCommand(line)).toEqual({ kind, text });
  });

  it.each<[string, string[], string]>([
    ["", ["README.md", "src/", "odd/"], ""],
    ["find s", ["src/"], "s"],
    ["src/", ["src/app.ts", "src/App.TS", "src/lib/"], "src/"],
    ["below src/l", ["src/lib/"], "src/l"],
    ["/src/l", ["/src/lib/"], "/src/l"],
    ["odd/", ["odd/\\#12", "odd/a\\\\b*", "odd/way"], "odd/"],
    ["odd/a\\\\", ["odd/a\\\\b*"], "odd/a\\\\"],
    ["none/x", [], "none/x"],
    ["src//x", [], "src//x"],
    ["none\\/x", [], "none\\/x"],
  ])("can be completed: %j", (line, paths, begun) => {
    expect(completionsOf(world, line)).toEqual([paths, begun]);
  });
});

describe("a drawing", () => {
  it("shows the given number of levels, and counts what is deeper", () => {
    expect(drawTree(world, 2, 80)).toEqual([
      "├─ README.md",
      "├─ src",
      "│  ├─ app.ts",
      "│  ├─ App.TS",
      "│  └─ lib … 3 below",
      "└─ odd",
      "   ├─ #12",
      "   ├─ a\\b*",
      "   └─ way",
    ]);
    expect(drawTree(world, 0, 80)).toEqual([]);
  });

  it("shows six of many siblings, and stays within its width", () => {
    const deep = Array.from({ length: 100 }, () => "a name that is long").join("/");
    const wide = Array.from({ length: 8 }, (_, at) => file(`${deep}/${at}`));
    const { world: large } = growListing({
      entries: [...wide, ...wide.map((_, at) => file(`z${at}`))],
      notes: [],
    });

    const lines = drawTree(large, 1_000, 60);

    expect(Math.max(...lines.map((line) => line.length))).toBe(60);
    expect(lines[11]).toMatch(/^ *└─ a name.*… … 96 below$|^.{0,60}$/);
    expect(lines.at(-1)).toBe("└─ … 3 more");
  });
});
