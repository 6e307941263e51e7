/**
 * oecs: positions and velocities in its columns. It has no fields of many numbers: matrices are tags, with arrays by slot beside them,
 * to which positions are copied once a frame.
 */
import { ECS, type EntityID } from "@oasys/oecs";
import {
  createFrameFields,
  fillFrameNode,
  placeTrees,
  readFields,
  slotsOf,
  takeOut,
} from "../../game-frame/fields.ts";
import { framePlanOf, frameSubject, LIVE_QUERIES, type Round } from "../../game-frame/work.ts";
import { attach, createChildList, move } from "../../workloads/child-list.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";
import { type Archetype, slotOf } from "./stage.ts";

const SPACE = { x: "f32", y: "f32", z: "f32" } as const;

export function frame(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, moves, roots, parents } = plan;
  const world = new ECS({ initial_capacity: slots });
  const position = world.register_component(SPACE);
  const velocity = world.register_component(SPACE);
  const [basis, place] = [world.register_tag(), world.register_tag()];
  const placed = world.query(position);
  const live = Array.from({ length: LIVE_QUERIES / 2 }, () => world.register_tag()).flatMap((absent) => [
    placed.not(absent),
    placed.any_of(position, absent),
  ]);
  const moving = world.query(position, velocity);
  const fields = createFrameFields(slots);

  const list = createChildList(slots);
  const queue = new Int32Array(slots);
  /** By slot of the plan, and by slot of the world. */
  const handles = new Int32Array(slots);
  const entities: EntityID[] = [];
  const at = { x: 0, y: 0, z: 0 };
  const speed = { x: 0, y: 0, z: 0 };
  const still = [{ def: position, values: at }, { def: basis }, { def: place }];
  const going = [...still, { def: velocity, values: speed }];
  const bear = (slot: number, parent: number): void => {
    const { px, py, pz, vx, vy, vz } = plan;
    const entity = world.create_entity();
    at.x = px[slot]!;
    at.y = py[slot]!;
    at.z = pz[slot]!;
    speed.x = vx[slot]!;
    speed.y = vy[slot]!;
    speed.z = vz[slot]!;
    world.add_components(entity, moves[slot] === 1 ? going : still);
    const number = slotOf(entity);
    handles[slot] = number;
    entities[number] = entity;
    fillFrameNode(fields, number, plan, slot);
    if (parent >= 0) attach(list, number, parent);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]! < 0 ? -1 : handles[parents[slot]!]!);
  const rootEntities = roots.map((slot) => handles[slot]!);

  let tick = 0;
  const moveAll = (): void => {
    tick++;
    moving.for_each((archetype: Archetype) => {
      const [px, py, pz] = [
        archetype.get_column_mut(position, "x", tick),
        archetype.get_column_mut(position, "y", tick),
        archetype.get_column_mut(position, "z", tick),
      ];
      const vx = archetype.get_column(velocity, "x");
      const vy = archetype.get_column(velocity, "y");
      const vz = archetype.get_column(velocity, "z");
      for (let row = 0, { entity_count: count } = archetype; row < count; row++) {
        px[row]! += vx[row]!;
        py[row]! += vy[row]!;
        pz[row]! += vz[row]!;
      }
    });
  };
  const copyPositions = (): void => {
    placed.for_each((archetype: Archetype) => {
      const { entity_ids: ids } = archetype;
      const px = archetype.get_column(position, "x");
      const py = archetype.get_column(position, "y");
      const pz = archetype.get_column(position, "z");
      for (let row = 0, { entity_count: count } = archetype; row < count; row++) {
        const number = slotOf(ids[row] as EntityID);
        fields.px[number] = px[row]!;
        fields.py[number] = py[row]!;
        fields.pz[number] = pz[row]!;
      }
    });
  };

  const run = ({ movers, goals, victims, homes }: Round): void => {
    moveAll();
    copyPositions();
    placeTrees(fields, list, rootEntities, queue);
    for (let mover = 0; mover < movers.length; mover++) {
      move(list, handles[movers[mover]!]!, handles[goals[mover]!]!);
    }
    for (let victim = 0; victim < victims.length; victim++) {
      for (let deleted = takeOut(list, handles[victims[victim]!]!, queue) - 1; deleted >= 0; deleted--) {
        world.destroy_entity_deferred(entities[queue[deleted]!]!);
      }
    }
    world.flush();
    for (let victim = 0; victim < victims.length; victim++) bear(victims[victim]!, handles[homes[victim]!]!);
  };
  return frameSubject(plan, run, () => {
    const numbers = slotsOf(handles);
    return {
      parentOf: (slot) => numbers[list.parent[handles[slot]!]!] ?? -1,
      read: (slot, into) => {
        readFields(fields, handles[slot]!, into);
        const entity = entities[handles[slot]!]!;
        into[12] = world.get_field(entity, position, "x");
        into[13] = world.get_field(entity, position, "y");
        into[14] = world.get_field(entity, position, "z");
      },
      matches: () => live.reduce((sum, query) => sum + query.count(), 0),
    };
  });
}
