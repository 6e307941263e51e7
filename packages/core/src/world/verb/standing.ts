import { shown, TreelineError } from "../../base/error.ts";
import { shapeWith } from "../../graph/graph.ts";
import { isInternal, Stands } from "../../id/builtins.ts";
import { ANY, Any, type Definition, Is, isDefinition } from "../../id/definition.ts";
import { type Entity, indexOf } from "../../id/entity.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import type { Shape } from "../../storage/shape.ts";
import { bringChanges } from "../change/bring.ts";
import { insertWithNeeds } from "../change/insert.ts";
import { losePair } from "../change/lose-pair.ts";
import { barePlan } from "../change/spawn-plan.ts";
import { requireMortal, usersOf } from "../change/users.ts";
import { enterLimbo, leaveLimbo } from "../state/limbo.ts";
import { enqueue, insideVisit, mustQueue } from "../state/lock.ts";
import { pairsAt } from "../state/targets.ts";
import type { StandingWork, World } from "../state/world.ts";
import { removeAsked } from "./remove.ts";
import { requireRoomForEntities } from "./spawn.ts";

/**
 * The entity that stands for a definition in this world, made when first asked for: so that a definition can be named,
 * have values, be a target or a parent. When it dies, those who have the definition do as its policy says
 * (`withPolicy`); the definition itself stays usable, and gets another entity when asked again.
 *
 * @throws TreelineError `bad-term` for what is no definition; `capacity`; `visiting` in a strict world inside a visit.
 *
 * @example
 * set(world, entityOf(world, Frozen), Label, { text: "cannot move" });
 */
export function entityOf(world: World, definition: Definition): Entity {
  requireDefinition(definition);
  const known = world.standing.get(definition.id);
  if (known !== undefined) return known;
  requireRoomForEntities(world, 1);
  bringChanges(world.slots);
  const shape = shapeWith(world.graph, world.graph.root, Stands);
  if (world.visits !== 0 && mustQueue(world)) {
    const index = enterLimbo(world);
    enqueue(world, index, () => bearLater(world, shape, index, definition));
    return stand(world, handleAt(world.entities, index), definition);
  }
  // Who hears of its birth may ask for it as well.
  return insideVisit(world, () => stand(world, insertWithNeeds(world, barePlan(shape), [], 0), definition));
}

function stand(world: World, entity: Entity, definition: Definition): Entity {
  world.slots.standing ??= standingWork;
  world.standing.set(definition.id, entity);
  world.standsFor.set(indexOf(entity), definition);
  return entity;
}

/** There may be no memory for its row: then it is dead, and nobody stands for the definition. */
function bearLater(world: World, shape: Shape, index: number, definition: Definition): void {
  try {
    insertWithNeeds(world, barePlan(shape), [], index);
  } catch (error) {
    world.standing.delete(definition.id);
    world.standsFor.delete(index);
    leaveLimbo(world, index);
    throw error;
  }
}

/** Its entity is destroyed. Of a symmetric relation one side goes alone: the other one has its own turn. */
function withdraw(world: World, index: number, definition: Definition): void {
  if (!definition.symmetric) removeAsked(world, index, { definition, target: ANY });
  else for (const pair of pairsAt(world, index, definition)) losePair(world, index, pair);
}

const standingWork: StandingWork = { requireMortal, usersOf, withdraw };

function requireDefinition(definition: Definition): void {
  if (isDefinition(definition) && definition !== Any && definition !== Is && !isInternal(definition)) return;
  const text = isDefinition(definition) ? definition.name : shown(definition);
  throw new TreelineError(
    "bad-term",
    `${text} is no component, tag or relation for which an entity could stand`,
  );
}

/** The definition that an entity stands for; `undefined` for all others, and for the dead. */
export function definitionAt(world: World, entity: Entity): Definition | undefined {
  return isLiving(world.entities, entity) ? world.standsFor.get(indexOf(entity)) : undefined;
}

/** The entity that stands for a definition, if there is one by now. */
export function standingFor(world: World, definition: Definition): Entity | undefined {
  return world.standing.get(definition.id);
}
