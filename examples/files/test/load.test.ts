import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { pathOf } from "treeline";
import { afterAll, describe, expect, it } from "vitest";
import { loadTree } from "../src/formats/load.ts";
import { complaintOf } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "files-load-"));
afterAll(() => rmSync(folder, { recursive: true }));

function put(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function pathsAt(path: string, all = false): string[] {
  const { world, entities } = loadTree(path, all);
  return entities.map((entity) => pathOf(world, entity));
}

describe("loading", () => {
  it("reads a list of paths under any file name, also with a byte order mark", () => {
    expect(pathsAt(put("list.txt", "\ufeffa/b\r\nc\r\n"))).toEqual(["a/b", "c"]);
    expect(pathsAt(put("list", "a/b"))).toEqual(["a/b"]);
    expect(pathsAt(put("empty.txt", ""))).toEqual([]);
  });

  it("unpacks compressed files under any file name", () => {
    expect(pathsAt(put("list.txt.gz", gzipSync("a/b\nc")))).toEqual(["a/b", "c"]);
    expect(pathsAt(put("packed.txt", gzipSync("a/b\nc")))).toEqual(["a/b", "c"]);
  });

  it("recognises scenes and robots by their extensions", () => {
    expect(pathsAt(put("car.TSCN", '[gd_scene]\n[node name="Car"]'))).toEqual(["Car"]);
    expect(pathsAt(put("arm.urdf", '<robot><link name="arm"/></robot>'))).toEqual(["arm"]);
  });

  it("walks through a folder", () => {
    const top = join(folder, "project");
    mkdirSync(join(top, "node_modules"), { recursive: true });
    writeFileSync(join(top, "#12"), "");

    expect(pathsAt(top)).toEqual(["\\#12"]);
    expect(pathsAt(top, true)).toEqual(["\\#12", "node_modules"]);
  });

  it.each<[string, string | Uint8Array | undefined, string]>([
    ["none.txt", undefined, "there is no such file or folder"],
    ["latin.txt", new Uint8Array([0x61, 0xe9]), "the text is not UTF-8"],
    [
      "cut.gz",
      gzipSync("a/b/c/d/e/f/g").subarray(0, 20),
      "it begins like a .gz file but cannot be unpacked (",
    ],
    ["up.txt", "a\n../b", 'line 2: ".." leads out of the list'],
    ["broken.tscn", "[gd_scene]\n\nhello", "line 3: neither a [tag] nor key = value"],
    ["broken.urdf", "<robot>", "line 1: <robot> is never closed"],
  ])("names the file that cannot be used: %s", (name, content, message) => {
    const path = content === undefined ? join(folder, name) : put(name, content);

    expect(complaintOf(() => loadTree(path, false))).toContain(`${path}: ${message}`);
  });
});
