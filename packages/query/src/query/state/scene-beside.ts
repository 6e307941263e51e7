import { type Archetype, archetypeAt, archetypesOf, rowAt } from "@treeline/core/internal";
import { holderShapeOf } from "../batches/chunks.ts";
import { HEAD, ROWS, type Spans } from "../lists/spans.ts";
import type { Scene } from "./scene.ts";

// Spans whose rows have ancestors or variables beside them: brought by terms about those.

/** Turns to rows of a chunk: their ancestors are listed beside them. */
export function turnToChunk(scene: Scene, chunk: number): void {
  const { query, holders } = scene;
  const { isFree, stretches } = scene.seen!;
  const { rows, chunks, holderRows } = stretches!.positions;
  scene.rows = rows;
  scene.depth = chunks.depth[chunk]!;
  for (let place = 0; place < holderRows.length; place++) {
    const holder = holderShapeOf(chunks, chunk, place);
    holders[place] = holder < 0 ? undefined : archetypesOf(query.world)[holder];
    scene.holderRows[place] = holderRows[place];
  }
  for (let place = holderRows.length; place < holders.length; place++) holders[place] = undefined;
  if (scene.variables.length > 0 && !isFree) scene.turnToBound();
}

/** Turns to rows that share variables and ancestors: their entity indexes stand in the span. */
export function turnToJoined(scene: Scene, { numbers, stride }: Spans, at: number): void {
  const { variables, query } = scene;
  const { traversals } = query.plan;
  for (let place = 0; place < variables.length; place++) variables[place] = numbers[at + HEAD + place]!;
  if (traversals.length > 0) scene.depth = numbers[at + stride - 1]!;
  for (let place = 0; place < traversals.length; place++) {
    const index = numbers[at + HEAD + variables.length + place]!;
    if (index === 0) continue;
    scene.holders[place] = archetypeAt(query.world, index);
    scene.holderRows[place] = undefined;
    scene.holderRow[place] = rowAt(query.world, index);
  }
}

/**
 * Turns to the span behind the one that is shown, if only positions and depth are others there.
 *
 * @returns false if more is: it has not turned then.
 */
export function turnOn(scene: Scene, { numbers, stride }: Spans, at: number): boolean {
  const before = at - stride;
  const chunk = numbers[at + 3]!;
  const last = numbers[before + 3]!;
  if (chunk <= ROWS || last <= ROWS || numbers[at] !== numbers[before] || scene.variables.length > 0)
    return false;
  const { holder, depth } = scene.seen!.stretches!.positions.chunks;
  if (holder[chunk] !== holder[last]) return false;
  scene.from = numbers[at + 1]!;
  scene.to = numbers[at + 2]!;
  scene.depth = depth[chunk]!;
  return true;
}

/** The place of the way to what a free variable stands for; -1 if that is the same for the whole span. */
export function wayOfVariable({ seen, query }: Scene): number {
  return seen!.isFree ? query.plan.traversals.length : -1;
}

/** The shape of what a variable stands for; undefined for nobody. */
export function shapeOfVariable(scene: Scene, variable: number): Archetype | undefined {
  const way = wayOfVariable(scene);
  if (way >= 0) return scene.holders[way];
  const index = indexOfVariable(scene, variable);
  return index === 0 ? undefined : archetypeAt(scene.query.world, index);
}

/** The absolute row of what a variable stands for, if that is the same for the whole span. */
export function rowOfVariable(scene: Scene, variable: number): number {
  return rowAt(scene.query.world, indexOfVariable(scene, variable));
}

function indexOfVariable({ variables, query }: Scene, variable: number): number {
  return variables[query.plan.variables.indexOf(variable)]!;
}
