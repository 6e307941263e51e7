/**
 * bitECS with a hand-written child list instead of its relations: every pair of a relation is a separate component there.
 * Otherwise as in `relations.ts`: typed arrays by entity as components, written to directly, and queries as buffers. Entities are
 * the nodes of the list: their ids are small numbers.
 */
import {
  addComponent,
  addEntity,
  createWorld,
  entityExists,
  getAllEntities,
  registerComponents,
  removeEntity,
} from "bitecs";
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
  INSTANCES,
  PARTS,
  RENEW_PARENTS,
  REPARENT_PARENTS,
  SIBLING_PARENTS,
  SIBLINGS,
  STEPS,
} from "../../workloads/workloads.ts";
import { frameWithList } from "./frame.ts";
import { type Attach, buildQuery, gather, iterate } from "./loops.ts";
import { addMoving, change, createStage, cut, makeQueries, placesOf, planeOf } from "./world.ts";

/** For `entities` entities, whose ids begin with 1. */
function listFor(entities: number): ChildList {
  return createChildList(entities + 1);
}

function attachIn(list: ChildList): Attach {
  return (_stage, child, parent) => attach(list, child, parent);
}

function siblings(): Subject {
  const count = SIBLING_PARENTS * SIBLINGS;
  const list = listFor(SIBLING_PARENTS + count);
  const { stage, parents } = gather(
    attachIn(list),
    SIBLING_PARENTS,
    parentsOf(SIBLING_PARENTS, "block", count),
  );
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  const { Position } = stage;
  return {
    run: () => {
      const { x } = Position;
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const number = order[turn]!;
        const children = list.children[parents[number]!]!;
        let sum = 0;
        for (let at = 0, { length } = children; at < length; at++) sum += x[children[at]!]!;
        sums[number] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

function cascade({ tree: name }: Given<"cascade">): Subject {
  const tree = treeOf(name);
  const world = createWorld();
  const Local = planeOf(tree.length);
  const Place = planeOf(tree.length);
  registerComponents(world, [Local, Place]);
  const list = listFor(tree.length);
  const nodes: number[] = [];
  tree.forEach((parent, at) => {
    const node = addEntity(world);
    addComponent(world, node, Local);
    Local.x[node] = 1 + (at % 3);
    Local.y[node] = 1;
    addComponent(world, node, Place);
    if (parent >= 0) attach(list, node, nodes[parent]!);
    nodes.push(node);
  });
  // No entity has the id 0: it comes first, as a root.
  const downwards = levels(list, tree.length + 1).subarray(1);
  return {
    run: () => {
      const { x: lx, y: ly } = Local;
      const { x: wx, y: wy } = Place;
      const { parent: parents } = list;
      for (let at = 0, { length } = downwards; at < length; at++) {
        const entity = downwards[at]!;
        const parent = parents[entity]!;
        wx[entity] = parent < 0 ? lx[entity]! : wx[parent]! + lx[entity]!;
        wy[entity] = parent < 0 ? ly[entity]! : wy[parent]! + ly[entity]!;
      }
    },
    checksum: () => placesOf(Place, nodes),
  };
}

function spawn({ parents: parentCount }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parentCount, 1), "block");
  let stage = createStage(0);
  let list = listFor(0);
  let parents: number[] = [];
  let spawned: number[] = [];
  return {
    before: () => {
      stage = createStage(parentCount + ENTITIES);
      list = listFor(parentCount + ENTITIES);
      parents = Array.from({ length: parentCount }, () => addEntity(stage.world));
      spawned = [];
    },
    run: () => {
      const { world, Position, Velocity } = stage;
      const { x: px, y: py } = Position;
      const { x: vx, y: vy } = Velocity;
      for (let at = 0; at < ENTITIES; at++) {
        const entity = addEntity(world);
        addComponent(world, entity, Position);
        px[entity] = at % 1024;
        py[entity] = 0;
        addComponent(world, entity, Velocity);
        vx[entity] = 1;
        vy[entity] = 1 + (at % 3);
        if (parentCount > 0) attach(list, entity, parents[above[at]!]!);
        spawned.push(entity);
      }
    },
    checksum: () =>
      placesOf(stage.Position, spawned) +
      sumOfCounts(parentCount, (at) => list.children[parents[at]!]?.length ?? 0),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const list = listFor(REPARENT_PARENTS + ENTITIES);
  const { parents, children } = gather(
    attachIn(list),
    REPARENT_PARENTS,
    parentsOf(REPARENT_PARENTS, "block"),
  );
  const numbers = new Map(parents.map((parent, at) => [parent, at]));
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        move(list, children[mover]!, parents[goal[mover]!]!);
      }
    },
    checksum: () =>
      sumOfParents(ENTITIES, (at) => numbers.get(list.parent[children[at]!]!) ?? -1) +
      sumOfCounts(REPARENT_PARENTS, (at) => list.children[parents[at]!]!.length),
  };
}

