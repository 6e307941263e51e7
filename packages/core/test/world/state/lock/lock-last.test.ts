import { beforeEach, describe, expect, it } from "vitest";
import { defer, get, set, spawn } from "../../../../src/index.ts";
import { Position } from "../../../definitions.ts";
import { setWorld, world } from "../../../fixture.ts";
import { deferCommand, deferLast } from "../../../internal.ts";

beforeEach(setWorld);

describe("a function at the end of all commands", () => {
  it("runs after all commands issued until then", () => {
    const done: string[] = [];
    const commands = (text: string): void => deferCommand(world, 0, () => done.push(text));
    defer(world, () => {
      deferLast(world, () => {
        done.push("last");
        commands("after the last");
      });
      deferLast(world, () => done.push("very last"));
      commands("first");
      deferCommand(world, 0, () => commands("second"));
    });

    expect(done).toEqual(["first", "second", "last", "after the last", "very last"]);
  });

  it("defers no write", () => {
    const one = spawn(world, Position);

    defer(world, () => {
      deferLast(world, () => undefined);
      set(world, one, Position, { x: 7 });
      expect(get(world, one, Position)).toEqual({ x: 7 });
    });
  });

  it("is not deferred outside of iterations", () => {
    let runs = 0;

    const isDeferred = deferLast(world, () => runs++);
    defer(world, () => expect(deferLast(world, () => runs++)).toBe(true));

    expect(isDeferred).toBe(false);
    expect(runs).toBe(1);
  });
});
