/**
 * bitECS with its own relations, as its introduction (docs/Intro.md) describes: typed arrays by entity as components, "for
 * optimal performance", written to directly; an exclusive relation that destroys subjects with their targets; the `Hierarchy`
 * term, which caches its order, with parents before children. Queries are made before the clock, large ones `asBuffer`. It has
 * prefabs, but they do not include children: copies are written out.
 */
import {
  addComponent,
  addEntity,
  asBuffer,
  createRelation,
  createWorld,
  entityExists,
  getAllEntities,
  getRelationTargets,
  Hierarchy,
  query,
  type Relation,
  registerComponents,
  removeEntity,
  type World,
} from "bitecs";
import { treeOf } from "../../../fixtures/trees.ts";
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
import { frameWithRelation } from "./frame.ts";
import { buildQuery, gather, iterate } from "./loops.ts";
import { naming } from "./names.ts";
import { addMoving, change, createStage, cut, makeQueries, placesOf, planeOf, type Stage } from "./world.ts";

export const ChildOf: Relation<object> = createRelation<object>({ exclusive: true, autoRemoveSubject: true });

export function attach({ world }: Stage, child: number, parent: number): void {
  addComponent(world, child, ChildOf(parent));
}

/** Reads only the children: a query for each parent would stay and slow down what follows. */
function sumOfSiblings(world: World, children: readonly number[], parents: readonly number[]): number {
  const numbers = new Map(parents.map((parent, at) => [parent, at]));
  const above = children.map((child) => numbers.get(getRelationTargets(world, child, ChildOf)[0]!) ?? -1);
  const counts = new Int32Array(parents.length);
  for (const number of above) counts[number]!++;
  return sumOfParents(children.length, (at) => above[at]!) + sumOfCounts(parents.length, (at) => counts[at]!);
}

function siblings(): Subject {
  const above = parentsOf(SIBLING_PARENTS, "block", SIBLING_PARENTS * SIBLINGS);
  const below: object[][] = [];
  const { stage } = gather(attach, SIBLING_PARENTS, above, ({ world }, parents) => {
    for (const parent of parents) {
      below.push([ChildOf(parent)]);
      query(world, below.at(-1)!);
    }
  });
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  const { world, Position } = stage;
  return {
    run: () => {
      const { x } = Position;
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const number = order[turn]!;
        const children = query(world, below[number]!);
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
  const nodes: number[] = [];
  tree.forEach((parent, at) => {
    const node = addEntity(world);
    addComponent(world, node, Local);
    Local.x[node] = 1 + (at % 3);
    Local.y[node] = 1;
    addComponent(world, node, Place);
    if (parent >= 0) addComponent(world, node, ChildOf(nodes[parent]!));
    nodes.push(node);
  });
  const downwards = [Local, Place, Hierarchy(ChildOf)];
  query(world, downwards, asBuffer);
  return {
    run: () => {
      const { x: lx, y: ly } = Local;
      const { x: wx, y: wy } = Place;
      const entities = query(world, downwards, asBuffer);
      for (let at = 0, { length } = entities; at < length; at++) {
        const entity = entities[at]!;
        const parent = getRelationTargets(world, entity, ChildOf)[0];
        wx[entity] = parent === undefined ? lx[entity]! : wx[parent]! + lx[entity]!;
        wy[entity] = parent === undefined ? ly[entity]! : wy[parent]! + ly[entity]!;
      }
    },
    checksum: () => placesOf(Place, nodes),
  };
}

function spawn({ parents: parentCount }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parentCount, 1), "block");
  let stage = createStage(0);
  let parents: number[] = [];
  let spawned: number[] = [];
  return {
    before: () => {
      stage = createStage(parentCount + ENTITIES);
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
        if (parentCount > 0) addComponent(world, entity, ChildOf(parents[above[at]!]!));
        spawned.push(entity);
      }
    },
    checksum: () => {
      const counts = new Map<number | undefined, number>();
      for (const child of spawned) {
        const parent = getRelationTargets(stage.world, child, ChildOf)[0];
        counts.set(parent, (counts.get(parent) ?? 0) + 1);
      }
      return (
        placesOf(stage.Position, spawned) + sumOfCounts(parentCount, (at) => counts.get(parents[at]!) ?? 0)
      );
    },
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const { stage, parents, children } = gather(attach, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  const { world } = stage;
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        addComponent(world, children[mover]!, ChildOf(parents[goal[mover]!]!));
      }
    },
    checksum: () => sumOfSiblings(world, children, parents),
  };
}

function destroy({ tree: name }: Given<"destroy">): Subject {
  const tree = treeOf(name);
  const victims = victimsOf(name);
  let world = createWorld();
  let nodes: number[] = [];
  return {
    before: () => {
      world = createWorld();
      nodes = [];
      for (const parent of tree) {
        const node = addEntity(world);
        if (parent >= 0) addComponent(world, node, ChildOf(nodes[parent]!));
        nodes.push(node);
      }
    },
    run: () => {
      for (let at = 0; at < victims.length; at++) removeEntity(world, nodes[victims[at]!]!);
    },
    checksum: () => 1 + nodes.reduce((sum, node) => sum + (entityExists(world, node) ? 1 : 0), 0),
  };
}

function churn({ queries }: Given<"churn">): Subject {
  const stage = createStage(CYCLES * 2);
  const { world, Position } = stage;
  makeQueries(stage, queries);
  return {
    run: () => {
      const { x } = Position;
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = addEntity(world);
        const child = addEntity(world);
        addComponent(world, child, Position);
        x[child] = cycle;
        addComponent(world, child, ChildOf(parent));
        removeEntity(world, parent);
      }
    },
    checksum: () => 1 + getAllEntities(world).length,
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let world = createWorld();
  let parents: number[] = [];
  let children: readonly number[] = [];
  return {
    before: () => {
      const crowd = gather(attach, RENEW_PARENTS, above, (stage) => makeQueries(stage, queries));
      world = crowd.stage.world;
      parents = [...crowd.parents];
      children = crowd.children;
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) {
        const parent = addEntity(world);
        addComponent(world, children[steps[step]!]!, ChildOf(parent));
        parents.push(parent);
      }
    },
    checksum: () => {
      const numbers = new Map(parents.map((parent, at) => [parent, at]));
      return sumOfParents(children.length, (at) => {
        return numbers.get(getRelationTargets(world, children[at]!, ChildOf)[0]!) ?? -1;
      });
    },
  };
}

function instances({ parts }: Given<"instances">): Subject {
  const count = INSTANCES * (PARTS + 1);
  let stage = createStage(0);
  let template: number[] = [];
  let tags: object[] = [];
  let spawned: number[] = [];
  return {
    before: () => {
      stage = createStage(count + PARTS + 1);
      const { Position, Velocity } = stage;
      template = Array.from({ length: PARTS + 1 }, (_, at) => addMoving(stage, at));
      tags = template.map(() => ({}));
      for (const [at, model] of template.entries()) {
        Position.x[model] = at === 0 ? 1 : at - 1;
        Position.y[model] = 2;
        Velocity.x[model] = 3;
        Velocity.y[model] = 4;
        if (at > 0) attach(stage, model, template[0]!);
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
          else addComponent(world, entity, ChildOf(root));
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
  iterate: (given) => iterate(attach, given),
  siblings,
  cascade,
  spawn,
  reparent,
  destroy,
  change,
  cut,
  names: (given) => naming(ChildOf, given),
  churn,
  query: (given) => buildQuery(attach, given),
  renew,
  instances,
  frame: frameWithRelation,
};
