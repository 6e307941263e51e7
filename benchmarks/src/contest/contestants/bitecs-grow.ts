/** bitECS with its relations, weighed. */
import { getRelationTargets } from "bitecs";
import { parentsOf } from "../inputs.ts";
import type { Held, Holdings, Layout } from "../weigh-holdings.ts";
import { attach, ChildOf } from "./bitecs.ts";
import { grow } from "./bitecs-list-grow.ts";
import { gather } from "./bitecs-visits.ts";
import { askMany } from "./bitecs-world.ts";

/** Ids begin with 1, parents first. */
function settle({ parents, children, queries }: Layout): Held {
  const above = parentsOf(parents, "block", children);
  const { world } = gather(attach, parents, above, (stage) => askMany(stage, queries)).stage;
  return {
    count: () => {
      let count = 0;
      for (let child = parents + 1; child <= parents + children; child++) {
        count += getRelationTargets(world, child, ChildOf).length;
      }
      return count;
    },
  };
}

export const holdings: Holdings = { settle, grow };
