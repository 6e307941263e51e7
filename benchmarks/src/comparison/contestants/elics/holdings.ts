/** elics's memory: a world needs the number of entities beforehand. */

import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import {
  Aim,
  addMovers,
  addParents,
  Position,
  registerQueries,
  Tag,
  Velocity,
  worldFor,
} from "./subjects.ts";

function settle({ parents, children, queries }: Layout): Held {
  const world = worldFor(children + parents);
  registerQueries(world, queries);
  addMovers(world, children);
  const list = addParents(world, parentsOf(parents, "block", children), parents);
  return {
    count: () => {
      const { entities } = world.queryManager.registerQuery({ required: [Position, Velocity] });
      const below = list.children.reduce((sum, childList) => sum + (childList?.length ?? 0), 0);
      return entities.size === below ? below : -1;
    },
  };
}

function grow(entities: number): Growing {
  const world = worldFor(entities);
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        world
          .createEntity()
          .addComponent(Position, { x: at % 1024, y: 0 })
          .addComponent(Velocity, { x: 1, y: 1 + (at % 3) });
        stamp();
      }
    },
    checksum: () => {
      const { x } = Position.data;
      const { y } = Velocity.data;
      const spawned = world.queryManager.registerQuery({ required: [Position, Velocity] }).entities.size;
      return sumOfGrown(
        spawned,
        (at) => x[at]!,
        (at) => y[at]!,
      );
    },
  };
}

function equip({ roots, extra, every }: Equipment): Held {
  const world = worldFor(roots);
  addMovers(world, roots).forEach((mover, at) => {
    if (at % every !== 0) return;
    if (extra === "tag") mover.addComponent(Tag);
    if (extra === "component") mover.addComponent(Aim, { x: 2, y: 3 });
  });
  const required = { nothing: Position, tag: Tag, component: Aim };
  return { count: () => world.queryManager.registerQuery({ required: [required[extra]] }).entities.size };
}

export const holdings: Holdings = { settle, equip, grow };
