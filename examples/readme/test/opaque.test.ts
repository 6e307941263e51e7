import { component, createWorld, f32, spawn } from "@treeline/core";
import { cascade, eachBatch, eachLevel, eachRun, query } from "@treeline/query";
import { expect, it } from "vitest";

const Position = component("Position", { x: f32 });

it("shows programs the public surface, and no internal fields", () => {
  const world = createWorld();
  spawn(world, Position);
  const positions = query(world, Position, cascade(Position));
  const seen: unknown[] = [];

  // @ts-expect-error: internal state of a world
  seen.push(world.graph);
  // @ts-expect-error: the plan of a query is internal
  seen.push(positions.plan);
  eachRun(positions, (run) => {
    // @ts-expect-error: only eachRun moves a run
    seen.push(run.turnTo, run.first);
  });
  eachBatch(positions, (batch) => {
    // @ts-expect-error: data of kernels in a batch
    seen.push(batch.kept, batch.from);
  });
  eachLevel(positions, (level) => {
    // @ts-expect-error: only eachLevel moves a level
    seen.push(level.turnTo, level.depth);
  });

  expect(seen).toHaveLength(8);
});
