/**
 * wolf-ecs 2.1.3, in the way its README calls fast: a manual loop backwards over the archetypes of a query ("more performant"
 * than `forEach`), and changes at once (deferred ones are "slower"). Components are its own typed arrays. An entity is created
 * empty and gets its components one by one: there is no other way. It has no relations.
 */
import { ECS, not } from "wolf-ecs";
import { treeOf } from "../../../fixtures/trees.ts";
import {
  attach,
  type ChildList,
  createChildList,
  detach,
  levels,
  move,
  subtree,
} from "../../workloads/child-list.ts";
import {
  cutOf,
  movesOf,
  parentsOf,
  renewals,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  victimsOf,
} from "../../workloads/inputs.ts";
import type { Subject, Subjects } from "../../workloads/subject.ts";
import {
  CYCLES,
  ENTITIES,
  type Given,
  RENEW_PARENTS,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  SIBLINGS,
  STEPS,
} from "../../workloads/workloads.ts";
import { change, instances } from "./change-and-instances.ts";
import { frame } from "./frame.ts";
import {
  countOf,
  createStage,
  fieldsOf,
  placesOf,
  queryFor,
  type Settled,
  type Stage,
  settle,
} from "./stage.ts";

function iterate({ parents, order }: Given<"iterate">): Subject {
  const stage = createStage(ENTITIES + parents);
  const { ecs, position, velocity } = stage;
  const { handles } = settle(stage, ENTITIES, parents, parentsOf(parents, order));
  const { a: archetypes } = queryFor(ecs, position, velocity);
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  return {
    run: () => {
      for (let kind = 0; kind < archetypes.length; kind++) {
        const { e: entities } = archetypes[kind]!;
        for (let at = entities.length - 1; at >= 0; at--) {
          const entity = entities[at]!;
          px[entity]! += vx[entity]!;
          py[entity]! += vy[entity]!;
        }
      }
    },
    checksum: () => placesOf(position, handles),
  };
}

function cut({ without }: Given<"cut">): Subject {
  const stage = createStage(ENTITIES);
  const { ecs, position, velocity } = stage;
  const out = ecs.defineComponent();
  const { handles } = settle(stage, ENTITIES, 0, parentsOf(1, "block"));
  for (const number of cutOf(without)) ecs.addComponent(handles[number]!, out);
  const { a: archetypes } = queryFor(ecs, position, velocity, not(out));
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  return {
    run: () => {
      for (let kind = 0; kind < archetypes.length; kind++) {
        const { e: entities } = archetypes[kind]!;
        for (let at = entities.length - 1; at >= 0; at--) {
          const entity = entities[at]!;
          px[entity]! += vx[entity]!;
          py[entity]! += vy[entity]!;
        }
      }
    },
    checksum: () => placesOf(position, handles),
  };
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const stage = createStage(count + SIBLING_PARENTS);
  const { homes } = settle(stage, count, SIBLING_PARENTS, parentsOf(SIBLING_PARENTS, "block", count));
  const { children } = stage.list;
  const { x: px } = stage.position;
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const childList = children[homes[order[turn]!]!]!;
        let sum = 0;
        for (let at = 0, { length } = childList; at < length; at++) sum += px[childList[at]!]!;
        sums[order[turn]!] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

/** A tree in a separate world: entities with Local and World, numbered in order of creation. */
function plant(parents: Int32Array) {
  const { length } = parents;
  const ecs = new ECS(length);
  const local = fieldsOf(ecs);
  const place = fieldsOf(ecs);
  const nodes = queryFor(ecs, local, place);
  const list = createChildList(length);
  const handles = new Int32Array(length);
  parents.forEach((parent, at) => {
    const entity = ecs.createEntity();
    ecs.addComponent(entity, local).addComponent(entity, place);
    handles[at] = entity;
    local.x[entity] = 1 + (at % 3);
    local.y[entity] = 1;
    if (parent >= 0) attach(list, entity, handles[parent]!);
  });
  return { ecs, local, place, nodes, list, handles };
}

function cascade({ tree }: Given<"cascade">): Subject {
  const { local, place, list, handles } = plant(treeOf(tree));
  const { parent: parents } = list;
  const { x: lx, y: ly } = local;
  const { x: wx, y: wy } = place;
  const order = levels(list, handles.length);
  return {
    run: () => {
      for (let at = 0, { length } = order; at < length; at++) {
        const node = order[at]!;
        const above = parents[node]!;
        if (above < 0) {
          wx[node] = lx[node]!;
          wy[node] = ly[node]!;
        } else {
          wx[node] = wx[above]! + lx[node]!;
          wy[node] = wy[above]! + ly[node]!;
        }
      }
    },
    checksum: () => placesOf(place, handles),
  };
}

function spawn({ parents }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parents, 1), "block");
  const handles = new Int32Array(ENTITIES);
  const homes = new Int32Array(parents);
  let stage: Stage;
  return {
    before: () => {
      stage = createStage(ENTITIES + parents);
      for (let at = 0; at < parents; at++) homes[at] = stage.ecs.createEntity();
    },
    run: () => {
      const { ecs, position, velocity, list } = stage;
      const { x: px, y: py } = position;
      const { x: vx, y: vy } = velocity;
      for (let at = 0; at < ENTITIES; at++) {
        const entity = ecs.createEntity();
        ecs.addComponent(entity, position).addComponent(entity, velocity);
        px[entity] = at % 1024;
        py[entity] = 0;
        vx[entity] = 1;
        vy[entity] = 1 + (at % 3);
        handles[at] = entity;
        if (parents > 0) attach(list, entity, homes[above[at]!]!);
      }
    },
    checksum: () =>
      placesOf(stage.position, handles) +
      sumOfCounts(parents, (at) => stage.list.children[homes[at]!]!.length),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const stage = createStage(ENTITIES + REPARENT_PARENTS);
  const { handles, homes } = settle(stage, ENTITIES, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  const { list } = stage;
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        move(list, handles[mover]!, homes[goal[mover]!]!);
      }
    },
    checksum: () =>
      sumOfParents(ENTITIES, (at) => homes.indexOf(list.parent[handles[at]!]!)) +
      sumOfCounts(REPARENT_PARENTS, (at) => list.children[homes[at]!]!.length),
  };
}

