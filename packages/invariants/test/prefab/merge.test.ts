import { ChildOf, createWorld, type Entity, Parent } from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { toDocument, writeJson } from "@treeline/document/json";
import { instantiate, overridesOf, partOf, refreshInstances, revert } from "@treeline/prefab";
import { loadPrefabs, prefabAt, prefabs } from "@treeline/prefab/document";
import { destroy } from "@treeline/query";
import { attach } from "@treeline/query/hierarchy";
import { describe, expect, it } from "vitest";
import { definitions, EDITS, EXCHANGES, outline, plantTree, treeAt } from "./edits.ts";

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

  it.each(Object.keys(EDITS))("%s: a prefab and its instances follow a newer file", (label) => {
    const tree = plantTree(storage);
    const textOf = (): string => writeJson(toDocument(tree.world, { root: tree.root, prefabs }));
    const older = textOf();
    EDITS[label]!(tree);
    const newer = textOf();
    const world = createWorld();
    loadPrefabs(world, new Map([["tree", older]]), { definitions });
    const root = prefabAt(world, "tree")!;
    const one = instantiate(world, root);

    loadPrefabs(world, new Map([["tree", newer]]), { definitions });

    const expected = outline(tree.world, tree.root);
    expect(outline(world, root)).toEqual(expected);
    expect(outline(world, one)).toEqual(expected);
    expect(writeJson(toDocument(world, { root, prefabs }))).toBe(newer);
    expect(verify(world)).toEqual([]);
  });

  it.each(Object.keys(EXCHANGES))("%s: an instance reverts it", (label) => {
    const tree = plantTree(storage);
    const { world, root } = tree;
    const one = instantiate(world, root);

    EXCHANGES[label]!(treeAt(world, one, storage));
    revert(world, one);

    expect(outline(world, one)).toEqual(outline(world, root));
    expect(overridesOf(world, one)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });

  it("parts that an instance has removed or moved return to their places, with what points to them", () => {
    const tree = plantTree(storage);
    const { world, root } = tree;
    const [one, two] = instantiate(world, root, { count: 2 }) as [Entity, Entity];
    const own = treeAt(world, one, storage);

    attach(world, own.at("a.x.y"), own.at("b"));
    destroy(world, own.at("a.x"));
    attach(world, own.at("a"), own.at("c"));
    attach(world, partOf(world, two, tree.at("b"))!, partOf(world, two, tree.at("c"))!);
    for (const path of ["a.x", "b.x"]) destroy(world, partOf(world, two, tree.at(path))!);
    for (const instance of [one, two]) revert(world, instance);

    expect([one, two].map((instance) => outline(world, instance))).toEqual(
      Array(2).fill(outline(world, root)),
    );
    expect([one, two].map((instance) => overridesOf(world, instance))).toEqual([[], []]);
  });
});
