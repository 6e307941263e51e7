import {
  addMany,
  component,
  type Entity,
  get,
  isAlive,
  type Move,
  type ObjectComponent,
  set,
  TreelineError,
  type World,
  withHooks,
} from "@treeline/core";
import {
  type EntityIndex,
  handleOf,
  indexOf,
  mustDeferWrite,
  textOf,
  worldState,
} from "@treeline/core/internal";
import { findName, findOther, insertName, removeName } from "../state/name-index.ts";
import { brokenEntries, sharedNames } from "../state/names-invariant.ts";
import { createNames, indexFor, type Names, scopeInWorld, shortPath } from "../state/world-names.ts";
import { quoted, requireName } from "../text/text.ts";

/**
 * The name of an entity: a string that is not empty. Siblings have different names, unless `configureNames` says
 * otherwise; roots are siblings of one another, as far as `along` does not give them other scopes. `spawn`, `add`, `set` and `rename` write it, and it is read like any
 * component; `lookup` does not find a string that is written directly into its column.
 *
 * Cost of a name, and of a reparent of a named entity: a few probes of the world's name index.
 *
 * `spawn`, `spawnMany`, `clone`, `add`, `set`, `rename` and, when it removes the parent, `remove` throw TreelineError
 * `bad-name` for what is not a legal name, and `name-taken` if a sibling has it, below the old parent or the new one, or, for
 * a root, if an entity has it as its alias. Nothing has changed then.
 *
 * @example
 * const ship = spawn(world, Name("Ship"));
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export const Name: ObjectComponent<string> = /* @__PURE__ */ withHooks(
  /* @__PURE__ */ component<string>("Name"),
  {
    check: nameFor,
    checkMoves: nameForEach,
    written: (world, entity, name) => {
      const names = namesOf(world);
      const index = indexOf(entity);
      insertName(names.nameIndex, index, scopeInWorld(world, names, index), name);
    },
    onRemove: (world, entity) => removeName(namesOf(world).nameIndex, indexOf(entity)),
    anyOrder: true, // the index keeps every scope itself
    identifies: "siblings",
  },
);

/**
 * Gives an entity a name, or another one. The same name again changes nothing.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-name` for an empty name; `name-taken` if a
 *   sibling has it; `iterating` in a strict world inside an iteration if the entity had no name. Nothing has changed then.
 */
export function rename(world: World, entity: Entity, name: string): void {
  const isSame = name !== undefined && get(world, entity, Name) === name;
  if (!isSame || mustDeferWrite(world, indexOf(entity), Name)) set(world, entity, Name, name);
}

/**
 * Gives several entities names, or others: `rename` for each in the order of the list, but all or nothing. Names that entities of the
 * list give up are free for others of it. One that is listed twice gets the first name; one that has its name already is left out.
 *
 * Inside an iteration it is deferred to the end, without entities that are destroyed by then. Cost: as `rename` for each; no row is
 * planned twice for entities of one table.
 *
 * @param names one for each entity.
 * @throws TreelineError `bad-value` if one is no list, or the lengths differ; `dead-entity` if an entity is not alive; `bad-name`;
 *   `name-taken` if a sibling that keeps its name has it, or two siblings would get it; `capacity`; `iterating` in a strict world inside
 *   an iteration. Nothing has changed then.
 *
 * @example
 * nameMany(world, [cockpit, cargo], ["Cockpit", "Cargo"]);
 */
export function nameMany(world: World, entities: readonly Entity[], names: readonly string[]): void {
  if (Array.isArray(names)) for (const name of names) requireName(name);
  const isSame = (entity: Entity, place: number): boolean =>
    isAlive(world, entity) &&
    get(world, entity, Name) === names[place] &&
    !mustDeferWrite(world, indexOf(entity), Name);
  const areLists = Array.isArray(entities) && Array.isArray(names) && entities.length === names.length;
  const seen = new Set<Entity>();
  const places = areLists
    ? entities.flatMap((entity, place) => {
        if (seen.size === seen.add(entity).size || isSame(entity, place)) return [];
        return [place];
      })
    : undefined;
  const chosen = places?.map((place) => entities[place]!) ?? entities;
  addMany(world, chosen, Name.each(places?.map((place) => names[place]!) ?? names));
}

