// `Alias`: unique in a world, also among names of roots; throws `name-taken` for an alias that another entity has.
import {
  component,
  type Entity,
  type Hooks,
  type Move,
  type ObjectComponent,
  TreelineError,
  type World,
  withHooks,
} from "@treeline/core";
import { type EntityIndex, handleOf, indexOf, textOf, worldState } from "@treeline/core/internal";
import { createNameIndex, findOther, insertName, type NameIndex, removeName } from "../state/name-index.ts";
import { brokenEntries } from "../state/names-invariant.ts";
import { indexFor } from "../state/world-names.ts";
import { quoted, requireName } from "../text/text.ts";
import { Name, namesOf } from "./name.ts";

/**
 * A second name of an entity, unique in its world: `lookup(world, "Player")` finds the entity wherever it is, as if it were
 * also a root. The alias stays when the entity moves or gets another name; a clone does not get it.
 *
 * `spawn`, `add` and `set` throw TreelineError `bad-name` for an alias that is not a legal name, and `name-taken` if it is
 * the alias of another entity, or the name of a root (unless the world allows that: then look-ups find the alias). Nothing
 * has changed then. Entities that get names and aliases in one call of `spawnRows` or `addMany` are compared with one another: a root
 * that would have the alias of another one as its name is refused, also where the world adds suffixes.
 *
 * @example
 * set(world, hero, Alias, "Player");
 * lookup(world, "Player::Hand") === lookup(world, "Level 3::Spawns::Hero::Hand");
 */
export const Alias: ObjectComponent<string> = /* @__PURE__ */ withHooks(
  /* @__PURE__ */ component<string>("Alias"),
  {
    check: requireFree,
    checkMoves: requireFreeForAll,
    checkAll: requireApart,
    written: (world, entity, alias) => insertName(aliasesOf(world), indexOf(entity), 0, alias),
    onRemove: (world, entity) => removeName(aliasesOf(world), indexOf(entity)),
    anyOrder: true,
    identifies: "world",
  } as Hooks<string>, // `checkAll` is internal: see `InnerHooks` of core
);

/** The aliases of a world, created with the first one. */
const aliasesOf: (world: World) => NameIndex = /* @__PURE__ */ worldState((world, { invariants }) => {
  const names = namesOf(world);
  const aliases = createNameIndex();
  names.aliases = aliases;
  CHECK: invariants.push((inWorld) => brokenEntries(inWorld, aliases, Alias, "an alias", names));
  return aliases;
});

function requireFree(world: World, entity: Entity | undefined, alias: string): void {
  requireName(alias);
  const { nameIndex, collisions } = namesOf(world);
  const own = indexFor(entity);
  const other = findOther(aliasesOf(world), 0, alias, own);
  if (other !== 0) refuseTaken(world, other, alias, "alias");
  if (collisions === "allow") return;
  const root = findOther(nameIndex, 0, alias, own);
  if (root !== 0) refuseTaken(world, root, alias, "name");
}

/** Entities that only move keep their aliases, and those that are spawned together may have different ones. */
function requireFreeForAll(world: World, moves: readonly Move<string>[]): void {
  const aliases = new Set<string>();
  for (const { entity, value } of moves) {
    requireFree(world, entity, value);
    aliases.add(value);
  }
  if (aliases.size === moves.length) return;
  throw new TreelineError(
    "name-taken",
    `the alias ${quoted(moves[0]!.value)} belongs to one entity, not to ${moves.length}; leave it out`,
  );
}

/** A value that an entity will have. */
interface Change {
  readonly definition: object;
  readonly value: unknown;
  readonly parent: Entity | undefined;
}

/** Among entities that get aliases and names together, no root may have the alias of another one as its name. */
function requireApart(world: World, changes: readonly (readonly Change[])[]): void {
  if (namesOf(world).collisions === "allow") return;
  const places = new Map<unknown, number>();
  for (const [place, own] of changes.entries())
    for (const { definition, value } of own) if (definition === Alias) places.set(value, place);
  for (const [place, own] of changes.entries()) {
    for (const { definition, value, parent } of own) {
      if (definition !== Name || parent !== undefined || (places.get(value) ?? place) === place) continue;
      throw new TreelineError(
        "name-taken",
        `${quoted(value as string)} would be the alias of one entity and the name of another root; choose another alias`,
      );
    }
  }
}

function refuseTaken(world: World, other: EntityIndex, alias: string, as: "alias" | "name"): never {
  const text = textOf(world, handleOf(world, other));
  throw new TreelineError(
    "name-taken",
    `${quoted(alias)} is taken: ${text} (#${other}) has it as its ${as}; choose another alias, or change that one first`,
  );
}
