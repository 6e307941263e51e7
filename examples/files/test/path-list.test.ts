import { describe, expect, it } from "vitest";
import { parsePathList } from "../src/formats/path-list.ts";
import { complaintOf } from "./support.ts";

const pathsOf = (text: string): string[] => parsePathList(text).entries.map(({ path }) => path);
const kindsOf = (text: string): string[] => {
  return parsePathList(text).entries.map(({ path, kind }) => `${path}: ${kind}`);
};

describe("a list of paths", () => {
  it("has one path a line, in order", () => {
    expect(pathsOf("b/c.js\na.js\nb/a.js\n")).toEqual(["b/c.js", "a.js", "b/a.js"]);
    expect(pathsOf("no/end/of/line")).toEqual(["no/end/of/line"]);
    expect(pathsOf("")).toEqual([]);
  });

  it("may have Windows line ends and empty lines", () => {
    expect(pathsOf("\r\na/b\r\n\r\n\nc\r\n")).toEqual(["a/b", "c"]);
  });

  it("may have empty steps and dots", () => {
    expect(pathsOf("./a/b\n.//c\n/d/e\nf//g\nh/./i\n./\n.\n/\n")).toEqual(["a/b", "c", "d/e", "f/g", "h/i"]);
  });

  it("keeps names that only resemble such steps, and spaces", () => {
    const odd = [".gitignore", "...", "a/.b", "a/..b/c..", " a /b ", "#12", "a\\b", "a::b", "*"];

    expect(pathsOf(odd.join("\n"))).toEqual(odd);
  });

  it("recognises directories by a slash at the end, or by paths below them", () => {
    expect(kindsOf("a\na/b/c\nempty/\nd/e\na/b\n")).toEqual([
      "a: directory",
      "a/b/c: file",
      "empty: directory",
      "d/e: file",
      "a/b: directory",
    ]);
  });

  it("reads a repeated path once, with a note", () => {
    const { entries, notes } = parsePathList("a\nb\n./a\na/\n");

    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ["a", "directory"],
      ["b", "file"],
    ]);
    expect(notes).toEqual(["2 lines repeat a path"]);
  });

  it.each([
    ["a\r\nb/../c\n", 'line 2: ".." leads out of the list; write the path itself'],
    ["../a", 'line 1: ".." leads out of the list; write the path itself'],
    ["a\n\n\nPNG\0\0", "line 4: it contains a zero byte, so it is not a list of paths"],
  ])("names the line of an invalid path: %j", (text, message) => {
    expect(complaintOf(() => parsePathList(text))).toBe(message);
  });
});
