/** Loops over rows: of all children, of the children of one parent, of its few tagged ones. */
import { add, createWorld, type Entity, spawn, tag } from "@treeline/core";
import { bind, eachBatch, query, variable } from "@treeline/query";
import { batchKernel } from "@treeline/query/kernels";
import { BY_HAND, gather, placesOf } from "../../comparison/contestants/treeline/loops.ts";
import { parentsOf } from "../../comparison/workloads/inputs.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Position, Velocity } from "../../fixtures/components.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { addUp, type Placed } from "../../fixtures/each/written.ts";
import { checksumOf } from "../../measure/proof.ts";
import { type Stage, scaled } from "./stage.ts";

const Marked = tag("MarkedOfFamily");

/** W1, W2: position += velocity for all children of so many parents, in random order where there is more than one. */
export function moving(stage: Stage, given: { readonly parents: number }): Subject {
  const parents = given.parents === 1 ? 1 : scaled(stage, given.parents);
  const above = parentsOf(parents, parents === 1 ? "block" : "random", stage.entities);
  const { world, children } = gather(stage.below, parents, above);
  const movingOnes = query(world, Position, Velocity);
  return { run: () => BY_HAND.move(movingOnes), checksum: () => placesOf(world, children) };
}

/** Kernels over runs of rows, or over lists of rows; or `each` as it is written. */
export type Means = "runs" | "lists" | "each";

const total = { sum: 0 };
const addUpLists = batchKernel(
  { own: [Position], above: [] },
  ([{ x }], _, { rows }, total) => {
    return (from, to) => {
      let sum = 0;
      for (let at = from; at < to; at++) sum += x[rows[at]!]!;
      total.sum += sum;
    };
  },
  total,
);

const WAYS: Readonly<Record<Means, (placed: Placed) => number>> = {
  runs: BY_HAND.addUp,
  lists: (placed) => {
    total.sum = 0;
    eachBatch(placed, addUpLists);
    return total.sum;
  },
  each: addUp,
};

/** For each of 1,000 parents, in shuffled order: Position.x summed up over its children; "scattered": rows in random order. */
export function summing(
  stage: Stage,
  { order, by }: { readonly order: "in order" | "scattered"; readonly by: Means },
): Subject {
  const sumOf = WAYS[by];
  const { below, entities } = stage;
  const parentCount = scaled(stage, 1_000);
  const above = parentsOf(parentCount, order === "scattered" ? "random" : "block", entities);
  const { world, parents } = gather(below, parentCount, above);
  const turns = shuffled(parentCount, diceOf(3));
  const inTurn = Array.from(turns, (number) => parents[number]!);
  const parent = variable("parent");
  const childrenOf = query(world, Position, below(parent));
  const sums = new Float64Array(parentCount);
  return {
    run: () => {
      for (let turn = 0; turn < parentCount; turn++) {
        const bound = bind(childrenOf, parent, inTurn[turn]!) as unknown as Placed;
        sums[turns[turn]!] = sumOf(bound);
      }
    },
    checksum: () => checksumOf(parentCount, (at) => sums[at]!),
  };
}

/** Two parents of 100,000 children, of which 10 have a tag in tables. One run: those of one parent by a bound query, then the other's. */
export function tagged({ below, entities }: Stage): Subject {
  const world = createWorld();
  const parents = [spawn(world), spawn(world)] as const;
  const step = Math.floor(entities / 10);
  for (const parent of parents) {
    const family: Entity[] = [];
    for (let at = 0; at < entities; at++) {
      family.push(spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 }), below(parent)));
    }
    for (let at = 0; at < 10; at++) add(world, family[at * step]!, Marked);
  }
  const parent = variable("parent");
  const markedOf = query(world, Position, Marked, below(parent));
  let total = 0;
  return {
    run: () => {
      total += BY_HAND.addUp(bind(markedOf, parent, parents[0]) as unknown as Placed);
      total += 3 * BY_HAND.addUp(bind(markedOf, parent, parents[1]) as unknown as Placed);
    },
    checksum: () => total,
  };
}
