import type { Entity, World } from "@treeline/core";
import { archetypesOfDefinition, columnsOf, handleOf, runsOf } from "@treeline/core/internal";
import { Link } from "../base/definitions.ts";

type Archetype = ReturnType<typeof archetypesOfDefinition>[number];

/** Calls back with the runs of rows that are linked to prefabs, and that have a component, if one is given. */
export function eachLinkedRun(
  world: World,
  callback: (archetype: Archetype, links: Uint32Array, first: number, end: number) => void,
): void {
  for (const archetype of archetypesOfDefinition(world, Link)) {
    if (archetype.rows === 0) continue;
    const { part } = columnsOf(archetype, Link) as { readonly part: Uint32Array };
    const { bounds, length } = runsOf(archetype);
    for (let at = 0; at < length; at += 2) callback(archetype, part, bounds[at]!, bounds[at + 1]!);
  }
}

/** By number, the entities that are linked by it. A new map. Cost: all rows that are linked. */
export function linkedByNumber(world: World): Map<number, Entity[]> {
  const found = new Map<number, Entity[]>();
  eachLinkedRun(world, ({ lanes }, links, first, end) => {
    for (let row = first; row < end; row++) {
      const list = found.get(links[row]!);
      const entity = handleOf(world, lanes.i32[row]!);
      if (list === undefined) found.set(links[row]!, [entity]);
      else list.push(entity);
    }
  });
  return found;
}
