import {
  type Dirent,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { walkFolder } from "../src/formats/walk-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "files-walk-"));
afterAll(() => rmSync(folder, { recursive: true }));

function fill(name: string, files: Readonly<Record<string, string>>): string {
  const top = join(folder, name);
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(top, path)), { recursive: true });
    writeFileSync(join(top, path), content);
  }
  return top;
}

describe("a walk through a folder", () => {
  it("goes level by level, names in order, with the sizes of files", () => {
    const top = fill("plain", { "b/z.txt": "12345", "b/a/deep.txt": "", "a.txt": "é", "c d#1/é.txt": "x" });
    mkdirSync(join(top, "empty"));

    const { entries, notes } = walkFolder(top, false);

    expect(entries.map(({ path, kind, bytes }) => [path, kind, bytes])).toEqual([
      ["a.txt", "file", 2],
      ["b", "directory", undefined],
      ["c d#1", "directory", undefined],
      ["empty", "directory", undefined],
      ["b/a", "directory", undefined],
      ["b/z.txt", "file", 5],
      ["c d#1/é.txt", "file", 1],
      ["b/a/deep.txt", "file", 0],
    ]);
    expect(notes).toEqual([]);
  });

  it("leaves out node_modules and .git at every depth, unless `all` is set", () => {
    const top = fill("project", {
      ".git/HEAD": "",
      "src/node_modules/x/index.js": "",
      "src/a.ts": "",
      ".github/b": "",
      "docs/node_modules": "a file",
    });

    const some = walkFolder(top, false);

    expect(some.entries.map(({ path }) => path)).toEqual([
      ".github",
      "docs",
      "src",
      ".github/b",
      "docs/node_modules",
      "src/a.ts",
    ]);
    expect(some.notes).toEqual(['2 folders left out (--all includes them): ".git", "src/node_modules"']);
    expect(walkFolder(top, true).entries).toHaveLength(11);
    expect(walkFolder(top, true).notes).toEqual([]);
  });

  it("goes to any depth", () => {
    const deep = Array.from({ length: 300 }, () => "d").join("/");
    const top = fill("deep", { [`${deep}/file`]: "" });

    expect(walkFolder(top, false).entries.at(-1)?.path).toBe(`${deep}/file`);
  });

  it.skipIf(process.platform === "win32")("lists links and does not follow them", () => {
    const top = fill("links", { "real/file": "1" });
    symlinkSync("..", join(top, "real/up"));
    symlinkSync("nowhere", join(top, "broken"));

    const { entries, notes } = walkFolder(top, false);

    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ["broken", "link"],
      ["real", "directory"],
      ["real/file", "file"],
      ["real/up", "link"],
    ]);
    expect(notes).toEqual(["2 symbolic links, not followed"]);
  });

  it("continues after a folder that it cannot read, with a note", () => {
    // The superuser can read every real folder, so the errors are simulated.
    const top = fill("closed", { "a/secret": "", "b/open": "", "c/gone": "" });
    const codes = new Map([
      [join(top, "a"), "EACCES"],
      [join(top, "c"), "EIO"],
    ]);
    const read = (path: string): Dirent[] => {
      const code = codes.get(path);
      if (code !== undefined) throw Object.assign(new Error("refused"), { code });
      return readdirSync(path, { withFileTypes: true });
    };

    const { entries, notes } = walkFolder(top, false, read);

    expect(entries.map(({ path }) => path)).toEqual(["a", "b", "c", "b/open"]);
    expect(notes).toEqual([
      '2 folders not read: "a" may not be read (permission denied), "c" cannot be read (EIO)',
    ]);
  });
});
