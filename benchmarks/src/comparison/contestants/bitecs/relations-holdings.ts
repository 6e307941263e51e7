/** The memory of bitECS with its relations. */
import { getRelationTargets } from "bitecs";
import type { Held, Holdings, Layout } from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { grow } from "./list-holdings.ts";
import { gather } from "./loops.ts";
import { attach, ChildOf } from "./relations.ts";
import { makeQueries } from "./world.ts";

/** Ids begin with 1, parents first. */
function settle({ parents, children, queries }: Layout): Held {
  const above = parentsOf(parents, "block", children);
  const { world } = gather(attach, parents, above, (stage) => makeQueries(stage, queries)).stage;
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