/** Ids are used again: nothing may remain in the list. */
function destroyTree(ecs: ECS, list: ChildList, root: number): void {
  detach(list, root);
  const deleted = subtree(list, root);
  for (let at = deleted.length - 1; at >= 0; at--) {
    const entity = deleted[at]!;
    ecs.destroyEntity(entity);
    list.children[entity] = undefined;
    list.parent[entity] = -1;
  }
}

function destroy({ tree }: Given<"destroy">): Subject {
  const parents = treeOf(tree);
  let planted: ReturnType<typeof plant>;
  let victims: Int32Array;
  return {
    before: () => {
      planted = plant(parents);
      victims = victimsOf(tree).map((node) => planted.handles[node]!);
    },
    run: () => {
      const { ecs, list } = planted;
      for (let at = 0; at < victims.length; at++) destroyTree(ecs, list, victims[at]!);
    },
    checksum: () => 1 + countOf(planted.nodes),
  };
}

function churn({ queries }: Given<"churn">): Subject {
  const { ecs, position, list } = createStage(CYCLES * 2);
  for (let at = 0; at < queries; at++) queryFor(ecs, position);
  const { x: px } = position;
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = ecs.createEntity();
        const child = ecs.createEntity();
        ecs.addComponent(child, position);
        px[child] = cycle;
        attach(list, child, parent);
        destroyTree(ecs, list, parent);
      }
    },
    checksum: () => 1 + countOf(queryFor(ecs, position)) + countOf(queryFor(ecs, not(position))),
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  const homes = new Int32Array(RENEW_PARENTS + STEPS);
  let stage: Stage;
  let settled: Settled;
  return {
    before: () => {
      stage = createStage(RENEW_PARENTS * 3 + STEPS);
      for (let at = 0; at < queries; at++) queryFor(stage.ecs, stage.position);
      settled = settle(stage, RENEW_PARENTS * 2, RENEW_PARENTS, above);
      homes.set(settled.homes);
    },
    run: () => {
      const { ecs, list } = stage;
      const { handles } = settled;
      for (let step = 0; step < STEPS; step++) {
        const home = ecs.createEntity();
        homes[RENEW_PARENTS + step] = home;
        move(list, handles[steps[step]!]!, home);
      }
    },
    checksum: () => {
      const numbers = new Int32Array(RENEW_PARENTS * 3 + STEPS);
      homes.forEach((home, at) => {
        numbers[home] = at;
      });
      return sumOfParents(RENEW_PARENTS * 2, (at) => numbers[stage.list.parent[settled.handles[at]!]!]!);
    },
  };
}

export const subjects: Subjects = {
  iterate,
  siblings,
  cascade,
  spawn,
  reparent,
  destroy,
  change,
  cut,
  churn,
  renew,
  instances,
  frame,
};
