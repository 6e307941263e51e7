/**
 * koota with its own relations, in the fast ways of its README: `useStores` with a query that was made before ("for
 * performance-critical operations"), `getStore` where handles are given ("low-level access"), `ordered` where a program iterates
 * the children repeatedly, and the plain relation everywhere else. Its fields are plain arrays of doubles. Queries cannot be
 * freed. It has no templates: values kept for `spawn` are the template. It has no order with parents first: one is made from the
 * relation before the clock; following lists of children downwards in every run takes many times longer.
 */
import { createQuery, type Entity, getStore, Not, trait, type World } from "koota";
import { treeOf } from "../../../fixtures/trees.ts";
import {
  cutOf,
  inTurn,
  movesOf,
  parentsOf,
  renewals,
  shuffledParents,
  sumOfCounts,
  sumOfParents,
  sumOfPlaces,
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
import { frame } from "./frame.ts";
import { naming } from "./names.ts";
import {
  ChildOf,
  Children,
  createOnlyWorld,
  gather,
  makeQueries,
  Position,
  parentNumbers,
  placesOf,
  spawnMoving,
  Velocity,
} from "./world.ts";

const Local = trait({ x: 0, y: 0 });
const Place = trait({ x: 0, y: 0 });
const Marked = trait();
const Mass = trait({ value: 0 });
const Aim = trait({ x: 0, y: 0 });
const TAGS = Array.from({ length: PARTS }, () => trait());
const MOVING = createQuery(Position, Velocity);
const UNMARKED = createQuery(Position, Velocity, Not(Marked));

interface Plane {
  readonly x: number[];
  readonly y: number[];
}

function moveAll([position, velocity]: [Plane, Plane, ...unknown[]], entities: readonly Entity[]): void {
  const { x: px, y: py } = position;
  const { x: vx, y: vy } = velocity;
  for (let at = 0, { length } = entities; at < length; at++) {
    const id = entities[at]!.id();
    px[id]! += vx[id]!;
    py[id]! += vy[id]!;
  }
}

function iterate({ parents, order }: Given<"iterate">): Subject {
  const { world, children } = gather(parents, parentsOf(parents, order));
  world.query(MOVING);
  return {
    run: () => {
      world.query(MOVING).useStores(moveAll);
    },
    checksum: () => placesOf(world, children),
  };
}

function cut({ without }: Given<"cut">): Subject {
  const world = createOnlyWorld();
  const entities = Array.from({ length: ENTITIES }, (_, at) => spawnMoving(world, at));
  for (const number of cutOf(without)) entities[number]!.add(Marked);
  world.query(UNMARKED);
  return {
    run: () => {
      world.query(UNMARKED).useStores(moveAll);
    },
    checksum: () => placesOf(world, entities),
  };
}

function siblings(): Subject {
  const { world, parents } = gather(
    SIBLING_PARENTS,
    parentsOf(SIBLING_PARENTS, "block", SIBLING_PARENTS * SIBLINGS),
    true,
  );
  const order = shuffledParents();
  const sums = new Float64Array(SIBLING_PARENTS);
  return {
    run: () => {
      const { x } = getStore(world, Position);
      for (let turn = 0; turn < SIBLING_PARENTS; turn++) {
        const number = order[turn]!;
        const children = parents[number]!.get(Children)!;
        let sum = 0;
        for (let at = 0, { length } = children; at < length; at++) sum += x[children[at]!.id()]!;
        sums[number] = sum;
      }
    },
    checksum: () => sumOfCounts(SIBLING_PARENTS, (at) => sums[at]!),
  };
}

function cascade({ tree: name }: Given<"cascade">): Subject {
  const tree = treeOf(name);
  const world = createOnlyWorld();
  const nodes: Entity[] = [];
  tree.forEach((parent, at) => {
    const node = world.spawn(Local({ x: 1 + (at % 3), y: 1 }), Place);
    if (parent >= 0) node.add(ChildOf(nodes[parent]!));
    nodes.push(node);
  });
  const downwards = nodes.filter((_, at) => tree[at]! < 0);
  for (let at = 0; at < downwards.length; at++) {
    for (const child of world.query(ChildOf(downwards[at]!))) downwards.push(child);
  }
  return {
    run: () => {
      const { x: lx, y: ly } = getStore(world, Local);
      const { x: wx, y: wy } = getStore(world, Place);
      for (let at = 0, { length } = downwards; at < length; at++) {
        const entity = downwards[at]!;
        const id = entity.id();
        const parent = entity.targetFor(ChildOf);
        if (parent === undefined) {
          wx[id] = lx[id]!;
          wy[id] = ly[id]!;
        } else {
          const above = parent.id();
          wx[id] = wx[above]! + lx[id]!;
          wy[id] = wy[above]! + ly[id]!;
        }
      }
    },
    checksum: () => {
      const { x, y } = getStore(world, Place);
      return sumOfPlaces(
        nodes.length,
        (at) => x[nodes[at]!.id()]!,
        (at) => y[nodes[at]!.id()]!,
      );
    },
  };
}

function spawn({ parents: parentCount }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parentCount, 1), "block");
  let world: World;
  let parents: Entity[] = [];
  let spawned: Entity[] = [];
  const spawnRoots = (): void => {
    for (let at = 0; at < ENTITIES; at++) {
      spawned.push(world.spawn(Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) })));
    }
  };
  const spawnChildren = (): void => {
    for (let at = 0; at < ENTITIES; at++) {
      spawned.push(
        world.spawn(
          Position({ x: at % 1024, y: 0 }),
          Velocity({ x: 1, y: 1 + (at % 3) }),
          ChildOf(parents[above[at]!]!),
        ),
      );
    }
  };
  return {
    before: () => {
      world = createOnlyWorld();
      parents = Array.from({ length: parentCount }, () => world.spawn());
      spawned = [];
    },
    run: parentCount === 0 ? spawnRoots : spawnChildren,
    checksum: () =>
      placesOf(world, spawned) + sumOfCounts(parentCount, (at) => world.query(ChildOf(parents[at]!)).length),
  };
}

