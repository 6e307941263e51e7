// The summary of a tree (`summaryLines`): kinds, extremes, storage, times; shortens long paths (`PATH_SHOWN`).
import { pathOf, roots, type World } from "treeline";
import { stats } from "treeline/debug";
import { clip, counted, grouped, labelled, sizeText, timeText } from "../text/text.ts";
import { type Extent, extentBelow } from "../tree/extent.ts";
import type { FileTree } from "../tree/grow.ts";
import { kindText, tally } from "../tree/kinds.ts";
import { measurePaths } from "../tree/measure.ts";

const KINDS_SHOWN = 8;
/** Limits the paths of very deep trees. */
const PATH_SHOWN = 400;

/** The title and the size of a tree, in one line. */
export function headline(title: string, { world }: FileTree): string {
  const { entities, levels } = extentBelow(world, undefined);
  const extent = `${counted(entities.length, "entity", "entities")} in ${counted(levels, "level")}`;
  return `${title}: ${extent}, ${counted(roots(world).length, "root")}`;
}

/** Kinds, extremes and storage of a tree, and the times to create it, compose all paths and look them up. */
export function summaryLines(tree: FileTree): string[] {
  const { world, entities } = tree;
  const extent = extentBelow(world, undefined);
  if (extent.entities.length === 0) return [];
  const { composing, lookingUp, resolved } = measurePaths(tree);
  const count = entities.length;
  const all = resolved === count ? "all resolve" : `only ${grouped(resolved)} resolve`;
  return [
    ...labelled("kinds", [tally(kindsOf(world, extent), KINDS_SHOWN)]),
    ...labelled("extremes", extremesOf(world, extent)),
    ...labelled("paths", [
      `${counted(count, "path")} created in ${perPath(tree.growing, count)}`,
      `composed by pathOf in ${perPath(composing, count)}`,
      `looked up in ${perPath(lookingUp, count)}; ${all}`,
    ]),
    ...labelled("storage", [storageText(world)]),
  ];
}

function kindsOf(world: World, { entities }: Extent): string[] {
  return entities.map((entity) => kindText(world, entity));
}

function extremesOf(world: World, { levels, deepest, widest, mostChildren, bytes }: Extent): string[] {
  const lines = [`deepest: ${clip(pathOf(world, deepest!), PATH_SHOWN)}, level ${levels}`];
  if (widest !== undefined) {
    lines.push(
      `largest: ${clip(pathOf(world, widest), PATH_SHOWN)}, ${counted(mostChildren, "child", "children")}`,
    );
  }
  if (bytes !== undefined) lines.push(`all files: ${sizeText(bytes)}`);
  return lines;
}

/** How the world stores its entities, in one line. */
function storageText(world: World): string {
  const { tables, archetypes, bytes } = stats(world);
  return `${counted(tables, "table")} in ${counted(archetypes, "archetype")}, ${sizeText(bytes)}`;
}

function perPath(milliseconds: number, paths: number): string {
  return `${timeText(milliseconds)}, ${timeText(milliseconds / paths)} each`;
}
