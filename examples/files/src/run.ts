import { loadTree } from "./formats/load.ts";
import { completionsOf } from "./program/complete.ts";
import { converse, HINT } from "./program/converse.ts";
import { inspectTree } from "./program/inspect.ts";
import { HELP, type Options, parseOptions } from "./program/options.ts";
import { BUNDLED_TITLE, loadBundledList, showBundled } from "./showcase.ts";
import { FilesError } from "./text/files-error.ts";
import { visible } from "./text/text.ts";
import type { FileTree } from "./tree/grow.ts";

/** How a line could go on that somebody types: what could stand there in place of its end, and that end. */
export type Complete = (line: string) => [ends: string[], end: string];

/** Where a run writes to, and where it gets questions from. */
export interface Terminal {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
  /** Columns there are for a line. */
  readonly width: number;
  /** Lines that a person types, or that come from a file or another program; asked for once, if at all. */
  readonly questions: (complete: Complete) => AsyncIterable<string>;
  /** Whether a person sits there. */
  readonly isTyped: boolean;
}

/**
 * The whole program but its process.
 *
 * @param args the command line without the program's own name.
 * @returns the exit code: 0, or 1 if something was not found or the input is broken.
 */
export async function run(args: readonly string[], terminal: Terminal): Promise<0 | 1> {
  try {
    const options = parseOptions(args);
    if (options.help) {
      terminal.line(HELP);
      return 0;
    }
    const { source } = options;
    const tree = source === undefined ? loadBundledList() : loadTree(source, options.all);
    const isComplete = show(tree, options, terminal);
    if (options.questions.length > 0) return isComplete ? 0 : 1;
    return (await answerMore(tree, options, terminal)) ? 0 : 1;
  } catch (error) {
    // Anything else is our own mistake and may be as loud as it likes.
    if (!(error instanceof FilesError)) throw error;
    terminal.error(`error: ${visible(error.message)}`);
    return 1;
  }
}

function show(tree: FileTree, options: Options, { line, width }: Terminal): boolean {
  const { source, questions } = options;
  if (source === undefined && questions.length === 0) {
    for (const each of showBundled(tree, options, width)) line(each);
    return true;
  }
  const { lines, isComplete } = inspectTree(source ?? BUNDLED_TITLE, tree, options, width);
  for (const each of lines) line(each);
  return isComplete;
}

/** Without questions on the command line, takes them from the terminal. A person who tries things out does not fail. */
async function answerMore(tree: FileTree, { source, limit }: Options, terminal: Terminal): Promise<boolean> {
  const { isTyped, line, error } = terminal;
  if (source === undefined && !isTyped) return true; // a mere demonstration waits for nobody
  if (isTyped) {
    line("");
    line(HINT);
  }
  const questions = terminal.questions((begun) => completionsOf(tree.world, begun));
  const isComplete = await converse(tree.world, limit, { line, error, questions });
  return isTyped || isComplete;
}
