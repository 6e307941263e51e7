// Checks that programs see no internal fields.
import {
  type ChildOf,
  cascade,
  component,
  createWorld,
  eachBatch,
  eachLevel,
  eachRun,
  f32,
  query,
  spawn,
} from "treeline";
import { expect, expectTypeOf, it } from "vitest";

const Position = component("Position", { x: f32 });

/** Symbols carry types; programs cannot name them. */
type NamesIn<T> = Exclude<keyof T, symbol>;

it("shows programs the number, the name and the kind of a definition, and no more", () => {
  expectTypeOf<NamesIn<typeof Position>>().toEqualTypeOf<"id" | "kind" | "name">();
  expectTypeOf<NamesIn<typeof ChildOf>>().toEqualTypeOf<"each" | "exclusive" | "id" | "kind" | "name">();

  // @ts-expect-error: how core stores its values
  expect(Position.store).toBeUndefined();
});

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
