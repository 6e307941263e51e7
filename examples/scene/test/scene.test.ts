import {
  add,
  ChildOf,
  descendants,
  destroy,
  escapeName,
  get,
  has,
  isAlive,
  lookup,
  parentOf,
  pathOf,
  roots,
} from "treeline";
import { Local3D, Matrix3D, propagate, World3D } from "treeline/transform/3d";
import { describe, expect, it } from "vitest";
import { parseGltf } from "../src/gltf/gltf.ts";
import { loadGltf } from "../src/gltf/load.ts";
import { drawing } from "../src/program/report.ts";
import { setInMotion } from "../src/tree/animate.ts";
import { buildScene, type Scene } from "../src/tree/build-scene.ts";
import { Bob, Spin } from "../src/tree/components.ts";
import { findPath, notFoundLines } from "../src/tree/find.ts";
import { planScene } from "../src/tree/plan.ts";
import { bundledScenes, complaintOf, gltfText, here } from "./support.ts";

const sceneOf = (nodes: unknown, scenes?: unknown): Scene =>
  buildScene(planScene(parseGltf(gltfText(nodes, scenes))));

const car = (): Scene =>
  sceneOf([
    { name: "Car", children: [1, 2], translation: [10, 0, 0] },
    { name: "Wheel", translation: [0, 1, 0] },
    { name: "Door", children: [3], scale: [2, 2, 2] },
    { name: "Handle", translation: [0, 0, 1] },
    { name: "Garage", matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -5, 0, 0, 1] },
  ]);

describe("a built scene", () => {
  it("draws the hierarchy of the file", () => {
    expect(drawing(car().world, 9, 80)).toEqual([
      "├─ Car",
      "│  ├─ Wheel",
      "│  └─ Door",
      "│     └─ Handle",
      "└─ Garage",
    ]);
  });

  it("does not convert a matrix to the other form", () => {
    const { world } = car();
    const garage = lookup(world, "Garage")!;

    expect(has(world, garage, Local3D)).toBe(false);
    expect(get(world, garage, Matrix3D)?.matrix[12]).toBe(-5);
  });

  it("gives scenes a name and no transform", () => {
    const { world } = sceneOf([{ name: "Car", translation: [1, 2, 3] }], [{ name: "Day", nodes: [0] }, {}]);

    propagate(world);

    expect(roots(world).map((root) => pathOf(world, root))).toEqual(["Day", "scene_1"]);
    expect(has(world, lookup(world, "Day")!, World3D)).toBe(false);
    expect(get(world, lookup(world, "Day::Car")!, World3D)?.matrix.slice(12, 15)).toEqual(
      new Float32Array([1, 2, 3]),
    );
  });

  it("finds every entity of every bundled scene by its path", () => {
    for (const name of bundledScenes()) {
      const { world, entities } = buildScene(planScene(loadGltf(here(`scenes/${name}.gltf`))));

      for (const entity of entities) expect(lookup(world, pathOf(world, entity))).toBe(entity);
    }
  });

  it("updates paths and matrices of a subtree with a new parent", () => {
    const { world } = car();
    const door = lookup(world, "Car::Door")!;
    const handle = lookup(world, "Car::Door::Handle")!;
    propagate(world);
    expect(get(world, handle, World3D)?.matrix.slice(12, 15)).toEqual(new Float32Array([10, 0, 2]));

    add(world, door, ChildOf(lookup(world, "Garage")!));
    propagate(world);

    expect(pathOf(world, handle)).toBe("Garage::Door::Handle");
    expect(lookup(world, "Car::Door")).toBeUndefined();
    expect(get(world, handle, World3D)?.matrix.slice(12, 15)).toEqual(new Float32Array([-5, 0, 2]));
  });

  it("destroys a subtree as a whole", () => {
    const { world } = car();
    const handle = lookup(world, "Car::Door::Handle")!;

    destroy(world, lookup(world, "Car")!);

    expect(isAlive(world, handle)).toBe(false);
    expect(drawing(world, 9, 80)).toEqual(["└─ Garage"]);
  });

  it("may be very deep", () => {
    const nodes = Array.from({ length: 5_000 }, (_, index) => {
      return { translation: [1, 0, 0], ...(index === 0 ? {} : { children: [index - 1] }) };
    });
    const { world, entities } = sceneOf(nodes);

    propagate(world);

    const deepest = entities.at(-1)!;
    expect(get(world, deepest, World3D)?.matrix[12]).toBe(5_000);
    expect(drawing(world, 1_000, 60).length).toBeLessThan(20);
  });

  it("animates the same nodes every time", () => {
    const scene = car();

    const { moving } = setInMotion(scene);

    const { world } = scene;
    const spinning = descendants(world, lookup(world, "Car")!).filter((entity) => has(world, entity, Spin));
    const bobbing = descendants(world, lookup(world, "Car")!).filter((entity) => has(world, entity, Bob));
    expect(moving).toBe(2);
    expect(spinning.map((entity) => pathOf(world, entity))).toEqual(["Car::Wheel"]);
    expect(bobbing.map((entity) => pathOf(world, entity))).toEqual(["Car::Door::Handle"]);
  });
});

describe("finding", () => {
  it("returns the entity", () => {
    const { world } = car();

    const { entity } = findPath(world, "Car::Door::Handle");

    expect(entity).toBe(lookup(world, "Car::Door::Handle"));
    expect(parentOf(world, entity!)).toBe(lookup(world, "Car::Door"));
  });

  it.each([
    ["Car::Window", ['"Car" exists; directly below it: 2 entities', "  Wheel", "  Door"]],
    ["::Car::Window", ['"::Car" exists; directly below it: 2 entities', "  Wheel", "  Door"]],
    ["Car::Wheel::Rim::Nut", ['"Car::Wheel" exists; below it: nothing']],
    ["Truck::Wheel", ["at the top level: 2 entities", "  Car", "  Garage"]],
    ["::Truck", ["at the top level: 2 entities", "  Car", "  Garage"]],
  ])("%s reports how much of the path exists", (path, lines) => {
    const finding = findPath(car().world, path);

    expect(finding.entity === undefined && notFoundLines(finding)).toEqual([
      `"${path}" does not exist`,
      ...lines,
    ]);
  });

  it("suggests at most five next names, escaped as in a path", () => {
    const { world } = sceneOf(["a::b", "c\\d", ":", "e:f", "g", "h", "i"].map((name) => ({ name })));

    const finding = findPath(world, "none");

    expect(finding.entity === undefined && notFoundLines(finding).slice(1)).toEqual([
      "at the top level: 7 entities",
      ...["a::b", "c\\d", ":", "e:f", "g"].map((name) => `  ${escapeName(name)}`),
      "  … 2 more",
    ]);
  });

  it("respects escaped colons when it searches for the longest part", () => {
    const { world } = sceneOf([{ name: "a::b", children: [1] }, { name: "c" }]);

    const finding = findPath(world, "a\\::b::x");

    expect(finding).toMatchObject({ entity: undefined, nearest: "a\\::b", nextNames: ["c"], nextCount: 1 });
  });

  it("reports an empty world", () => {
    const finding = findPath(sceneOf([]).world, "Car");

    expect(finding.entity === undefined && notFoundLines(finding)).toEqual([
      '"Car" does not exist',
      "the world is empty",
    ]);
  });

  it.each([[""], ["Car::"], ["::"], ["Car\\"]])("refuses the path %j in one line", (path) => {
    expect(complaintOf(() => findPath(car().world, path))).toMatch(/^--find "/);
  });
});
