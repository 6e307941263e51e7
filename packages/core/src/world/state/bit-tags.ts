import { isInternal } from "../../id/builtins.ts";
import type { Definition } from "../../id/definition.ts";
import { isTarget } from "../../id/pair-book.ts";
import { BIT_TURNED, note } from "../../storage/journal.ts";
import type { Shape } from "../../storage/shape.ts";
import { observedOf } from "./event-list.ts";
import { rowAt, shapeAt } from "./values.ts";
import type { World } from "./world.ts";

const NO_TAGS: readonly Definition[] = [];

/** Has the entity at an index a tag that is stored as bits? */
export function hasBitAt(world: World, index: number, definition: Definition): boolean {
  const { bits } = shapeAt(world, index);
  return bits?.has(definition, rowAt(world, index)) ?? false;
}

/** The tags that the entity at an index has as bits, but for those of core itself. */
export function bitTagsAt(world: World, index: number): readonly Definition[] {
  const { bits } = shapeAt(world, index);
  if (bits === undefined) return NO_TAGS;
  const row = rowAt(world, index);
  return bits.columns
    .map(({ definition }) => definition)
    .filter((definition) => !isInternal(definition) && bits.has(definition, row));
}

/** The definitions of a shape with tags that one of its entities has as bits, in the order of definition. */
export function withBitTags({ definitions }: Shape, tags: readonly Definition[]): readonly Definition[] {
  if (tags.length === 0) return definitions;
  const orderOf = ({ kind, id }: Definition): number => (kind === "relation" ? -id : id);
  return [...definitions, ...tags].sort((one, other) => orderOf(one) - orderOf(other));
}

/** Gives the entity at an index a tag that is stored as bits, or takes it off. Nobody is told; it stays where it is. */
export function turnBit(world: World, index: number, definition: Definition, on: boolean): void {
  if (hasBitAt(world, index, definition) === on) return;
  const row = rowAt(world, index);
  turnBits(world, shapeAt(world, index), definition, row, row + 1, on);
  const { journal, pairs } = world.graph;
  if (journal.reading && isTarget(pairs, index)) note(journal, BIT_TURNED, index);
}

/** The same of adjacent rows of one archetype, of entities that are no targets. */
export function turnBits(
  { slots }: World,
  shape: Shape,
  definition: Definition,
  first: number,
  end: number,
  on: boolean,
): void {
  definition.brings?.(slots);
  slots.setBits!(shape, definition, first, end, on);
  shape.lanes.tracks?.turned(definition, first, end, on);
}

/** Does somebody hear of a tag that rows of the shape have as bits? */
export function hasHeardTags({ events }: World, { bits }: Shape): boolean {
  if (bits === undefined) return false;
  return bits.columns.some(({ definition, count }) => count > 0 && observedOf(events, definition) !== 0);
}
