// Checked builds: the paths of the last 1,000 destroyed entities (`keepTexts`), for messages about them.
import { PAIR_DELETES } from "../../id/definition.ts";
import type { Entity } from "../../id/entity.ts";
import { firstPairOf } from "../../id/pair-index.ts";
import { handleAt } from "../../records/entity-index.ts";
import { parentIndexAt, subjectIndexes } from "./targets.ts";
import { type World, worldState } from "./world.ts";

/** How many texts a world keeps, and the most that one destruction leaves. */
const KEPT = 1000;
/** Deeper entities leave none: to destroy a long chain one by one would walk the rest of it each time. */
const DEEPEST = 100;

/** Handle of an entity -> its text before it was destroyed; the oldest first. */
const textsOf = /* @__PURE__ */ worldState(() => new Map<Entity, string>());

/** For development builds: remembers the texts of entities that are about to be destroyed, and of those that go with them. */
export function keepTexts(world: World, indexes: readonly number[]): void {
  const { pairs } = world.graph;
  const texts = textsOf(world);
  const found = new Set(indexes.slice(0, KEPT));
  for (const index of found) {
    if (isDeep(world, index)) continue;
    const entity = handleAt(world.entities, index);
    texts.delete(entity); // so that it becomes the last one
    texts.set(entity, world.textOf(world, entity));
    for (let pair = firstPairOf(pairs, index); pair !== 0; pair = pairs.nextOfTarget[pair]!) {
      if (found.size >= KEPT || (pairs.traits[pair]! & PAIR_DELETES) === 0) continue;
      for (const subject of subjectIndexes(world, pair)) {
        if (found.size < KEPT) found.add(subject);
      }
    }
  }
  for (const oldest of texts.keys()) {
    if (texts.size <= KEPT) break;
    texts.delete(oldest);
  }
}

function isDeep(world: World, index: number): boolean {
  let steps = 0;
  for (let at = index; at !== 0; at = parentIndexAt(world, at)) {
    if (++steps > DEEPEST) return true;
  }
  return false;
}

/** For development builds: the path, or the name, that an entity had when it was destroyed, if that is still known. */
export function lastTextOf(world: World, entity: Entity): string | undefined {
  return textsOf(world).get(entity);
}
