// Which names a document may use (`definitionsByName`, `builtins`); throws `bad-definition` for two of one name.
import {
  ChildOf,
  type Definition,
  Disabled,
  DisabledTree,
  definitions as definitionsIn,
  OrderedChildren,
  Parent,
  TreelineError,
  type World,
} from "@treeline/core";
import { Alias, Label, Name } from "@treeline/names";
import { storedOf } from "./codec.ts";
import { Unknown } from "./unknown.ts";

/**
 * The components and tags of Treeline that a document may name: list them in `definitions` unless the world has used them, like all
 * others. Not known by default, because each of them brings its code into a program.
 */
export const builtins: readonly Definition[] = [Disabled, DisabledTree, OrderedChildren, Alias, Label];

/** Definitions that are members of an entity of their own, or of none. */
export function isStructure(definition: Definition): boolean {
  return definition === Name || definition === ChildOf || definition === Parent || definition === Unknown;
}

/**
 * The definitions that a document may name: those given, and those that the world has used; also by former names, as far as these
 * are not names of others.
 *
 * @throws TreelineError `bad-definition` for two of one name.
 */
export function definitionsByName(
  world: World,
  given: readonly Definition[],
): ReadonlyMap<string, Definition> {
  const all = [...given, ...definitionsIn(world)];
  const byName = new Map<string, Definition>();
  for (const one of new Set(all)) {
    if (typeof one?.name !== "string" || one.kind === undefined)
      throw new TreelineError("bad-definition", "`definitions` lists components, tags and relations");
    if (isStructure(one)) continue;
    if (byName.has(one.name))
      throw new TreelineError(
        "bad-definition",
        `two definitions are named ${one.name}; documents go by names`,
      );
    byName.set(one.name, one);
  }
  for (const one of [...byName.values()])
    for (const name of storedOf(one).formerNames ?? []) if (!byName.has(name)) byName.set(name, one);
  return byName;
}
