/**
 * Javelin's memory. Its pools are filled beforehand, for all components of one kind in the world: spawns take from them. A spawn
 * is deferred to a tick, which comes after every thousand spawns and belongs to the last of them.
 */

import { type Growing, type Held, type Holdings, type Layout, sumOfGrown } from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { addParents, connectQueries, emptyWorld, Position, spawnMovers, Velocity } from "./world.ts";

const BIRTHS_A_TICK = 1_000;

function settle({ parents, children, queries }: Layout): Held {
  const world = emptyWorld(undefined, children + 1);
  connectQueries(world, queries);
  spawnMovers(world, children);
  const list = addParents(world, parentsOf(parents, "block", children), parents);
  return {
    count: () => {
      const isWhole = world.has(children - 1, Position) && world.has(0, Velocity);
      return isWhole ? list.children.reduce((sum, below) => sum + (below?.length ?? 0), 0) : -1;
    },
  };
}

function grow(entities: number): Growing {
  const world = emptyWorld(undefined, entities + 1);
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        const position = world.component(Position, at % 1024, 0);
        world.spawn(position, world.component(Velocity, 1, 1 + (at % 3)));
        if ((at + 1) % BIRTHS_A_TICK === 0 || at + 1 === entities) world.tick();
        stamp();
      }
    },
    checksum: () =>
      sumOfGrown(
        entities,
        (at) => world.get(at, Position).x,
        (at) => world.get(at, Velocity).y,
      ),
  };
}

export const holdings: Holdings = { settle, grow };
