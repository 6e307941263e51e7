/**
 * Javelin's memory. Its pools are filled beforehand, for all components of one kind in the world: spawns take from them. A spawn
 * is deferred to a tick, which comes after every thousand spawns and belongs to the last of them.
 */

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
  addParents,
  connectQueries,
  emptyWorld,
  Position,
  spawnMovers,
  Tag,
  Velocity,
} from "./world.ts";

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

/** Pools are of one size for all components: that of those which all have. */
function equip({ roots, extra, every }: Equipment): Held {
  const types = { nothing: [], tag: [Tag], component: [Aim] };
  const world = emptyWorld(undefined, roots + 1, [Position, Velocity, ...types[extra]]);
  spawnMovers(world, roots);
  world.tick();
  for (let at = 0; at < roots && extra !== "nothing"; at += every) {
    world.attach(at, extra === "tag" ? world.component(Tag) : world.component(Aim, 2, 3));
  }
  world.tick();
  const [type = Position] = types[extra];
  return {
    count: () => {
      let count = 0;
      for (let at = 0; at < roots; at++) if (world.has(at, type)) count++;
      return count;
    },
  };
}

export const holdings: Holdings = { settle, equip, grow };
