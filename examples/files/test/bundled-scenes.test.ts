import { readFileSync } from "node:fs";
import { type Entity, lookup, pathOf, roots as rootsOf } from "treeline";
import { verify } from "treeline/debug";
import { describe, expect, it } from "vitest";
import { loadTree } from "../src/formats/load.ts";
import type { FileTree } from "../src/tree/grow.ts";
import { here } from "./support.ts";

/** Each path leads to a different entity, whose path it is, and there are no other entities. */
function requirePaths({ world, entities }: FileTree, paths: readonly string[]): void {
  const found = paths.map((path) => lookup(world, path) as Entity);

  expect(found).not.toContain(undefined);
  expect(new Set(found).size).toBe(entities.length);
  expect(found.map((entity) => pathOf(world, entity))).toEqual(paths);
  expect(verify(world)).toEqual([]);
}

/** The paths in the headers of a scene's nodes, read by regular expressions: the names in these files need no escapes. */
function pathsInScene(text: string): string[] {
  const headers = [...text.matchAll(/^\[node name="([^"]+)"(.*)\]$/gm)];
  const root = headers[0]![1]!;
  return headers.map(([, name = "", others = ""]) => {
    const parent = / parent="([^"]*)"/.exec(others)?.[1];
    if (parent === undefined) return root;
    return parent === "." ? `${root}/${name}` : `${root}/${parent}/${name}`;
  });
}

describe.each([
  ["control-gallery", 85, 1],
  ["fps-ik", 102, 2],
  ["occlusion-culling", 1_044, 1],
])("the Godot scene %s", (name, count, roots) => {
  it("has every node at its path in the file", () => {
    const file = here(`data/${name}.tscn`);
    const tree = loadTree(file, false);
    // The one node that is inside another scene is a root.
    const paths = pathsInScene(readFileSync(file, "utf8")).map((path) => {
      return path.endsWith("/Skeleton3D/godot_battle_bot") ? "godot_battle_bot" : path;
    });

    expect(paths).toHaveLength(count);
    expect(rootsOf(tree.world)).toHaveLength(roots);
    expect(tree.notes).toHaveLength(roots - 1);
    requirePaths(tree, paths);
  });
});

describe("the robot anymal-c", () => {
  it("has every link at the path that its joints define", () => {
    const file = here("data/anymal-c.urdf");
    const tree = loadTree(file, false);
    const text = readFileSync(file, "utf8").replace(/<!--.*?-->/gs, "");
    const links = [...text.matchAll(/<link name="([^"]+)"/g)].map(([, link]) => link!);
    const joints = [...text.matchAll(/<parent link="([^"]+)"\/>\s*<child link="([^"]+)"\/>/g)];
    const parents = new Map(joints.map(([, parent, child]) => [child!, parent!]));
    const pathTo = (link: string): string => {
      const parent = parents.get(link);
      return parent === undefined ? link : `${pathTo(parent)}/${link}`;
    };

    expect([links.length, joints.length]).toEqual([78, 77]);
    expect(rootsOf(tree.world)).toHaveLength(1);
    requirePaths(tree, links.map(pathTo));
  });
});
