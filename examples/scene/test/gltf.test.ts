import { describe, expect, it } from "vitest";
import { parseGltf } from "../src/gltf/gltf.ts";
import { complaintOf, gltfText } from "./support.ts";

const complaint = (nodes: unknown, scenes?: unknown): string =>
  complaintOf(() => parseGltf(gltfText(nodes, scenes)));

describe("a file", () => {
  it.each([
    ["that is not JSON", "hello", /^not JSON: Unexpected token/],
    ["that is empty", "", /^not JSON: /],
    ["whose broken JSON spans lines", '{\n\n"nodes": [\n}', /^not JSON: .*\\n/],
    ["that is an array", "[]", /^not glTF: the file contains an array, not an object$/],
    ["that is null", "null", /^not glTF: the file contains null, not an object$/],
    ["without asset", "{}", /^not glTF: asset\.version is missing$/],
    ["with an asset that is not an object", '{"asset":"2.0"}', /^not glTF: asset\.version is missing$/],
    ["without version", '{"asset":{}}', /^not glTF: asset\.version is missing$/],
    [
      "with a number as version",
      '{"asset":{"version":2}}',
      /^not glTF: asset\.version must be a string, not a number$/,
    ],
    ["of version 1", '{"asset":{"version":"1.0"}}', /^glTF version "1\.0" is not supported, only 2\.x$/],
    [
      "that needs version 2.1",
      '{"asset":{"version":"2.1","minVersion":"2.1"}}',
      /^the file needs glTF "2\.1", which is not supported, only 2\.0$/,
    ],
    [
      "that needs version 3.0",
      '{"asset":{"version":"2.0","minVersion":"3.0"}}',
      /^the file needs glTF "3\.0", which is not supported, only 2\.0$/,
    ],
    [
      "with a number as version that it needs",
      '{"asset":{"version":"2.0","minVersion":2}}',
      /^not glTF: asset\.minVersion must be a string, not a number$/,
    ],
    [
      "that needs no version, but a word",
      '{"asset":{"version":"2.0","minVersion":"two"}}',
      /^not glTF: asset\.minVersion must be a version such as "2\.0", not "two"$/,
    ],
    ["of version 20", '{"asset":{"version":"20.0"}}', /^glTF version "20\.0" is not supported, only 2\.x$/],
  ])("%s is refused", (_, text, message) => {
    expect(complaintOf(() => parseGltf(text))).toMatch(message);
  });

  it("of version 2.1 without nodes is an empty scene", () => {
    const { nodes, scenes } = parseGltf('{"asset":{"version":"2.1"}}');

    expect(nodes).toEqual([]);
    expect(scenes).toEqual([]);
  });

  it("that needs version 2.0 or less is read", () => {
    for (const minVersion of ["2.0", "1.1"])
      expect(parseGltf(JSON.stringify({ asset: { version: "2.1", minVersion } })).nodes).toEqual([]);
  });

  it.each([
    [1, "scene is 1, but the file has only scene 0"],
    [-1, "scene is -1, but the file has only scene 0"],
    [0.5, "scene must be the index of a scene, not 0.5"],
    ["0", 'scene must be the index of a scene, not "0"'],
    [null, "scene must be the index of a scene, not null"],
    [[0], "scene must be the index of a scene, not an array"],
    [true, "scene must be the index of a scene, not true"],
  ])("whose default scene is %j is refused", (scene, message) => {
    const file = { asset: { version: "2.0" }, nodes: [{}], scenes: [{ nodes: [0] }] };

    expect(complaintOf(() => parseGltf(JSON.stringify({ ...file, scene })))).toBe(message);
    expect(parseGltf(JSON.stringify({ ...file, scene: 0 })).scenes).toHaveLength(1);
  });

  it("with a default scene, and without scenes, is refused", () => {
    expect(complaintOf(() => parseGltf('{"asset":{"version":"2.0"},"scene":0}'))).toBe(
      "scene is 0, but the file has no scenes",
    );
  });

  it.each([
    ["nodes", gltfText({}), "nodes must be an array, not an object"],
    ["scenes", gltfText([], "main"), "scenes must be an array, not a string"],
  ])("with %s that are not an array is refused", (_, text, message) => {
    expect(complaintOf(() => parseGltf(text))).toBe(message);
  });
});

