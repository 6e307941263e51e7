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
  return blocks.flatMap(({ language, text }, place) => {
    if (language !== "ts") return [];
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

const documents = ["README.md", ...filesBelow("packages", "README.md")];
const programs = documents.map((path) => ({
  path,
  name: path.replaceAll("/", "-").replace(/\.md$/, ""),
  examples: examplesOf(blocksOf(readDocument(path))),
}));

describe.each(programs)("the examples of $path", ({ name, examples }) => {
  it("exist", () => {
    expect(examples).not.toEqual([]);
  });

  it("print the outputs below them", async () => {
    const printed = await outputsOf(name, programOf(examples));

    expect(printed).toEqual(examples.map(({ output }) => output));
  });
});

describe("the examples of all documents", () => {
  it("satisfy the type checker", () => {
    const texts = new Map(programs.map(({ name, examples }) => [name, programOf(examples)]));

    expect(typeErrors(folder, texts)).toBe("");
  });
});
