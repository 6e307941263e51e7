import type { World } from "@treeline/core";
import {
  archetypeAt,
  archetypesOf,
  archetypesWith,
  Life,
  pairsOf,
  runsOf,
  tableAt,
} from "@treeline/core/internal";
import { areWorn, holderShapeOf, type Positions } from "./chunks.ts";
import { BY_ENTITY, endRound, filingOf, lookUp, NOT_FILED, rowOfHolder, type Ways } from "./ways.ts";

/** L12: each row with a pair of one of the relations stands once, at its depth, beside the rows of the right holders. */
export function verifyFiled(world: World, ways: Ways, positions: Positions): string[] {
  const { chunks, rows } = positions;
  const name = ways.list.map(({ relation, what }) => `${relation.name} to ${what.definition.name}`);
  const broken: string[] = [];
  const seen = new Set<number>();
  for (let at = 0; at < chunks.alive; at++) {
    const chunk = chunks.order[at]!;
    const start = chunks.start[chunk]!;
    if (at > 0 && chunks.depth[chunk]! < chunks.depth[chunks.order[at - 1]!]!)
      broken.push("L12: chunks out of order");
    for (let place = start; place < start + chunks.rows[chunk]!; place++) {
      seen.add(chunks.shape[chunk]! * 2 ** 26 + rows[place]!);
      const index = archetypesOf(world)[chunks.shape[chunk]!]!.lanes.i32[rows[place]!]!;
      if (!standsRight(world, ways, positions, chunk, place, index))
        broken.push(`L12: e${index} stands wrong in the stretches of ${name.join(", ")}`);
    }
  }
  endRound(ways);
  if (areWorn(chunks)) broken.push(`L12: the stretches of ${name.join(", ")} are worn`);
  const wanted = archetypesWith(world, Life).reduce(
    (sum, shape) => sum + (filingOf(ways, shape) === NOT_FILED ? 0 : shape.rows),
    0,
  );
  if (seen.size !== wanted)
    broken.push(`L12: the stretches of ${name.join(", ")} hold ${seen.size} rows of ${wanted}`);
  return broken;
}

/** Is the row at a position used, and are depth and holders those of the entity in it? */
function standsRight(
  world: World,
  ways: Ways,
  { chunks, rows, holderRows, rowUnits }: Positions,
  chunk: number,
  position: number,
  index: number,
): boolean {
  const shape = chunks.shape[chunk]!;
  const { bounds, length } = runsOf(archetypesOf(world)[shape]!, true);
  const behind = bounds.subarray(0, length).findIndex((bound) => bound > rows[position]!);
  if (behind % 2 !== 1) return false;
  const isLoose = filingOf(ways, archetypesOf(world)[shape]!) === BY_ENTITY;
  const table = tableAt(world, index);
  if (rowUnits[position] !== (isLoose ? -index : table) || archetypeAt(world, index).number !== shape)
    return false;
  lookUp(world, ways, chunks.holderShapes, table, isLoose ? pairsOf(world).valueAt(index) : 0);
  if (chunks.depth[chunk] !== ways.depth) return false;
  return ways.list.every((_, place) => {
    const holder = ways.holders[place]!;
    const holderShape = holderShapeOf(chunks, chunk, place);
    if (holder === 0) return holderShape === -1;
    return (
      holderShape === archetypeAt(world, holder).number &&
      holderRows[place]![position] === rowOfHolder(world, holder)
    );
  });
}
