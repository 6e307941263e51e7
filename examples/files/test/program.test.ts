import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { here, type Result, runHere } from "./support.ts";

const folder = mkdtempSync(join(tmpdir(), "files-program-"));
const elsewhere = mkdtempSync(join(tmpdir(), "files-program-"));
afterAll(() => {
  for (const each of [folder, elsewhere]) rmSync(each, { recursive: true });
});

mkdirSync(join(folder, "src"));
writeFileSync(join(folder, "src/app.ts"), "12345");
writeFileSync(join(folder, "README.md"), "#");

const linesOf = (text: string): string[] => (text === "" ? [] : text.replace(/\n$/, "").split("\n"));

async function runBuilt(
  args: readonly string[],
  input: { readonly piped?: readonly string[] } = {},
): Promise<Result> {
  const { status, stdout, stderr } = spawnSync(process.execPath, [here("dist/main.js"), ...args], {
    cwd: here("."),
    encoding: "utf8",
    input: (input.piped ?? []).join("\n"),
  });
  return { code: status, lines: linesOf(stdout), errors: linesOf(stderr) };
}

/** Once is enough for the built program, which is the same whatever the tests import; it is what users run, and tested instead. */
const isBuilt = process.env.TREELINE_BUILD === "shipped" && existsSync(here("dist/main.js"));

describe.each([
  ["in this process", runHere, !isBuilt],
  ["as built", runBuilt, isBuilt],
])("the program %s", (_, runProgram, present) => {
  const test = it.skipIf(!present);

  test("shows a folder", async () => {
    const { code, lines, errors } = await runProgram([folder]);

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    expect(lines.slice(0, 7)).toEqual([
      `${folder}: 3 entities in 2 levels, 2 roots`,
      "",
      "├─ README.md",
      "└─ src",
      "   └─ app.ts",
      "",
      "kinds      2 files, 1 directory",
    ]);
    expect(lines).toContain("           all files: 6 bytes");
  });

  test("runs one command after the other, and fails if one finds nothing", async () => {
    const { code, lines, errors } = await runProgram([
      ...[folder, "--depth=1", "--find", "src/app.ts"],
      ...["--below=src", "--glob=*.js", "--find", "src/ape.ts"],
    ]);

    expect(errors).toEqual([]);
    expect(code).toBe(1);
    expect(lines.slice(1)).toEqual([
      "",
      "├─ README.md",
      "└─ src … 1 below",
      "",
      "found      src/app.ts",
      "           file, 5 bytes",
      "below      src, directory",
      "           1 entity in 1 level, 5 bytes",
      "           1 .ts",
      "             app.ts",
      "glob       0 matches",
      'not found  "src/ape.ts" does not exist',
      '           "src" exists; directly below it: 1 entity',
      "             app.ts",
    ]);
  });

  test("reads commands from its input if there are none on the command line", async () => {
    const piped = ["find src", "", "# a comment", "*.md", "quit", "nowhere"];

    const { code, lines, errors } = await runProgram([folder, "--depth=0"], { piped });

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    expect(lines.slice(-4)).toEqual([
      "found      src",
      "           directory, 1 entity directly below it",
      "glob       1 match",
      "             README.md",
    ]);
  });

  test("continues after an invalid command, and fails at the end", async () => {
    const { code, lines, errors } = await runProgram([folder], { piped: ["a//b", "help", "src"] });

    expect(errors).toEqual([expect.stringMatching(/^error: find "a\/\/b": .*a step is empty/)]);
    expect(code).toBe(1);
    expect(lines).toContain("quit          end the program");
    expect(lines.at(-2)).toBe("found      src");
  });

  test("fails if a command of its input finds nothing", async () => {
    expect((await runProgram([folder], { piped: ["nowhere"] })).code).toBe(1);
    expect((await runProgram([folder])).code).toBe(0);
  });

  test("shows an empty list", async () => {
    const list = join(elsewhere, "empty.txt");
    writeFileSync(list, "");

    const { code, lines } = await runProgram([list]);

    expect(code).toBe(0);
    expect(lines[0]).toBe(`${list}: 0 entities in 0 levels, 0 roots`);
  });

  test("shows its help", async () => {
    const { code, lines } = await runProgram(["--help"]);

    expect(code).toBe(0);
    expect(lines[0]).toMatch(/^usage: npm run example files/);
  });

  test.each<[string, string[], string]>([
    ["a missing file", ["none"], "none: there is no such file or folder"],
    ["a wrong option", ["--fast"], 'unknown option "--fast"; --help lists the options'],
    ["a wrong path", [folder, "--find="], 'find "": '],
    ["a broken file", [here("package.json"), "--find", "\\"], 'find "\\": '],
  ])("reports %s in one line", async (_what, args, message) => {
    const { code, lines, errors } = await runProgram(args);

    expect(errors).toHaveLength(1);
    expect(errors[0]).toContain(`error: ${message}`);
    expect(lines).toEqual([]);
    expect(code).toBe(1);
  });
});

describe("a person at the terminal", () => {
  it("sees a list of commands, and a command without a result is not a failure", async () => {
    const { code, lines, errors } = await runHere([folder], { typed: ["nowhere", "a//b", "src"] });

    expect(lines).toContain('find PATH, glob PATTERN or below PATH; "help" for more, "quit" to leave');
    expect(lines.at(-2)).toBe("found      src");
    expect(errors).toHaveLength(1);
    expect(code).toBe(0);
  });
});

describe("the bundled list", () => {
  function requireShow(lines: readonly string[]): void {
    const text = lines.join("\n");
    expect(lines[0]).toBe("test262, the bundled list of paths: 59,088 entities in 9 levels, 26 roots");
    expect(lines.length).toBeLessThan(80);
    expect(text).toMatch(/^kinds {6}56,970 files, 2,118 directories$/m);
    expect(text).toMatch(/^ {11}largest: test\/language\/expressions\/class\/dstr, 1,920 children$/m);
    expect(text).toMatch(/^paths {6}56,970 paths created in [\d.]+ m?s, [\d.]+ [µn]s each$/m);
    expect(text).toMatch(/; all resolve$/m);
    expect(text).toMatch(/^ {2}anymal-c\.urdf +78 +78 +11 +1 +18 /m);
    expect(text).toMatch(/^ {2}control-gallery\.tscn +85 +85 +11 +1 +11 /m);
    expect(text).toMatch(/^ {2}fps-ik\.tscn +102 +102 +10 +2 +19 /m);
    expect(text).toMatch(/^ {2}occlusion-culling\.tscn +1,044 +1,044 +4 +1 +1,024 /m);
    expect(text).toContain("note: fps-ik.tscn: 1 node has a parent in another scene's file");
  }

  it.skipIf(!isBuilt)("is shown without reading commands", async () => {
    const { code, lines, errors } = await runBuilt([], { piped: ["this is not read"] });

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    requireShow(lines);
  });

  it("is shown to a person, who can then type commands", async () => {
    const { code, lines, errors } = await runHere([], { typed: ["features.txt", "exit"] });

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    requireShow(lines);
    expect(lines.slice(-2)).toEqual(["found      features.txt", "           file"]);
  });

  it("is used by commands without a source", async () => {
    const { code, lines, errors } = await runHere(["--find=test/harness/", "--glob", "feat*"]);

    expect(errors).toEqual([]);
    expect(code).toBe(0);
    expect(lines.slice(1)).toEqual([
      "",
      "found      test/harness",
      expect.stringMatching(/^ {11}directory, \d+ entities directly below it$/),
      "glob       1 match",
      "             features.txt",
    ]);
  });
});
