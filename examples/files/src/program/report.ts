import type { World } from "@treeline/core";
import { stats } from "@treeline/core/debug";
import { pathOf } from "@treeline/names";
import { children } from "@treeline/query";
import { clip, counted, grouped, labelled, sizeText, timeText } from "../text/text.ts";
import { type Extent, extentBelow } from "../tree/extent.ts";
import type { FileTree } from "../tree/grow.ts";
import { kindText, tally } from "../tree/kinds.ts";
import { measurePaths } from "../tree/measure.ts";

const KINDS_SHOWN = 8;
/** A tree may be deeper than anybody reads. */
const PATH_SHOWN = 400;

/** What a tree is, in one line. */
export function headline(title: string, { world }: FileTree): string {
  const { entities, levels } = extentBelow(world, undefined);
  const extent = `${counted(entities.length, "entity", "entities")} in ${counted(levels, "level")}`;
  return `${title}: ${extent}, ${counted(children(world, undefined).length, "root")}`;
}

/** How large a tree is, how it is stored, and how long growing it and finding everybody took. */
export function summaryLines(tree: FileTree): string[] {
  const { world, entities } = tree;
  const extent = extentBelow(world, undefined);
  if (extent.entities.length === 0) return [];
  const { asking, lookingUp, resolved } = measurePaths(tree);
  const count = entities.length;
  const all = resolved === count ? "every one leads back" : `only ${grouped(resolved)} lead back`;
  return [
    ...labelled("kinds", [tally(kindsOf(world, extent), KINDS_SHOWN)]),
    ...labelled("extremes", extremesOf(world, extent)),
    ...labelled("paths", [
      `${counted(count, "path")} grown in ${perPath(tree.growing, count)}`,
      `asked for again in ${perPath(asking, count)}`,
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
