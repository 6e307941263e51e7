/** miniplex's memory: entities are objects of the program, which the world references. */
import { World } from "miniplex";
import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { addParents, connectQueries, type Entity, moversIn } from "./subjects.ts";

function settle({ parents, children, queries }: Layout): Held {
  const world = new World<Entity>();
  connectQueries(world, queries);
  moversIn(world, children);
  const list = addParents(world, parentsOf(parents, "block", children), parents);
  return {
    count: () => {
      const isWhole = world.size === parents + children;
      return isWhole ? list.children.reduce((sum, below) => sum + (below?.length ?? 0), 0) : -1;
    },
  };
}

function grow(entities: number): Growing {
  const world = new World<Entity>();
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        world.add({ position: { x: at % 1024, y: 0 }, velocity: { x: 1, y: 1 + (at % 3) } });
        stamp();
      }
    },
    checksum: () => {
      const { entities: spawned } = world.with("position", "velocity");
      return sumOfGrown(
        spawned.length,
        (at) => spawned[at]!.position.x,
        (at) => spawned[at]!.velocity.y,
      );
    },
  };
}

function equip({ roots, extra, every }: Equipment): Held {
  const world = new World<Entity>();
  moversIn(world, roots).forEach((mover, at) => {
    if (at % every !== 0) return;
    if (extra === "tag") world.addComponent(mover, "tag", true);
    if (extra === "component") world.addComponent(mover, "aim", { x: 2, y: 3 });
  });
  const keys = { nothing: "position", tag: "tag", component: "aim" } as const;
  return { count: () => world.entities.filter((entity) => entity[keys[extra]] !== undefined).length };
}

export const holdings: Holdings = { settle, equip, grow };
