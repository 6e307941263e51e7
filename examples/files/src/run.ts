// The whole program without its process (`run`): from the command line to the exit code, 1 if something was not found.
import { loadTree } from "./formats/load.ts";
import { completionsOf } from "./program/complete.ts";
import { inspectTree } from "./program/inspect.ts";
import { HELP, type Options, parseOptions } from "./program/options.ts";
import { HINT, runCommands } from "./program/prompt.ts";
import { BUNDLED_TITLE, loadBundledList, showBundled } from "./showcase.ts";
import { FilesError } from "./text/files-error.ts";
import { visible } from "./text/text.ts";
import type { FileTree } from "./tree/grow.ts";

/** Completions of a typed line: the texts that can replace its end, and that end. */
export type Complete = (line: string) => [ends: string[], end: string];

/** Where a run writes its output, and where it gets commands from. */
export interface Terminal {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
  /** Columns of a line. */
  readonly width: number;
  /** Lines that a person types, or that come from a file or another program; called at most once. */
  readonly commands: (complete: Complete) => AsyncIterable<string>;
  /** Whether a person types the commands. */
  readonly isTyped: boolean;
}

/**
 * The whole program except its process.
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
    if (options.commands.length > 0) return isComplete ? 0 : 1;
    return (await runPrompt(tree, options, terminal)) ? 0 : 1;
  } catch (error) {
    // Any other error is a bug of the program.
    if (!(error instanceof FilesError)) throw error;
    terminal.error(`error: ${visible(error.message)}`);
    return 1;
  }
}

function show(tree: FileTree, options: Options, { line, width }: Terminal): boolean {
  const { source, commands } = options;
  if (source === undefined && commands.length === 0) {
    for (const each of showBundled(tree, options, width)) line(each);
    return true;
  }
  const { lines, isComplete } = inspectTree(source ?? BUNDLED_TITLE, tree, options, width);
  for (const each of lines) line(each);
  return isComplete;
}

/** Runs commands from the terminal if the command line has none. Typed commands never make the program fail. */
async function runPrompt(tree: FileTree, { source, limit }: Options, terminal: Terminal): Promise<boolean> {
  const { isTyped, line, error } = terminal;
  if (source === undefined && !isTyped) return true; // the demonstration does not read its input
  if (isTyped) {
    line("");
    line(HINT);
  }
  const commands = terminal.commands((begun) => completionsOf(tree.world, begun));
  const isComplete = await runCommands(tree.world, limit, { line, error, commands });
  return isTyped || isComplete;
}
