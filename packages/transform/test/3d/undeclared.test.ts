import { createWorld, spawn } from "@treeline/core";
import { eachRun, query } from "@treeline/query";
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
