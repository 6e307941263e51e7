import { labelled, visible } from "../text/text.ts";
import { ask } from "../tree/ask.ts";
import type { FileTree } from "../tree/grow.ts";
import { drawTree } from "./draw.ts";
import type { Options } from "./options.ts";
import { headline, summaryLines } from "./report.ts";

/** What a run prints, and how it ends. */
export interface Outcome {
  readonly lines: readonly string[];
  /** Whether everything asked for was there. */
  readonly isComplete: boolean;
}

const DEPTH = 2; // drawn, unless told otherwise

/**
 * Describes a tree, or only answers the questions if there are any.
 *
 * @throws FilesError if a path or pattern is not well formed.
 */
export function inspectTree(title: string, tree: FileTree, options: Options, width: number): Outcome {
  const { world, notes } = tree;
  const { questions, limit } = options;
  const answers = questions.map((question) => ask(world, question, limit));

  const lines = [headline(visible(title), tree), ...notes.map((note) => `note: ${visible(note)}`)];
  const drawing = drawTree(world, options.depth ?? (questions.length === 0 ? DEPTH : 0), width);
  if (drawing.length > 0) lines.push("", ...drawing);
  if (questions.length === 0) lines.push("", ...summaryLines(tree));
  else lines.push("");
  for (const answer of answers) lines.push(...labelled(answer.label, answer.lines));
  return { lines, isComplete: answers.every(({ isFound }) => isFound) };
}
