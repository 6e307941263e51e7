/** bitECS's memory: values are in arrays of the program, allocated for all entities. */
import { addComponent, addEntity, asBuffer, getAllEntities, query, registerComponents } from "bitecs";
import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { attach, createChildList } from "../../workloads/child-list.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { gather } from "./loops.ts";
import { addMoving, createStage, makeQueries, planeOf } from "./world.ts";

function settle({ parents, children, queries }: Layout): Held {
  const list = createChildList(parents + children + 1);
  const { world } = gather(
    (_, child, parent) => attach(list, child, parent),
    parents,
    parentsOf(parents, "block", children),
    (stage) => makeQueries(stage, queries),
  ).stage;
  return {
    count: () => {
      const isWhole = getAllEntities(world).length === parents + children;
      return isWhole ? list.children.reduce((sum, below) => sum + (below?.length ?? 0), 0) : -1;
    },
  };
}

export function grow(entities: number): Growing {
  const { world, Position, Velocity } = createStage(entities);
  const { x: px, y: py } = Position;
  const { x: vx, y: vy } = Velocity;
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        const entity = addEntity(world);
        addComponent(world, entity, Position);
        px[entity] = at % 1024;
        py[entity] = 0;
        addComponent(world, entity, Velocity);
        vx[entity] = 1;
        vy[entity] = 1 + (at % 3);
        stamp();
      }
    },
    checksum: () => {
      const spawned = query(world, [Position, Velocity], asBuffer);
      return sumOfGrown(
        spawned.length,
        (at) => px[spawned[at]!]!,
        (at) => vy[spawned[at]!]!,
      );
    },
  };
}

/** Values of the extra are in arrays of the program as well. */
export function equip({ roots, extra, every }: Equipment): Held {
  const stage = createStage(roots);
  const { world, Position } = stage;
  const aim = extra === "component" ? planeOf(roots) : undefined;
  const added = aim ?? (extra === "tag" ? {} : undefined);
  if (added !== undefined) registerComponents(world, [added]);
  for (let at = 0; at < roots; at++) {
    const root = addMoving(stage, at);
    if (added === undefined || at % every !== 0) continue;
    addComponent(world, root, added);
    if (aim === undefined) continue;
    aim.x[root] = 2;
    aim.y[root] = 3;
  }
  return { count: () => query(world, [added ?? Position], asBuffer).length };
}

export const holdings: Holdings = { settle, equip, grow };
