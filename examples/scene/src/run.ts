// The whole program without its process (`run`): from the command line to the exit code, 1 if something was not found.
import { inspectFile } from "./program/inspect.ts";
import { HELP, parseOptions } from "./program/options.ts";
import { showBundledScenes } from "./showcase.ts";
import { SceneError } from "./text/scene-error.ts";
import { visible } from "./text/text.ts";

/** Where a run writes its output. */
export interface Output {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
  /** Columns of a line. */
  readonly width: number;
}

/**
 * The whole program except its process.
 *
 * @param args the command line without the program's own name.
 * @returns the exit code: 0, or 1 if something was not found or the input is broken.
 */
export function run(args: readonly string[], output: Output): 0 | 1 {
  try {
    const options = parseOptions(args);
    if (options.help) {
      output.line(HELP);
      return 0;
    }
    if (options.file === undefined) {
      for (const line of showBundledScenes(options, output.width)) output.line(line);
      return 0;
    }
    const { lines, complete } = inspectFile(options.file, options, output.width);
    for (const line of lines) output.line(line);
    return complete ? 0 : 1;
  } catch (error) {
    // Any other error is a bug of the program.
    if (!(error instanceof SceneError)) throw error;
    output.error(`error: ${visible(error.message)}`);
    return 1;
  }
}
