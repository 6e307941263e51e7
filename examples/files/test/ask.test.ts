import type { World } from "@treeline/core";
import { describe, expect, it } from "vitest";
import type { PathEntry } from "../src/formats/listing.ts";
import { completionsOf } from "../src/program/complete.ts";
import { questionIn } from "../src/program/converse.ts";
import { drawTree } from "../src/program/draw.ts";
import type { Question } from "../src/program/options.ts";
import { ask } from "../src/tree/ask.ts";
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

const answer = (
  kind: Question["kind"],
  text: string,
  limit = 20,
  where: World = world,
): readonly string[] => {
  const { label, lines } = ask(where, { kind, text }, limit);
  return [label, ...lines];
};

describe("a path that leads somewhere", () => {
  it.each([
    ["src/app.ts", ["found", "src/app.ts", "file, 10 bytes"]],
    ["./src/lib/", ["found", "src/lib", "directory, 2 entities right below it"]],
    ["/src", ["found", "src", "directory, 3 entities right below it"]],
    ["odd/\\#12", ["found", "odd/\\#12", "file"]],
    ["odd/a\\\\b*", ["found", "odd/a\\\\b*", "file"]],
    ["odd/way", ["found", "odd/way", "link"]],
  ])("shows what is there: %s", (path, lines) => {
    expect(answer("find", path)).toEqual(lines);
    expect(ask(world, { kind: "find", text: path }, 20).isFound).toBe(true);
  });
});

describe("a path that leads nowhere", () => {
  it("shows how far it goes, and the likeliest names first", () => {
    expect(answer("find", "src/lib/Maker/x")).toEqual([
      "not found",
      '"src/lib/Maker/x" leads nowhere',
      '"src/lib" is there; right below it: 2 entities',
      "  makefile",
      "  deep/",
    ]);
    expect(ask(world, { kind: "find", text: "src/none" }, 20).isFound).toBe(false);
  });

  it.each(["sre", "/sre", "sre/app.ts"])("may go nowhere at all: %s", (path) => {
    expect(answer("find", path).slice(1)).toEqual([
      `"${path}" leads nowhere`,
      "at the top: 3 entities",
      "  src/",
      "  README.md",
      "  odd/",
    ]);
  });

  it("may end at a file", () => {
    expect(answer("below", "README.md/x").slice(2)).toEqual([
      '"README.md" is there; right below it: nothing',
    ]);
  });

  it("shows a few names of many", () => {
    const many = growListing({ entries: Array.from({ length: 9 }, (_, at) => file(`f${at}`)), notes: [] });

    expect(answer("find", "f7x", 20, many.world).slice(2)).toEqual([
      "at the top: 9 entities",
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
  it("shows everybody who fits, in the order of the tree", () => {
    expect(answer("glob", "**/*.ts")).toEqual([
      "glob",
      "2 entities fit",
      "  src/app.ts",
      "  src/lib/deep/core.ts",
    ]);
    expect(answer("glob", "./src/*/")).toEqual([
      "glob",
      "3 entities fit",
      "  src/app.ts",
      "  src/App.TS",
      "  src/lib",
    ]);
    expect(answer("glob", "odd/a\\\\b\\*")).toEqual(["glob", "1 entity fits", "  odd/a\\\\b*"]);
  });

  it("may fit nobody", () => {
    expect(ask(world, { kind: "glob", text: "**/*.js" }, 20)).toEqual({
      label: "glob",
      lines: ["0 entities fit"],
      isFound: false,
    });
  });

  it("shows as many as wanted, or all", () => {
    expect(answer("glob", "**", 2).slice(-1)).toEqual(["  … 10 more"]);
    expect(answer("glob", "**", 11)).toHaveLength(14);
    expect(answer("glob", "**", 0)).toHaveLength(14);
  });
});

describe("what is below", () => {
  it("is counted by kinds and endings, with the sizes that are known", () => {
    expect(answer("below", "src")).toEqual([
      "below",
      "src, directory",
      "6 entities in 3 levels, 36 bytes",
      "3 .ts, 2 directories, 1 (no ending)",
      "  app.ts",
      "  App.TS",
      "  lib/",
    ]);
  });

  it.each([".", "./", "/", ""])("may be everything: %j", (path) => {
    expect(answer("below", path, 1).slice(1, 3)).toEqual(["everything", "12 entities in 4 levels, 1.5 kB"]);
  });

  it("of a tree of nodes has their kinds", () => {
    const root = { name: "a/b", parent: -1, kind: "Node3D" };
    const scene = growNodes({ nodes: [root, { ...root, parent: 0 }, { ...root, parent: 0 }], notes: [] });

    expect(answer("below", "a\\/b", 20, scene.world)).toEqual([
      "below",
      "a\\/b, Node3D",
      "2 entities in 1 level",
      "2 Node3D",
      "  a\\/b",
      "  a\\/b (2)",
    ]);
  });

  it("may be nothing", () => {
    expect(answer("below", "README.md")).toEqual(["below", "README.md, file", "nothing below it"]);
  });
});

describe("a question that cannot be understood", () => {
  it.each<[Question["kind"], string, RegExp]>([
    ["find", "", /^find "": .*empty/],
    ["find", "a//b", /^find "a\/\/b": .*a step is empty/],
    ["below", "none\\", /^below "none\\": .*lone backslash/],
    ["glob", "**//x", /^glob "\*\*\/\/x": .*a step is empty/],
  ])("is refused in one line: %s %j", (kind, text, message) => {
    expect(complaintOf(() => ask(world, { kind, text }, 20))).toMatch(message);
  });
});

describe("a line that is typed", () => {
  it.each<[string, Question["kind"], string]>([
    ["find a b", "find", "a b"],
    ["glob  a", "glob", "a"],
    ["below .", "below", "."],
    ["below", "below", ""],
    ["src/app.ts", "find", "src/app.ts"],
    ["findings", "find", "findings"],
    ["src/*.ts", "glob", "src/*.ts"],
    ["what?", "glob", "what?"],
    ["odd/a\\*", "find", "odd/a\\*"],
  ])("is a question: %s", (line, kind, text) => {
    expect(questionIn(line)).toEqual({ kind, text });
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
  it("shows as many levels as wanted, and counts what is deeper", () => {
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

  it("shows six siblings of many, and stays within its width", () => {
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
