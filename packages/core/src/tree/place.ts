// Gives an entity a parent, or none, and a value as one change, and spawns missing ancestors first (`placeBelow`).
import { destroyAll } from "../destroy/destroy.ts";
import { ChildOf, Parent } from "../id/builtins.ts";
import type { Definition, Relation, ValueTerm } from "../id/definition.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { handleAt, isLiving } from "../records/entity-index.ts";
import { hasDefinition } from "../storage/archetype.ts";
import type { PairNumber } from "../storage/table.ts";
import { changeEntity } from "../world/change/change-entity.ts";
import { collectValues } from "../world/change/collect.ts";
import { gain, goalAt, losePairOf, needsFor } from "../world/change/goal.ts";
import { callChecks, givenChange, keptChanges } from "../world/change/hook-calls.ts";
import { isParental } from "../world/change/terms.ts";
import { requireParent, requirePlace } from "../world/state/require.ts";
import { pairAt, parentAt, parentPairAt } from "../world/state/targets.ts";
import { archetypeAt, readValue } from "../world/state/values.ts";
import type { World } from "../world/state/world.ts";
import { spawnBelow } from "./children.ts";

/** Where an entity goes, and the value that it gets there. */
export interface Placement {
  /** The entity below which the missing ancestors are spawned, or that becomes the parent; `undefined` for the roots. */
  readonly above: Entity | undefined;
  /** A term for each missing ancestor, the topmost first. */
  readonly missing: readonly ValueTerm[];
  /** `ChildOf` or `Parent`: how parents are stored; or a relation along which entities are contained. */
  readonly storage: Relation;
  /** The entity keeps the storage of its present parent, or the relation along which it is contained. */
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
  const own = (keepsStorage ? storageAt(world, index) : undefined) ?? storage;
  if (above !== undefined) requirePlace(world, index, own, indexOf(above));
  else if (missing.length > 0 && isParental(own)) requireParent(world, index, archetypeAt(world, index), 0);
  spawnBelow(world, above, storage, missing, (last = above) => placeNow(world, index, last, own, term));
}

/** How the entity has its parent, or along which relation it is contained; `undefined` for a root. */
function storageAt(world: World, index: number): Definition | undefined {
  if (parentPairAt(world, index) !== 0) return archetypeAt(world, index).hasValueParent ? Parent : ChildOf;
  return world.slots.scopes?.along.find((relation) => pairAt(world, index, relation) !== 0);
}

/** The pairs that an entity must lose to be in the scope of its pair of a storage; of no storage: at the roots. */
function pairsBefore(world: World, index: number, storage: Definition | undefined): PairNumber[] {
  if (storage === ChildOf || storage === Parent) return [];
  const lost = [parentPairAt(world, index)];
  for (const relation of world.slots.scopes?.along ?? []) {
    if (relation === storage) break;
    lost.push(pairAt(world, index, relation));
  }
  return lost.filter((pair) => pair !== 0);
}

function placeNow(
  world: World,
  index: number,
  above: Entity | undefined,
  storage: Definition,
  term: ValueTerm,
): void {
  const { definition, value } = term;
  const archetype = archetypeAt(world, index);
  const lost = pairsBefore(world, index, above === undefined ? undefined : storage);
  const pair = pairAt(world, index, storage);
  const isStored =
    hasDefinition(archetype, storage) && world.graph.pairs.target[pair] === (above && indexOf(above));
  const isGained = above !== undefined && !isStored;
  const before = readValue(world, index, definition);
  const isNamed = before === value;
  if (lost.length === 0 && !isGained && isNamed) return;

  const parent = isParental(storage) ? above : undefined;
  const isMoved = parent !== parentAt(world, index);
  const calls = (isMoved ? keptChanges(world, index, parent) : []).filter(
    ({ definition: one }) => isNamed || one !== definition,
  );
  if (!isNamed)
    calls.unshift(givenChange(handleAt(world.entities, index), definition, value, before, parent));
  if (parent === undefined) world.slots.scopes?.enter(world, index, calls, above);
  if (calls.length > 0) callChecks(world, calls);

  const terms = isNamed ? [] : [term];
  collectValues(world, terms);
  const goal = goalAt(world, index);
  if (!isNamed) {
    goal.needs = needsFor(world, definition);
    gain(world, goal, definition, 0);
  }
  for (const one of lost) losePairOf(world, goal, one);
  if (isGained) {
    goal.needs |= needsFor(world, storage);
    gain(world, goal, storage, indexOf(above));
  }
  changeEntity(world, index, goal, terms, calls);
}
