// Checks the indexes of names and aliases (`brokenEntries`, `sharedNames`).
import { get, has, isAlive, type ObjectComponent, type World } from "@treeline/core";
import { type EntityIndex, entitiesIn, handleOf, hasDefinition } from "@treeline/core/internal";
import { quoted } from "../text/text.ts";
import { findName, type NameIndex, nameAt, nextDuplicate } from "./name-index.ts";
import { type Names, rootsByAlias, scopeInWorld } from "./world-names.ts";

/**
 * I15: the index of names has (scope, name) -> e exactly when e is alive, has that name, and is in that scope; the index of
 * the same for aliases, but with the scope of the roots wherever the entity is.
 */
export function brokenEntries(
  world: World,
  nameIndex: NameIndex,
  definition: ObjectComponent<string>,
  as: "a name" | "an alias",
  names: Names,
): string[] {
  const broken = brokenSlots(nameIndex);
  const isAlias = as === "an alias";
  const entities = entitiesIn(world, (archetype) => hasDefinition(archetype, definition));
  for (const index of entities) {
    const value = get(world, handleOf(world, index), definition);
    const indexed = nameAt(nameIndex, index);
    const kept = nameIndex.entries[index * 2]!;
    const scope = isAlias ? 0 : scopeInWorld(world, names, index);
    if (value !== indexed || (isAlias && kept !== scope)) {
      const [has, is] = isAlias ? ["has the alias", "is indexed"] : ["is named", "indexed"];
      broken.push(`#${index} ${has} ${JSON.stringify(value)} and ${is} as ${JSON.stringify(indexed)}`);
    } else if (kept !== scope) broken.push(`#${index} is below #${scope}, not #${kept}`);
  }
  for (let index = 1; index < nameIndex.names.length; index++) {
    const indexed = nameAt(nameIndex, index);
    const entity = handleOf(world, index);
    if (indexed === undefined || (isAlive(world, entity) && has(world, entity, definition))) continue;
    broken.push(`#${index} is indexed as ${quoted(indexed)} but is not alive or has no ${as.split(" ")[1]}`);
  }
  if (entities.length !== nameIndex.size) {
    broken.push(`${entities.length} entities have ${as}, ${nameIndex.size} are indexed`);
  }
  if (isAlias && nameIndex.duplicates.count > 0)
    broken.push(`${nameIndex.duplicates.count} entities share an alias`);
  return broken.map((text) => `I15: ${text}`);
}

/** I21: no two siblings have the same name, and no root is named like the alias of another entity, unless the world allows it. */
export function sharedNames({ nameIndex, aliases, collisions }: Names): string[] {
  if (collisions === "allow") return [];
  const broken: string[] = [];
  if (nameIndex.duplicates.count > 0)
    broken.push(`${nameIndex.duplicates.count} entities share the name of a sibling`);
  for (const [index, root] of rootsByAlias(nameIndex, aliases)) {
    broken.push(`#${index} has the name of the root #${root} as its alias`);
  }
  return broken.map((text) => `I21: ${text}`);
}

/** Where an index contradicts itself. */
export function brokenSlots(nameIndex: NameIndex): string[] {
  const broken: string[] = [];
  const places = placesOf(nameIndex);
  let size = 0;
  for (let index = 1; index < nameIndex.names.length; index++) {
    const name = nameAt(nameIndex, index);
    if (name === undefined) continue;
    size++;
    if (places.get(index) !== findName(nameIndex, nameIndex.entries[index * 2]!, name)) {
      broken.push(`#${index} is not found under its name and scope`);
    }
  }
  if (
    size !== nameIndex.size ||
    places.size !== size ||
    nameIndex.used + nameIndex.duplicates.count !== size
  ) {
    broken.push(`${size} entities are indexed, ${places.size} are reached, ${nameIndex.size} counted`);
  }
  return broken;
}

/** Each entity that is reached through a slot -> the first entity with its name and scope. */
function placesOf({ slots, duplicates }: NameIndex): Map<EntityIndex, EntityIndex> {
  const places = new Map<EntityIndex, EntityIndex>();
  for (const slot of slots) {
    const first = slot & 0xff_ffff;
    for (let at = first; at !== 0 && !places.has(at); at = nextDuplicate(duplicates, at))
      places.set(at, first);
  }
  return places;
}