function reparent({ order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const { world, parents, children } = gather(REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        children[mover]!.add(ChildOf(parents[goal[mover]!]!));
      }
    },
    checksum: () => {
      const numberOf = parentNumbers(parents);
      return (
        sumOfParents(ENTITIES, (at) => numberOf(children[at]!)) +
        sumOfCounts(REPARENT_PARENTS, (at) => world.query(ChildOf(parents[at]!)).length)
      );
    },
  };
}

function destroy({ tree: name }: Given<"destroy">): Subject {
  const tree = treeOf(name);
  const victims = victimsOf(name);
  let nodes: Entity[] = [];
  return {
    before: () => {
      const world = createOnlyWorld();
      nodes = [];
      for (const parent of tree) {
        nodes.push(parent < 0 ? world.spawn() : world.spawn(ChildOf(nodes[parent]!)));
      }
    },
    run: () => {
      for (let at = 0; at < victims.length; at++) nodes[victims[at]!]!.destroy();
    },
    checksum: () => 1 + nodes.reduce((sum, node) => sum + (node.isAlive() ? 1 : 0), 0),
  };
}

function change({ operation, order }: Given<"change">): Subject {
  const world = createOnlyWorld();
  const all = Array.from({ length: ENTITIES }, (_, at) => spawnMoving(world, at));
  const entities = inTurn(all, order);
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) entities[at]!.add(Marked);
      for (let at = 0; at < ENTITIES; at++) entities[at]!.remove(Marked);
    },
    component: () => {
      const mass = Mass({ value: 2 });
      for (let at = 0; at < ENTITIES; at++) entities[at]!.add(mass);
      for (let at = 0; at < ENTITIES; at++) entities[at]!.remove(Mass);
    },
    pair: () => {
      const aim = Aim({ x: 2, y: 3 });
      for (let at = 0; at < ENTITIES; at++) entities[at]!.add(aim);
      for (let at = 0; at < ENTITIES; at++) entities[at]!.remove(Aim);
    },
    get: () => {
      const { x } = getStore(world, Position);
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) sum += x[entities[at]!.id()]!;
      total += sum;
    },
    set: () => {
      runs++;
      const { x, y } = getStore(world, Position);
      for (let at = 0; at < ENTITIES; at++) {
        const id = entities[at]!.id();
        x[id] = at % 1024;
        y[id] = runs;
      }
    },
    put: () => {
      runs++;
      const { x } = getStore(world, Position);
      for (let at = 0; at < ENTITIES; at++) x[entities[at]!.id()] = (at + runs) % 1024;
    },
  };
  return { run: run[operation], checksum: () => placesOf(world, all) + total };
}

function churn({ queries }: Given<"churn">): Subject {
  const world = createOnlyWorld();
  makeQueries(world, queries);
  const before = world.entities.length;
  return {
    run: () => {
      for (let cycle = 0; cycle < CYCLES; cycle++) {
        const parent = world.spawn();
        world.spawn(Position({ x: cycle, y: 0 }), ChildOf(parent));
        parent.destroy();
      }
    },
    checksum: () => 1 + world.entities.length - before,
  };
}

function renew({ queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let world: World;
  let parents: Entity[] = [];
  let children: readonly Entity[] = [];
  return {
    before: () => {
      const crowd = gather(RENEW_PARENTS, above);
      world = crowd.world;
      makeQueries(world, queries);
      parents = [...crowd.parents];
      children = crowd.children;
    },
    run: () => {
      for (let step = 0; step < STEPS; step++) {
        const parent = world.spawn();
        children[steps[step]!]!.add(ChildOf(parent));
        parents.push(parent);
      }
    },
    checksum: () => {
      const numberOf = parentNumbers(parents);
      return sumOfParents(children.length, (at) => numberOf(children[at]!));
    },
  };
}

function instances({ parts }: Given<"instances">): Subject {
  const root = [Position({ x: 1, y: 2 }), Velocity({ x: 3, y: 4 })] as const;
  const template = TAGS.map((own, place) => {
    const values = [Position({ x: place, y: 2 }), Velocity({ x: 3, y: 4 })];
    return parts === "distinct" ? [...values, own] : values;
  });
  let world: World;
  let before = 0;
  let spawned: Entity[] = [];
  return {
    before: () => {
      world = createOnlyWorld();
      before = world.entities.length;
      spawned = [];
    },
    run: () => {
      for (let instance = 0; instance < INSTANCES; instance++) {
        const parent = world.spawn(...root);
        spawned.push(parent);
        for (let part = 0; part < PARTS; part++) {
          spawned.push(world.spawn(...template[part]!, ChildOf(parent)));
        }
      }
    },
    checksum: () => {
      const { x } = getStore(world, Position);
      return world.entities.length - before + spawned.reduce((sum, one) => sum + x[one.id()]!, 0);
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
  names: naming,
  churn,
  renew,
  instances,
  frame,
};
