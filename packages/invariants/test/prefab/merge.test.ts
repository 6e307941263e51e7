import { ChildOf, Parent } from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { instantiate, overridesOf, refreshInstances } from "@treeline/prefab";
import { describe, expect, it } from "vitest";
import { EDITS, outline, plantTree } from "./edits.ts";

describe.each([
  ["ChildOf", ChildOf],
  ["Parent", Parent],
] as const)("by %s, parts give up for others", (_, storage) => {
  it.each(Object.keys(EDITS))("%s: instances follow in one call", (label) => {
    const tree = plantTree(storage);
    const { world, root } = tree;
    const made = instantiate(world, root, { count: 3 });

    EDITS[label]!(tree);
    refreshInstances(world, root);

    const expected = outline(world, root);
    expect(made.map((one) => outline(world, one))).toEqual([expected, expected, expected]);
    expect(made.map((one) => overridesOf(world, one))).toEqual([[], [], []]);
    const before = dump(world);
    refreshInstances(world, root);
    expect(dump(world)).toBe(before);
    expect(verify(world)).toEqual([]);
  });
});
