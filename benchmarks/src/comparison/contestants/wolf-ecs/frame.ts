/**
 * wolf-ecs: positions and velocities in its own typed arrays. It has no fields of many numbers: matrices are tags, with arrays
 * by entity beside them.
 */
import { ECS, types } from "wolf-ecs";
import {
  createFrameFields,
  type FrameFields,
  fillFrameNode,
  moveListed,
  placeTrees,
  readFields,
  slotsOf,
  takeOut,
} from "../../game-frame/fields.ts";
import { framePlanOf, frameSubject, LIVE_QUERIES, type Round } from "../../game-frame/work.ts";
import { attach, createChildList, move } from "../../workloads/child-list.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { countOf, queryFor } from "./stage.ts";

const SPACE = { x: types.f32, y: types.f32, z: types.f32 };

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, moves, roots, parents } = plan;
  const ecs = new ECS(slots);
  const position = ecs.defineComponent(SPACE);
  const velocity = ecs.defineComponent(SPACE);
  const basis = ecs.defineComponent();
  const place = ecs.defineComponent();
  const live = Array.from({ length: LIVE_QUERIES }, () => queryFor(ecs, position));
  const { a: archetypes } = queryFor(ecs, position, velocity);
  const { x: px, y: py, z: pz } = position;
  const { x: vx, y: vy, z: vz } = velocity;
  const fields: FrameFields = { ...createFrameFields(slots), px, py, pz, vx, vy, vz };

  const list = createChildList(slots);
  const queue = new Int32Array(slots);
  const handles = new Int32Array(slots);
  const bear = (slot: number, parent: number): void => {
    const entity = ecs.createEntity();
    ecs.addComponent(entity, position);
    if (moves[slot] === 1) ecs.addComponent(entity, velocity);
    ecs.addComponent(entity, basis).addComponent(entity, place);
    handles[slot] = entity;
    fillFrameNode(fields, entity, plan, slot);
    if (parent >= 0) attach(list, entity, parent);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]! < 0 ? -1 : handles[parents[slot]!]!);
  const rootEntities = roots.map((slot) => handles[slot]!);

  const run = ({ movers, goals, victims, homes }: Round): void => {
    for (let kind = 0; kind < archetypes.length; kind++) {
      const { e: entities } = archetypes[kind]!;
      moveListed(fields, entities, entities.length);
    }
    placeTrees(fields, list, rootEntities, queue);
    for (let at = 0; at < movers.length; at++) move(list, handles[movers[at]!]!, handles[goals[at]!]!);
    for (let at = 0; at < victims.length; at++) {
      for (let deleted = takeOut(list, handles[victims[at]!]!, queue) - 1; deleted >= 0; deleted--) {
        ecs.destroyEntity(queue[deleted]!);
      }
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const numbers = slotsOf(handles);
    return {
      parentOf: (slot) => numbers[list.parent[handles[slot]!]!] ?? -1,
      read: (slot, into) => readFields(fields, handles[slot]!, into),
      matches: () => live.reduce((sum, one) => sum + countOf(one), 0),
    };
  });
}
