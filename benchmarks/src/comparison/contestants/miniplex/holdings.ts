/** miniplex, weighed: entities are objects of the program's own, kept by the world. */
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
      const { entities: born } = world.with("position", "velocity");
      return sumOfGrown(
        born.length,
        (at) => born[at]!.position.x,
        (at) => born[at]!.velocity.y,
      );
    },
  };
}

export const holdings: Holdings = { settle, grow };
