// `Name`, `rename`, `nameMany`: refuses a sibling's name with `name-taken`, or finds a free one (`nameFor`, `acceptNames`); paths in messages.
import {
  addMany,
  component,
  type Entity,
  get,
  type Hooks,
  isAlive,
  type ObjectComponent,
  set,
  TreelineError,
  type World,
  withHooks,
} from "@treeline/core";
import {
  deferCommand,
  type EntityIndex,
  handleOf,
  indexOf,
  mustDefer,
  mustDeferWrite,
  requireAlive,
  textOf,
  worldState,
} from "@treeline/core/internal";
import {
  createNameIndex,
  enter,
  findOther,
  findPart,
  insertName,
  nameAt,
  removeName,
  reserveNames,
  store,
  trimNames,
} from "../state/name-index.ts";
import { brokenEntries, sharedNames } from "../state/names-invariant.ts";
import { createNames, indexFor, type Names, scopeInWorld, shortPath } from "../state/world-names.ts";
import { hashOfName } from "../text/step.ts";
import { quoted, requireName } from "../text/text.ts";

/**
 * The name of an entity: a string that is not empty. Siblings have different names, unless `configureNames` says
 * otherwise; roots are siblings of one another, as far as `along` does not give them other scopes. `spawn`, `add`, `set` and `rename` write it, and it is read like any
 * component; `lookup` does not find a string that is written directly into its column.
 *
 * `spawn`, `spawnMany`, `clone`, `add`, `set`, `rename` and, when it removes the parent, `remove` throw TreelineError
 * `bad-name` for what is not a legal name, and `name-taken` if a sibling has it, below the old parent or the new one, or, for
 * a root, if an entity has it as its alias. Nothing has changed then.
 *
 * @cost for a name, and for a reparent of a named entity, a few probes of the world's name index.
 *
 * @example
 * const ship = spawn(world, Name("Ship"));
 * const cockpit = spawn(world, Name("Cockpit"), ChildOf(ship));
 */
export const Name: ObjectComponent<string> = /* @__PURE__ */ withHooks(
  /* @__PURE__ */ component<string>("Name"),
  {
    check: nameFor,
    checkMoves: (world, moves) =>
      acceptNames(
        world,
        moves.map(({ entity }) => indexFor(entity)),
        moves.map(({ value }) => value),
        moves.map(({ parent }) => indexFor(parent)),
      ).values,
    acceptList: acceptNames,
    fileNew: fileNewNames,
    written: (world, entity, name) => {
      const names = namesOf(world);
      const index = indexOf(entity);
      insertName(names.nameIndex, index, scopeInWorld(world, names, index), name);
    },
    onRemove: (world, entity) => removeName(namesOf(world).nameIndex, indexOf(entity)),
    anyOrder: true, // the index keeps every scope itself
    identifies: "siblings",
  } as Hooks<string>, // `acceptList` is internal: see `InnerHooks` of core
);

