import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TEMPLATES, type Template } from "../src/base/options.ts";
import { create } from "../src/project/create.ts";
import { writeProject } from "../src/project/write.ts";
import { home, newFolder, testFile } from "./project.ts";

const manifestOf = (path: string) => JSON.parse(readFileSync(testFile(`../${path}/package.json`), "utf8"));
/** What is installed here. */
const pinned = {
  ...manifestOf("../..").devDependencies,
  ...manifestOf(".").devDependencies,
  [manifestOf("../treeline").name]: manifestOf("../treeline").version,
};
let folder = "";
beforeEach(() => {
  folder = newFolder();
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Run {
  /** What it has printed, or the message of its error. */
  readonly text: string;
  readonly questions: readonly string[];
}

/** @param answers what is typed at a terminal; without it there is none. */
async function run(line: string, answers?: readonly string[]): Promise<Run> {
  const printed: string[] = [];
  const questions: string[] = [];
  const ask = async (question: string): Promise<string> => {
    questions.push(question);
    return answers![questions.length - 1]!;
  };
  const words = line.split(" ").filter((word) => word !== "");
  try {
    await create(words, {
      home,
      folder,
      ask: answers && ask,
      print: (text) => printed.push(text),
      manager: "pnpm",
    });
  } catch (error) {
    printed.push((error as Error).message);
  }
  return { text: printed.join("\n"), questions };
}

/** All files of a project, without what was installed. */
const filesOf = (name: string): string[] =>
  readdirSync(join(folder, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
const textOf = (path: string): string => readFileSync(join(folder, path), "utf8");

describe("npm create treeline", () => {
  it.each(Object.keys(TEMPLATES))(
    "writes a program from the template %s, and says what is next",
    async (name) => {
      const { text, questions } = await run(`my-app --template ${name}`);

      expect(text).toMatch(
        /^my-app has a .*\. Next:\n\n {2}cd my-app\n {2}pnpm install\n {2}pnpm run dev\n$/,
      );
      expect(questions).toEqual([]);
      expect(filesOf("my-app")).toEqual(
        expect.arrayContaining([".gitignore", "README.md", "package.json", "tsconfig.json"]),
      );
      expect(filesOf("my-app")).not.toContain("_gitignore");
      expect(JSON.parse(textOf("my-app/package.json"))).toMatchObject({ name: "my-app", private: true });
    },
  );

  it("asks at a terminal for what was not given, and takes what was suggested for an empty answer", async () => {
    const { questions } = await run("", ["my-app", "react"]);
    expect(questions).toEqual([
      "Folder (my-treeline): ",
      "Template, one of three, react, terminal (three): ",
    ]);
    expect(filesOf("my-app")).toContain("main.tsx");

    await run("", ["", ""]);
    expect(textOf("my-treeline/package.json")).toContain('"three"');

    const third = await run("other -t terminal", []);
    expect(third.questions).toEqual([]);
  });

  it("takes an empty folder, also the one that it runs in and one with a repository", async () => {
    mkdirSync(join(folder, "my-app/.git"), { recursive: true });

    expect((await run("my-app -t terminal")).text).toContain("Next:");
    expect(existsSync(join(folder, "my-app/.git"))).toBe(true);

    folder = join(folder, "my-app/inner");
    mkdirSync(folder);
    expect((await run(". -t terminal")).text).toMatch(/^This folder has .*\n\n {2}pnpm install/);
    folder = join(folder, "../..");
  });

  it("shows its help", async () => {
    const { text } = await run("--help");

    for (const name of Object.keys(TEMPLATES)) expect(text).toContain(`\n  ${name} `);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("what it refuses, with nothing written", () => {
  it.each([
    ["", "name a folder and a template"],
    ["my-app", "name a folder and a template"],
    ["my-app --template vue", 'there is no template "vue"; take one of these:\n  three '],
    ["my-app --template toString", 'there is no template "toString"'],
    ["my-app --temlate three", "Unknown option '--temlate'; --help shows what there is"],
    ["my-app --template", "--help shows what there is"],
    ["my-app other -t three", "one folder is made at a time, not my-app and other"],
    ["My_App! -t three", 'a package cannot be called "My_App!"; name a folder with small letters'],
    ["My_App! -t three", 'such as "my_app"'],
    ["node_modules -t three", 'a package cannot be called "node_modules"'],
    [".hidden -t three", 'such as "hidden"'],
    [`${"a".repeat(215)} -t three`, "a package cannot be called"],
  ])("%s", async (line, message) => {
    const { text } = await run(line);

    expect(text).toContain(message);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("a folder with files, and a file", async () => {
    mkdirSync(join(folder, "full"));
    writeFileSync(join(folder, "full/notes.txt"), "mine");
    writeFileSync(join(folder, "file"), "mine");

    expect((await run("full -t three")).text).toMatch(
      /full is not empty: it has notes.txt; name another folder$/,
    );
    expect((await run("file -t three")).text).toMatch(/file is a file; name another folder$/);
    expect(filesOf(".")).toEqual(["file", "notes.txt"]);
  });

  it("a template of which a file is missing, after others have been written", () => {
    const broken = "../test/expected" as Template; // it has no manifest
    mkdirSync(join(folder, "mine/.git"), { recursive: true });

    expect(() => writeProject(home, join(folder, "new/inner"), broken)).toThrow("ENOENT");
    expect(() => writeProject(home, join(folder, "mine"), broken)).toThrow("ENOENT");

    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(["mine", join("mine", ".git")]);
  });
});

describe("a template", () => {
  it.each(Object.keys(TEMPLATES))("has, as %s, less than 60 lines of source", async (name) => {
    await run(`my-app -t ${name}`);

    const sources = filesOf("my-app/src").map((file) => `my-app/src/${file}`);
    if (existsSync(join(folder, "my-app/index.html"))) sources.push("my-app/index.html");
    const lines = sources.map((path) => textOf(path).split("\n").length - 1);
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThan(60);
  });

  it.each(Object.keys(TEMPLATES))("asks, as %s, for the versions that are tested here", async (name) => {
    await run(`my-app -t ${name}`);
    const { dependencies, devDependencies } = JSON.parse(textOf("my-app/package.json"));

    const asked = Object.entries({ ...dependencies, ...devDependencies });
    expect(asked).toEqual(asked.map(([name]) => [name, `^${pinned[name]}`]));
  });
});
