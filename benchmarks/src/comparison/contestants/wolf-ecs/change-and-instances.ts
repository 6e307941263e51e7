/** wolf-ecs: changes by handle, copies of a template. Its queries cannot be freed, so `query` is left out. */
import { types } from "wolf-ecs";
import { attach } from "../../workloads/child-list.ts";
import { parentsOf, turnsOf } from "../../workloads/inputs.ts";
import type { Subject } from "../../workloads/subject.ts";
import { ENTITIES, type Given, INSTANCES, PARTS } from "../../workloads/workloads.ts";
import { createStage, fieldsOf, placesOf, queryFor, type Stage, settle } from "./stage.ts";

export function change({ operation, order }: Given<"change">): Subject {
  const stage = createStage(ENTITIES);
  const { ecs, position } = stage;
  const tag = ecs.defineComponent();
  const mass = ecs.defineComponent({ value: types.f32 });
  const aim = fieldsOf(ecs);
  const { x: ax, y: ay } = aim;
  const { handles: all } = settle(stage, ENTITIES, 0, parentsOf(1, "block"));
  const handles = turnsOf(order).map((number) => all[number]!);
  const { x: px, y: py } = position;
  const { value: weights } = mass;
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) ecs.addComponent(handles[at]!, tag);
      for (let at = 0; at < ENTITIES; at++) ecs.removeComponent(handles[at]!, tag);
    },
    component: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const entity = handles[at]!;
        ecs.addComponent(entity, mass);
        weights[entity] = 2;
      }
      for (let at = 0; at < ENTITIES; at++) ecs.removeComponent(handles[at]!, mass);
    },
    pair: () => {
      for (let at = 0; at < ENTITIES; at++) {
        const entity = handles[at]!;
        ecs.addComponent(entity, aim);
        ax[entity] = 2;
        ay[entity] = 3;
      }
      for (let at = 0; at < ENTITIES; at++) ecs.removeComponent(handles[at]!, aim);
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += px[handles[at]!]!;
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) {
        const entity = handles[at]!;
        px[entity] = at % 1024;
        py[entity] = runs;
      }
    },
    put: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) px[handles[at]!] = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesOf(position, all) + total };
}

export function instances({ parts }: Given<"instances">): Subject {
  let stage: Stage;
  let template: ReturnType<typeof templateOn>;
  return {
    before: () => {
      stage = createStage((INSTANCES + 1) * (PARTS + 1));
      template = templateOn(stage, parts === "distinct");
    },
    run: () => {
      const { ecs, position, velocity, list } = stage;
      const { x: px, y: py } = position;
      const { x: vx, y: vy } = velocity;
      const { sources, tags } = template;
      for (let instance = 0; instance < INSTANCES; instance++) {
        let root = -1;
        for (let part = 0; part <= PARTS; part++) {
          const entity = ecs.createEntity();
          ecs.addComponent(entity, position).addComponent(entity, velocity);
          const tag = tags[part];
          if (tag !== undefined) ecs.addComponent(entity, tag);
          const source = sources[part]!;
          px[entity] = px[source]!;
          py[entity] = py[source]!;
          vx[entity] = vx[source]!;
          vy[entity] = vy[source]!;
          if (part === 0) root = entity;
          else attach(list, entity, root);
        }
      }
    },
    checksum: () => {
      const { x: px } = stage.position;
      const { sources } = template;
      let sum = -sources.length - sources.reduce((all, source) => all + px[source]!, 0);
      for (const { e: entities } of queryFor(stage.ecs, stage.position).a) {
        sum += entities.length;
        for (let at = 0; at < entities.length; at++) sum += px[entities[at]!]!;
      }
      return sum;
    },
  };
}

/** The template's entities, root first, and the tag that each has in addition. */
function templateOn({ ecs, position, velocity, list }: Stage, isDistinct: boolean) {
  const tags = Array.from({ length: PARTS + 1 }, (_, part) => {
    return isDistinct && part > 0 ? ecs.defineComponent() : undefined;
  });
  const sources = tags.map(() => ecs.createEntity());
  sources.forEach((entity, part) => {
    ecs.addComponent(entity, position).addComponent(entity, velocity);
    const tag = tags[part];
    if (tag !== undefined) ecs.addComponent(entity, tag);
    position.x[entity] = part === 0 ? 1 : part - 1;
    position.y[entity] = 2;
    velocity.x[entity] = 3;
    velocity.y[entity] = 4;
    if (part > 0) attach(list, entity, sources[0]!);
  });
  return { sources, tags };
}
