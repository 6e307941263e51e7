import { shapeWith } from "../graph/edges.ts";
import { roomyTableFor } from "../graph/table-graph.ts";
import { ChildOf, isInternal } from "../id/builtins.ts";
import { type Entity, indexOf } from "../id/entity.ts";
import { isLiving } from "../records/entity-index.ts";
import { bitTagsAt, turnBit } from "./bit-tags.ts";
import { changeType } from "./change-type.ts";
import { foresee, hasListeners, tellAll } from "./facts.ts";
import { withFollowers } from "./followers.ts";
import { tellRemoved } from "./hook-calls.ts";
import { enqueue, insideVisit, mustQueue, whileChanging } from "./lock.ts";
import { followTarget } from "./pair.ts";
import { requireAlive } from "./require.ts";
import { shapeAt } from "./values.ts";
import type { World } from "./world.ts";

/**
 * Takes everything off an entity: components, tags, pairs, its parent and its name. It stays alive, its handle stays
 * good, and its children stay its children.
 *
 * @throws TreelineError `dead-entity` if the entity is not alive; `visiting` in a strict world inside a visit, else it
 *   waits for the end of that.
 */
export function clear(world: World, entity: Entity): void {
  requireAlive(world, entity);
  if (world.visits !== 0 && mustQueue(world)) {
    enqueue(world, indexOf(entity), () => {
      if (isLiving(world.entities, entity)) clearNow(world, indexOf(entity));
    });
  } else clearNow(world, indexOf(entity));
}

function clearNow(world: World, index: number): void {
  const { graph, entities } = world;
  const shape = shapeAt(world, index);
  let bare = graph.root;
  for (const definition of shape.definitions) {
    if (isInternal(definition)) bare = shapeWith(graph, bare, definition);
  }
  const from = entities.table[index]!;
  const to = roomyTableFor(graph, bare, 0, 1, from);
  const tags = bitTagsAt(world, index);
  if (to === from && tags.length === 0) return;
  const change = (): void => {
    world.orders.delete(index);
    for (const tag of tags) turnBit(world, index, tag, false);
    if (to !== from) changeType(world, index, to, 0);
    for (const relation of new Set(shape.definitions)) {
      if (relation.keepsDepth && relation !== ChildOf) followTarget(world, relation, index, 0);
    }
  };
  if (shape.hooked.length === 0 && !hasListeners(world)) {
    withFollowers(world, index, to, 0, change);
    return;
  }
  insideVisit(world, () =>
    withFollowers(world, index, to, 0, () =>
      whileChanging(world, () => {
        tellAll(world, foresee(world, index, from, to, 0, []).removed);
        tellRemoved(world, index, shape.hooked);
        change();
      }),
    ),
  );
}
