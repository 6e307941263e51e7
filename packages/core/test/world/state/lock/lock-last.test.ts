import { beforeEach, describe, expect, it } from "vitest";
import { defer, get, set, spawn } from "../../../../src/index.ts";
import { enqueue, enqueueLast } from "../../../../src/world/state/lock.ts";
import { Position } from "../../../definitions.ts";
import { setWorld, world } from "../../../stage.ts";

beforeEach(setWorld);

describe("a look at the world at rest", () => {
  it("comes behind all that is queued until then", () => {
    const done: string[] = [];
    const queue = (text: string): void => enqueue(world, 0, () => done.push(text));
    defer(world, () => {
      enqueueLast(world, () => {
        done.push("last");
        queue("after the last");
      });
      enqueueLast(world, () => done.push("very last"));
      queue("first");
      enqueue(world, 0, () => queue("second"));
    });

    expect(done).toEqual(["first", "second", "last", "after the last", "very last"]);
  });

  it("keeps no write waiting", () => {
    const one = spawn(world, Position);

    defer(world, () => {
      enqueueLast(world, () => undefined);
      set(world, one, Position, { x: 7 });
      expect(get(world, one, Position)).toEqual({ x: 7 });
    });
  });

  it("is not taken outside of visits: there is nothing to wait for", () => {
    let looks = 0;

    const isTaken = enqueueLast(world, () => looks++);
    defer(world, () => expect(enqueueLast(world, () => looks++)).toBe(true));

    expect(isTaken).toBe(false);
    expect(looks).toBe(1);
  });
});
