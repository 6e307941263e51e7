import {
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
import { fileName, findName, findOther, unfileName } from "../state/name-index.ts";
import { brokenEntries, sharedNames } from "../state/names-invariant.ts";
import { createNames, indexFor, type Names, shortPath } from "../state/world-names.ts";
import { freeName, quoted, requireName } from "../text/text.ts";

/**
 * The name of an entity: a string that is not empty. Siblings have different names, unless `configureNames` says
 * otherwise; roots are siblings of one another. Written by `spawn`, `add`, `set` and `rename`, and read like any
 * component; a string written straight into its column is not found by `lookup`.
 *
 * Cost of a name, and of a reparent of a named entity: a few probes of the world's name book.
 *
 * `spawn`, `spawnMany`, `clone`, `add`, `set`, `rename` and, where it takes the parent off, `remove` throw TreelineError
 * `bad-name` for what is no legal name and `name-taken` if a sibling has it, of the old parent or the new one, or, of a
 * root, if somebody has it as alias. Nothing has changed then.
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
    written: (world, entity, name, parent) => {
      fileName(namesOf(world).nameIndex, indexOf(entity), indexFor(parent), name);
    },
    onRemove: (world, entity) => unfileName(namesOf(world).nameIndex, indexOf(entity)),
    anyOrder: true, // the book knows every scope by itself
    identifies: "siblings",
  },
);

/**
 * Gives an entity a name, or another one. The same name again changes nothing.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `bad-name` for an empty name; `name-taken` if a
 *   sibling has it; `iterating` in a strict world inside a visit if the entity had no name. Nothing has changed then.
 */
export function rename(world: World, entity: Entity, name: string): void {
  const isSame = name !== undefined && get(world, entity, Name) === name;
  if (!isSame || mustDeferWrite(world, indexOf(entity), Name)) set(world, entity, Name, name);
}

/** The names of a world, made when first asked for. From then on messages call entities by their paths. */
export const namesOf: (world: World) => Names = /* @__PURE__ */ worldState((_, extension) => {
  const names = createNames();
  const { textOf: plainText } = extension;
  extension.textOf = (asked, entity) => {
    const path = isAlive(asked, entity) ? shortPath(asked, names, indexOf(entity)) : undefined;
    return path ?? plainText(asked, entity);
  };
  CHECK: extension.invariants.push((asked) => [
    ...brokenEntries(asked, names.nameIndex, Name, "a name"),
    ...sharedNames(names),
  ]);
  return names;
});

/** @returns what an entity is called instead, where its name is taken. */
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
  const holder = findSource(names, scope, name, own);
  if (holder === 0) return undefined;
  if (names.collisions === "error") refuseTaken(world, handleOf(world, holder), name, parent);
  return freeNameIn(names, scope, name, own);
}

/** Apart from its caller, which would else make room for the function in every call. */
function freeNameIn(names: Names, scope: EntityIndex, name: string, own: EntityIndex): string {
  return freeName(name, (candidate) => findSource(names, scope, candidate, own) !== 0);
}

/** Another entity than the given one that has a name among siblings; among the roots aliases count. */
function findSource(names: Names, scope: EntityIndex, name: string, than: EntityIndex): EntityIndex {
  return findOther(names.nameIndex, scope, name, than) || findAlias(names, scope, name, than);
}

/** Another entity than the given one that has a name as its alias, if the scope is that of the roots. */
function findAlias({ aliases }: Names, scope: EntityIndex, name: string, than: EntityIndex): EntityIndex {
  return scope !== 0 || aliases === undefined ? 0 : findOther(aliases, 0, name, than);
}

/**
 * Before entities go elsewhere or are born together: neither those who stay nor one another may have their names there.
 * Who goes leaves room for others.
 *
 * @returns what they are called then, where a world gives suffixes.
 */
function nameForEach(world: World, moves: readonly Move<string>[]): (string | undefined)[] | undefined {
  for (const { value } of moves) requireName(value);
  const names = namesOf(world);
  if (names.collisions === "allow") return undefined;
  const leaving = new Set(moves.map(({ entity }) => indexFor(entity)));
  const comers = new Map<string, Entity | undefined>();
  return moves.map(({ entity, value: name, parent }) => {
    const scope = indexFor(parent);
    const own = indexFor(entity);
    const stays = (candidate: string): EntityIndex => {
      const holder = findName(names.nameIndex, scope, candidate);
      return holder === 0 || leaving.has(holder) ? findAlias(names, scope, candidate, own) : holder;
    };
    const isTaken = (candidate: string): boolean =>
      stays(candidate) !== 0 || comers.has(`${scope} ${candidate}`);
    if (names.collisions === "error" && isTaken(name)) {
      const holder = stays(name);
      const other = holder === 0 ? comers.get(`${scope} ${name}`) : handleOf(world, holder);
      refuseTaken(world, other, name, parent);
    }
    const free = freeName(name, isTaken);
    comers.set(`${scope} ${free}`, entity);
    return free === name ? undefined : free;
  });
}

/** @param holder `undefined` for one that would be born at the same time. */
function refuseTaken(
  world: World,
  holder: Entity | undefined,
  name: string,
  parent: Entity | undefined,
): never {
  const scope = parent === undefined ? "the roots" : `the children of ${textOf(world, parent)}`;
  const why =
    holder === undefined
      ? `${quoted(name)} cannot be given to several of ${scope} at once; spawn them one by one`
      : `${quoted(name)} is taken among ${scope}: ${textOf(world, holder)} (e${indexOf(holder)}) has it; ` +
        "choose another name, or rename that one first";
  throw new TreelineError("name-taken", why);
}
