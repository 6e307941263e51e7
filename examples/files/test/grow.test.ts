import { type Entity, get, has, lookup, parentOf, pathOf, roots } from "treeline";
import { verify } from "treeline/debug";
import { describe, expect, it } from "vitest";
import { parsePathList } from "../src/formats/path-list.ts";
import { File, Kind, Size } from "../src/tree/components.ts";
import { childrenOrRoots } from "../src/tree/extent.ts";
import { type FileTree, growListing, growNodes } from "../src/tree/grow.ts";

const listed = (...paths: string[]): FileTree => growListing(parsePathList(paths.join("\n")));
const childPaths = ({ world }: FileTree, parent?: Entity): string[] => {
  return childrenOrRoots(world, parent).map((child) => pathOf(world, child));
};

describe("a file tree", () => {
  it("has one entity for each step, even if several paths contain it", () => {
    const tree = listed("src/a.ts", "src/b.ts", "src/deep/c.ts", "README.md", "src/");
    const { world, entities } = tree;
    const src = lookup(world, "src")!;

    expect(childPaths(tree)).toEqual(["src", "README.md"]);
    expect(childPaths(tree, src)).toEqual(["src/a.ts", "src/b.ts", "src/deep"]);
    expect(entities.map((entity) => pathOf(world, entity))).toEqual([
      "src/a.ts",
      "src/b.ts",
      "src/deep/c.ts",
      "README.md",
      "src",
    ]);
    expect(has(world, entities[0]!, File)).toBe(true);
    expect(has(world, src, File)).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it("stores known sizes, and the kinds of links", () => {
    const { world, entities } = growListing({
      entries: [
        { path: "a", kind: "file", bytes: 5_000_000_000 },
        { path: "b", kind: "file", bytes: undefined },
        { path: "c", kind: "link", bytes: undefined },
        { path: "d", kind: "directory", bytes: undefined },
      ],
      notes: ["a note"],
    });

    expect(entities.map((entity) => get(world, entity, Size)?.bytes)).toEqual([
      5_000_000_000,
      undefined,
      undefined,
      undefined,
    ]);
    expect(entities.map((entity) => get(world, entity, Kind))).toEqual([
      undefined,
      undefined,
      "link",
      undefined,
    ]);
    expect(entities.map((entity) => has(world, entity, File))).toEqual([true, true, false, false]);
  });

  it("takes names literally, even if they have a meaning in paths", () => {
    const names = ["#0", "#12", "#12x", "a\\b", "a::b", "::", "a\\", "**", "a?"];
    const { world, entities } = listed(...names.map((name) => `odd/${name}/file`));

    const paths = entities.map((entity) => pathOf(world, entity));

    expect(roots(world)).toHaveLength(1);
    expect(new Set(entities.map((entity) => parentOf(world, entity))).size).toBe(names.length);
    expect(paths).toContain("odd/\\#12/file");
    expect(paths).toContain("odd/a\\\\b/file");
    expect(paths).toContain("odd/::/file");
    expect(paths.map((path) => lookup(world, path))).toEqual(entities);
  });

  it("may be empty", () => {
    expect(listed().entities).toEqual([]);
  });
});

describe("a tree of nodes", () => {
  it("has the nodes below their parents, with their kinds", () => {
    const { world, entities } = growNodes({
      nodes: [
        { name: "Car", parent: -1, kind: "Node3D" },
        { name: "Door", parent: 0, kind: "Mesh" },
        { name: "Handle", parent: 1, kind: "Node3D" },
      ],
      notes: [],
    });

    expect(lookup(world, "Car/Door/Handle")).toBe(entities[2]);
    expect(get(world, entities[1]!, Kind)).toBe("Mesh");
  });

  it("numbers siblings with the same name, with a note", () => {
    const bolt = { name: "Bolt", parent: 0, kind: "Node3D" };
    const { world, entities, notes } = growNodes({
      nodes: [{ name: "Car", parent: -1, kind: "Node3D" }, bolt, bolt, bolt, { ...bolt, parent: 2 }],
      notes: ["a note"],
    });

    expect(entities.map((entity) => pathOf(world, entity))).toEqual([
      "Car",
      "Car/Bolt",
      "Car/Bolt (2)",
      "Car/Bolt (3)",
      "Car/Bolt (2)/Bolt",
    ]);
    expect(notes).toEqual(["a note", '2 names repeat that of a sibling, numbered as in "Bolt (2)"']);
    expect(verify(world)).toEqual([]);
  });
});
