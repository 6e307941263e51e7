import { get, has, isAlive, type ObjectComponent, type World } from "@treeline/core";
import { handleOf } from "@treeline/core/internal";
import { quoted } from "../text/text.ts";
import { brokenEntries, nameAt, textAt } from "./name-book.ts";
import { holdersOf, type Names, parentIndexAt, rootsByAlias } from "./names.ts";

/** L15: the name book holds (scope, name) -> e exactly when e is alive, named so, and lives in that scope. */
export function brokenNames(world: World, names: Names, name: ObjectComponent<string>): string[] {
  const { book } = names;
  const broken = brokenEntries(book);
  let named = 0;
  for (const index of holdersOf(world, name)) {
    named++;
    broken.push(...brokenEntryOf(world, names, name, index));
  }
  for (let index = 1; index * 2 < book.filed.length; index++) {
    if (textAt(book, index) === 0) continue;
    const entity = handleOf(world, index);
    if (isAlive(world, entity) && has(world, entity, name)) continue;
    broken.push(`e${index} is filed as ${quoted(nameAt(book, index)!)} but is dead or has no name`);
  }
  if (named !== book.size) broken.push(`${named} entities have a name, ${book.size} are filed`);
  return broken.map((text) => `L15: ${text}`);
}

/** L21: no two siblings have one name, and no root has the alias of somebody else, unless the world allows it. */
export function sharedNames({ book, aliases, collisions }: Names): string[] {
  if (collisions === "allow") return [];
  const broken: string[] = [];
  if (book.twins.count > 0) broken.push(`${book.twins.count} entities share the name of a sibling`);
  for (const [index, root] of aliases === undefined ? [] : rootsByAlias(book, aliases)) {
    broken.push(`e${index} has the name of the root e${root} as its alias`);
  }
  return broken.map((text) => `L21: ${text}`);
}

function brokenEntryOf(
  world: World,
  { book }: Names,
  definition: ObjectComponent<string>,
  index: number,
): string[] {
  const name = get(world, handleOf(world, index), definition);
  const filed = nameAt(book, index);
  if (filed === undefined || name !== filed) {
    return [`e${index} is named ${JSON.stringify(name)} and filed as ${JSON.stringify(filed)}`];
  }
  const scope = parentIndexAt(world, index);
  const kept = book.filed[index * 2]!;
  return kept === scope ? [] : [`e${index} lives below e${scope}, not e${kept}`];
}

/** The same for aliases, which are filed among the roots wherever their entities live. */
export function brokenAliases(world: World, names: Names, alias: ObjectComponent<string>): string[] {
  const book = names.aliases!;
  const broken = brokenEntries(book);
  const holders = holdersOf(world, alias);
  for (const index of holders) {
    const value = get(world, handleOf(world, index), alias);
    const filed = nameAt(book, index);
    if (filed === value && book.filed[index * 2] === 0) continue;
    broken.push(`e${index} has the alias ${JSON.stringify(value)} and is filed as ${JSON.stringify(filed)}`);
  }
  if (holders.length !== book.size || book.twins.count > 0) {
    broken.push(
      `${holders.length} entities have an alias, ${book.size} are filed, ${book.twins.count} share one`,
    );
  }
  return broken.map((text) => `L15: ${text}`);
}
