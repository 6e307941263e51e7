import { describe, expect, it } from "vitest";
import { parseGltf } from "../src/gltf/gltf.ts";
import { type Plan, planScene } from "../src/tree/plan.ts";
import { complaintOf, gltfText } from "./support.ts";

/** Every entity of the plan as "Grandparent/Parent/Own", in the plan's order. */
function pathsOf(plan: Plan): string[] {
  const paths: string[] = [];
  for (const { name, parent } of plan.entities) paths.push(parent === -1 ? name : `${paths[parent]}/${name}`);
  return paths;
}

const plan = (nodes: unknown, scenes?: unknown, only?: number): Plan =>
  planScene(parseGltf(gltfText(nodes, scenes)), only);

describe("a plan", () => {
  it("puts parents before children and keeps the file's order of siblings", () => {
    const nodes = [{ name: "Wheel" }, { name: "Car", children: [3, 0] }, { name: "Tree" }, { name: "Door" }];

    expect(pathsOf(plan(nodes, [{ nodes: [2, 1] }]))).toEqual(["Tree", "Car", "Car/Door", "Car/Wheel"]);
  });

  it("has the nodes without a parent as roots if the file has no scene", () => {
    const { entities, notes } = plan([{ name: "Car" }, {}]);

    expect(entities.map(({ name, parent }) => [name, parent])).toEqual([
      ["Car", -1],
      ["node_1", -1],
    ]);
    expect(notes).toEqual(["1 node without a name, called node_<index>"]);
  });

  it("treats an empty name as none", () => {
    expect(pathsOf(plan([{ name: "" }]))).toEqual(["node_0"]);
  });

  it("adds nodes that are not in the only scene, with a note", () => {
    const { entities, notes } = plan([{ name: "Hidden" }, { name: "Car" }], [{ name: "Main", nodes: [1] }]);

    expect(entities.map(({ name }) => name)).toEqual(["Car", "Hidden"]);
    expect(notes).toEqual(["1 root node is in no scene"]);
  });

  it("gives each of several scenes a root, and one to nodes in no scene", () => {
    const nodes = [{ name: "Car" }, { name: "Tree" }, { name: "Lost", children: [3] }, { name: "Lamp" }];
    const scenes = [{ name: "Day", nodes: [0] }, { nodes: [1] }, { name: "Day" }];

    expect(pathsOf(plan(nodes, scenes))).toEqual([
      "Day",
      "scene_1",
      "Day (2)",
      "(no scene)",
      "Day/Car",
      "scene_1/Tree",
      "(no scene)/Lost",
      "(no scene)/Lost/Lamp",
    ]);
  });

  it("puts a root that is in two scenes below the first, with a note", () => {
    const { notes, ...made } = plan(
      [{ name: "Car" }],
      [
        { name: "Day", nodes: [0] },
        { name: "Night", nodes: [0] },
      ],
    );

    expect(pathsOf({ notes, ...made })).toEqual(["Day", "Night", "Day/Car"]);
    expect(notes).toEqual([
      '1 node is in more than one scene and placed below the first: node 0 "Car" (scene 0 "Day", scene 1 "Night")',
    ]);
  });

  it("names three of many such roots", () => {
    const nodes = Array.from({ length: 5 }, () => ({}));
    const scenes = [{ nodes: [0, 1, 2, 3, 4] }, { nodes: [0, 1, 2, 3, 4] }];

    expect(plan(nodes, scenes).notes[0]).toBe(
      "5 nodes are in more than one scene and placed below the first: " +
        "node 0 (scene 0, scene 1); node 1 (scene 0, scene 1); node 2 (scene 0, scene 1); 2 more",
    );
  });

  it("has a child that a scene lists twice, with a note: below its parent and at the root of the scene", () => {
    const nodes = [{ name: "Car", children: [1] }, { name: "Wheel", children: [2] }, { name: "Tyre" }];
    const { notes, ...found } = plan(nodes, [{ name: "Main", nodes: [0, 1] }]);

    expect(pathsOf({ notes, ...found })).toEqual([
      "Car",
      "Wheel",
      "Car/Wheel",
      "Wheel/Tyre",
      "Car/Wheel/Tyre",
    ]);
    expect(notes).toEqual([
      '1 child is listed by a scene, which glTF forbids; copied there: node 1 "Wheel" by scene 0 "Main", a child of node 0 "Car"',
    ]);
  });

  it("of one chosen scene that lists a child has it as a root, without its parent", () => {
    const nodes = [{ name: "Car", children: [1] }, { name: "Wheel" }];

    expect(pathsOf(plan(nodes, [{ nodes: [0] }, { nodes: [1] }], 1))).toEqual(["Wheel"]);
  });

  it("is refused if its scenes list children that would become more than 100,000 copies", () => {
    const nodes = Array.from({ length: 1_000 }, (_, at) => (at === 999 ? {} : { children: [at + 1] }));

    expect(complaintOf(() => plan(nodes, [{ nodes: nodes.map((_, at) => at) }]))).toBe(
      "the scenes list so many children that more than 100000 nodes would be copied",
    );
  });

  it("of one chosen scene contains only its nodes", () => {
    const scenes = [{ nodes: [0] }, { nodes: [1] }];

    expect(pathsOf(plan([{ name: "Car" }, { name: "Tree" }], scenes, 1))).toEqual(["Tree"]);
  });

  it.each([
    [undefined, "there is no scene 5, the file has no scenes"],
    [[{}], "there is no scene 5, the file has only scene 0"],
    [[{}, {}], "there is no scene 5, the file has scenes 0 to 1"],
  ])("of a scene that does not exist is refused", (scenes, message) => {
    expect(complaintOf(() => plan([], scenes, 5))).toBe(message);
  });

  it("notes how many names were numbered", () => {
    const { notes } = plan([{ name: "A" }, { name: "A" }, { name: "A" }]);

    expect(notes).toEqual(['2 names repeat that of a sibling, numbered as in "A (2)"']);
  });
});
