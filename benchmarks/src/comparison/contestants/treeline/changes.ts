// Treeline's changes: spawns, reparents, destruction, tags, in either storage of parents.
import {
  add,
  component,
  createWorld,
  type Entity,
  f32,
  isAlive,
  locate,
  parentOf,
  remove,
  reserve,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import { children, destroy, query } from "@treeline/query";
import { Position, Velocity } from "../../../fixtures/components.ts";
import { makeFiftyQueries } from "../../../fixtures/fifty-queries.ts";
import { treeOf } from "../../../fixtures/trees.ts";
import {
  movesOf,
  parentsOf,
  renewals,
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
  STEPS,
} from "../../workloads/workloads.ts";
import { instancing } from "./instances.ts";
import { type Below, gather, placesOf, plant } from "./loops.ts";

const Marked = tag("Marked");
const Mass = component("Mass", { value: f32 });

/** Live queries for Position. Equal ones would be shared: each names another component that no entity has. */
export function makeQueries(world: World, queries: number): void {
  if (queries === 1) query(world, Position);
  else if (queries === 50) makeFiftyQueries(world);
  else if (queries !== 0) throw new Error("there is no such number of queries");
}

/** Counted from 0, -1 if there is none. */
export function parentNumbers(world: World, parents: readonly Entity[]): (child: Entity) => number {
  const numbers = new Map<Entity | undefined, number>(parents.map((parent, at) => [parent, at]));
  return (child) => numbers.get(parentOf(world, child)) ?? -1;
}

/** One call each, into reserved room: `spawnMany` would spawn those with the same parent at once. */
function spawning(below: Below, { parents: parentCount }: Given<"spawn">): Subject {
  const above = parentsOf(Math.max(parentCount, 1), "block");
  let world = createWorld();
  let parents: Entity[] = [];
  let spawned: Entity[] = [];
  const spawnRoots = (): void => {
    for (let at = 0; at < ENTITIES; at++) {
      spawned[at] = spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }));
    }
  };
  const spawnChildren = (): void => {
    for (let at = 0; at < ENTITIES; at++) {
      spawned[at] = spawn(
        world,
        Position({ x: at % 1024, y: 0 }),
        Velocity({ x: 1, y: 1 + (at % 3) }),
        below(parents[above[at]!]!),
      );
    }
  };
  return {
    before: () => {
      world = createWorld();
      parents = Array.from({ length: parentCount }, () => spawn(world));
      spawned = new Array(ENTITIES);
      if (parentCount === 0) reserve(world, ENTITIES, Position, Velocity);
      else reserve(world, ENTITIES, Position, Velocity, below(parents[0]!));
    },
    run: parentCount === 0 ? spawnRoots : spawnChildren,
    checksum: () =>
      placesOf(world, spawned) + sumOfCounts(parentCount, (at) => children(world, parents[at]!).length),
  };
}

function reparent(below: Below, { order }: Given<"reparent">): Subject {
  const { movers, goals } = movesOf(order);
  const crowd = gather(below, REPARENT_PARENTS, parentsOf(REPARENT_PARENTS, "block"));
  const { world, parents } = crowd;
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % goals.length]!;
      for (let turn = 0; turn < movers.length; turn++) {
        const mover = movers[turn]!;
        add(world, crowd.children[mover]!, below(parents[goal[mover]!]!));
      }
    },
    checksum: () => {
      const numberOf = parentNumbers(world, parents);
      return (
        sumOfParents(ENTITIES, (at) => numberOf(crowd.children[at]!)) +
        sumOfCounts(REPARENT_PARENTS, (at) => children(world, parents[at]!).length)
      );
    },
  };
}

function destroying(below: Below, { tree: name }: Given<"destroy">): Subject {
  const tree = treeOf(name);
  const victims = victimsOf(name);
  let grove = plant(below, new Int32Array(0));
  return {
    before: () => {
      grove = plant(below, tree);
    },
    run: () => {
      const { world, nodes } = grove;
      for (let at = 0; at < victims.length; at++) destroy(world, nodes[victims[at]!]!);
    },
    checksum: () => 1 + grove.nodes.reduce((sum, node) => sum + (isAlive(grove.world, node) ? 1 : 0), 0),
  };
}

/** `locate` reads and writes without a copy; there is no observer that `set` would have to notify. */
function change({ operation }: Given<"change">): Subject | undefined {
  if (operation === "pair" || operation === "put") return undefined;
  const world = createWorld();
  const entities = Array.from({ length: ENTITIES }, (_, at) =>
    spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) })),
  );
  let total = 0;
  let runs = 0;
  const run = {
    tag: () => {
      for (let at = 0; at < ENTITIES; at++) add(world, entities[at]!, Marked);
      for (let at = 0; at < ENTITIES; at++) remove(world, entities[at]!, Marked);
    },
    component: () => {
      const mass = Mass({ value: 2 });
      for (let at = 0; at < ENTITIES; at++) add(world, entities[at]!, mass);
      for (let at = 0; at < ENTITIES; at++) remove(world, entities[at]!, Mass);
    },
    get: () => {
      let sum = 0;
      for (let at = 0; at < ENTITIES; at++) {
        const { columns, row } = locate(world, entities[at]!, Position)!;
        sum += columns.x[row]!;
      }
      total += sum;
    },
    set: () => {
      runs++;
      for (let at = 0; at < ENTITIES; at++) {
        const { columns, row } = locate(world, entities[at]!, Position)!;
        columns.x[row] = at % 1024;
        columns.y[row] = runs;
      }
    },
  };
  return { run: run[operation], checksum: () => placesOf(world, entities) + total };
}

function churn(below: Below, { queries }: Given<"churn">): Subject {
  const world = createWorld();
  makeQueries(world, queries);
  return churnIn(world, below, CYCLES);
}

export function churnIn(world: World, below: Below, cycles: number): Subject {
  let parent: Entity | undefined;
  let child: Entity | undefined;
  return {
    run: () => {
      for (let cycle = 0; cycle < cycles; cycle++) {
        parent = spawn(world);
        child = spawn(world, Position({ x: cycle, y: 0 }), below(parent));
        destroy(world, parent);
      }
    },
    checksum: () => 1 + Number(isAlive(world, parent!)) + Number(isAlive(world, child!)),
  };
}

function renew(below: Below, { queries }: Given<"renew">): Subject {
  const above = parentsOf(RENEW_PARENTS, "block", RENEW_PARENTS * 2);
  const steps = renewals();
  let crowd = gather(below, 0, new Int32Array(0));
  let added: Entity[] = [];
  return {
    before: () => {
      crowd = gather(below, RENEW_PARENTS, above);
      makeQueries(crowd.world, queries);
      added = [];
    },
    run: () => {
      const { world } = crowd;
      for (let step = 0; step < STEPS; step++) {
        const parent = spawn(world);
        added.push(parent);
        add(world, crowd.children[steps[step]!]!, below(parent));
      }
    },
    checksum: () => {
      const numberOf = parentNumbers(crowd.world, [...crowd.parents, ...added]);
      return sumOfParents(RENEW_PARENTS * 2, (at) => numberOf(crowd.children[at]!));
    },
  };
}

export function changesIn(below: Below): Subjects {
  return {
    spawn: (given) => spawning(below, given),
    reparent: (given) => reparent(below, given),
    destroy: (given) => destroying(below, given),
    change,
    churn: (given) => churn(below, given),
    renew: (given) => renew(below, given),
    instances: (given) => instancing(below, given),
  };
}
