// How a folder of modules is read (`readModules`), and read again (`reload`); what is wrong as one line (`problemOf`).
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TreelineError, type World } from "treeline";
import { loadPrefabs } from "treeline/prefab/document";
import { changesOf, type Modules } from "./changes.ts";
import { DEFINITIONS } from "./station.ts";

/** The library that comes with the program. */
export const LIBRARY: string = fileURLToPath(new URL("../modules/", import.meta.url));

const ENDING = ".json";

/** The modules of a folder: the key of each is the name of its file. */
export function readModules(folder: string): Map<string, string> {
  const names = readdirSync(folder).filter((name) => name.endsWith(ENDING) && !name.startsWith("."));
  return new Map(names.sort().map((name) => [name.slice(0, -ENDING.length), readText(join(folder, name))]));
}

/** The text of a file, without the byte order mark that some editors put before it. */
export function readText(file: string): string {
  return readFileSync(file, "utf8").replace(/^\uFEFF/, "");
}

/** What came of reading a folder again. */
export interface Reload {
  /** What the world has now. */
  readonly modules: Modules;
  /** What changed, a line for each module; or what is wrong. */
  readonly lines: readonly string[];
  readonly outcome: "changed" | "same" | "refused";
}

/** Reads a folder again, and lets the world follow. If a file is wrong, nothing changes. @param modules what the world has. */
export function reload(world: World, folder: string, modules: Modules): Reload {
  let read: Modules = modules;
  try {
    read = readModules(folder);
    if (isSame(modules, read)) return { modules, lines: [], outcome: "same" };
    loadPrefabs(world, read, { definitions: DEFINITIONS });
    return { modules: read, lines: changesOf(modules, read), outcome: "changed" };
  } catch (error) {
    return { modules, lines: [problemOf(error, read)], outcome: "refused" };
  }
}

function isSame(one: Modules, other: Modules): boolean {
  return one.size === other.size && [...one].every(([key, text]) => other.get(key) === text);
}

/** An error as one line, with the file and the place. @throws what is no mistake in a file. */
export function problemOf(error: unknown, modules: Modules): string {
  if (!(error instanceof TreelineError)) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return (error as Error).message;
  }
  const { message } = error;
  const key = [...modules.keys()].find((one) => message.startsWith(`${one}: `));
  if (key === undefined) return message;
  const text = modules.get(key)!;
  const position = / at position (\d+)(?! \()/.exec(message);
  const place = position === null ? "" : ` (${lineAndColumn(text, Number(position[1]))})`;
  return `${key}${ENDING}: ${message.slice(key.length + 2)}${place}`.replaceAll(/\s+/g, " ");
}

function lineAndColumn(text: string, position: number): string {
  const before = text.slice(0, position).split("\n");
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}
