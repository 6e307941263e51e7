import { ChildOf, createWorld, set, spawn } from "@treeline/core";
import { changed, eachRun, entities, query } from "@treeline/query";
import { expect, it, vi } from "vitest";
import { Local3D, propagate, World3D } from "../../src/3d.ts";

it("warns, in development, of a loop that writes columns of local transforms and does not say so", () => {
  const world = createWorld();
  spawn(world, Local3D, World3D);
  propagate(world);
  const moving = query(world, Local3D);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const move = (options?: { writes: [typeof Local3D] }): void =>
    eachRun(
      moving,
      (run) => {
        run.columns(Local3D).position[run.first * 3]! += 1;
      },
      options,
    );

  move({ writes: [Local3D] });
  expect([warn.mock.calls.length, propagate(world)]).toEqual([0, 1]);

  move();
  expect(warn.mock.calls.flat().join()).toContain("Local3D");
  expect(propagate(world)).toBe(0);
  warn.mockRestore();
});

// A row that is spawned in the tick of the update has the same tick before and after it.
it("does not take what propagate itself writes for undeclared writes", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const world = createWorld();
  const moved = query(world, World3D, changed(World3D));
  const ship = spawn(world, Local3D({ position: [1, 0, 0] }), World3D);
  const parts = Array.from({ length: 200 }, () =>
    spawn(world, Local3D({ position: [0, 1, 0] }), World3D, ChildOf(ship)),
  );

  // Spawned and moved in the same tick as the update.
  expect(propagate(world)).toBe(201);
  expect(entities(moved)).toHaveLength(201);
  for (const part of parts) set(world, part, Local3D, { position: [0, 2, 0] });
  expect(propagate(world)).toBe(200);

  expect(entities(moved)).toHaveLength(200);
  expect(warn).not.toHaveBeenCalled();
  warn.mockRestore();
});
