import { component, createWorld, f32, spawn } from "@treeline/core";
import { cascade, eachBatch, eachLevel, eachRun, query } from "@treeline/query";
import { expect, it } from "vitest";

const Position = component("Position", { x: f32 });

it("shows programs what is theirs, and nothing of how it is kept", () => {
  const world = createWorld();
  spawn(world, Position);
  const asked = query(world, Position, cascade(Position));
  const seen: unknown[] = [];

  // @ts-expect-error: what core keeps in a world
  seen.push(world.graph);
  // @ts-expect-error: how a query is planned is nobody's business
  seen.push(asked.plan);
  eachRun(asked, (run) => {
    // @ts-expect-error: only eachRun turns a run
    seen.push(run.turnTo, run.first);
  });
  eachBatch(asked, (batch) => {
    // @ts-expect-error: what kernels keep with a batch
    seen.push(batch.kept, batch.from);
  });
  eachLevel(asked, (level) => {
    // @ts-expect-error: only eachLevel turns a level
    seen.push(level.turnTo, level.depth);
  });

  expect(seen).toHaveLength(8);
});
