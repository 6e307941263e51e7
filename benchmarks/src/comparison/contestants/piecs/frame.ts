/** piecs: a component is an id beside arrays by entity; nodes are created in prefabricated archetypes. */
import { createEntitySystem, World } from "piecs";
import {
  createFrameFields,
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
import { type Fields, goLive } from "./stage.ts";

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, moves, roots, parents } = plan;
  const world = new World();
  const fields = createFrameFields(slots);
  const position: Fields = { id: world.createComponentId(), x: fields.px, y: fields.py };
  const velocity: Fields = { id: world.createComponentId(), x: fields.vx, y: fields.vy };
  const others = [{ id: world.createComponentId() }, { id: world.createComponentId() }];
  const still = world.prefabricate([position, ...others]);
  const moving = world.prefabricate([position, velocity, ...others]);
  const live = Array.from({ length: LIVE_QUERIES }, () => goLive(world, [position]));
  const step = createEntitySystem(
    (entities) => moveListed(fields, entities, entities.length),
    (query) => query.every(position, velocity),
  );
  world.registerSystem(step).initialize();

  const list = createChildList(slots);
  const queue = new Int32Array(slots);
  const handles = new Int32Array(slots);
  const bear = (slot: number, parent: number): void => {
    const entity = world.createEntity(moves[slot] === 1 ? moving : still);
    handles[slot] = entity;
    fillFrameNode(fields, entity, plan, slot);
    if (parent >= 0) attach(list, entity, parent);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]! < 0 ? -1 : handles[parents[slot]!]!);
  const rootEntities = roots.map((slot) => handles[slot]!);

  const run = ({ movers, goals, victims, homes }: Round): void => {
    world.update();
    placeTrees(fields, list, rootEntities, queue);
    for (let at = 0; at < movers.length; at++) move(list, handles[movers[at]!]!, handles[goals[at]!]!);
    for (let at = 0; at < victims.length; at++) {
      for (let deleted = takeOut(list, handles[victims[at]!]!, queue) - 1; deleted >= 0; deleted--) {
        world.deleteEntity(queue[deleted]!);
      }
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const numbers = slotsOf(handles);
    return {
      parentOf: (slot) => numbers[list.parent[handles[slot]!]!] ?? -1,
      read: (slot, into) => readFields(fields, handles[slot]!, into),
      matches: () =>
        live.reduce((sum, { archetypes }) => {
          return sum + archetypes.reduce((all, { entities }) => all + entities.length, 0);
        }, 0),
    };
  });
}
