/** piecs's memory: values are in arrays of the program, allocated for all entities. */

import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { createStage, fieldsOf, settleOn, watch } from "./stage.ts";

function settle({ parents, children, queries }: Layout): Held {
  const stage = createStage(children + parents);
  watch(stage.world, stage.position, queries);
  settleOn(stage, children, parents, parentsOf(parents, "block", children));
  return { count: () => stage.list.children.reduce((sum, below) => sum + (below?.length ?? 0), 0) };
}

function grow(entities: number): Growing {
  const { world, position, velocity, moving } = createStage(entities);
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        const entity = world.createEntity(moving);
        px[entity] = at % 1024;
        py[entity] = 0;
        vx[entity] = 1;
        vy[entity] = 1 + (at % 3);
        stamp();
      }
    },
    checksum: () => {
      const { entities: spawned } = moving;
      return sumOfGrown(
        spawned.length,
        (at) => px[spawned[at]!]!,
        (at) => vy[spawned[at]!]!,
      );
    },
  };
}

function equip({ roots, extra, every }: Equipment): Held {
  const stage = createStage(roots);
  const { world, position, velocity, moving } = stage;
  const { handles } = settleOn(stage, roots, 0, new Int32Array(0));
  if (extra === "nothing") return { count: () => moving.entities.length };
  const aim = extra === "component" ? fieldsOf(world, roots) : undefined;
  const equipped = world.prefabricate([position, velocity, aim ?? { id: world.createComponentId() }]);
  for (let at = 0; at < roots; at += every) {
    const entity = handles[at]!;
    world.transformEntity(entity, equipped);
    if (aim === undefined) continue;
    aim.x[entity] = 2;
    aim.y[entity] = 3;
  }
  const isWhole = (): boolean => aim === undefined || aim.x[handles[0]!]! + aim.y[handles[0]!]! === 5;
  return { count: () => (isWhole() ? equipped.entities.length : -1) };
}

export const holdings: Holdings = { settle, equip, grow };
