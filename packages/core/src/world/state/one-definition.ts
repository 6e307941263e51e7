// Checked builds: refuses, with `bad-definition`, a second definition of a name in a world (`requireOneOfEachName`).
import { refuseDefinition } from "../../base/error.ts";
import { isInternal } from "../../id/builtins.ts";
import { type Definition, Is } from "../../id/definition.ts";
import { type World, worldState } from "./world.ts";

/** The definitions that a world has used, by name. */
interface Used {
  readonly byName: Map<string, Definition>;
  /** How many archetypes of the world have been searched for definitions. */
  archetypes: number;
}

const usedOf = /* @__PURE__ */ worldState((): Used => ({ byName: new Map(), archetypes: 0 }));

/**
 * For development builds. Two definitions of one name in one world are almost always one definition that was made twice; then
 * entities have one, and queries look for the other.
 *
 * @param all the definitions that an entity is about to get.
 * @throws TreelineError `bad-definition` if the world has used another definition with the name of one of them, or two of them
 *   have one name.
 */
export function requireOneOfEachName(world: World, all: readonly Definition[]): void {
  const used = usedOf(world);
  const { archetypes } = world.graph;
  while (used.archetypes < archetypes.length) {
    for (const one of archetypes[used.archetypes]!.definitions) note(used, one);
    used.archetypes++;
  }
  for (const one of all) {
    const other = used.byName.get(one.name) ?? all.find(({ name }) => name === one.name)!;
    if (other !== one && one !== Is && !isInternal(one)) refuseSecond(one);
  }
}

/** For development builds: a definition that no archetype may have is used. */
export function noteUse(world: World, definition: Definition): void {
  note(usedOf(world), definition);
}

function note({ byName }: Used, definition: Definition): void {
  if (definition !== Is && !isInternal(definition)) byName.set(definition.name, definition);
}

function refuseSecond({ name, kind }: Definition): never {
  refuseDefinition(
    `this world has used another definition named ${name}: make each ${kind} once, at module level, and import it everywhere. ` +
      "Two copies of a package in one bundle make two, and so does a module that hot reload runs again: a new world works with " +
      "the new definitions. If they are two things, give them two names",
  );
}
