// The command line (`parseOptions`), its limits, and the `HELP` text.
import { SceneError } from "../text/scene-error.ts";
import { quoted } from "../text/text.ts";

/** The parsed command line. */
export interface Options {
  readonly help: boolean;
  /** `undefined` for the bundled scenes. */
  readonly file: string | undefined;
  /** Paths to look up, in the order given. */
  readonly find: readonly string[];
  /** Levels of the tree to draw. */
  readonly depth: number;
  /** Frames to animate and measure; 0 for none. */
  readonly frames: number;
  /** The file to write a picture of the nodes to, before any animation. */
  readonly picture: string | undefined;
  /** The one scene to load, 0-based; `undefined` for all. */
  readonly scene: number | undefined;
}

export const HELP = `usage: node dist/main.js [file.gltf | file.glb] [options]

Without a file, shows the bundled scenes. With one, loads its nodes, draws them and looks up paths.

  --find PATH   look up an entity, names joined by "::"; may be given again; needs a file
  --depth N     levels of the tree to draw (default 3)
  --frames N    frames to animate and measure (default 600; 0 for none)
  --scene N     only this scene of the file, counted from 0; needs a file
  --picture SVG write a picture of the nodes to this file; needs a file
  --help        this text

In a path, write a "\\" before: a "\\" in a name, a ":" next to another ":" or at either end of a name, a "#" at its
beginning. Exit code: 0, or 1 if something was not found or failed.`;

const VALUED = ["--find", "--depth", "--frames", "--picture", "--scene"] as const;

/**
 * Reads the command line, without the program's own name.
 *
 * @throws SceneError for an unknown option, or a missing or wrong value.
 */
export function parseOptions(args: readonly string[]): Options {
  const files: string[] = [];
  const find: string[] = [];
  let help = false;
  let depth = 3;
  let frames = 600;
  let picture: string | undefined;
  let scene: number | undefined;

  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (arg === "--") {
      files.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith("-") || arg === "-") {
      files.push(arg);
      continue;
    }
    if (arg === "--help" || arg === "-h") {
      help = true;
      continue;
    }
    const equals = arg.indexOf("=");
    const written = equals === -1 ? arg : arg.slice(0, equals);
    const name = VALUED.find((known) => known === written);
    if (name === undefined) throw new SceneError(`unknown option ${quoted(arg)}; --help lists the options`);
    if (equals === -1) at += 1;
    const value = equals === -1 ? args[at] : arg.slice(equals + 1);
    if (value === undefined) throw new SceneError(`${name} needs a value`);

    if (name === "--find") find.push(value);
    else if (name === "--picture") picture = value;
    else if (name === "--depth") depth = wholeNumber(name, value, 1, 1_000);
    else if (name === "--frames") frames = wholeNumber(name, value, 0, 1_000_000);
    else scene = wholeNumber(name, value, 0, 1_000_000);
  }

  if (files.length > 1)
    throw new SceneError(`one file at a time, not ${files.length}: ${files.map(quoted).join(", ")}`);
  const file = files[0];
  if (file === "") throw new SceneError("the file's path is empty");
  if (file === undefined && !help) {
    if (find.length > 0) throw new SceneError("--find needs a file to search in");
    if (picture !== undefined) throw new SceneError("--picture needs a file to draw");
    if (scene !== undefined) throw new SceneError("--scene needs a file to load it from");
  }
  return { help, file, find, depth, frames, picture, scene };
}

function wholeNumber(name: string, value: string, least: number, most: number): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < least || number > most) {
    throw new SceneError(`${name} needs a whole number from ${least} to ${most}, not ${quoted(value)}`);
  }
  return number;
}
