import { rmSync } from "node:fs";
import { format } from "node:util";
import { afterAll, describe, expect, it, vi } from "vitest";
import { programFolder, runProgram, typeErrors } from "./programs.ts";
import { type Block, blocksOf, filesBelow, readDocument } from "./support.ts";

const NEXT_EXAMPLE = "---- next example";

const folder = programFolder();
afterAll(() => rmSync(folder, { recursive: true }));

interface Example {
  readonly code: string;
  /** The content of the `text` block directly after it; empty if there is none. */
  readonly output: string;
}

function examplesOf(blocks: readonly Block[]): Example[] {
  return blocks.flatMap(({ language, text, isForPages }, place) => {
    if (language !== "ts" || isForPages) return [];
    const next = blocks[place + 1];
    return [{ code: text, output: next?.language === "text" ? next.text : "" }];
  });
}

/** The examples of a document as one program: later ones continue where earlier ones stopped. */
function programOf(examples: readonly Example[]): string {
  return examples.map(({ code }) => code).join(`\nconsole.log("${NEXT_EXAMPLE}");\n`);
}

/** Runs a program. @returns what each of its examples printed. */
async function outputsOf(name: string, program: string): Promise<string[]> {
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => lines.push(format(...words)));
  try {
    await runProgram(folder, name, program);
  } finally {
    log.mockRestore();
  }
  return lines
    .join("\n")
    .split(NEXT_EXAMPLE)
    .map((text) => text.trim());
}

/** Folders of the site whose examples run. */
const GUIDES = ["docs/guide", "docs/how-to", "docs/concepts", "docs/coming-from"];

const documents = [
  "README.md",
  "tooling/site/pages/index.md",
  ...filesBelow("packages", "README.md"),
  ...GUIDES.flatMap((folder) => filesBelow(folder, ".md")),
];
const programs = documents.map((path) => ({
  path,
  name: path.replaceAll("/", "-").replace(/\.md$/, ""),
  examples: examplesOf(blocksOf(readDocument(path))),
}));

describe.each(programs.filter(({ examples }) => examples.length > 0))(
  "the examples of $path",
  ({ name, examples }) => {
    it("print the outputs below them", async () => {
      const printed = await outputsOf(name, programOf(examples));

      expect(printed).toEqual(examples.map(({ output }) => output));
    });
  },
);

describe("the examples of all documents", () => {
  it("exist in the README of the project and of each package", () => {
    const without = programs.filter(
      ({ path, examples }) => path.endsWith("README.md") && examples.length === 0,
    );

    expect(without.map(({ path }) => path)).toEqual([]);
  });

  // Against the declarations that users get, also beside the tests with checks.
  it.skipIf(process.env.TREELINE_BUILD === "shipped")("satisfy the type checker", () => {
    const texts = new Map(programs.map(({ name, examples }) => [name, programOf(examples)]));

    expect(typeErrors(folder, texts)).toBe("");
  });
});