describe("a node", () => {
  const matrix = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];

  it.each([
    ["that is null", [{}, null], "node 1 must be an object, not null"],
    ["that is an array", [[]], "node 0 must be an object, not an array"],
    ["that is a number", [7], "node 0 must be an object, not a number"],
    ["whose name is no string", [{ name: 7 }], "node 0: name must be a string, not a number"],
    ["whose name is null", [{ name: null }], "node 0: name must be a string, not null"],
    [
      "whose children are not an array",
      [{ name: "Car", children: 1 }],
      'node 0 "Car": children must be an array of node indices, not a number',
    ],
    [
      "with a child that is text",
      [{ name: "Car", children: ["1"] }, {}],
      'node 0 "Car": children must be an array of node indices, but children[0] is "1"',
    ],
    [
      "with a fraction as child",
      [{ children: [1, 1.5] }, {}],
      "node 0: children must be an array of node indices, but children[1] is 1.5",
    ],
    ["with a child out of range", [{ children: [1] }], "node 0 lists child 1, but the file has only node 0"],
    [
      "with a child far out of range",
      [{}, { name: "Car", children: [1e30] }, {}],
      'node 1 "Car" lists child 1e+30, but the file has nodes 0 to 2',
    ],
    [
      "with a negative child",
      [{ children: [-1] }, {}],
      "node 0 lists child -1, but the file has nodes 0 to 1",
    ],
    [
      "with a matrix of 15 numbers",
      [{ name: "Car", matrix: matrix.slice(1) }],
      'node 0 "Car": matrix must be 16 finite numbers, but has 15',
    ],
    [
      "with a hole in its matrix",
      [{ matrix: [...matrix.slice(1), null] }],
      "node 0: matrix must be 16 finite numbers, but matrix[15] is null",
    ],
    [
      "with a matrix that is an object",
      [{ matrix: {} }],
      "node 0: matrix must be 16 finite numbers, not an object",
    ],
    ["with a matrix that is null", [{ matrix: null }], "node 0: matrix must be 16 finite numbers, not null"],
    [
      "with four numbers of translation",
      [{ translation: [1, 2, 3, 4] }],
      "node 0: translation must be 3 finite numbers, but has 4",
    ],
    [
      "with three numbers of rotation",
      [{ rotation: [0, 0, 1] }],
      "node 0: rotation must be 4 finite numbers, but has 3",
    ],
    ["with one number of scale", [{ scale: [1] }], "node 0: scale must be 3 finite numbers, but has 1"],
    ["with a plain number as scale", [{ scale: 2 }], "node 0: scale must be 3 finite numbers, not a number"],
    [
      "with text in its scale",
      [{ name: "Car", scale: [1, "1\n", 1] }],
      'node 0 "Car": scale must be 3 finite numbers, but scale[1] is "1\\n"',
    ],
    [
      "with a number beyond 32 bits",
      [{ translation: [0, 1e39, 0] }],
      "node 0: translation must be 3 finite numbers, but translation[1] is 1e+39, too large for 32 bits",
    ],
    [
      "with both forms of transform",
      [{ name: "Car", matrix, scale: [1, 1, 1] }],
      'node 0 "Car" has both matrix and scale; a node may have only one form of transform',
    ],
  ])("%s is refused", (_, nodes, message) => {
    expect(complaint(nodes)).toBe(message);
  });

  it("with a number beyond 64 bits is refused", () => {
    const text = '{"asset":{"version":"2.0"},"nodes":[{"rotation":[0,0,-1e999,1]}]}';

    expect(complaintOf(() => parseGltf(text))).toBe(
      "node 0: rotation must be 4 finite numbers, but rotation[2] is -Infinity",
    );
  });

  it("keeps its matrix unchanged, and gets defaults for missing parts", () => {
    const { nodes } = parseGltf(gltfText([{ matrix }, { scale: [2, 3, 4] }]));

    expect(nodes[0]?.transform).toEqual({ kind: "matrix", matrix });
    expect(nodes[1]?.transform).toEqual({
      kind: "trs",
      translation: [0, 0, 0],
      rotation: [0, 0, 0, 1],
      scale: [2, 3, 4],
    });
  });

  it("with an empty children array is accepted with a note", () => {
    const { nodes, tolerated } = parseGltf(gltfText([{ children: [] }]));

    expect(nodes).toHaveLength(1);
    expect(tolerated).toEqual([
      "1 node has an empty children array; glTF requires a child in such an array; read as no children",
    ]);
  });

  it("is named on one line in messages, even with a long or unusual name", () => {
    const message = complaint([{ name: `\u001b[31m${"x".repeat(500)}\n`, children: [9] }]);

    expect(message).toMatch(/^node 0 "\\u\{1b\}\[31mx+…" lists child 9, but the file has only node 0$/);
    expect(message.length).toBeLessThan(130);
  });
});

