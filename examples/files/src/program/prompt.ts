// Reads commands line by line (`runCommands`); which command a line means (`parseCommand`).
import type { World } from "treeline";
import { FilesError } from "../text/files-error.ts";
import { labelled, visible } from "../text/text.ts";
import { runCommand } from "../tree/commands.ts";
import type { Command } from "./options.ts";

/** Where commands come from, and where their output goes. */
export interface CommandInput {
  readonly line: (text: string) => void;
  readonly error: (text: string) => void;
  readonly commands: AsyncIterable<string>;
}

export const HINT = 'find PATH, glob PATTERN or below PATH; "help" for more, "quit" to leave';

const EXPLANATION = [
  "find PATH     look up an entity; PATH alone does the same",
  "glob PATTERN  all matches: * any text in a name, ? one character, ** any number of names; PATTERN alone does the same",
  "below PATH    everything below; . for the whole tree",
  "quit          end the program",
];

/**
 * Runs commands, one a line, until there are no more.
 *
 * @returns whether every command was well formed and found something.
 */
export async function runCommands(world: World, limit: number, input: CommandInput): Promise<boolean> {
  const { line, error } = input;
  let isComplete = true;
  for await (const typed of input.commands) {
    const text = typed.trim();
    if (text === "" || text.startsWith("#")) continue;
    if (/^(?:quit|exit)$/i.test(text)) break;
    if (/^(?:help|\?)$/i.test(text)) {
      for (const each of EXPLANATION) line(each);
      continue;
    }
    try {
      const { label, lines, isFound } = runCommand(world, parseCommand(text), limit);
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

/** Parses a line. The first word is the command; without one, the line is a pattern if it looks like one, otherwise a path. */
export function parseCommand(line: string): Command {
  const [, kind, text] = /^(find|glob|below)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (kind !== undefined) return { kind: kind as Command["kind"], text: text ?? "" };
  return { kind: /(?<!\\)[*?]/.test(line) ? "glob" : "find", text: line };
}
