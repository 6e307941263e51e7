// Checks that each source file says in its first comment what it decides, and that the comment names what the file has.
import { describe, expect, it } from "vitest";
import { at, readDocument } from "./support.ts";

const { firstCommentOf } = await import(/* @vite-ignore */ at("tooling/scripts/lib.mjs"));
const { lineOf, sourceFiles, withFiles } = (await import(
  /* @vite-ignore */ at("tooling/scripts/site/files.mjs")
)) as {
  readonly sourceFiles: () => string[];
  readonly lineOf: (path: string) => string;
  readonly withFiles: (page: string) => string;
};

const LONGEST = 330;

const files = sourceFiles();
const lines = new Map(files.map((path) => [path, lineOf(path)]));

/** Names in parentheses, such as (`spawn`, `LIMIT`): what the file is about. No paths, options or commands. */
function namesIn(text: string): string[] {
  const inside = [...text.matchAll(/\((`[^()]*`)\)/g)].map(([, list]) => list!);
  return inside.flatMap((list) => [...list.matchAll(/`([\w$]+(?:-\w+)*)`/g)].map(([, name]) => name!));
}

function isIn(source: string, name: string): boolean {
  const word = name.replaceAll("$", "\\$");
  return new RegExp(`(?<![\\w$])${word}${name.endsWith("_") ? "" : "(?![\\w$])"}`).test(source);
}

describe("the line of a source file", () => {
  it("is there, and is not long", () => {
    const found = [...lines].filter(([, text]) => text === "" || text.length > LONGEST);

    expect(found).toEqual([]);
    expect(files.length).toBeGreaterThan(900);
  });

  it("names in parentheses what the file has", () => {
    const missing = files.flatMap((path) => {
      const source = readDocument(path).split("\n").slice(1).join("\n");
      return namesIn(lines.get(path)!)
        .filter((name) => !isIn(source, name))
        .map((name) => `${path}: ${name}`);
    });

    expect(missing).toEqual([]);
  });

  it.each([
    ["// Decides a.\nimport b;", "Decides a."],
    ["#!/usr/bin/env node\n// Decides a,\n// and b.\nimport c;", "Decides a, and b."],
    ["/** Decides a. */\nimport b;", "Decides a."],
    ["/**\n * Decides a,\n * and b.\n */\n\nconst c = 1;", "Decides a, and b."],
    ["/** What c is. */\nexport const c = 1;", undefined],
    ["/** What c is. */\nexport const c = 1;\n\n/** Apart. */\n\nexport const d = 2;", undefined],
    ["import b;\n// Decides a.", undefined],
    ["// biome-ignore lint: reason\nexport * from b;", undefined],
  ])("is read, %j", (text, comment) => {
    expect(firstCommentOf(text)).toBe(comment);
  });
});

describe("the page of files", () => {
  const page = withFiles("before\n<!-- files -->\nafter");

  it("lists each file once, in the table of its folder", () => {
    const listed = page.split(/^## /m).flatMap((section) => {
      const folder = /^`([^`]+)`/.exec(section)?.[1];
      return [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, name]) => `${folder}/${name}`);
    });

    expect(listed.toSorted()).toEqual(files.toSorted());
  });

  it("has nothing that could be taken for elements, or for other cells", () => {
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));

    const text = rows.map((row) => row.replaceAll(/`[^`]*`/g, ""));
    expect(text.filter((row) => /<|(?<!\\)\|.*(?<!\\)\|.*(?<!\\)\|.*(?<!\\)\|/.test(row))).toEqual([]);
  });
});
