/** koota's memory: worlds grow by themselves. */
import { getStore, trait } from "koota";
import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { ChildOf, createOnlyWorld, gather, makeQueries, Position, spawnMoving, Velocity } from "./world.ts";

function settle({ parents, children, queries }: Layout): Held {
  const above = parentsOf(parents, "block", children);
  const { world } = gather(parents, above, false, (fresh) => makeQueries(fresh, queries));
  return {
    count: () => {
      return world
        .query(Position)
        .reduce((sum, child) => sum + Number(child.targetFor(ChildOf) !== undefined), 0);
    },
  };
}

function grow(entities: number): Growing {
  const world = createOnlyWorld();
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        world.spawn(Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }));
        stamp();
      }
    },
    checksum: () => {
      const spawned = world.query(Position, Velocity);
      const { x } = getStore(world, Position);
      const { y } = getStore(world, Velocity);
      return sumOfGrown(
        spawned.length,
        (at) => x[spawned[at]!.id()]!,
        (at) => y[spawned[at]!.id()]!,
      );
    },
  };
}

const Marked = trait();
const Aim = trait({ x: 0, y: 0 });

function equip({ roots, extra, every }: Equipment): Held {
  const world = createOnlyWorld();
  for (let at = 0; at < roots; at++) {
    const root = spawnMoving(world, at);
    if (extra !== "nothing" && at % every === 0) root.add(extra === "tag" ? Marked : Aim({ x: 2, y: 3 }));
  }
  const traits = { nothing: Position, tag: Marked, component: Aim };
  return { count: () => world.query(traits[extra]).length };
}

export const holdings: Holdings = { settle, equip, grow };