/**
 * Gives an entity a name, or another one. The same name again changes nothing.
 *
 * @cost a few probes of the name index, however much is below the entity.
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
 * Inside an iteration it is deferred to the end, without entities that are destroyed by then.
 *
 * @cost a few probes of the name index for each, which grows once, and a row for each that had no name.
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
  const areLists = Array.isArray(entities) && Array.isArray(names) && entities.length === names.length;
  if (!areLists || !mustDefer(world)) {
    nameNow(world, entities, names, areLists);
    return;
  }
  for (const entity of entities) requireAlive(world, entity);
  const [later, texts] = [[...entities], [...names]];
  deferCommand(world, 0, () => {
    const left = [...later.keys()].filter((place) => isAlive(world, later[place]!));
    const namesLeft = left.map((place) => texts[place]!);
    nameNow(
      world,
      left.map((place) => later[place]!),
      namesLeft,
    );
  });
}

function nameNow(
  world: World,
  entities: readonly Entity[],
  names: readonly string[],
  areLists = true, // else `addMany` refuses them
): void {
  const { nameIndex } = namesOf(world);
  const isSame = (entity: Entity, place: number): boolean =>
    nameAt(nameIndex, indexOf(entity)) !== undefined &&
    isAlive(world, entity) &&
    get(world, entity, Name) === names[place];
  if (!areLists || !entities.some(isSame)) {
    addMany(world, entities, Name.each(names));
    return;
  }
  const seen = new Set<Entity>();
  const isFirst = (entity: Entity): boolean => seen.size !== seen.add(entity).size;
  const left = [...entities.keys()].filter(
    (place) => isFirst(entities[place]!) && !isSame(entities[place]!, place),
  );
  const texts = left.map((place) => names[place]!);
  addMany(
    world,
    left.map((place) => entities[place]!),
    Name.each(texts),
  );
}

/** The names of a world, created by the first call. From then on messages show entities by their paths. */
export const namesOf: (world: World) => Names = /* @__PURE__ */ worldState((_, extension) => {
  const names = createNames();
  const { textOf: plainText } = extension;
  extension.textOf = (inWorld, entity) => {
    const path = isAlive(inWorld, entity) ? shortPath(inWorld, names, indexOf(entity)) : undefined;
    return path ?? plainText(inWorld, entity);
  };
  extension.packed.push((indexes) => {
    for (const one of [names.nameIndex, names.aliases]) if (one !== undefined) trimNames(one, indexes);
  });
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
  if (findOther(names.nameIndex, scope, name, own) + findAlias(names, scope, name, own) === 0)
    return undefined;
  return acceptNames(world, [own], [name], [scope]).values[0];
}

/** Another entity than the given one that has a name as its alias, if the scope is the roots. */
function findAlias({ aliases }: Names, scope: EntityIndex, name: string, than: EntityIndex): EntityIndex {
  return scope !== 0 || aliases === undefined ? 0 : findOther(aliases, 0, name, than);
}

/**
 * Lets several entities have names that move or are spawned together, one after another, or refuses: neither entities that stay nor
 * one another may have the same names there. The names of entities that leave are free. Adds suffixes where the world does so.
 *
 * @param indexes those of the entities, 0 for one that is about to be spawned.
 */
export function acceptNames(
  world: World,
  indexes: ArrayLike<EntityIndex>,
  values: readonly string[],
  scopes: ArrayLike<EntityIndex>,
): { readonly values: readonly string[]; readonly written: (indexes: ArrayLike<EntityIndex>) => void } {
  values.forEach(requireName);
  const names = namesOf(world);
  const { nameIndex, collisions } = names;
  /** The names of the list, by their places, counted from 1; those that have been let in are entered. */
  const arriving = createNameIndex([""].concat(values));
  const { length } = values;
  reserveNames(arriving, length, length + 1);
  /** None of the names was in its scope before. */
  let areFree = collisions !== "allow";
  let leaving: Set<EntityIndex> | undefined;
  const stays = (other: EntityIndex): boolean => other !== 0 && !names.along?.frees(world, other);
  /** An entity that stays in the scope of a place and has a name there; or minus the place that has got it, or 0. */
  const find = (place: number, name: string, hash = hashOfName(name)): number => {
    const scope = scopes[place]!;
    const found = findPart(nameIndex, scope, name, 0, name.length, hash);
    if (found !== 0) {
      areFree = false;
      leaving ??= new Set(Array.from(indexes));
      if (!leaving.has(found) && stays(found)) return found;
    }
    const other = findAlias(names, scope, name, indexes[place]!);
    return stays(other) ? other : -findPart(arriving, scope, name, 0, name.length, hash);
  };
  for (let place = 0; place < length; place++) {
    const name = values[place]!;
    let hash = hashOfName(name);
    const other = collisions === "allow" ? 0 : find(place, name, hash);
    if (other !== 0) {
      if (collisions === "error") refuseTaken(world, indexes[-other - 1] ?? other, name, scopes[place]!);
      const free = names.freeName!(name, (candidate) => find(place, candidate) !== 0);
      arriving.names[place + 1] = free;
      hash = hashOfName(free);
    }
    enter(arriving, place + 1, scopes[place]!, hash);
  }
  const accepted = arriving.names.slice(1);
  return {
    values: accepted,
    written: (written) => {
      reserveNames(nameIndex, length, (written[length - 1] ?? 0) + 1); // most indexes are in order
      for (let place = 0; place < length; place++) {
        const index = written[place]!;
        const put = areFree && nameIndex.names[index] === "" ? store : insertName;
        put(nameIndex, index, scopes[place]!, accepted[place]!, arriving.entries[place * 2 + 3]!);
      }
    },
  };
}

/** Files names below parents that are new: none of them is taken but by one another, where that is allowed. See `InnerHooks` of core. */
function fileNewNames(
  world: World,
  indexes: Int32Array,
  values: readonly string[],
  parents: Int32Array,
  hashes: number[],
): void {
  const { nameIndex, collisions } = namesOf(world);
  const put = collisions === "allow" ? insertName : store;
  if (hashes.length === 0) for (const name of values) hashes.push(hashOfName(name));
  reserveNames(nameIndex, indexes.length, 0);
  for (let place = 0; place < indexes.length; place++) {
    const index = indexes[place]!;
    const at = place % values.length;
    if (index >= nameIndex.names.length) reserveNames(nameIndex, 0, index + 1);
    put(nameIndex, index, parents[place]!, values[at]!, hashes[at]!);
  }
}

/** @param other the entity that has the name; 0 for one that would be spawned at the same time. */
function refuseTaken(world: World, other: EntityIndex, name: string, parent: EntityIndex): never {
  const textAt = (index: EntityIndex): string => textOf(world, handleOf(world, index));
  const scope = parent === 0 ? "the roots" : `the children of ${textAt(parent)}`;
  const who = other === 0 ? "another of the list" : `${textAt(other)} (#${other})`;
  const why = `${quoted(name)} is taken among ${scope}: ${who} has it; choose another name, or rename that one first`;
  throw new TreelineError("name-taken", why);
}
