import { describe, expect, it } from "vitest";
import { checkGltf, filesNeeded, type Gltf, jsonOf } from "../src/worker/check-gltf.ts";
import { sceneFileOf } from "../src/worker/read-gltf.ts";
import { glbOf } from "./glb.ts";

const GLTF = { asset: { version: "2.0" } };
const bytesOf = (text: string): ArrayBuffer => new TextEncoder().encode(text).buffer as ArrayBuffer;

describe("the JSON of a file", () => {
  it("is read from .gltf and .glb files", () => {
    expect(jsonOf(bytesOf(JSON.stringify(GLTF)), "ship.gltf")).toEqual(GLTF);
    expect(jsonOf(glbOf(GLTF, new Uint8Array(5)).buffer, "ship.glb")).toEqual(GLTF);
  });

  it.each([
    ["Hello", "ship.glb is not a glTF file: it is neither JSON nor begins with the letters glTF."],
    ["", "ship.glb is not a glTF file: it is neither JSON nor begins with the letters glTF."],
    ["[1, 2]", "ship.glb is not a glTF file: its JSON names no asset version."],
    ["null", "ship.glb is not a glTF file: its JSON names no asset version."],
    ['{"asset": {"version": "1.0"}}', "ship.glb has version 1.0 of glTF; this page reads version 2."],
  ])("is not that of %j", (text, message) => {
    expect(() => jsonOf(bytesOf(text), "ship.glb")).toThrow(message);
  });

  it("is missing in a file that is cut off, after any byte", () => {
    const file = glbOf(GLTF, new Uint8Array(8));

    for (let length = 0; length < file.length; length++)
      expect(() => jsonOf(file.slice(0, length).buffer, "ship.glb")).toThrow(
        /^ship\.glb is (?:cut off|not a glTF)/,
      );
    expect(() => jsonOf(file.slice(0, -8).buffer, "ship.glb")).toThrow(
      "it should have 64 bytes, and has 56.",
    );
  });

  it("is broken if its length is, or its text", () => {
    const long = glbOf(GLTF);
    new DataView(long.buffer).setUint32(12, 4_000, true);
    expect(() => jsonOf(long.buffer, "ship.glb")).toThrow("does not begin with a part of JSON");

    const wrong = glbOf(GLTF);
    wrong[21] = 0;
    expect(() => jsonOf(wrong.buffer, "ship.glb")).toThrow("ship.glb is broken: its JSON cannot be read.");
  });
});

describe("a check", () => {
  it.each<[string, Gltf, string]>([
    [
      "a cycle",
      { nodes: [{ children: [1] }, { children: [0] }], scenes: [{ nodes: [0] }] },
      "node 0 is a root of scene 0 and a child of node 1",
    ],
    ["two parents", { nodes: [{ children: [2] }, { children: [2] }, {}] }, "node 2 is a child of 0 and of 1"],
    ["a missing child", { nodes: [{ children: [7] }] }, "node 0 has the child 7, and there are 1 nodes"],
    ["a missing root", { nodes: [], scenes: [{ nodes: [0] }] }, "scene 0 has node 0, and there are 0 nodes"],
    [
      "Draco",
      { extensionsRequired: ["KHR_draco_mesh_compression"] },
      "needs KHR_draco_mesh_compression, which this page does not read",
    ],
  ])("refuses %s", (_, json, message) => {
    expect(() => checkGltf(json, "ship.glb")).toThrow(message);
  });

  it("passes a forest of several scenes", () => {
    const json = {
      nodes: [{ children: [1, 2] }, {}, { children: [3] }, {}],
      scenes: [{ nodes: [0] }, { nodes: [0] }, {}],
    };

    expect(() => checkGltf(json, "ship.glb")).not.toThrow();
  });
});

it("lists each other file that is needed once, and no data", () => {
  const json = {
    buffers: [{ uri: "ship.bin" }, { uri: "data:application/octet-stream;base64,AA==" }, {}],
    images: [{ uri: "textures/hull.png" }, { uri: "textures/hull.png" }, {}],
  };

  expect(filesNeeded(json)).toEqual(["ship.bin", "textures/hull.png"]);
});

it("takes one scene among files", () => {
  const [scene, other, notes] = ["Ship.GLB", "dock.gltf", "notes.txt"].map((name) => new File([], name)) as [
    File,
    File,
    File,
  ];

  expect(sceneFileOf([notes, scene])).toBe(scene);
  expect(() => sceneFileOf([notes])).toThrow("No .glb or .gltf file is among what you gave: notes.txt.");
  expect(() => sceneFileOf([scene, other])).toThrow("Give one .glb or .gltf file at a time; these are 2.");
});
