/**
 * bitECS, both ways: typed arrays by entity, and parents either in a hand-written child list or in its own relation. For the
 * latter its `Hierarchy` term has parents before children, as documented; it sorts again after any spawn or destroy.
 */
import {
  addComponent,
  addEntity,
  asBuffer,
  createRelation,
  createWorld,
  getRelationTargets,
  Hierarchy,
  Not,
  Or,
  type QueryTerm,
  query,
  type Relation,
  registerComponents,
  removeEntity,
} from "bitecs";
import {
  createFrameFields,
  fillFrameNode,
  moveListed,
  placeBelow,
  placeRoot,
  placeTrees,
  readFields,
  slotsOf,
  takeOut,
} from "../../game-frame/fields.ts";
import {
  type FramePlan,
  framePlanOf,
  frameSubject,
  LIVE_QUERIES,
  type Round,
} from "../../game-frame/work.ts";
import { attach, createChildList, move } from "../../workloads/child-list.ts";
import type { Subject } from "../../workloads/subject.ts";
import type { Given } from "../../workloads/workloads.ts";

function createStage({ slots, moves }: FramePlan) {
  const world = createWorld();
  /** Ids begin with 1. */
  const fields = createFrameFields(slots + 1);
  const Position = { x: fields.px, y: fields.py, z: fields.pz };
  const Velocity = { x: fields.vx, y: fields.vy, z: fields.vz };
  const Basis = { m: fields.basis };
  const World = { m: fields.world };
  registerComponents(world, [Position, Velocity, Basis, World]);
  // Equal ones would be shared: each names another component that no entity has.
  const live: QueryTerm[][] = Array.from({ length: LIVE_QUERIES / 2 }, () => [
    [Position, Not({})],
    [Position, Or(Position, {})],
  ]).flat();
  for (const terms of live) query(world, terms);
  const moving = [Position, Velocity];
  query(world, moving, asBuffer);
  const handles = new Int32Array(slots);
  return {
    world,
    fields,
    Position,
    World,
    handles,
    moveAll: (): void => {
      const entities = query(world, moving, asBuffer);
      moveListed(fields, entities, entities.length);
    },
    bear: (plan: FramePlan, slot: number): number => {
      const entity = addEntity(world);
      addComponent(world, entity, Position);
      if (moves[slot] === 1) addComponent(world, entity, Velocity);
      addComponent(world, entity, Basis);
      addComponent(world, entity, World);
      handles[slot] = entity;
      fillFrameNode(fields, entity, plan, slot);
      return entity;
    },
    matches: () => live.reduce((sum, terms) => sum + query(world, terms).length, 0),
  };
}

export function frameWithList(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, roots, parents } = plan;
  const stage = createStage(plan);
  const { world, fields, handles, moveAll } = stage;
  const list = createChildList(slots + 1);
  const queue = new Int32Array(slots + 1);
  const bear = (slot: number, parent: number): void => {
    const entity = stage.bear(plan, slot);
    if (parent >= 0) attach(list, entity, parent);
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]! < 0 ? -1 : handles[parents[slot]!]!);
  const rootEntities = roots.map((slot) => handles[slot]!);

  const run = ({ movers, goals, victims, homes }: Round): void => {
    moveAll();
    placeTrees(fields, list, rootEntities, queue);
    for (let at = 0; at < movers.length; at++) move(list, handles[movers[at]!]!, handles[goals[at]!]!);
    for (let at = 0; at < victims.length; at++) {
      for (let deleted = takeOut(list, handles[victims[at]!]!, queue) - 1; deleted >= 0; deleted--) {
        removeEntity(world, queue[deleted]!);
      }
    }
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const numbers = slotsOf(handles);
    return {
      parentOf: (slot) => numbers[list.parent[handles[slot]!]!] ?? -1,
      read: (slot, into) => readFields(fields, handles[slot]!, into),
      matches: stage.matches,
    };
  });
}

export function frameWithRelation(given: Given<"frame">): Subject {
  const plan = framePlanOf(given);
  const { slots, parents } = plan;
  const stage = createStage(plan);
  const { world, fields, handles, moveAll, World } = stage;
  const ChildOf: Relation<object> = createRelation<object>({ exclusive: true, autoRemoveSubject: true });
  const downwards = [World, Hierarchy(ChildOf)];
  const bear = (slot: number, parent: number): void => {
    const entity = stage.bear(plan, slot);
    if (parent >= 0) addComponent(world, entity, ChildOf(parent));
  };
  for (let slot = 0; slot < slots; slot++) bear(slot, parents[slot]! < 0 ? -1 : handles[parents[slot]!]!);

  const run = ({ movers, goals, victims, homes }: Round): void => {
    moveAll();
    const nodes = query(world, downwards, asBuffer);
    for (let at = 0, { length } = nodes; at < length; at++) {
      const parent = getRelationTargets(world, nodes[at]!, ChildOf)[0];
      if (parent === undefined) placeRoot(fields, nodes[at]!);
      else placeBelow(fields, nodes[at]!, parent);
    }
    for (let at = 0; at < movers.length; at++) {
      addComponent(world, handles[movers[at]!]!, ChildOf(handles[goals[at]!]!));
    }
    for (let at = 0; at < victims.length; at++) removeEntity(world, handles[victims[at]!]!);
    for (let at = 0; at < victims.length; at++) bear(victims[at]!, handles[homes[at]!]!);
  };
  return frameSubject(plan, run, () => {
    const numbers = slotsOf(handles);
    return {
      parentOf: (slot) => {
        const parent = getRelationTargets(world, handles[slot]!, ChildOf)[0];
        return parent === undefined ? -1 : numbers[parent]!;
      },
      read: (slot, into) => readFields(fields, handles[slot]!, into),
      matches: stage.matches,
    };
  });
}
