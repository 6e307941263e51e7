// Runs the other sides of the pages of `docs/coming-from`, or checks their syntax (`errorLines`).
import { readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outputsOf, programOf } from "../outputs.ts";
import { programFolder, typeErrors } from "../programs.ts";
import { at, filesBelow, readDocument } from "../support.ts";

const folder = programFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** A program of another library, and the same program here. */
interface Pair {
  readonly language: "ts" | "c" | "rust" | "csharp";
  readonly library: string;
  readonly program: string;
  /** What the other program prints. */
  readonly output: string;
  /** Ours prints the same. */
  readonly isSame: boolean;
}
const script = pathToFileURL(at("tooling/scripts/coming-from/pairs.mjs")).href;
const { pairsOf }: { pairsOf(page: string): Pair[] } = await import(/* @vite-ignore */ script);

interface Page {
  readonly path: string;
  readonly name: string;
  readonly text: string;
  readonly pairs: readonly Pair[];
}
const pages: Page[] = filesBelow("docs/coming-from", ".md").map((path) => {
  const text = readDocument(path);
  return { path, name: path.replaceAll("/", "-").replace(/\.md$/, "-theirs"), text, pairs: pairsOf(text) };
});
const withPairs = pages.filter(({ pairs }) => pairs.length > 0);
const run = withPairs.filter(({ pairs }) => pairs[0]!.language === "ts");
const notRun = withPairs.filter(({ pairs }) => pairs[0]!.language !== "ts");

const codeOf = ({ pairs }: Page): string => programOf(pairs.map(({ program }) => program));
const libraryOf = ({ pairs }: Page): string => pairs[0]!.library;

/** The version of a library that is installed for these tests. */
function versionOf(library: string): string {
  const path = at(`examples/readme/node_modules/${library.toLowerCase().replace(".js", "")}/package.json`);
  return JSON.parse(readFileSync(path, "utf8")).version;
}

describe("the pages of docs/coming-from", () => {
  it("show at least five programs beside ours, for six libraries", () => {
    const long = withPairs.filter(({ pairs }) => pairs.length >= 5).map(libraryOf);

    expect(long.sort()).toEqual(["Flecs", "Unity", "bevy", "bitECS", "koota", "three.js"]);
  });

  it("say what the others have and Treeline has not", () => {
    const silent = withPairs.filter(
      (page) => !page.text.includes(`## What ${libraryOf(page)} has and Treeline has not`),
    );

    expect(silent.map(({ path }) => path)).toEqual([]);
  });

  it("print the same on both sides, but for what they are about", () => {
    const differing = withPairs.flatMap(({ name, pairs }) =>
      pairs.filter(({ isSame }) => !isSame).map(() => name),
    );

    expect(differing).toEqual(["docs-coming-from-bitecs-theirs", "docs-coming-from-three-theirs"]);
  });
});

describe.each(run)("the other programs of $path", (page) => {
  it("print what the page says", async () => {
    const printed = await outputsOf(folder, page.name, codeOf(page));

    expect(printed).toEqual(page.pairs.map(({ output }) => output));
  });

  it("ran with the version that the page names", () => {
    expect(page.text).toContain(`with ${libraryOf(page)} ${versionOf(libraryOf(page))}.`);
  });
});

describe("the other programs that run", () => {
  it.skipIf(process.env.TREELINE_BUILD === "shipped")("satisfy the type checker", () => {
    expect(typeErrors(folder, new Map(run.map((page) => [page.name, codeOf(page)])))).toBe("");
  });
});

/** What the tests need of `@vscode/tree-sitter-wasm`, which has types for a global. */
interface SyntaxNode {
  readonly isError: boolean;
  readonly isMissing: boolean;
  readonly startPosition: { readonly row: number };
  readonly children: readonly SyntaxNode[];
}
interface TreeSitter {
  readonly Parser: {
    init(): Promise<void>;
    new (): { setLanguage(language: unknown): void; parse(text: string): { readonly rootNode: SyntaxNode } };
  };
  readonly Language: { load(path: string): Promise<unknown> };
}

/** Files of grammars, by language of a block. */
const GRAMMARS: Readonly<Record<string, string>> = { c: "cpp", rust: "rust", csharp: "c-sharp" };

/** The lines at which a program has errors of syntax, from 1. */
function errorLines(node: SyntaxNode): number[] {
  const own = node.isError || node.isMissing ? [node.startPosition.row + 1] : [];
  return [...own, ...node.children.flatMap(errorLines)];
}

describe("programs in languages that are not run here", () => {
  const resolve = createRequire(at("examples/readme/package.json"));
  const { Parser, Language } = resolve("@vscode/tree-sitter-wasm") as TreeSitter;
  const grammars = dirname(resolve.resolve("@vscode/tree-sitter-wasm"));
  beforeAll(() => Parser.init());

  const loaded = new Map<string, Promise<unknown>>();
  const grammarOf = (language: string): Promise<unknown> => {
    const file = join(grammars, `tree-sitter-${GRAMMARS[language]}.wasm`);
    if (!loaded.has(language)) loaded.set(language, Language.load(file));
    return loaded.get(language)!;
  };

  async function linesWithErrors(language: string, program: string): Promise<number[]> {
    const parser = new Parser();
    parser.setLanguage(await grammarOf(language));
    return errorLines(parser.parse(program).rootNode);
  }

  it.each(notRun)("have the syntax of their language: $path", async ({ pairs }) => {
    const wrong: string[] = [];
    for (const [place, { language, program }] of pairs.entries()) {
      for (const line of await linesWithErrors(language, program))
        wrong.push(`program ${place + 1}: line ${line}`);
    }

    expect(wrong).toEqual([]);
  });

  it("would be refused with an error of syntax", async () => {
    expect(await linesWithErrors("c", "int main(void) {\n  return 0\n}")).toEqual([2]);
  });

  it.each(notRun)("are said not to have been run: $path", ({ text }) => {
    expect(text.trim().split("\n\n").at(-1)).toMatch(/have not been run/);
  });
});
