// The lines of a report: hierarchy, found entities with matrices, frames, storage (`foundLines`, `framesLines`, `storageText`).
import { children, depthOf, descendants, type Entity, get, Name, pathOf, roots, type World } from "treeline";
import { stats } from "treeline/debug";
import { World3D } from "treeline/transform/3d";
import { clip, counted, grouped, short, visible } from "../text/text.ts";
import type { Scene } from "../tree/build-scene.ts";
import type { FrameTimes } from "../tree/measure.ts";
import { drawTrees } from "./draw.ts";

/** Columns of the labels. */
const LABEL = 11;
const SIBLINGS_SHOWN = 6;

/** Lines under one label: the first has it, the others are indented as far. */
export function labelled(label: string, lines: readonly string[], width: number): string[] {
  return lines.map((line, at) => clip(`${(at === 0 ? label : "").padEnd(LABEL)}${visible(line)}`, width));
}

/** The world's hierarchy as a drawing. */
export function drawing(world: World, depth: number, width: number): string[] {
  const source = {
    childrenOf: (entity: Entity): readonly Entity[] => children(world, entity),
    nameOf: (entity: Entity): string => get(world, entity, Name) ?? "",
    countBelow: (entity: Entity): number => descendants(world, entity).length,
  };
  return drawTrees(roots(world), source, { depth, width, siblings: SIBLINGS_SHOWN });
}

/** The position of the entity in the world, as x, y, z; an entity without a transform has none. */
export function positionText(world: World, entity: Entity): string {
  const matrix = get(world, entity, World3D)?.matrix;
  return matrix === undefined
    ? "no position, because it has no transform"
    : cellTexts(matrix).slice(12, 15).join(", ");
}

/** A found entity: its path, its position, and optionally its world matrix, one line per row. */
export function foundLines(world: World, entity: Entity, withMatrix: boolean): string[] {
  const lines = [pathOf(world, entity), `at ${positionText(world, entity)}`];
  const matrix = get(world, entity, World3D)?.matrix;
  if (matrix === undefined || !withMatrix) return lines;

  const cells = cellTexts(matrix);
  const width = Math.max(...cells.map((cell) => cell.length));
  for (let row = 0; row < 4; row++) {
    const inRow = [cells[row]!, cells[row + 4]!, cells[row + 8]!, cells[row + 12]!]; // the matrix is stored column by column
    lines.push(`[ ${inRow.map((cell) => cell.padStart(width)).join("  ")} ]`);
  }
  return lines;
}

/** A matrix's numbers; rounding noise, relative to its largest number, is written as 0. */
function cellTexts(m: Float32Array): string[] {
  const noise = Math.max(...m.map(Math.abs)) * 1e-6;
  return Array.from(m, (cell) => (Math.abs(cell) < noise ? "0" : short(cell)));
}

/** Levels of the hierarchy; 0 for an empty world. */
export function levelsOf(scene: Scene): number {
  let deepest = -1;
  for (const entity of scene.entities) deepest = Math.max(deepest, depthOf(scene.world, entity));
  return deepest + 1;
}

/** How the world stores its entities, in one line. */
export function storageText(world: World): string {
  const { tables, archetypes, runs, bytes } = stats(world);
  const rows = `rows in ${counted(runs, "run")}`;
  return `${counted(tables, "table")} in ${counted(archetypes, "archetype")}, ${rows}, ${kibibytes(bytes)}`;
}

/** How many nodes moved, and how long frames took. */
export function framesLines(times: FrameTimes, moving: number): string[] {
  return [
    `${counted(times.frames, "frame")}: ${counted(moving, "node")} animated, world matrices computed of all that moved`,
    `${milliseconds(times.median)} a frame (median), ${milliseconds(times.slowest)} the slowest`,
  ];
}

/** A table with one line per row and columns as wide as needed; all columns but the first are right-aligned. */
export function columnsText(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  }
  return rows.map((row) => {
    return row
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
      .join("  ");
  });
}

export function kibibytes(bytes: number): string {
  return `${grouped(Math.ceil(bytes / 1024))} KiB`;
}

export function milliseconds(time: number): string {
  return `${time.toFixed(3)} ms`;
}
