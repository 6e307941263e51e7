/**
 * piecs 0.4.0, in the way its type declarations call fast: entities are created in a prefabricated archetype in one step and
 * moved from one archetype to another by `transformEntity` ("slightly faster" than adding and removing). Systems get the plain
 * list of entities and loop over it with a cached length, form B of its own error message. It stores no data ("bring your own
 * component sets"): a component is an id with typed arrays by entity, as the workloads require. It has no relations.
 */
import { createEntitySystem, World } from "piecs";
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
import { fresh } from "./fresh.ts";
import {
  createStage,
  fieldsOf,
  placesOf,
  type Settled,
  type Stage,
  settle,
  settleCouples,
  watch,
} from "./stage.ts";

function iterate({ parents, order }: Given<"iterate">): Subject {
  const { stage, handles } = settle(ENTITIES, parents, parentsOf(parents, order));
  const { world, position, velocity } = stage;
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  const system = createEntitySystem(
    function step(entities) {
      for (let at = 0, { length } = entities; at < length; at++) {
        const entity = entities[at]!;
        px[entity]! += vx[entity]!;
        py[entity]! += vy[entity]!;
      }
    },
    (query) => query.every(position, velocity),
  );
  world.registerSystem(system).initialize();
  return { run: () => world.update(), checksum: () => placesOf(position, handles) };
}

function cut({ without }: Given<"cut">): Subject {
  const { stage, handles } = settle(ENTITIES, 0, parentsOf(1, "block"));
  const { world, position, velocity } = stage;
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  const out = { id: world.createComponentId() };
  const isOut = world.prefabricate([position, velocity, out]);
  for (const number of cutOf(without)) world.transformEntity(handles[number]!, isOut);
  const system = createEntitySystem(
    function step(entities) {
      for (let at = 0, { length } = entities; at < length; at++) {
        const entity = entities[at]!;
        px[entity]! += vx[entity]!;
        py[entity]! += vy[entity]!;
      }
    },
    (query) => query.every(position, velocity).not(out),
  );
  world.registerSystem(system).initialize();
  return { run: () => world.update(), checksum: () => placesOf(position, handles) };
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const { stage, homes } = settle(count, SIBLING_PARENTS, parentsOf(SIBLING_PARENTS, "block", count));
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
  const world = new World();
  const local = fieldsOf(world, length);
  const place = fieldsOf(world, length);
  const node = world.prefabricate([local, place]);
  const list = createChildList(length);
  const handles = new Int32Array(length);
  parents.forEach((parent, at) => {
    const entity = world.createEntity(node);
    handles[at] = entity;
    local.x[entity] = 1 + (at % 3);
    local.y[entity] = 1;
    if (parent >= 0) attach(list, entity, handles[parent]!);
  });
  return { world, local, place, list, handles };
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
      for (let at = 0; at < parents; at++) homes[at] = stage.world.createEntity();
    },
    run: () => {
      const { world, position, velocity, moving, list } = stage;
      const { x: px, y: py } = position;
      const { x: vx, y: vy } = velocity;
      for (let at = 0; at < ENTITIES; at++) {
        const entity = world.createEntity(moving);
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
  const { stage, handles, homes } = settle(ENTITIES, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
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
function destroyTree(world: World, list: ChildList, root: number): void {
  detach(list, root);
  const deleted = subtree(list, root);
  for (let at = deleted.length - 1; at >= 0; at--) {
    const entity = deleted[at]!;
    world.deleteEntity(entity);
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
      const { world, list } = planted;
      for (let at = 0; at < victims.length; at++) destroyTree(world, list, victims[at]!);
    },
    checksum: () => 1 + planted.handles.filter((entity) => planted.world.hasEntity(entity)).length,
  };
}

function churn({ queries }: Given<"churn">): Subject {
  const { world, position, list } = createStage(CYCLES * 2);
  const placed = world.prefabricate([position]);
  watch(world, position, queries);
  const { x: px } = position;
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = world.createEntity();
        const child = world.createEntity(placed);
        px[child] = cycle;
        attach(list, child, parent);
        destroyTree(world, list, parent);
      }
    },
    checksum: () => {
      let alive = 1;
      for (let entity = 0; entity < CYCLES * 2; entity++) if (world.hasEntity(entity)) alive++;
      return alive;
    },
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const steps = renewals();
  const homes = new Int32Array(RENEW_PARENTS + STEPS);
  let settled: Settled;
  return {
    before: () => {
      settled = settleCouples(RENEW_PARENTS, STEPS);
      homes.set(settled.homes);
      watch(settled.stage.world, settled.stage.position, queries);
    },
    run: () => {
      const { stage, handles } = settled;
      const { world, list } = stage;
      for (let step = 0; step < STEPS; step++) {
        const home = world.createEntity();
        homes[RENEW_PARENTS + step] = home;
        move(list, handles[steps[step]!]!, home);
      }
    },
    checksum: () => {
      const numbers = new Int32Array(RENEW_PARENTS * 3 + STEPS);
      homes.forEach((home, at) => {
        numbers[home] = at;
      });
      const { stage, handles } = settled;
      return sumOfParents(RENEW_PARENTS * 2, (at) => numbers[stage.list.parent[handles[at]!]!]!);
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
  ...fresh,
};
