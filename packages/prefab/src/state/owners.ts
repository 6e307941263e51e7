// Which entity has the value that another one inherits (`ownersOf`); which are linked to what (`eachLinked`).
import type { Definition, Entity, World } from "@treeline/core";
import {
  type ArchetypeView,
  archetypesOfDefinition,
  archetypeViewAt,
  columnsOf,
  handleOf,
  hasDefinition,
  indexOf,
  inherits,
  runsOf,
} from "@treeline/core/internal";
import { Link } from "../base/definitions.ts";
import { linkAt, numbersOf, ownersFor, partIndexes } from "./part-records.ts";

/** See `TemplateWork`. */
export function ownersOf(world: World, definition: Definition): Int32Array {
  return ownersFor(world, definition.id, (indexes) =>
    indexes.map((index) => ownerFrom(world, index, definition)),
  );
}

/** The index of the nearest of a part and what it is linked to in turn that has a value of its own; 0 if none has. */
function ownerFrom(world: World, part: number, definition: Definition): number {
  const indexes = partIndexes(world);
  let index = part;
  while (index !== 0) {
    const archetype = archetypeViewAt(world, index);
    if (!hasDefinition(archetype, definition)) return 0;
    if (!inherits(archetype, definition)) return index;
    index = indexes[linkAt(world, index)]!;
  }
  return 0;
}

export function ownerOf(world: World, index: number, definition: Definition): number {
  return ownersOf(world, definition)[linkAt(world, index)] ?? 0;
}

/** See `TemplateWork`. */
export function partAt(world: World, index: number): number {
  return partIndexes(world)[linkAt(world, index)] ?? 0;
}

/** Is there something to inherit for an entity? Its part has the component, or inherits it. */
export function shares(world: World, index: number, definition: Definition): boolean {
  const part = partAt(world, index);
  return (
    part !== 0 &&
    definition.onInstantiate === "inherit" &&
    hasDefinition(archetypeViewAt(world, part), definition)
  );
}

/**
 * The entities that are linked to a part by any of its numbers, in the order of archetypes and rows. A new list.
 *
 * @cost all links.
 */
export function linkedTo(world: World, part: Entity): Entity[] {
  const numbers = numbersOf(world, part);
  const found: Entity[] = [];
  if (numbers.length > 0)
    eachLinked(world, (index, number) => {
      if (numbers.includes(number)) found.push(handleOf(world, index));
    });
  return found;
}

/** Calls back with the runs of rows that are linked to prefabs, and that have a component, if one is given. */
export function eachLinkedRun(
  world: World,
  callback: (archetype: ArchetypeView, links: Uint32Array, first: number, end: number) => void,
): void {
  for (const archetype of archetypesOfDefinition(world, Link)) {
    if (archetype.rows === 0) continue;
    const { part } = columnsOf(archetype, Link) as { readonly part: Uint32Array };
    const { bounds, length } = runsOf(archetype);
    for (let at = 0; at < length; at += 2) callback(archetype, part, bounds[at]!, bounds[at + 1]!);
  }
}

/** Calls back with all entities that are linked, and their numbers. It must change no table. */
export function eachLinked(world: World, callback: (index: number, number: number) => void): void {
  eachLinkedRun(world, ({ lanes }, links, first, end) => {
    for (let row = first; row < end; row++) callback(lanes.i32[row]!, links[row]!);
  });
}

/**
 * By number, the entities that are linked by it. A new map.
 *
 * @cost all rows that are linked.
 */
export function linkedByNumber(world: World): Map<number, Entity[]> {
  const found = new Map<number, Entity[]>();
  eachLinked(world, (index, number) => {
    const list = found.get(number);
    if (list === undefined) found.set(number, [handleOf(world, index)]);
    else list.push(handleOf(world, index));
  });
  return found;
}

/** See `TemplateWork`. */
export function inheritorsOf(world: World, index: number, definition: Definition): number[] {
  const found: number[] = [];
  for (const parts = [index]; parts.length > 0; ) {
    for (const entity of linkedTo(world, handleOf(world, parts.pop()!))) {
      const own = indexOf(entity);
      if (!inherits(archetypeViewAt(world, own), definition) || found.includes(own)) continue;
      found.push(own);
      parts.push(own);
    }
  }
  return found;
}
