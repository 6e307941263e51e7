// The command line (`parseOptions`), its commands and limits, and the `HELP` text.
import { FilesError } from "../text/files-error.ts";
import { quoted } from "../text/text.ts";

/** A command: an option or a typed line. */
export interface Command {
  readonly kind: "find" | "glob" | "below";
  readonly text: string;
}

/** The parsed command line. */
export interface Options {
  readonly help: boolean;
  /** A folder or file; `undefined` for the bundled files. */
  readonly source: string | undefined;
  /** In the order given. */
  readonly commands: readonly Command[];
  /** Levels of the tree to draw; `undefined` for the default. */
  readonly depth: number | undefined;
  /** Lines of a long result; 0 for all. */
  readonly limit: number;
  /** Whether a folder's node_modules and .git are walked through as well. */
  readonly all: boolean;
}

export const HELP = `usage: npm run example files -- [folder | list.txt | list.txt.gz | scene.tscn | robot.urdf] [options]

Builds a tree of entities from a folder, a list of paths, a Godot scene or a robot, and looks things up in it.
Without a source: the 56,970 paths of test262, three scenes and a robot. Without commands: prompts for them.

  --find PATH     look up an entity, names joined by "/"
  --glob PATTERN  all entities whose paths match: * any text in a name, ? one character, ** any number of names
  --below PATH    everything below, counted; "." for the whole tree
  --depth N       levels of the tree to draw (default 2, or 0 if there are commands)
  --limit N       lines of a long result (default 20; 0 for all)
  --all           include folders called node_modules and .git
  --help          this text

--find, --glob and --below may be given more than once. In a path, write a "\\" before a "\\" in a name and before a "#" at
its beginning; in a pattern also before a "*" or "?" of a name. Exit code: 0, or 1 if something was not found or failed.`;

const VALUED = ["--find", "--glob", "--below", "--depth", "--limit"] as const;

/**
 * Reads the command line, without the program's own name.
 *
 * @throws FilesError for an unknown option, or a missing or wrong value.
 */
export function parseOptions(args: readonly string[]): Options {
  const sources: string[] = [];
  const commands: Command[] = [];
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
      else commands.push({ kind: name.slice(2) as Command["kind"], text: value });
    }
  }

  if (sources.length > 1) {
    throw new FilesError(`one source at a time, not ${sources.length}: ${sources.map(quoted).join(", ")}`);
  }
  const source = sources[0];
  if (source === "") throw new FilesError("the source's path is empty");
  return { help, source, commands, depth, limit, all };
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new FilesError(`${name} needs a whole number from ${least} to ${most}, not ${quoted(value)}`);
  }
  return number;
}
