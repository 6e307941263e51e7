/** oecs's memory: columns of archetypes double, nothing is reserved. */

import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { type Archetype, createStage, makeQueries, planeIn, settle as settleOn, spawnerOf } from "./stage.ts";

function settle({ parents, children, queries }: Layout): Held {
  const stage = createStage(children + parents);
  makeQueries(stage, queries);
  settleOn(stage, children, parents, parentsOf(parents, "block", children));
  return {
    count: () => {
      const below = stage.list.children.reduce((sum, childList) => sum + (childList?.length ?? 0), 0);
      return stage.world.query(stage.position, stage.velocity).count() === below ? below : -1;
    },
  };
}

function grow(entities: number): Growing {
  const stage = createStage(0);
  const spawn = spawnerOf(stage);
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        spawn(at);
        stamp();
      }
    },
    checksum: () => {
      const { world, position, velocity } = stage;
      let sum = 0;
      world.query(position, velocity).for_each((archetype: Archetype) => {
        const x = archetype.get_column(position, "x");
        const y = archetype.get_column(velocity, "y");
        sum += sumOfGrown(
          archetype.entity_count,
          (at) => x[at]!,
          (at) => y[at]!,
        );
      });
      return sum;
    },
  };
}

function equip({ roots, extra, every }: Equipment): Held {
  const stage = createStage(roots);
  const { world, position } = stage;
  const [tag, aim] = [world.register_tag(), planeIn(world)];
  const { handles } = settleOn(stage, roots, 0, new Int32Array(0));
  handles.forEach((entity, at) => {
    if (at % every !== 0) return;
    if (extra === "tag") world.add_component(entity, tag);
    if (extra === "component") world.add_component(entity, aim, { x: 2, y: 3 });
  });
  const terms = { nothing: position, tag, component: aim };
  return { count: () => world.query(terms[extra]).count() };
}

export const holdings: Holdings = { settle, equip, grow };
