/** Treeline's memory: worlds grow by themselves, nothing is reserved. */
import { Any, createWorld, spawn, type World } from "@treeline/core";
import { lookup, Name } from "@treeline/names";
import { eachRun, query } from "@treeline/query";
import { Position, Velocity } from "../../../../fixtures/components.ts";
import { type Growing, type Held, type Holdings, type Layout, sumOfGrown } from "../../../memory/holdings.ts";
import { parentsOf } from "../../../workloads/inputs.ts";
import { makeQueries } from "../changes.ts";
import type { Below } from "../loops.ts";

function fill(world: World, below: Below, { parents: parentCount, children }: Layout): void {
  const parents = Array.from({ length: parentCount }, () => spawn(world));
  parentsOf(parentCount, "block", children).forEach((parent, at) => {
    const home = below(parents[parent]!);
    spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }), home);
  });
}

function settle(below: Below, layout: Layout): Held {
  const world = createWorld();
  makeQueries(world, layout.queries);
  fill(world, below, layout);
  return {
    count: () => {
      let count = 0;
      eachRun(query(world, Position, Velocity, below(Any)), (run) => {
        count += run.end - run.first;
      });
      return count;
    },
  };
}

function named(texts: readonly string[], isNamed: boolean): Held {
  const world = createWorld();
  for (const text of texts) {
    if (isNamed) spawn(world, Name(text));
    else spawn(world);
  }
  return { count: () => texts.reduce((sum, text) => sum + Number(lookup(world, text) !== undefined), 0) };
}

function grow(entities: number): Growing {
  const world = createWorld();
  return {
    run: (stamp) => {
      for (let at = 0; at < entities; at++) {
        spawn(world, Position({ x: at % 1024, y: 0 }), Velocity({ x: 1, y: 1 + (at % 3) }));
        stamp();
      }
    },
    checksum: () => {
      let sum = 0;
      eachRun(query(world, Position, Velocity), (run) => {
        const { x } = run.columns(Position);
        const { y } = run.columns(Velocity);
        sum += sumOfGrown(
          run.end - run.first,
          (at) => x[run.first + at]!,
          (at) => y[run.first + at]!,
        );
      });
      return sum;
    },
  };
}

export function holdingsIn(below: Below): Holdings {
  return { settle: (layout) => settle(below, layout), named, grow };
}
