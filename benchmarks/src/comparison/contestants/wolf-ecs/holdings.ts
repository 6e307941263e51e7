/** wolf-ecs's memory: a world needs the number of entities beforehand. */

import {
  type Equipment,
  type Growing,
  type Held,
  type Holdings,
  type Layout,
  sumOfGrown,
} from "../../memory/holdings.ts";
import { parentsOf } from "../../workloads/inputs.ts";
import { countOf, createStage, fieldsOf, queryFor, settle as settleOn } from "./stage.ts";

function settle({ parents, children, queries }: Layout): Held {
  const stage = createStage(children + parents);
  for (let at = 0; at < queries; at++) queryFor(stage.ecs, stage.position);
  settleOn(stage, children, parents, parentsOf(parents, "block", children));
  return { count: () => stage.list.children.reduce((sum, below) => sum + (below?.length ?? 0), 0) };
}

function grow(entities: number): Growing {
  const { ecs, position, velocity } = createStage(entities);
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        const entity = ecs.createEntity();
        ecs.addComponent(entity, position).addComponent(entity, velocity);
        px[entity] = at % 1024;
        py[entity] = 0;
        vx[entity] = 1;
        vy[entity] = 1 + (at % 3);
        stamp();
      }
    },
    checksum: () => {
      let sum = 0;
      for (const { e: spawned } of queryFor(ecs, position, velocity).a) {
        sum += sumOfGrown(
          spawned.length,
          (at) => px[spawned[at]!]!,
          (at) => vy[spawned[at]!]!,
        );
      }
      return sum;
    },
  };
}

function equip({ roots, extra, every }: Equipment): Held {
  const stage = createStage(roots);
  const { ecs, position } = stage;
  const aim = extra === "component" ? fieldsOf(ecs) : undefined;
  const added = aim ?? (extra === "tag" ? ecs.defineComponent() : undefined);
  const { handles } = settleOn(stage, roots, 0, new Int32Array(0));
  for (let at = 0; at < roots && added !== undefined; at += every) {
    const entity = handles[at]!;
    ecs.addComponent(entity, added);
    if (aim === undefined) continue;
    aim.x[entity] = 2;
    aim.y[entity] = 3;
  }
  return { count: () => countOf(queryFor(ecs, added ?? position)) };
}

export const holdings: Holdings = { settle, equip, grow };
