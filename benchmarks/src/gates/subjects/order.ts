/** The order of a family of 50,000, and a tree that is disabled and enabled. */
import { add, createWorld, DisabledTree, defer, type Entity, remove, spawn } from "@treeline/core";
import { children, count, moveBefore, query } from "@treeline/query";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { Position, Velocity } from "../../fixtures/components.ts";
import { diceOf } from "../../fixtures/dice.ts";
import { numbersOf, type Stage, scaled, sumOfFamilies } from "./stage.ts";

/** Different runs, which repeat. */
const ROUNDS = 16;

export type Way = "one by one" | "in one defer" | "in one defer, then read";

/** One run: a random child goes before another random one, 100 times one by one, or 1,000 times. */
export function ordering(stage: Stage, { way }: { readonly way: Way }): Subject {
  const world = createWorld();
  const parent = spawn(world);
  const siblings = Array.from({ length: scaled(stage, 50_000) }, (_, at) =>
    spawn(world, Position({ x: at % 1024, y: 0 }), stage.below(parent)),
  );
  const moves = way === "one by one" ? 100 : 1_000;
  const dice = diceOf(17);
  const rounds = Array.from({ length: ROUNDS }, () => pairsOf(moves, siblings, dice));
  let round = 0;
  const moveAll = (): void => {
    const { movers, goals } = rounds[round++ % ROUNDS]!;
    for (let at = 0; at < moves; at++) moveBefore(world, movers[at]!, goals[at]!);
  };
  let read = 0;
  const run = {
    "one by one": moveAll,
    "in one defer": () => defer(world, moveAll),
    "in one defer, then read": () => {
      defer(world, moveAll);
      read += children(world, parent).length;
    },
  };
  return {
    run: run[way],
    checksum: () => read + sumOfFamilies(world, [parent], numbersOf(siblings)),
  };
}

function pairsOf(
  moves: number,
  siblings: readonly Entity[],
  dice: (sides: number) => number,
): { readonly movers: readonly Entity[]; readonly goals: readonly Entity[] } {
  const movers: Entity[] = [];
  const goals: Entity[] = [];
  for (let at = 0; at < moves; at++) {
    const mover = dice(siblings.length);
    const goal = dice(siblings.length - 1);
    movers.push(siblings[mover]!);
    goals.push(siblings[goal < mover ? goal : goal + 1]!);
  }
  return { movers, goals };
}

/** A root, 100 groups below it, 100 parts below each, beside others. One run: DisabledTree on the root and off again, with a count each. */
export function disabling(stage: Stage): Subject {
  const { below, entities } = stage;
  const world = createWorld();
  const root = spawn(world);
  const parts = scaled(stage, 10_000);
  const groups = Array.from({ length: scaled(stage, 100) }, () => spawn(world, below(root)));
  for (let at = 0; at < parts; at++) {
    spawn(world, Position({ x: at % 1024, y: 0 }), below(groups[at % groups.length]!));
  }
  const others = spawn(world);
  for (let at = parts; at < entities; at++) spawn(world, Velocity({ x: 1, y: 1 }), below(others));
  const enabled = query(world, Position);
  let total = 0;
  return {
    run: () => {
      add(world, root, DisabledTree);
      total += 3 * count(enabled);
      remove(world, root, DisabledTree);
      total += count(enabled);
    },
    checksum: () => 1 + total,
  };
}
