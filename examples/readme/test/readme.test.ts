import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { format } from "node:util";
import { transform } from "esbuild";
import { afterAll, describe, expect, it, vi } from "vitest";
import { at, type Block, blocksOf, filesBelow, readDocument } from "./support.ts";

const NEXT_EXAMPLE = "---- next example";

// Beside the package's dependencies, so that the examples find them.
mkdirSync(at("examples/readme/dist"), { recursive: true });
const folder = mkdtempSync(at("examples/readme/dist/run-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Example {
  readonly code: string;
  /** What the `text` block right behind it says; nothing if there is none. */
  readonly output: string;
}

function examplesOf(blocks: readonly Block[]): Example[] {
  return blocks.flatMap(({ language, text }, place) => {
    if (language !== "ts") return [];
    const next = blocks[place + 1];
    return [{ code: text, output: next?.language === "text" ? next.text : "" }];
  });
}

/** The examples of a document as one program: later ones go on where earlier ones stopped. */
function programOf(examples: readonly Example[]): string {
  return examples.map(({ code }) => code).join(`\nconsole.log("${NEXT_EXAMPLE}");\n`);
}

/** Runs a program. @returns what each of its examples printed. */
async function outputsOf(name: string, program: string): Promise<string[]> {
  const { code } = await transform(program, { loader: "ts", target: "es2023" });
  const path = join(folder, `${name}.js`);
  writeFileSync(path, code);
  const lines: string[] = [];
  const log = vi.spyOn(console, "log").mockImplementation((...words) => lines.push(format(...words)));
  try {
    await import(/* @vite-ignore */ pathToFileURL(path).href);
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
  it("are there", () => {
    expect(examples).not.toEqual([]);
  });

  it("print what stands below them", async () => {
    const printed = await outputsOf(name, programOf(examples));

    expect(printed).toEqual(examples.map(({ output }) => output));
  });
});

describe("the examples of all documents", () => {
  it("satisfy the type checker", () => {
    for (const { name, examples } of programs) writeFileSync(join(folder, `${name}.ts`), programOf(examples));
    const compiler = at("node_modules/typescript/bin/tsc");
    const options =
      "--noEmit --strict --target es2023 --module nodenext --types node --skipLibCheck --ignoreConfig";
    const { stdout } = spawnSync(
      process.execPath,
      [compiler, ...options.split(" "), ...conditions(), ...programs.map(({ name }) => `${name}.ts`)],
      { cwd: folder, encoding: "utf8" },
    );

    expect(stdout).toBe("");
  });
});

/** Sources in the checked run; the declarations that users get in the other one. */
function conditions(): string[] {
  const isShipped = process.env.TREELINE_BUILD === "shipped";
  return isShipped ? [] : ["--customConditions", "treeline-source", "--allowImportingTsExtensions"];
}
