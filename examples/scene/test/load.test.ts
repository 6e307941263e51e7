import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { loadGltf } from "../src/gltf/load.ts";
import { complaintOf, glbBytes, gltfText, here } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "scene-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

describe("loading", () => {
  it.each([
    ["cycle", "the nodes form a cycle: node 0 -> node 1 -> node 2 -> node 0"],
    ["two-parents", "node 2 has two parents: node 0 and node 1"],
    ["child-out-of-range", "node 0 lists child 1, but the file has only node 0"],
  ])("the invalid sample %s names the file and the nodes", (name, message) => {
    const path = here(`test/invalid/${name}.gltf`);

    expect(complaintOf(() => loadGltf(path))).toBe(`${path}: ${message}`);
  });

  it("a missing file is reported", () => {
    const path = join(folder, "none.gltf");

    expect(complaintOf(() => loadGltf(path))).toBe(`${path}: there is no such file`);
  });

  it("a directory is reported", () => {
    const path = join(folder, "scenes.gltf");
    mkdirSync(path);

    expect(complaintOf(() => loadGltf(path))).toBe(`${path}: is a directory, not a file`);
  });

  it("text that is not UTF-8 is reported", () => {
    const path = file("latin.gltf", new Uint8Array([0x7b, 0x22, 0xe9, 0x22, 0x7d]));

    expect(complaintOf(() => loadGltf(path))).toBe(`${path}: not JSON: the text is not UTF-8`);
  });

  it("text with a byte order mark works", () => {
    const path = file("marked.gltf", `\ufeff${gltfText([{ name: "Car" }])}`);

    expect(loadGltf(path).nodes[0]?.name).toBe("Car");
  });

  it("a binary file reads its JSON chunk, under any file name", () => {
    const json = gltfText([{ name: "Car" }]);

    for (const name of ["car.glb", "car.gltf", "car"]) {
      expect(loadGltf(file(name, glbBytes(json))).nodes[0]?.name).toBe("Car");
    }
  });

  it("a binary file ignores a binary chunk after the JSON chunk", () => {
    const bytes = glbBytes(gltfText([{}]));
    const longer = new Uint8Array(bytes.length + 12);
    longer.set(bytes);
    new DataView(longer.buffer).setUint32(8, longer.length, true);

    expect(loadGltf(file("meshes.glb", longer)).nodes).toHaveLength(1);
  });

  it.each<[string, Uint8Array, string]>([
    ["empty", new Uint8Array(), "the file has 0 bytes, but its headers need 20"],
    ["cut-short", glbBytes("{}").slice(0, 13), "the file has 13 bytes, but its headers need 20"],
    ["magic", glbBytes("{}", { magic: "GLTF" }), 'it does not begin with "glTF"'],
    ["version", glbBytes("{}", { version: 1 }), "container version 1; only 2 is supported"],
    ["length", glbBytes("{}", { length: 4_000 }), "it states 4000 bytes, but the file has 24"],
    ["chunk-type", glbBytes("{}", { chunkType: "BIN\0" }), "its first chunk is not the JSON chunk"],
    [
      "chunk-length",
      glbBytes("{}", { chunkLength: 4_000_000_000 }),
      "its JSON chunk of 4000000000 bytes goes beyond the stated end at 24",
    ],
  ])("a broken .glb header (%s) is reported", (name, bytes, message) => {
    const path = file(`${name}.glb`, bytes);

    expect(complaintOf(() => loadGltf(path))).toBe(`${path}: broken .glb header: ${message}`);
  });
});
