import { destroyAll } from "../destroy/destroy.ts";
import { Parent } from "../id/builtins.ts";
import type { Relation, ValueTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { hasDefinition } from "../storage/archetype.ts";
import { changeEntity } from "../world/change/change-entity.ts";
import { gain, goalAt, losePairOf, needsFor } from "../world/change/goal.ts";
import { callChecks, givenChange, keptChanges } from "../world/change/hook-calls.ts";
import { collectValues } from "../world/change/terms.ts";
import { requirePlace } from "../world/state/require.ts";
import { parentAt, parentPairAt } from "../world/state/targets.ts";
import { archetypeAt, readValue } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { spawnBelow } from "./children.ts";

/** Where an entity goes, and the value that it gets there. */
export interface Placement {
  /** The entity below which the missing ancestors are spawned, or that becomes the parent; `undefined` for the roots. */
  readonly above: Entity | undefined;
  /** A term for each missing ancestor, the topmost first. */
  readonly missing: readonly ValueTerm[];
  /** `ChildOf` or `Parent`: how parents are stored. */
  readonly storage: Relation;
  /** The entity keeps the storage of its present parent. */
  readonly keepsStorage: boolean;
  /** The value that the entity gets, a JavaScript value; an equal one is not written again. */
  readonly term: ValueTerm;
}

/**
 * Gives an entity a parent, or none, and a value, as one change, without deferring; spawns missing ancestors first. An entity that
 * is not alive is ignored; one whose new parent is not alive is destroyed too, see `ifParentDestroyed` of `createWorld`.
 *
 * @throws TreelineError `cycle`, `refused`, `capacity`; and what a `check` hook throws. Nothing has changed then.
 */
export function placeBelow(
  world: World,
  entity: Entity,
  { above, missing, storage, keepsStorage, term }: Placement,
): void {
  if (!isLiving(world.entities, entity)) return;
  const index = indexOf(entity);
  if (above !== undefined && !isLiving(world.entities, above)) {
    if (!world.dropsOrphans) destroyAll(world, [index]);
    return;
  }
  const own = keepsStorage && archetypeAt(world, index).hasValueParent ? Parent : storage;
  if (above !== undefined) requirePlace(world, index, own, indexOf(above));
  spawnBelow(world, above, storage, missing, (last = above) => placeNow(world, index, last, own, term));
}

function placeNow(
  world: World,
  index: number,
  parent: Entity | undefined,
  storage: Relation,
  term: ValueTerm,
): void {
  const { definition, value } = term;
  const archetype = archetypeAt(world, index);
  const isThere = parentAt(world, index) === parent;
  const before = hasDefinition(archetype, definition) ? readValue(world, index, definition) : undefined;
  const isNamed = before === value;
  if (isThere && isNamed && (parent === undefined || hasDefinition(archetype, storage))) return;
  const calls = isThere
    ? []
    : keptChanges(world, index, parent).filter(({ definition: kept }) => isNamed || kept !== definition);
  if (!isNamed)
    calls.unshift(givenChange(handleAt(world.entities, index), definition, value, before, parent));
  if (calls.length > 0) callChecks(world, calls);

  const terms = isNamed ? [] : [term];
  collectValues(world, terms);
  const goal = goalAt(world, index);
  if (!isNamed) {
    goal.needs = needsFor(world, definition);
    gain(world, goal, definition, 0);
  }
  if (parent !== undefined) gain(world, goal, storage, indexOf(parent));
  else if (!isThere) losePairOf(world, goal, parentPairAt(world, index));
  changeEntity(world, index, goal, terms, calls);
}
