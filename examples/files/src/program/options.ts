import { FilesError } from "../text/files-error.ts";
import { quoted } from "../text/text.ts";

/** Something to ask a tree. */
export interface Question {
  readonly kind: "find" | "glob" | "below";
  readonly text: string;
}

/** What the command line asks for. */
export interface Options {
  readonly help: boolean;
  /** A folder or file; `undefined`: what is bundled. */
  readonly source: string | undefined;
  /** In the order given. */
  readonly questions: readonly Question[];
  /** Levels of the tree to draw; `undefined`: as it suits. */
  readonly depth: number | undefined;
  /** Lines of a long answer; 0 for all. */
  readonly limit: number;
  /** Whether a folder's node_modules and .git are walked through as well. */
  readonly all: boolean;
}

export const HELP = `usage: npm run example files -- [folder | list.txt | list.txt.gz | scene.tscn | robot.urdf] [options]

Makes a tree of entities of a folder, of a list of paths, of a Godot scene or of a robot, and answers questions.
Without a source: the 56,970 paths of test262, three scenes and a robot. Without questions: asks for some.

  --find PATH     look up an entity, names joined by "/"
  --glob PATTERN  all entities whose paths fit: * any text in a name, ? one sign, ** any number of names
  --below PATH    what is below, counted; "." for everything
  --depth N       levels of the tree to draw (default 2, or none if there are questions; 0 for none)
  --limit N       lines of a long answer (default 20; 0 for all)
  --all           walk through folders called node_modules and .git as well
  --help          this text

Questions may be given more than once. In a path, a "\\" goes before a "\\" of a name and a "#" at its beginning, in a
pattern before a "*" or "?" as well. Exit code: 0, or 1 if something was not found or went wrong.`;

const VALUED = ["--find", "--glob", "--below", "--depth", "--limit"] as const;

/**
 * Reads the command line, without the program's own name.
 *
 * @throws FilesError for anything it does not understand.
 */
export function parseOptions(args: readonly string[]): Options {
  const sources: string[] = [];
  const questions: Question[] = [];
  let help = false;
  let all = false;
  let depth: number | undefined;
  let limit = 20;

  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--") {
      sources.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") sources.push(arg);
    else if (arg === "--help" || arg === "-h") help = true;
    else if (arg === "--all") all = true;
    else {
      const equals = arg.indexOf("=");
      const written = equals === -1 ? arg : arg.slice(0, equals);
      const name = VALUED.find((known) => known === written);
      if (name === undefined) throw new FilesError(`unknown option ${quoted(arg)}; --help lists the options`);
      if (equals === -1) at += 1;
      const value = equals === -1 ? args[at] : arg.slice(equals + 1);
      if (value === undefined) throw new FilesError(`${name} needs a value`);

      if (name === "--depth") depth = wholeNumber(name, value, 0, 1_000);
      else if (name === "--limit") limit = wholeNumber(name, value, 0, 1_000_000_000);
      else questions.push({ kind: name.slice(2) as Question["kind"], text: value });
    }
  }

  if (sources.length > 1) {
    throw new FilesError(`one source at a time, not ${sources.length}: ${sources.map(quoted).join(", ")}`);
  }
  const source = sources[0];
  if (source === "") throw new FilesError("the source's path is empty");
  return { help, source, questions, depth, limit, all };
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new FilesError(`${name} needs a whole number from ${least} to ${most}, not ${quoted(value)}`);
  }
  return number;
}
