import { get, has, isAlive, type ObjectComponent, type World } from "@treeline/core";
import { type EntityIndex, entitiesIn, handleOf, hasDefinition } from "@treeline/core/internal";
import { quoted } from "../text/text.ts";
import { findName, type NameBook, nameAt, nextTwin } from "./name-book.ts";
import { type Names, parentIndexAt, rootsByAlias } from "./names.ts";

/**
 * L15: the book of names holds (scope, name) -> e exactly when e is alive, named so, and lives in that scope; that of aliases
 * the same, but they are filed among the roots wherever their entities live.
 */
export function brokenEntries(
  world: World,
  book: NameBook,
  definition: ObjectComponent<string>,
  as: "a name" | "an alias",
): string[] {
  const broken = brokenSlots(book);
  const isAlias = as === "an alias";
  const holders = entitiesIn(world, (archetype) => hasDefinition(archetype, definition));
  for (const index of holders) {
    const value = get(world, handleOf(world, index), definition);
    const filed = nameAt(book, index);
    const kept = book.filed[index * 2]!;
    const scope = isAlias ? 0 : parentIndexAt(world, index);
    if (value !== filed || (isAlias && kept !== scope)) {
      const [has, is] = isAlias ? ["has the alias", "is filed"] : ["is named", "filed"];
      broken.push(`e${index} ${has} ${JSON.stringify(value)} and ${is} as ${JSON.stringify(filed)}`);
    } else if (kept !== scope) broken.push(`e${index} lives below e${scope}, not e${kept}`);
  }
  for (let index = 1; index < book.names.length; index++) {
    const filed = nameAt(book, index);
    const entity = handleOf(world, index);
    if (filed === undefined || (isAlive(world, entity) && has(world, entity, definition))) continue;
    broken.push(`e${index} is filed as ${quoted(filed)} but is dead or has no ${as.split(" ")[1]}`);
  }
  if (holders.length !== book.size) {
    broken.push(`${holders.length} entities have ${as}, ${book.size} are filed`);
  }
  if (isAlias && book.twins.count > 0) broken.push(`${book.twins.count} entities share an alias`);
  return broken.map((text) => `L15: ${text}`);
}

/** L21: no two siblings have one name, and no root has the alias of somebody else, unless the world allows it. */
export function sharedNames({ book, aliases, collisions }: Names): string[] {
  if (collisions === "allow") return [];
  const broken: string[] = [];
  if (book.twins.count > 0) broken.push(`${book.twins.count} entities share the name of a sibling`);
  for (const [index, root] of rootsByAlias(book, aliases)) {
    broken.push(`e${index} has the name of the root e${root} as its alias`);
  }
  return broken.map((text) => `L21: ${text}`);
}

/** Where a book contradicts itself. */
export function brokenSlots(book: NameBook): string[] {
  const broken: string[] = [];
  const places = placesOf(book);
  let size = 0;
  for (let index = 1; index < book.names.length; index++) {
    const name = nameAt(book, index);
    if (name === undefined) continue;
    size++;
    if (places.get(index) !== findName(book, book.filed[index * 2]!, name)) {
      broken.push(`e${index} is not found under its name and scope`);
    }
  }
  if (size !== book.size || places.size !== size || book.used + book.twins.count !== size) {
    broken.push(`${size} entities are filed, ${places.size} are reached, ${book.size} counted`);
  }
  return broken;
}

/** Everybody who is reached through a slot, and the first of those who share its name and scope. */
function placesOf({ slots, twins }: NameBook): Map<EntityIndex, EntityIndex> {
  const places = new Map<EntityIndex, EntityIndex>();
  for (const slot of slots) {
    const first = slot & 0xff_ffff;
    for (let at = first; at !== 0 && !places.has(at); at = nextTwin(twins, at)) places.set(at, first);
  }
  return places;
}
