// Refuses: `dead-entity` (`requireAlive`), `full` (`requireRoomAt`), `cycle` (`requireNoCycle`), `refused` for parents of builtins.
import { shown, TreelineError, termAdvice } from "../../base/error.ts";
import { GENERATIONS_PER_WORLD } from "../../base/limits.ts";
import { ChildOf, isBuiltin, Parent } from "../../id/builtins.ts";
import { type Definition, isDefinition } from "../../id/definition.ts";
import { type Entity, generationOf, indexOf } from "../../id/entity.ts";
import { findPair, isTarget } from "../../id/pair-index.ts";
import { handleAt, isLiving } from "../../records/entity-index.ts";
import { type Archetype, NEEDS_BUILTIN } from "../../storage/archetype.ts";
import { lastTextOf } from "./last-texts.ts";
import { countSubjects, hasPairAt, pairAt, pairsAt } from "./targets.ts";
import { archetypeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * @param advice what to do, if it is not a handle.
 * @throws TreelineError `dead-entity` unless the handle is of an entity that is alive in this world.
 */
export function requireAlive(world: World, entity: Entity, advice?: string): void {
  CHECK: requireWorld(world);
  if (isLiving(world.entities, entity)) return;
  throw new TreelineError("dead-entity", notAliveText(world, entity, advice));
}

/** For development builds, where arguments may come in another order. @throws TreelineError `bad-value` for what is no world. */
export function requireWorld(world: unknown): void {
  if ((world as Partial<World> | undefined | null)?.entities !== undefined) return;
  const text = isDefinition(world) ? world.name : shown(world);
  throw new TreelineError(
    "bad-value",
    `${text} is not a world; the world is the first argument: spawn(world, ...)`,
  );
}

/**
 * For reads, where no entity has a pair with a target that is not alive.
 * @throws TreelineError `dead-entity` unless it has the form of a handle.
 */
export function requireHandle(world: World, entity: number): void {
  if (!isHandle(entity)) throw new TreelineError("dead-entity", notAliveText(world, entity as Entity));
}

function isHandle(entity: unknown): boolean {
  return Number.isSafeInteger(entity) && (entity as number) > 0;
}

function notAliveText(world: World, entity: Entity, advice = "pass a handle that spawn returned"): string {
  if (!isHandle(entity)) {
    const text = isDefinition(entity) ? entity.name : shown(entity);
    return `${text} is not an entity; ${advice}`;
  }
  const handle = `#${indexOf(entity)}, generation ${generationOf(entity)},`;
  CHECK: {
    if (isForeign(world, entity))
      return `${handle} belongs to another world; use it with the world that spawned it`;
    const last = lastTextOf(world, entity);
    if (last !== undefined)
      return `${last} (${handle.slice(0, -1)}) is not alive: it was destroyed; check isAlive before you use it`;
  }
  let text = `${handle} is not alive`;
  CHECK: text += "; check isAlive before you use it";
  return text;
}

/**
 * For development builds and verbs that ignore entities that are not alive: refuses handles that this world has not given, as far as
 * their blocks of generations tell.
 * @throws TreelineError `dead-entity`.
 */
export function requireOwn(world: World, entity: Entity): void {
  const { entities } = world;
  const generation = generationOf(entity);
  // An index that was reused very often has left the block of its world.
  const isGiven =
    generation >= entities.firstGeneration && generation <= generationOf(handleAt(entities, indexOf(entity)));
  if (!isGiven && isForeign(world, entity))
    throw new TreelineError("dead-entity", notAliveText(world, entity));
}

/** For development builds, where each world has its own generations: does a handle look like one of another world? */
function isForeign(world: World, handle: number): boolean {
  const block = (generation: number): number => Math.floor((generation - 1) / GENERATIONS_PER_WORLD);
  return block(generationOf(handle as Entity)) !== block(world.entities.firstGeneration);
}

/**
 * Refuses an entity where a term is meant, and what is no term at all; that with advice in development builds.
 * @throws TreelineError `bad-term`, always.
 */
export function refuseTerm(world: World, what: unknown): never {
  const text = "is not a component, tag or pair";
  CHECK: if (isLiving(world.entities, what as Entity)) {
    const advice = "write ChildOf(entity) for a child of it, asTag(entity) for a tag";
    throw new TreelineError("bad-term", `${textOf(world, what as Entity)} ${text}; ${advice}`);
  }
  let advice = typeof what === "number" ? "; write ChildOf(entity) or asTag(entity)" : "";
  CHECK: advice = `; ${termAdvice(what)}`;
  throw new TreelineError("bad-term", `${shown(what)} ${text}${advice}`);
}

export function textOf(world: World, entity: Entity): string {
  return world.textOf(world, entity);
}

export function textAt(world: World, index: number): string {
  return textOf(world, handleAt(world.entities, index));
}

/**
 * @param source the index of the entity that will have the pair; 0 for entities that are about to be spawned.
 * @throws TreelineError `full`.
 */
export function requireRoomAt(
  world: World,
  relation: Definition,
  source: number,
  target: number,
  added = 1,
): void {
  const most = relation.maxSubjects;
  if (most === 0) return;
  const pair = findPair(world.graph.pairs, relation.id, target);
  const present = pair === 0 ? 0 : countSubjects(world, pair);
  if (present + added <= most || (pair !== 0 && source !== 0 && hasPairAt(world, source, pair))) return;
  throw new TreelineError(
    "full",
    `${textAt(world, target)} is the target of ${present} entities by ${relation.name}, ` +
      `which allows ${most}; remove one first`,
  );
}

/**
 * Checks the constraints of a pair on its source and target.
 * @throws TreelineError `cycle`, `full`, or `refused` as `requireParent`.
 */
export function requirePlace(world: World, index: number, relation: Definition, target: number): void {
  if (relation === ChildOf || relation === Parent)
    requireParent(world, index, archetypeAt(world, index), target);
  else if (relation.acyclic) {
    relation.installs?.(world.slots); // it may be the first relation that refuses cycles across several
    requireNoCycle(world, relation, index, target);
    world.slots.templates?.requireBase(world, index, relation, target);
  }
  requireRoomAt(world, relation, index, target);
}

/**
 * @param target 0 for an entity that will be spawned among the roots: nothing is above it.
 * @throws TreelineError `cycle`, or `refused` for the component entity of a builtin.
 */
export function requireParent(world: World, index: number, archetype: Archetype, target: number): void {
  if (index === target || isTarget(world.graph.pairs, index)) requireNoCycle(world, ChildOf, index, target);
  world.slots.templates?.requireAttachable(world, index, target);
  const definition =
    (archetype.fixedNeeds & NEEDS_BUILTIN) === 0 ? undefined : world.definitionsByEntity.get(index);
  if (definition === undefined || !isBuiltin(definition)) return;
  throw new TreelineError("refused", `${definition.name} is a builtin and cannot have a parent`);
}

/** How many steps of a cycle a message shows. */
const STEPS_SHOWN = 8;

/**
 * Refuses a pair that would close a cycle.
 *
 * @cost the steps from the target to its root, and nothing for a source that is not a target itself; for a relation with many
 *   targets, all entities that can be reached from the target.
 * @throws TreelineError `cycle`, with the chain in the message.
 */
export function requireNoCycle(world: World, relation: Definition, source: number, target: number): void {
  if (source === target) refuseCycle(world, relation, [source, source]);
  const { pairs } = world.graph;
  if (!isTarget(pairs, source)) return;
  world.slots.requireNotAbove?.(world, relation, source, target);
  if (findPair(pairs, relation.id, source) === 0) return;
  if (relation.exclusive) {
    let at = target;
    while (at !== source) {
      const pair = pairAt(world, at, relation);
      if (pair === 0) return;
      at = pairs.target[pair]!;
    }
  }
  // Every path from the target.
  const cameFrom = new Map<number, number>([[target, 0]]);
  for (const at of cameFrom.keys()) {
    for (const pair of pairsAt(world, at, relation)) {
      const next = pairs.target[pair]!;
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, at);
      if (next !== source) continue;
      const chain = [source];
      for (let step = at; step !== 0; step = cameFrom.get(step)!) chain.push(step);
      refuseCycle(world, relation, chain.reverse());
    }
  }
}

/** @param chain from the target to the source. @throws TreelineError `cycle`. */
export function refuseCycle(
  world: World,
  relation: Pick<Definition, "name">,
  chain: readonly number[],
): never {
  const target = chain[0]!;
  const source = chain.at(-1)!;
  const name = (index: number): string => textAt(world, index);
  if (source === target) {
    throw new TreelineError("cycle", `${name(source)} cannot be its own target of ${relation.name}`);
  }
  const steps =
    chain.length <= STEPS_SHOWN + 1
      ? chain.map(name)
      : [...chain.slice(0, STEPS_SHOWN).map(name), "...", name(source)];
  let text = `${name(target)} is already below ${name(source)} (${relation.name}: ${steps.join(" -> ")})`;
  CHECK: text += `, so ${name(source)} cannot be moved below it; move ${name(target)} elsewhere first`;
  throw new TreelineError("cycle", text);
}
