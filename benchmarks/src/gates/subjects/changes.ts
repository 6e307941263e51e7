/** Spawns, reparents, new parents, destruction, in families of one archetype. */
import { add, createWorld, type Entity, isAlive, reserve, spawn } from "@treeline/core";
import { destroy } from "@treeline/query";
import { churnIn } from "../../comparison/contestants/treeline/changes.ts";
import { gather, placesOf, plant } from "../../comparison/contestants/treeline/loops.ts";
import { parentsOf } from "../../comparison/workloads/inputs.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Local, Position, Velocity, World } from "../../fixtures/components.ts";
import { diceOf } from "../../fixtures/dice.ts";
import { levelled } from "./levelled.ts";
import { numbersOf, type Order, type Stage, scaled, sumOfFamilies, turnsOf } from "./stage.ts";

const GOALS = 8;

/** Round -> mover -> number of its next parent. */
export function goalsOf(movers: number, parents: number): readonly Int32Array[] {
  const dice = diceOf(6);
  return Array.from({ length: GOALS }, () => Int32Array.from({ length: movers }, () => dice(parents)));
}

/** Before each run: a fresh world with the parents, and reserved room. One run: all children, with values as objects. */
export function spawning(stage: Stage): Subject {
  const { below, entities } = stage;
  const parentCount = scaled(stage, 1_000);
  const above = parentsOf(parentCount, "block", entities);
  let world = createWorld();
  let parents: Entity[] = [];
  let spawned: Entity[] = [];
  return {
    before: () => {
      world = createWorld();
      parents = Array.from({ length: parentCount }, () => spawn(world));
      spawned = new Array(entities);
      reserve(world, entities, Position, Velocity, below(parents[0]!));
    },
    run: () => {
      for (let at = 0; at < entities; at++) {
        spawned[at] = spawn(
          world,
          Position({ x: at % 1024, y: 0 }),
          Velocity({ x: 1, y: 1 + (at % 3) }),
          below(parents[above[at]!]!),
        );
      }
    },
    checksum: () => placesOf(world, spawned) + sumOfFamilies(world, parents, numbersOf(spawned)),
  };
}

/** One run: each child goes to a random one of 1,000 parents. */
export function reparenting(stage: Stage, { order }: { readonly order: Order }): Subject {
  const { below, entities } = stage;
  const parentCount = scaled(stage, 1_000);
  const { world, parents, children } = gather(below, parentCount, parentsOf(parentCount, "block", entities));
  const movers = turnsOf(entities, order);
  const goals = goalsOf(entities, parentCount);
  let round = 0;
  return {
    run: () => {
      const goal = goals[round++ % GOALS]!;
      for (let turn = 0; turn < entities; turn++) {
        const mover = movers[turn]!;
        add(world, children[mover]!, below(parents[goal[mover]!]!));
      }
    },
    checksum: () => placesOf(world, children) + sumOfFamilies(world, parents, numbersOf(children)),
  };
}

/** One run: a parent, a child of it, and both destroyed, 20,000 times. */
export function churning(stage: Stage): Subject {
  const cycles = scaled(stage, 20_000);
  const { run, checksum } = churnIn(createWorld(), stage.below, cycles);
  let runs = 0;
  return {
    run: () => {
      runs++;
      run();
    },
    checksum: () => checksum() + runs * cycles,
  };
}

/** Before each run: a fresh world of 50,000 parents with two children each. One run: 10,000 new parents, a child below each. */
export function renewing(stage: Stage): Subject {
  const { below, entities } = stage;
  const parentCount = scaled(stage, 50_000);
  const above = parentsOf(parentCount, "block", entities);
  const dice = diceOf(13);
  const steps = Int32Array.from({ length: scaled(stage, 10_000) }, () => dice(entities));
  let crowd = gather(below, 0, new Int32Array(0));
  let added: Entity[] = [];
  return {
    before: () => {
      crowd = gather(below, parentCount, above);
      added = [];
    },
    run: () => {
      const { world, children } = crowd;
      for (let step = 0; step < steps.length; step++) {
        const parent = spawn(world);
        added.push(parent);
        add(world, children[steps[step]!]!, below(parent));
      }
    },
    checksum: () => sumOfFamilies(crowd.world, [...crowd.parents, ...added], numbersOf(crowd.children)),
  };
}

/** Before each run: a fresh tree. One run: its root is destroyed, and with it everything. */
export function destroying(stage: Stage, { tree }: { readonly tree: "10-ary" | "star" }): Subject {
  const { below, entities } = stage;
  const parents = levelled(entities, tree === "star" ? entities : 10);
  let grove = plant(below, new Int32Array(0));
  return {
    before: () => {
      grove = plant(below, parents);
    },
    run: () => destroy(grove.world, grove.nodes[0]!),
    checksum: () =>
      grove.nodes.length + grove.nodes.reduce((sum, node) => sum + Number(isAlive(grove.world, node)), 0),
  };
}

/** Before: an empty world. One run: a chain of 1,000 nodes, each below the one before. */
export function chaining({ below }: Stage): Subject {
  const nodes = 1_000;
  const chain: Entity[] = new Array(nodes);
  let world = createWorld();
  return {
    before: () => {
      world = createWorld();
    },
    run: () => {
      for (let at = 0; at < nodes; at++) {
        const local = Local({ x: 1 + (at % 3), y: 1 });
        chain[at] = at === 0 ? spawn(world, local, World) : spawn(world, local, World, below(chain[at - 1]!));
      }
    },
    checksum: () => placesOf(world, chain, Local) + sumOfFamilies(world, chain, numbersOf(chain)),
  };
}
