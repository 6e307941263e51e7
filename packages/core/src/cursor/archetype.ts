import { Life } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";
import type { EntityIndex } from "../id/entity.ts";
import { refreshRuns, type UsedBits } from "../storage/bits.ts";
import { type Lanes, viewColumn } from "../storage/lanes.ts";
import { columnOf, type Shape } from "../storage/shape.ts";
import { shapeAt } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";

/**
 * A component set with the targets of its pairs erased, and the columns of all entities that have it: what other packages may
 * know of a shape. `lanes.i32` begins with the entity indexes by absolute row, and `lanes.version` grows whenever columns are
 * other arrays.
 */
export interface Archetype
  extends Readonly<
    Pick<
      Shape,
      | "number"
      | "place"
      | "places"
      | "definitions"
      | "isLoose"
      | "founded"
      | "rows"
      | "tables"
      | "end"
      | "bits"
      | "used"
    >
  > {
  readonly lanes: Readonly<Pick<Lanes, "i32" | "tracks" | "version">>;
}

/** Runs of used rows: [first, end, first, end, ...], absolute rows; the first `length` numbers count. */
export type Runs = Readonly<Pick<UsedBits, "bounds" | "length">>;

/** All archetypes by number, those without a row included. The list grows; archetypes stay. */
export function archetypesOf(world: World): readonly Archetype[] {
  return world.graph.shapes;
}

const NONE: readonly Archetype[] = [];

/**
 * The archetypes that have had a row and have a component, a tag, or a pair of a relation, in order of their first rows, that of
 * `place`; with `Life`, which all have, every one of them. The list grows. Of parents stored as values only `Parent` tells.
 */
export function archetypesWith(world: World, definition: Definition): readonly Archetype[] {
  const { graph } = world;
  return definition === Life ? graph.founded : (graph.shapesWith.get(definition.id) ?? NONE);
}

/** The archetype of the entity that lives at an index. */
export const archetypeAt: (world: World, index: EntityIndex) => Archetype = shapeAt;

/**
 * The columns of a component, or of the first pair of a relation, as users see them: one typed array per field, or the list of
 * JavaScript values. The same object until `lanes.version` grows.
 *
 * @returns `undefined` if the archetype does not have it, or it has no values.
 */
export function columnsOf(archetype: Archetype, definition: Definition): unknown {
  const shape = archetype as Shape;
  const column = columnOf(shape, definition);
  return column === undefined ? undefined : viewColumn(shape, column);
}

/**
 * The used rows of an archetype; unless `withDisabled`, without those that are disabled by a bit. One record for each, good
 * until rows come or go, or such a bit changes. Cost: nothing unless they did.
 */
export function runsOf(archetype: Archetype, withDisabled: boolean): Runs {
  const { used, end, bits } = archetype as Shape;
  if (bits !== undefined && !withDisabled) return bits.enabled();
  refreshRuns(used, end);
  return used;
}
