// What an editor offers after expressions (`completionsAfter`).
import { pathToFileURL } from "node:url";
import { at } from "./support.ts";

interface Question {
  readonly ask: string;
  readonly line: number;
  readonly character: number;
}

/** A script of the repository. */
interface LanguageServer {
  readonly answersOfEditor: (
    folder: string,
    text: string,
    questions: readonly Question[],
  ) => Promise<(Completions | undefined)[]>;
}

interface Completions {
  readonly items?: readonly { readonly label: string }[];
}

/**
 * What an editor offers after each expression and a dot, in a program that starts as given. The packages are read from the declarations
 * that the build writes.
 */
export async function completionsAfter(
  folder: string,
  start: string,
  expressions: readonly string[],
): Promise<string[][]> {
  const lines = expressions.map((expression) => `${expression}.`);
  const first = start.split("\n").length;
  const text = [start, ...lines.map((line) => `${line};`)].join("\n");
  const questions = lines.map((line, at) => ({
    ask: "completion",
    line: first + at,
    character: line.length,
  }));
  const script = pathToFileURL(at("tooling/scripts/tests/language-server.mjs")).href;
  const { answersOfEditor } = (await import(/* @vite-ignore */ script)) as LanguageServer;
  const answers = await answersOfEditor(folder, text, questions);
  return answers.map((answer) => (answer?.items ?? []).map(({ label }) => label));
}
