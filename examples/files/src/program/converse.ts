import type { World } from "@treeline/core";
import { FilesError } from "../text/files-error.ts";
import { labelled, visible } from "../text/text.ts";
import { ask } from "../tree/ask.ts";
import type { Question } from "./options.ts";

/** Who asks, and who listens. */
export interface Conversation {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
  readonly questions: AsyncIterable<string>;
}

export const HINT = 'find PATH, glob PATTERN or below PATH; "help" for more, "quit" to leave';

const EXPLANATION = [
  "find PATH     look up an entity; the word may be left out",
  "glob PATTERN  all that fit: * any text in a name, ? one sign, ** any number of names; it may be left out, too",
  "below PATH    what is below; . for everything",
  "quit          the end",
];

/**
 * Answers questions, one a line, until there are no more.
 *
 * @returns whether everything asked for was there and every question well formed.
 */
export async function converse(world: World, limit: number, conversation: Conversation): Promise<boolean> {
  const { line, error } = conversation;
  let isComplete = true;
  for await (const typed of conversation.questions) {
    const text = typed.trim();
    if (text === "" || text.startsWith("#")) continue;
    if (/^(?:quit|exit)$/i.test(text)) break;
    if (/^(?:help|\?)$/i.test(text)) {
      for (const each of EXPLANATION) line(each);
      continue;
    }
    try {
      const { label, lines, isFound } = ask(world, questionIn(text), limit);
      for (const each of labelled(label, lines)) line(each);
      isComplete &&= isFound;
    } catch (thrown) {
      if (!(thrown instanceof FilesError)) throw thrown;
      error(`error: ${visible(thrown.message)}`);
      isComplete = false;
    }
  }
  return isComplete;
}

/** A line as a question: with its kind as first word, or else a pattern if it looks like one, or else a path. */
export function questionIn(line: string): Question {
  const [, kind, text] = /^(find|glob|below)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (kind !== undefined) return { kind: kind as Question["kind"], text: text ?? "" };
  return { kind: /(?<!\\)[*?]/.test(line) ? "glob" : "find", text: line };
}