/** The names of a world, created by the first call. From then on messages show entities by their paths. */
export const namesOf: (world: World) => Names = /* @__PURE__ */ worldState((_, extension) => {
  const names = createNames();
  const { textOf: plainText } = extension;
  extension.textOf = (inWorld, entity) => {
    const path = isAlive(inWorld, entity) ? shortPath(inWorld, names, indexOf(entity)) : undefined;
    return path ?? plainText(inWorld, entity);
  };
  CHECK: extension.invariants.push((inWorld) => [
    ...brokenEntries(inWorld, names.nameIndex, Name, "a name", names),
    ...sharedNames(names),
  ]);
  return names;
});

/** @returns the name that an entity gets instead, where its name is taken. */
function nameFor(
  world: World,
  entity: Entity | undefined,
  name: string,
  parent: Entity | undefined,
): string | undefined {
  requireName(name);
  const names = namesOf(world);
  if (names.collisions === "allow") return undefined;
  const scope = indexFor(parent);
  const own = indexFor(entity);
  const other = findNamed(names, scope, name, own);
  if (other === 0) return undefined;
  if (names.collisions === "error") refuseTaken(world, handleOf(world, other), name, parent);
  return freeNameIn(names, scope, name, own);
}

/** Apart from its caller, which would otherwise allocate the closure in every call. */
function freeNameIn(names: Names, scope: EntityIndex, name: string, own: EntityIndex): string {
  return names.freeName!(name, (candidate) => findNamed(names, scope, candidate, own) !== 0);
}

/** Another entity than the given one that has a name in a scope; among the roots aliases count. */
function findNamed(names: Names, scope: EntityIndex, name: string, than: EntityIndex): EntityIndex {
  return findOther(names.nameIndex, scope, name, than) || findAlias(names, scope, name, than);
}

/** Another entity than the given one that has a name as its alias, if the scope is the roots. */
function findAlias({ aliases }: Names, scope: EntityIndex, name: string, than: EntityIndex): EntityIndex {
  return scope !== 0 || aliases === undefined ? 0 : findOther(aliases, 0, name, than);
}

/**
 * Checks entities that move or are spawned together: neither entities that stay nor one another may have the same names
 * there. The names of entities that leave are free.
 *
 * @returns the names that they get instead, where a world adds suffixes.
 */
export function nameForEach(
  world: World,
  moves: readonly Move<string>[],
): (string | undefined)[] | undefined {
  for (const { value } of moves) requireName(value);
  const names = namesOf(world);
  if (names.collisions === "allow") return undefined;
  const leaving = new Set(moves.map(({ entity }) => indexFor(entity)));
  const arriving = new Map<string, Entity | undefined>();
  return moves.map(({ entity, value: name, parent }) => {
    const scope = indexFor(parent);
    const own = indexFor(entity);
    const findStaying = (candidate: string): EntityIndex => {
      const found = findName(names.nameIndex, scope, candidate);
      const others = [leaving.has(found) ? 0 : found, findAlias(names, scope, candidate, own)];
      return others.find((other) => other !== 0 && !names.along?.frees(world, other)) ?? 0;
    };
    const isTaken = (candidate: string): boolean =>
      findStaying(candidate) !== 0 || arriving.has(`${scope} ${candidate}`);
    const isFree = !isTaken(name);
    if (!isFree && names.collisions === "error") {
      const staying = findStaying(name);
      const other = staying === 0 ? arriving.get(`${scope} ${name}`) : handleOf(world, staying);
      refuseTaken(world, other, name, parent);
    }
    const free = isFree ? name : names.freeName!(name, isTaken);
    arriving.set(`${scope} ${free}`, entity);
    return free === name ? undefined : free;
  });
}

/** @param other the entity that has the name; `undefined` for one that would be spawned at the same time. */
function refuseTaken(
  world: World,
  other: Entity | undefined,
  name: string,
  parent: Entity | undefined,
): never {
  const scope = parent === undefined ? "the roots" : `the children of ${textOf(world, parent)}`;
  const why =
    other === undefined
      ? `${quoted(name)} cannot be given to several of ${scope} at once; spawn them one by one`
      : `${quoted(name)} is taken among ${scope}: ${textOf(world, other)} (#${indexOf(other)}) has it; ` +
        "choose another name, or rename that one first";
  throw new TreelineError("name-taken", why);
}
