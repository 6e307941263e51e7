import { get, has, isAlive, type ObjectComponent, type World } from "@treeline/core";
import { type EntityIndex, entitiesIn, handleOf, hasDefinition } from "@treeline/core/internal";
import { quoted } from "../text/text.ts";
import { findName, type NameIndex, nameAt, nextTwin } from "./name-index.ts";
import { type Names, parentIndexAt, rootsByAlias } from "./world-names.ts";

/**
 * L15: the book of names holds (scope, name) -> e exactly when e is alive, named so, and lives in that scope; that of aliases
 * the same, but they are filed among the roots wherever their entities live.
 */
export function brokenEntries(
  world: World,
  nameIndex: NameIndex,
  definition: ObjectComponent<string>,
  as: "a name" | "an alias",
): string[] {
  const broken = brokenSlots(nameIndex);
  const isAlias = as === "an alias";
  const holders = entitiesIn(world, (archetype) => hasDefinition(archetype, definition));
  for (const index of holders) {
    const value = get(world, handleOf(world, index), definition);
    const filed = nameAt(nameIndex, index);
    const kept = nameIndex.filed[index * 2]!;
    const scope = isAlias ? 0 : parentIndexAt(world, index);
    if (value !== filed || (isAlias && kept !== scope)) {
      const [has, is] = isAlias ? ["has the alias", "is filed"] : ["is named", "filed"];
      broken.push(`e${index} ${has} ${JSON.stringify(value)} and ${is} as ${JSON.stringify(filed)}`);
    } else if (kept !== scope) broken.push(`e${index} lives below e${scope}, not e${kept}`);
  }
  for (let index = 1; index < nameIndex.names.length; index++) {
    const filed = nameAt(nameIndex, index);
    const entity = handleOf(world, index);
    if (filed === undefined || (isAlive(world, entity) && has(world, entity, definition))) continue;
    broken.push(`e${index} is filed as ${quoted(filed)} but is dead or has no ${as.split(" ")[1]}`);
  }
  if (holders.length !== nameIndex.size) {
    broken.push(`${holders.length} entities have ${as}, ${nameIndex.size} are filed`);
  }
  if (isAlias && nameIndex.twins.count > 0) broken.push(`${nameIndex.twins.count} entities share an alias`);
  return broken.map((text) => `L15: ${text}`);
}

/** L21: no two siblings have one name, and no root has the alias of somebody else, unless the world allows it. */
export function sharedNames({ nameIndex, aliases, collisions }: Names): string[] {
  if (collisions === "allow") return [];
  const broken: string[] = [];
  if (nameIndex.twins.count > 0) broken.push(`${nameIndex.twins.count} entities share the name of a sibling`);
  for (const [index, root] of rootsByAlias(nameIndex, aliases)) {
    broken.push(`e${index} has the name of the root e${root} as its alias`);
  }
  return broken.map((text) => `L21: ${text}`);
}

/** Where a book contradicts itself. */
export function brokenSlots(nameIndex: NameIndex): string[] {
  const broken: string[] = [];
  const places = placesOf(nameIndex);
  let size = 0;
  for (let index = 1; index < nameIndex.names.length; index++) {
    const name = nameAt(nameIndex, index);
    if (name === undefined) continue;
    size++;
    if (places.get(index) !== findName(nameIndex, nameIndex.filed[index * 2]!, name)) {
      broken.push(`e${index} is not found under its name and scope`);
    }
  }
  if (size !== nameIndex.size || places.size !== size || nameIndex.used + nameIndex.twins.count !== size) {
    broken.push(`${size} entities are filed, ${places.size} are reached, ${nameIndex.size} counted`);
  }
  return broken;
}

/** Everybody who is reached through a slot, and the first of those who share its name and scope. */
function placesOf({ slots, twins }: NameIndex): Map<EntityIndex, EntityIndex> {
  const places = new Map<EntityIndex, EntityIndex>();
  for (const slot of slots) {
    const first = slot & 0xff_ffff;
    for (let at = first; at !== 0 && !places.has(at); at = nextTwin(twins, at)) places.set(at, first);
  }
  return places;
}
