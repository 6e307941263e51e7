// Runs the examples of all READMEs, and compares what they print (`examplesOf`).
import { rmSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { outputsOf, programOf } from "./outputs.ts";
import { programFolder, typeErrors } from "./programs.ts";
import { type Block, blocksOf, filesBelow, readDocument } from "./support.ts";

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

const codeOf = (examples: readonly Example[]): string => programOf(examples.map(({ code }) => code));

/** Folders of the site whose examples run. */
const GUIDES = ["docs/guide", "docs/how-to", "docs/concepts", "docs/coming-from"];

const documents = [
  "README.md",
  "tooling/site/pages/index.md",
  ...filesBelow("packages", "README.md"),
  ...GUIDES.flatMap((folder) => filesBelow(folder, ".md")),
];
/** Makes projects: its texts have commands. */
const STARTER = "packages/create-treeline/";

const programs = documents.map((path) => ({
  path,
  name: path.replaceAll("/", "-").replace(/\.md$/, ""),
  examples: examplesOf(blocksOf(readDocument(path))),
}));

describe.each(programs.filter(({ examples }) => examples.length > 0))(
  "the examples of $path",
  ({ name, examples }) => {
    it("print the outputs below them", async () => {
      const printed = await outputsOf(folder, name, codeOf(examples));

      expect(printed).toEqual(examples.map(({ output }) => output));
    });
  },
);

describe("the examples of all documents", () => {
  it("exist in the README of the project and of each package that programs import", () => {
    const without = programs.filter(
      ({ path, examples }) =>
        path.endsWith("README.md") && !path.startsWith(STARTER) && examples.length === 0,
    );

    expect(without.map(({ path }) => path)).toEqual([]);
  });

  // Against the declarations that users get, also beside the tests with checks.
  it.skipIf(process.env.TREELINE_BUILD === "shipped")("satisfy the type checker", () => {
    const texts = new Map(programs.map(({ name, examples }) => [name, codeOf(examples)]));

    expect(typeErrors(folder, texts)).toBe("");
  });
});
