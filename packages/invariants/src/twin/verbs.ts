/**
 * The common verbs of the naive twin. Each returns the code of its refusal, or `undefined` when it is done. A refused verb
 * changes nothing.
 */
import { attempt, detach, dropDefinition, dropPair, freeEntities, insertRoot, put } from "./change.ts";
import { badTerm, brokenRule, isBuiltin } from "./refusals.ts";
import type { NaiveId, NaiveTerm, Refusal, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { childrenOf, has, isAlive, pairsOf, recordOf, resolveId } from "./world.ts";

/** Spawns entities, all with the same terms. */
export function spawn(
  world: NaiveWorld,
  entities: readonly Twin[],
  terms: readonly NaiveTerm[],
): Refusal | undefined {
  return (
    badTerm(world, terms) ??
    attempt(world, brokenRule, () => {
      for (const entity of entities) {
        insertRoot(world, entity);
        for (const term of terms) put(world, entity, term);
      }
      return undefined;
    })
  );
}

/** Adds what is missing; what exists is written if the term has a value. */
export function add(world: NaiveWorld, entity: Twin, terms: readonly NaiveTerm[]): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  return (
    badTerm(world, terms) ??
    badPlace(world, entity, terms) ??
    attempt(world, brokenRule, () => {
      for (const term of terms) put(world, entity, term);
      return undefined;
    })
  );
}

/** Checks pairs one by one, before names. */
export function badPlace(world: NaiveWorld, entity: Twin, terms: readonly NaiveTerm[]): Refusal | undefined {
  for (const term of terms.filter(({ target }) => target !== undefined)) {
    let code: Refusal | undefined;
    attempt(
      world,
      (_, touched) => {
        code = brokenRule(world, touched);
        return "refused"; // always: this is only a trial
      },
      () => void put(world, entity, term),
    );
    if (code === "cycle" || code === "full" || code === "refused") return code;
  }
  return undefined;
}

/** Writes a value, adding its component or pair first if it is missing. Fields not given keep their values. */
export function set(world: NaiveWorld, entity: Twin, term: NaiveTerm): Refusal | undefined {
  return add(world, entity, [term]);
}

/** Writes given fields of a value; does nothing if the entity does not have it. */
export function patch(world: NaiveWorld, entity: Twin, term: NaiveTerm): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  const refused = badTerm(world, [term]);
  if (refused !== undefined || !has(world, entity, term.what, term.target)) return refused;
  return set(world, entity, term);
}

/** Removes a tag, a component, an entity as a tag or pairs. Does nothing if absent. */
export function remove(
  world: NaiveWorld,
  entity: Twin,
  what: string,
  target?: Twin | "Any",
): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  return attempt(world, brokenRule, () => {
    takeOff(world, entity, target === undefined ? { what } : { what, target });
    return undefined;
  });
}

/** The same, for all entities. */
export function removeAll(world: NaiveWorld, id: NaiveId): Refusal | undefined {
  const subjects = subjectsInOrder(world, id);
  const takeAll = (): undefined => {
    for (const entity of subjects) takeOff(world, entity, id);
  };
  return attempt(world, brokenRule, takeAll, subjects);
}

/** In the order in which they were spawned or got their parents; children of one parent in sibling order. */
function subjectsInOrder(world: NaiveWorld, { what, target }: NaiveId): Twin[] {
  const isUnlisted = (what === "ChildOf" || what === "Parent") && typeof target === "number";
  if (isUnlisted) return isAlive(world, target) ? childrenOf(world, target) : [];
  const all = [...world.living].sort(([, one], [, other]) => one.place - other.place);
  return all.map(([entity]) => entity);
}

/** Removes everything, including parent and name. Children stay. */
export function clear(world: NaiveWorld, entity: Twin): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  return attempt(world, brokenRule, () => {
    const { tags, schemas, objects, pairs } = recordOf(world, entity);
    for (const what of [...tags, ...schemas.keys(), ...objects.keys(), ...pairs.keys()]) {
      dropDefinition(world, entity, what);
    }
    detach(world, entity);
    return undefined;
  });
}

/** Destroys one entity that no other entity points at. Does nothing if it is not alive. */
export function release(world: NaiveWorld, entity: Twin): Refusal | undefined {
  if (!isAlive(world, entity)) return undefined;
  const others = [...world.living.keys()].filter((other) => other !== entity);
  if (others.some((other) => pointsAt(world, other, entity))) return "still-a-target";
  if (isBuiltin(world, entity)) return "refused";
  if (others.some((other) => has(world, other, "Is", entity))) return "still-a-target"; // as a component entity
  return attempt(world, brokenRule, () => {
    freeEntities(world, new Set([entity]));
    return undefined;
  });
}

function pointsAt(world: NaiveWorld, entity: Twin, target: Twin): boolean {
  const record = recordOf(world, entity);
  return record.pairs.get("Is")?.has(target) === true || pairsOf(record, { what: "Any", target }).length > 0;
}

/** It is not an error if it is absent. */
export function takeOff(world: NaiveWorld, entity: Twin, id: NaiveId): void {
  const { what, target } = resolveId(world, id);
  if (target === undefined) {
    if (has(world, entity, what)) dropDefinition(world, entity, what);
    return;
  }
  for (const [relation, pairTarget] of pairsOf(recordOf(world, entity), { what, target })) {
    if (relation === "ChildOf") detach(world, entity);
    else dropPair(world, entity, relation, pairTarget);
  }
}
