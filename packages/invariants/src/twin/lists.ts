/**
 * The verbs about lists in the naive twin: one single step after another, which together are done or refused. Cycles are looked for
 * at each step; names are compared at the end, so that those that leave are free for those that come.
 */
import { attach, attempt, insertRoot, put, touch } from "./change.ts";
import { badTerm, brokenRule, isBuiltin } from "./refusals.ts";
import type { NaiveId, NaiveTerm, Refusal, Twin } from "./rules.ts";
import { takeOff } from "./verbs.ts";
import type { NaiveWorld, Storage } from "./world.ts";
import { containersOf, isAlive, nameOf, recordOf } from "./world.ts";

/** Spawns entities, each with its own terms. */
export function spawnEach(
  world: NaiveWorld,
  entities: readonly Twin[],
  rows: readonly (readonly NaiveTerm[])[],
): Refusal | undefined {
  for (const terms of rows) {
    const code = badTerm(world, terms);
    if (code !== undefined) return code;
  }
  return attempt(world, brokenRule, () => {
    for (const [at, entity] of entities.entries()) {
      insertRoot(world, entity);
      for (const term of rows[at]!) put(world, entity, term);
    }
    return undefined;
  });
}

/** Adds the same to each. */
export function addMany(
  world: NaiveWorld,
  list: readonly Twin[],
  terms: readonly NaiveTerm[],
): Refusal | undefined {
  const refused = badTerm(world, terms);
  if (refused !== undefined) return refused;
  if (!list.every((entity) => isAlive(world, entity))) return "dead-entity";
  const wanted = [...new Set(list)];
  for (const term of terms) {
    const code = badPlaces(world, wanted, term);
    if (code !== undefined) return code;
  }
  return attempt(
    world,
    brokenRule,
    () => {
      for (const entity of wanted) for (const term of terms) put(world, entity, term);
      return undefined;
    },
    wanted,
  );
}

/** Checks a pair before names: for each entity, and then whether there is room for all of them. */
function badPlaces(world: NaiveWorld, wanted: readonly Twin[], term: NaiveTerm): Refusal | undefined {
  if (term.target === undefined) return undefined;
  const tried = [...wanted.map((entity) => [entity]), wanted].map((some) => placeCodeOf(world, some, term));
  return (
    tried.find((code) => code === "cycle" || code === "refused") ?? tried.find((code) => code !== undefined)
  );
}

function placeCodeOf(world: NaiveWorld, entities: readonly Twin[], term: NaiveTerm): Refusal | undefined {
  let code: Refusal | undefined;
  attempt(
    world,
    (_, touched) => {
      code = brokenRule(world, touched);
      return "refused"; // always: this is only a trial
    },
    () => {
      for (const entity of entities) put(world, entity, term);
      return undefined;
    },
  );
  return code === "cycle" || code === "full" || code === "refused" ? code : undefined;
}

/** Removes the same from each. */
export function removeMany(world: NaiveWorld, list: readonly Twin[], id: NaiveId): Refusal | undefined {
  if (!list.every((entity) => isAlive(world, entity))) return "dead-entity";
  const wanted = [...new Set(list)];
  return attempt(
    world,
    brokenRule,
    () => {
      for (const entity of wanted) takeOff(world, entity, id);
      return undefined;
    },
    wanted,
  );
}

/** @param parents one for each. @param storage `undefined`: each keeps the one that it has. */
export function reparentMany(
  world: NaiveWorld,
  list: readonly Twin[],
  parents: readonly Twin[],
  storage: Storage | undefined,
): Refusal | undefined {
  if (![...list, ...parents].every((entity) => isAlive(world, entity))) return "dead-entity";
  const wanted = [...new Set(list)];
  const parentOf = (child: Twin): Twin => parents[list.indexOf(child)]!;
  const isCircle = (child: Twin): boolean =>
    child === parentOf(child) || containersOf(world, parentOf(child)).includes(child);
  const builtin = wanted.find((child) => isBuiltin(world, child));
  if (builtin !== undefined) return isCircle(builtin) ? "cycle" : "refused";
  return attempt(
    world,
    brokenRule,
    () => {
      for (const child of wanted) {
        if (isCircle(child)) return "cycle";
        attach(world, child, parentOf(child), storage ?? recordOf(world, child).storage);
      }
      return undefined;
    },
    wanted,
  );
}

/** @param names one for each; who has its name already stays as it is. */
export function nameMany(
  world: NaiveWorld,
  list: readonly Twin[],
  names: readonly string[],
): Refusal | undefined {
  if (names.includes("")) return "bad-name";
  if (!list.every((entity) => isAlive(world, entity))) return "dead-entity";
  const wanted = [...new Set(list)];
  return attempt(
    world,
    brokenRule,
    () => {
      for (const entity of wanted) {
        const name = names[list.indexOf(entity)]!;
        touch(world, entity);
        if (nameOf(world, entity) !== name) put(world, entity, { what: "Name", value: name });
      }
      return undefined;
    },
    wanted,
  );
}
