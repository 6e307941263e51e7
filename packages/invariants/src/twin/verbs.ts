/**
 * The everyday verbs of the naive twin. Each returns the code of its refusal, or `undefined` when it was done. A
 * refused verb changes nothing.
 */
import { attempt, bear, bury, detach, dropDefinition, dropPair, put } from "./change.ts";
import { badTerm, brokenRule, isBuiltin } from "./refusals.ts";
import type { Refusal, SlowId, SlowTerm, Twin } from "./rules.ts";
import type { SlowWorld } from "./world.ts";
import { beingOf, childrenOf, has, isAlive, meantBy, pairsOf } from "./world.ts";

/** Births, all with the same terms. */
export function spawn(
  world: SlowWorld,
  newborns: readonly Twin[],
  terms: readonly SlowTerm[],
): Refusal | undefined {
  return (
    badTerm(world, terms) ??
    attempt(world, brokenRule, () => {
      for (const newborn of newborns) {
        bear(world, newborn);
        for (const term of terms) put(world, newborn, term);
      }
      return undefined;
    })
  );
}

/** Adds what is missing; what is there is written where the term has a value. */
export function add(world: SlowWorld, entity: Twin, terms: readonly SlowTerm[]): Refusal | undefined {
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

/** Pairs are looked at one by one, before names are. */
function badPlace(world: SlowWorld, entity: Twin, terms: readonly SlowTerm[]): Refusal | undefined {
  for (const term of terms.filter(({ target }) => target !== undefined)) {
    let code: Refusal | undefined;
    attempt(
      world,
      (_, touched) => {
        code = brokenRule(world, touched);
        return "refused"; // whatever it is: this is no more than a trial
      },
      () => void put(world, entity, term),
    );
    if (code === "cycle" || code === "full" || code === "refused") return code;
  }
  return undefined;
}

/** Writes a value, adding its component or pair first if it is missing. Fields not given keep their values. */
export function set(world: SlowWorld, entity: Twin, term: SlowTerm): Refusal | undefined {
  return add(world, entity, [term]);
}

/** Takes a tag, a component, an entity as a tag or pairs off. Absent: does nothing. */
export function remove(
  world: SlowWorld,
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

/** The same, of everybody. */
export function removeAll(world: SlowWorld, id: SlowId): Refusal | undefined {
  return attempt(world, brokenRule, () => {
    for (const entity of holdersInOrder(world, id)) takeOff(world, entity, id);
    return undefined;
  });
}

/** In the order of birth and of getting a parent; children of one parent in sibling order. */
function holdersInOrder(world: SlowWorld, { what, target }: SlowId): Twin[] {
  const isUnlisted = (what === "ChildOf" || what === "Parent") && typeof target === "number";
  if (isUnlisted) return isAlive(world, target) ? childrenOf(world, target) : [];
  const all = [...world.living].sort(([, one], [, other]) => one.place - other.place);
  return all.map(([entity]) => entity);
}

/** Takes everything off, parent and name included. Children stay. */
export function clear(world: SlowWorld, entity: Twin): Refusal | undefined {
  if (!isAlive(world, entity)) return "dead-entity";
  return attempt(world, brokenRule, () => {
    const { tags, schemas, objects, pairs } = beingOf(world, entity);
    for (const what of [...tags, ...schemas.keys(), ...objects.keys(), ...pairs.keys()]) {
      dropDefinition(world, entity, what);
    }
    detach(world, entity);
    return undefined;
  });
}

/** The death of one entity that no other points at. Of the dead: nothing happens. */
export function release(world: SlowWorld, entity: Twin): Refusal | undefined {
  if (!isAlive(world, entity)) return undefined;
  const others = [...world.living.keys()].filter((other) => other !== entity);
  if (others.some((other) => pointsAt(world, other, entity))) return "still-a-target";
  if (isBuiltin(world, entity)) return "refused";
  if (others.some((other) => has(world, other, "Is", entity))) return "still-a-target"; // what it stands for
  return attempt(world, brokenRule, () => {
    bury(world, new Set([entity]));
    return undefined;
  });
}

function pointsAt(world: SlowWorld, entity: Twin, target: Twin): boolean {
  const being = beingOf(world, entity);
  return being.pairs.get("Is")?.has(target) === true || pairsOf(being, { what: "Any", target }).length > 0;
}

/** What is not there is no error. */
function takeOff(world: SlowWorld, entity: Twin, id: SlowId): void {
  const { what, target } = meantBy(world, id);
  if (target === undefined) {
    if (has(world, entity, what)) dropDefinition(world, entity, what);
    return;
  }
  for (const [relation, held] of pairsOf(beingOf(world, entity), { what, target })) {
    if (relation === "ChildOf") detach(world, entity);
    else dropPair(world, entity, relation, held);
  }
}
