/** miniplex's memory: entities are objects of the program, which the world references. */
import { World } from "miniplex";
import { type Growing, type Held, type Holdings, type Layout, sumOfGrown } from "../../memory/holdings.ts";
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

export const holdings: Holdings = { settle, grow };
