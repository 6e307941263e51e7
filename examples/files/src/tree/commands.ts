// What the commands find, glob and below do (`runCommand`); suggests names for a wrong path (`notFoundLines`, `likeness`).
import { children, type Entity, findAll, get, lookup, pathOf, TreelineError, type World } from "treeline";
import type { Command } from "../program/options.ts";
import { FilesError } from "../text/files-error.ts";
import { counted, grouped, quoted, sizeText } from "../text/text.ts";
import { Size } from "./components.ts";
import { childrenOrRoots, type Extent, extentBelow } from "./extent.ts";
import { kindText, sortText, stepOf, tally } from "./kinds.ts";

/** The output of a command. */
export interface CommandResult {
  readonly label: string;
  readonly lines: readonly string[];
  /** Whether the command found something. */
  readonly isFound: boolean;
}

const NAMES_SHOWN = 5; // of suggestions
const SORTS_SHOWN = 8; // of kinds and endings

/**
 * Runs a command.
 *
 * @param limit the most lines of a long result; 0 for all.
 * @throws FilesError if the path or pattern is not well formed.
 */
export function runCommand(world: World, { kind, text }: Command, limit: number): CommandResult {
  const path = tidied(text);
  try {
    if (kind === "glob") return globbed(world, path, limit);
    // The whole tree has no path of its own.
    if (kind === "below" && path === "") return below(world, undefined, limit);
    const entity = lookup(world, path);
    if (entity === undefined)
      return { label: "not found", lines: notFoundLines(world, path), isFound: false };
    return kind === "find" ? found(world, entity) : below(world, entity, limit);
  } catch (error) {
    if (error instanceof TreelineError && error.code === "bad-path") {
      throw new FilesError(`${kind} ${quoted(text)}: ${error.message}`);
    }
    throw error;
  }
}

/** Removes the "./" and "/" that shells add at the ends when they complete a path. */
function tidied(path: string): string {
  const plain = path.replace(/^(?:\.\/+)+/, "");
  if (plain === "." || plain === "/") return "";
  return plain.endsWith("/") && !plain.endsWith("\\/") ? plain.replace(/\/+$/, "") : plain;
}

function found(world: World, entity: Entity): CommandResult {
  const below = children(world, entity).length;
  const size = get(world, entity, Size)?.bytes;
  const facts = [kindText(world, entity)];
  if (size !== undefined) facts.push(sizeText(size));
  if (below > 0) facts.push(`${counted(below, "entity", "entities")} directly below it`);
  return { label: "found", lines: [pathOf(world, entity), facts.join(", ")], isFound: true };
}

function globbed(world: World, pattern: string, limit: number): CommandResult {
  const matches = findAll(world, pattern);
  const lines = [counted(matches.length, "match", "matches")];
  lines.push(...firstOf(matches, limit, (entity) => `  ${pathOf(world, entity)}`));
  return { label: "glob", lines, isFound: matches.length > 0 };
}

function below(world: World, top: Entity | undefined, limit: number): CommandResult {
  const extent = extentBelow(world, top);
  const lines = [top === undefined ? "everything" : `${pathOf(world, top)}, ${kindText(world, top)}`];
  lines.push(...extentLines(world, extent));
  lines.push(...firstOf(childrenOrRoots(world, top), limit, (child) => `  ${shownStep(world, child)}`));
  return { label: "below", lines, isFound: true };
}

function extentLines(world: World, { entities, levels, bytes }: Extent): string[] {
  if (entities.length === 0) return ["nothing below it"];
  const count = `${counted(entities.length, "entity", "entities")} in ${counted(levels, "level")}`;
  const sorts = tally(
    entities.map((entity) => sortText(world, entity)),
    SORTS_SHOWN,
  );
  return [bytes === undefined ? count : `${count}, ${sizeText(bytes)}`, sorts];
}

/** For a path without an entity: how much of it exists, and suggestions for the next name. */
function notFoundLines(world: World, path: string): string[] {
  const cuts = stepEnds(path);
  let reached: Entity | undefined;
  let steps = 0;
  for (; steps < cuts.length; steps++) {
    const next = lookup(world, path.slice(0, cuts[steps]));
    if (next === undefined) break;
    reached = next;
  }
  const wanted = path.slice(steps === 0 ? 0 : cuts[steps - 1]! + 1, cuts[steps]).replace(/^\//, "");
  const names = childrenOrRoots(world, reached).map((child) => shownStep(world, child));
  const count = counted(names.length, "entity", "entities");
  const place =
    reached === undefined
      ? "at the top level"
      : `${quoted(pathOf(world, reached))} exists; directly below it`;
  const lines = [`${quoted(path)} does not exist`, `${place}: ${names.length === 0 ? "nothing" : count}`];
  const nearest = [...names].sort((one, other) => likeness(other, wanted) - likeness(one, wanted));
  for (const name of nearest.slice(0, NAMES_SHOWN)) lines.push(`  ${name}`);
  if (names.length > NAMES_SHOWN) lines.push(`  … ${grouped(names.length - NAMES_SHOWN)} more`);
  return lines;
}

function shownStep(world: World, entity: Entity): string {
  return `${stepOf(world, entity)}${kindText(world, entity) === "directory" ? "/" : ""}`;
}

/** The length of the common beginning of two names, ignoring case. */
function likeness(name: string, wanted: string): number {
  const one = name.toLowerCase();
  const other = wanted.toLowerCase();
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  return same;
}

/** Positions where the steps of a path end: each "/" that is neither escaped nor leading, and the end of the path. */
function stepEnds(path: string): number[] {
  const ends: number[] = [];
  for (let at = 0; at < path.length; at++) {
    if (path[at] === "\\") at += 1;
    else if (path[at] === "/" && at > 0) ends.push(at);
  }
  return [...ends, path.length];
}

function firstOf<Item>(items: readonly Item[], limit: number, lineOf: (item: Item) => string): string[] {
  // A note about one omitted item would need the same line as the item.
  const shown = limit === 0 || items.length <= limit + 1 ? items.length : limit;
  const lines = items.slice(0, shown).map(lineOf);
  if (shown < items.length) lines.push(`  … ${grouped(items.length - shown)} more`);
  return lines;
}
