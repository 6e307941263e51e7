// Children in both storages by rows (`eachChildRows`); the nearest ancestor with a world transform (`nearestAbove`).
import {
  type ArchetypeView,
  archetypeViewAt,
  ChildOf,
  hasDefinition,
  pairCursor,
} from "@treeline/core/internal";
import type { SpaceState } from "./space.ts";

/** What it takes to read children. */
export type ChildCursors = Pick<SpaceState, "world" | "subjects">;

/** Passes the children of an entity, in both storages, as rows `first <= row < end`. A call must not begin inside another. */
export function eachChildRows(
  { world, subjects }: ChildCursors,
  index: number,
  call: (archetype: ArchetypeView, first: number, end: number) => void,
): void {
  const pair = pairCursor(world).find(ChildOf, index);
  if (pair === 0) return;
  for (subjects.ofPair(pair); subjects.nextRows(); ) call(subjects.archetype, subjects.first, subjects.end);
}

/** The index of the nearest ancestor with a world transform, of an entity with a pair of `ChildOf`, or with none (0); 0 for none. */
export function nearestAbove({ world, space }: SpaceState, pair: number): number {
  const pairs = pairCursor(world);
  for (let next = pair; next !== 0; ) {
    const above = pairs.target(next);
    if (hasDefinition(archetypeViewAt(world, above), space.world)) return above;
    next = pairs.at(above, ChildOf);
  }
  return 0;
}
