// What a run prints for a tree (`inspectTree`): a drawing and a summary, or only the results of commands.
import { labelled, visible } from "../text/text.ts";
import { runCommand } from "../tree/commands.ts";
import type { FileTree } from "../tree/grow.ts";
import { drawTree } from "./draw.ts";
import type { Options } from "./options.ts";
import { headline, summaryLines } from "./report.ts";

/** What a run prints, and whether it found everything. */
export interface Outcome {
  readonly lines: readonly string[];
  /** Whether each command found something. */
  readonly isComplete: boolean;
}

const DEPTH = 2; // levels drawn without --depth

/**
 * Describes a tree, or only runs the commands if there are any.
 *
 * @throws FilesError if a path or pattern is not well formed.
 */
export function inspectTree(title: string, tree: FileTree, options: Options, width: number): Outcome {
  const { world, notes } = tree;
  const { commands, limit } = options;
  const results = commands.map((command) => runCommand(world, command, limit));

  const lines = [headline(visible(title), tree), ...notes.map((note) => `note: ${visible(note)}`)];
  const drawing = drawTree(world, options.depth ?? (commands.length === 0 ? DEPTH : 0), width);
  if (drawing.length > 0) lines.push("", ...drawing);
  if (commands.length === 0) lines.push("", ...summaryLines(tree));
  else lines.push("");
  for (const result of results) lines.push(...labelled(result.label, result.lines));
  return { lines, isComplete: results.every(({ isFound }) => isFound) };
}
