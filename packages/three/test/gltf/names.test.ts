import { createWorld, type Entity, get } from "@treeline/core";
import { lookup, Name } from "@treeline/names";
import { children } from "@treeline/query";
import type { Object3D } from "three";
import * as SkeletonUtils from "three/examples/jsm/utils/SkeletonUtils.js";
import { describe, expect, it } from "vitest";
import { importGltf, type LoadedGltf } from "../../src/index.ts";
import { load, Numbers } from "./support.ts";

/** A file of nodes that have no parents, unless they are named as children; and one mesh. */
function loadNodes(nodes: readonly object[], more: object = {}): ReturnType<typeof load> {
  const numbers = new Numbers();
  const position = numbers.accessor([0, 0, 0, 1, 0, 0, 0, 1, 0], "VEC3", 3);
  const below = new Set(nodes.flatMap((node) => (node as { children?: number[] }).children ?? []));
  const roots = [...nodes.keys()].filter((at) => !below.has(at));
  const primitives = [{ attributes: { POSITION: position } }];
  return load(
    { scenes: [{ nodes: roots }], nodes, meshes: [{ primitives }], ...more, ...numbers.members },
    numbers,
  );
}

/** The names of the entities of a file: those of siblings, level by level. */
function namesOf(gltf: LoadedGltf): (string | undefined)[] {
  const world = createWorld();
  const found: Entity[] = [importGltf(world, gltf).root];
  for (let at = 0; at < found.length; at++) found.push(...children(world, found[at]!));
  return found.slice(1).map((one) => get(world, one, Name));
}

describe("the name of an entity of a glTF file", () => {
  it("is that of the node, whatever its custom properties are", async () => {
    const names = ["Wheel.L", "Wheel.R", "Body: main", "a/b [c]", "."];
    const extras = ["custom", "", 7, null, { first: "one" }];
    const nodes = names.map((name, at) => ({ name, extras: { name: extras[at] } }));

    expect(namesOf(await loadNodes(nodes))).toEqual(names);
  });

  it("is that of the node, also with a mesh, a camera or a scene that have custom properties", async () => {
    const numbers = new Numbers();
    const position = numbers.accessor([0, 0, 0, 1, 0, 0, 0, 1, 0], "VEC3", 3);
    const file = {
      scenes: [{ nodes: [0, 1, 2], extras: { name: "scene" } }],
      nodes: [
        { name: "Hull", mesh: 0 },
        { name: "Mast", mesh: 0 },
        { name: "Eye", camera: 0 },
      ],
      meshes: [
        { name: "Box", extras: { name: "mesh" }, primitives: [{ attributes: { POSITION: position } }] },
      ],
      cameras: [{ type: "perspective", perspective: { yfov: 1, znear: 1 }, extras: { name: "lens" } }],
      ...numbers.members,
    };

    expect(namesOf(await load(file, numbers))).toEqual(["Hull", "Mast", "Eye"]);
  });

  it("is missing if the node has none: custom properties are no name", async () => {
    expect(namesOf(await loadNodes([{ extras: { name: "custom" } }, {}]))).toEqual([undefined, undefined]);
  });

  it("is that of the node in each scene of a file, and in clones", async () => {
    const nodes = [
      { name: "Wheel.L", extras: { name: "WheelL" } },
      { name: "Wheel.R", extras: { name: "x" } },
    ];
    const scenes = [{ nodes: [0] }, { nodes: [1, 0] }];
    const gltf = await load({ scenes, nodes });
    const { parser, scenes: loaded } = gltf;

    expect(namesOf({ scene: SkeletonUtils.clone(loaded[1]!), parser })).toEqual(["Wheel.R", "Wheel.L"]);
    expect(namesOf({ scene: loaded[1]!, parser })).toEqual(["Wheel.R", "Wheel.L"]);
    expect(namesOf(gltf)).toEqual(["Wheel.L"]);
  });

  it("is that of the object if nothing tells the name of the node", async () => {
    const { scene } = await loadNodes([
      { name: "Wheel.L", extras: { name: "custom" } },
      { name: "Wheel.R" },
      { name: "Wheel.R" },
    ]);

    expect(namesOf({ scene: scene.clone() as Object3D })).toEqual(["WheelL", "Wheel.R", "Wheel.R (2)"]);
  });

  it("is kept by the first of siblings, and no number takes a name of the file", async () => {
    const first = ["Wheel", "Wheel", "Wheel (2)", "Wheel", "Wheel (4)", "Wheel (2)"];
    const numbered = ["Wheel", "Wheel (3)", "Wheel (2)", "Wheel (5)", "Wheel (4)", "Wheel (2) (2)"];

    expect(namesOf(await loadNodes(first.map((name) => ({ name }))))).toEqual(numbered);
  });

  it("is not taken by what the loader calls a mesh of a nameless node", async () => {
    const two = [{ mesh: 0 }, { name: "mesh_0" }, { name: "Group", children: [3] }, { name: "mesh_0_1" }];
    const [unnamed, ...others] = namesOf(await loadNodes(two));

    expect(others).toEqual(["mesh_0", "Group", "mesh_0_1"]);
    expect(others).not.toContain(unnamed);
  });

  it("leads to the entity as a path", async () => {
    const world = createWorld();
    const nodes = [
      { name: "Car", children: [1], extras: { name: "x" } },
      { name: "Wheel.L", extras: { name: "y" } },
    ];

    const { root } = importGltf(world, await loadNodes(nodes), { with: [Name("File")] });

    expect(lookup(world, "File")).toBe(root);
    expect(lookup(world, "File::Car::Wheel.L")).toBeDefined();
  });
});