describe("a hierarchy", () => {
  it.each([
    [
      "with a cycle",
      [{ name: "Car", children: [1] }, { children: [2] }, { name: "Wheel", children: [0] }],
      'the nodes form a cycle: node 0 "Car" -> node 1 -> node 2 "Wheel" -> node 0 "Car"',
    ],
    ["with a node below itself", [{}, { children: [1] }], "the nodes form a cycle: node 1 -> node 1"],
    [
      "with a cycle after other nodes",
      [{ children: [1] }, {}, { children: [4] }, { children: [2] }, { children: [3, 5] }, {}],
      "the nodes form a cycle: node 2 -> node 4 -> node 3 -> node 2",
    ],
    [
      "with a node that has two parents",
      [{ name: "Car", children: [2] }, { name: "Truck", children: [2] }, { name: "Wheel" }],
      'node 2 "Wheel" has two parents: node 0 "Car" and node 1 "Truck"',
    ],
    [
      "with a node listed twice",
      [{ name: "Car", children: [1, 1] }, { name: "Wheel" }],
      'node 0 "Car" lists its child node 1 "Wheel" twice',
    ],
  ])("%s is refused", (_, nodes, message) => {
    expect(complaint(nodes)).toBe(message);
  });

  it("with a long cycle is refused with the beginning and end of the cycle", () => {
    const nodes = Array.from({ length: 5_000 }, (_, index) => ({ children: [(index + 1) % 5_000] }));

    expect(complaint(nodes)).toBe(
      "the nodes form a cycle: node 0 -> node 1 -> node 2 -> node 3 -> node 4 -> node 5 -> node 6 -> " +
        "… 4992 more … -> node 4999 -> node 0",
    );
  });

  it("may be very deep", () => {
    const nodes = Array.from({ length: 100_000 }, (_, index) =>
      index === 0 ? {} : { children: [index - 1] },
    );

    const { parents } = parseGltf(gltfText(nodes));

    expect(parents[0]).toBe(1);
    expect(parents[99_999]).toBe(-1);
  });
});

describe("a scene", () => {
  const nodes = [{ name: "Car", children: [1] }, { name: "Wheel" }, {}];

  it.each([
    ["that is not an object", [null], "scene 0 must be an object, not null"],
    ["whose name is no string", [{ name: [] }], "scene 0: name must be a string, not an array"],
    [
      "whose nodes are not an array",
      [{ name: "Main", nodes: "0" }],
      'scene 0 "Main": nodes must be an array of node indices, not a string',
    ],
    [
      "with a node that does not exist",
      [{}, { name: "Main", nodes: [0, 3] }],
      'scene 1 "Main" lists node 3, but the file has nodes 0 to 2',
    ],
    ["with a negative node", [{ nodes: [-1] }], "scene 0 lists node -1, but the file has nodes 0 to 2"],
    ["that lists a node twice", [{ nodes: [0, 2, 0] }], 'scene 0 lists node 0 "Car" twice'],
  ])("%s is refused", (_, scenes, message) => {
    expect(complaint(nodes, scenes)).toBe(message);
  });

  it("with a node is refused in a file without nodes", () => {
    expect(complaint(undefined, [{ nodes: [0] }])).toBe("scene 0 lists node 0, but the file has no nodes");
  });
});