function destroy({ tree: name }: Given<"destroy">): Subject {
  const tree = treeOf(name);
  const victims = victimsOf(name);
  let world = createWorld();
  let list = listFor(0);
  let nodes: number[] = [];
  return {
    before: () => {
      world = createWorld();
      list = listFor(tree.length);
      nodes = [];
      for (const parent of tree) {
        const node = addEntity(world);
        if (parent >= 0) attach(list, node, nodes[parent]!);
        nodes.push(node);
      }
    },
    run: () => {
      for (let turn = 0; turn < victims.length; turn++) {
        const victim = nodes[victims[turn]!]!;
        detach(list, victim);
        const deleted = subtree(list, victim);
        for (let at = deleted.length - 1; at >= 0; at--) {
          const entity = deleted[at]!;
          removeEntity(world, entity);
          list.parent[entity] = -1;
          list.children[entity] = undefined;
        }
      }
    },
    checksum: () => 1 + nodes.reduce((sum, node) => sum + (entityExists(world, node) ? 1 : 0), 0),
  };
}

function churn({ queries }: Given<"churn">): Subject {
  const stage = createStage(CYCLES * 2);
  const { world, Position } = stage;
  const list = listFor(CYCLES * 2);
  makeQueries(stage, queries);
  return {
    run: () => {
      const { x } = Position;
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = addEntity(world);
        const child = addEntity(world);
        addComponent(world, child, Position);
        x[child] = cycle;
        attach(list, child, parent);
        const deleted = subtree(list, parent);
        for (let at = deleted.length - 1; at >= 0; at--) {
          const entity = deleted[at]!;
          removeEntity(world, entity);
          list.parent[entity] = -1;
          list.children[entity] = undefined;
        }
      }
    },
    checksum: () => 1 + getAllEntities(world).length,
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let world = createWorld();
  let list = listFor(0);
  let parents: number[] = [];
  let children: readonly number[] = [];
  return {
    before: () => {
      list = listFor(RENEW_PARENTS * 3 + STEPS);
      const crowd = gather(attachIn(list), RENEW_PARENTS, above, (stage) => makeQueries(stage, queries));
      world = crowd.stage.world;
      parents = [...crowd.parents];
      children = crowd.children;
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) {
        const parent = addEntity(world);
        move(list, children[steps[step]!]!, parent);
        parents.push(parent);
      }
    },
    checksum: () => {
      const numbers = new Map(parents.map((parent, at) => [parent, at]));
      return sumOfParents(children.length, (at) => numbers.get(list.parent[children[at]!]!) ?? -1);
    },
  };
}

function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  let stage = createStage(0);
  let list = listFor(0);
  let template: number[] = [];
  let tags: object[] = [];
  let spawned: number[] = [];
  return {
    before: () => {
      stage = createStage(count + PARTS + 1);
      list = listFor(count + PARTS + 1);
      const { Position, Velocity } = stage;
      template = Array.from({ length: PARTS + 1 }, (_, at) => addMoving(stage, at));
      tags = template.map(() => ({}));
      for (const [at, model] of template.entries()) {
        Position.x[model] = at === 0 ? 1 : at - 1;
        Position.y[model] = 2;
        Velocity.x[model] = 3;
        Velocity.y[model] = 4;
        if (at > 0) attach(list, model, template[0]!);
        if (at > 0 && parts === "distinct") addComponent(stage.world, model, tags[at]!);
      }
      spawned = [];
    },
    run: () => {
      const { world, Position, Velocity } = stage;
      const { x: px, y: py } = Position;
      const { x: vx, y: vy } = Velocity;
      const isDistinct = parts === "distinct";
      for (let instance = 0; instance < INSTANCES; instance++) {
        let root = 0;
        for (let part = 0; part <= PARTS; part++) {
          const model = template[part]!;
          const entity = addEntity(world);
          addComponent(world, entity, Position);
          px[entity] = px[model]!;
          py[entity] = py[model]!;
          addComponent(world, entity, Velocity);
          vx[entity] = vx[model]!;
          vy[entity] = vy[model]!;
          if (part === 0) root = entity;
          else attach(list, entity, root);
          if (part > 0 && isDistinct) addComponent(world, entity, tags[part]!);
          spawned.push(entity);
        }
      }
    },
    checksum: () =>
      getAllEntities(stage.world).length -
      template.length +
      spawned.reduce((sum, entity) => sum + stage.Position.x[entity]!, 0),
  };
}

export const subjects: Subjects = {
  iterate: (given) => iterate(attachIn(listFor(given.parents + ENTITIES)), given),
  siblings,
  cascade,
  spawn,
  reparent,
  destroy,
  change,
  cut,
  churn,
  query: (given) => buildQuery(attachIn(listFor(given.parents + ENTITIES)), given),
  renew,
  instances,
  frame: frameWithList,
};
