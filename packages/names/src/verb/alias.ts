import {
  component,
  type Entity,
  type Move,
  type ObjectComponent,
  TreelineError,
  type World,
  withHooks,
} from "@treeline/core";
import { type EntityIndex, handleOf, indexOf, textOf, worldState } from "@treeline/core/internal";
import { createNameIndex, fileName, findOther, type NameIndex, unfileName } from "../state/name-index.ts";
import { brokenEntries } from "../state/names-invariant.ts";
import { indexFor } from "../state/world-names.ts";
import { quoted, requireName } from "../text/text.ts";
import { namesOf } from "./name.ts";

/**
 * A second name of an entity, unique in its world: `lookup(world, "Player")` finds it wherever it lives, as if it stood
 * among the roots as well. Stays when the entity moves or gets another name; a clone does not get it.
 *
 * `spawn`, `add` and `set` throw TreelineError `bad-name` for what is no legal name and `name-taken` if it is the
 * alias of another entity, or the name of a root (unless the world allows that: then the alias is found). Nothing has
 * changed then.
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
    written: (world, entity, alias) => fileName(aliasesOf(world), indexOf(entity), 0, alias),
    onRemove: (world, entity) => unfileName(aliasesOf(world), indexOf(entity)),
    anyOrder: true,
    identifies: "world",
  },
);

/** The aliases of a world, made with the first one. */
const aliasesOf: (world: World) => NameIndex = /* @__PURE__ */ worldState((world, { invariants }) => {
  const names = namesOf(world);
  const aliases = createNameIndex();
  names.aliases = aliases;
  CHECK: invariants.push((asked) => brokenEntries(asked, aliases, Alias, "an alias"));
  return aliases;
});

function requireFree(world: World, entity: Entity | undefined, alias: string): void {
  requireName(alias);
  const { nameIndex, collisions } = namesOf(world);
  const own = indexFor(entity);
  const holder = findOther(aliasesOf(world), 0, alias, own);
  if (holder !== 0) refuseTaken(world, holder, alias, "alias");
  if (collisions === "allow") return;
  const root = findOther(nameIndex, 0, alias, own);
  if (root !== 0) refuseTaken(world, root, alias, "name");
}

/** Who only moves keeps its alias; of several newborns only one could have it. */
function requireFreeForAll(world: World, moves: readonly Move<string>[]): void {
  for (const { entity, value } of moves) requireFree(world, entity, value);
  const spawned = moves.filter(({ entity }) => entity === undefined);
  if (spawned.length < 2) return;
  throw new TreelineError(
    "name-taken",
    `the alias ${quoted(spawned[0]!.value)} leads to one entity, not to ${spawned.length}; spawn them without it`,
  );
}

function refuseTaken(world: World, holder: EntityIndex, alias: string, as: "alias" | "name"): never {
  const text = textOf(world, handleOf(world, holder));
  throw new TreelineError(
    "name-taken",
    `${quoted(alias)} is taken: ${text} (e${holder}) has it as its ${as}; choose another alias, or change that one first`,
  );
}
