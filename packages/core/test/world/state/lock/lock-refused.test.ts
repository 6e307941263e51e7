import { describe, expect, it } from "vitest";
import { add, createWorld, defer, type Entity, release, spawn, spawnMany } from "../../../../src/index.ts";
import { Any, ChildOf, Frozen, Likes, Lit } from "../../../definitions.ts";
import { beginDeferred, deferCommand, endDeferred, mustDefer } from "../../../internal.ts";
import { codeOf, has, isAlive, parentOf, verify } from "../../../reading.ts";
import { Refuser, start } from "./lock-fixture.ts";

describe("a refused command", () => {
  it("changes nothing, the others are made, and its error is thrown at the end", () => {
    const { world, one, ship } = start();
    const seen: string[] = [];

    const code = codeOf(() =>
      defer(world, () => {
        add(world, one, Frozen);
        add(world, ship, ChildOf(one), Lit);
        add(world, ship, Frozen);
        seen.push("all issued");
      }),
    );

    expect([code, seen]).toEqual(["cycle", ["all issued"]]);
    expect([one, ship].map((entity) => has(world, entity, Frozen))).toEqual([true, true]);
    expect([has(world, ship, Lit), parentOf(world, ship), verify(world)]).toEqual([false, undefined, []]);
  });

  it("is reported once: the first of several", () => {
    const { world, one, ship } = start();

    const code = codeOf(() =>
      defer(world, () => {
        release(world, ship);
        add(world, ship, ChildOf(one));
      }),
    );

    expect(code).toBe("still-a-target");
    expect(codeOf(() => defer(world, () => spawn(world)))).toBeUndefined();
  });

  it("that was a spawn leaves a stale handle, and nothing else", () => {
    const { world } = start();
    const before = world.entities.alive;
    const spawned: Entity[] = [];

    expect(() =>
      defer(world, () => {
        spawned.push(spawn(world, Refuser("bad")), ...spawnMany(world, 3, Refuser("bad")));
        add(world, spawned[0]!, Frozen);
      }),
    ).toThrow("refused");

    expect(spawned.map((one) => isAlive(world, one))).toEqual([false, false, false, false]);
    expect([world.entities.alive, verify(world)]).toEqual([before, []]);
  });

  it("makes the later commands on its entity fail: that is not alive then", () => {
    const { world, one } = start();

    expect(() =>
      defer(world, () => {
        const spawned = spawn(world, Refuser("bad"));
        add(world, one, Likes(spawned), Frozen);
        spawn(world, ChildOf(spawned));
      }),
    ).toThrow("refused");

    expect([has(world, one, Frozen), has(world, one, Likes(Any)), world.entities.alive]).toEqual([
      true,
      false,
      2,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("leaves the world open to changes", () => {
    const { world, one, ship } = start();
    codeOf(() => defer(world, () => add(world, ship, ChildOf(one))));

    expect([world.deferDepth, world.hasCommands, world.commands.list, world.commands.errors]).toEqual([
      0,
      false,
      [],
      [],
    ]);
    expect(codeOf(() => add(world, one, Frozen))).toBeUndefined();
  });
});

describe("a callback that throws", () => {
  it("keeps the commands it had issued until then, and its own error is thrown", () => {
    const { world, one, ship } = start();

    expect(() =>
      defer(world, () => {
        add(world, one, Frozen);
        add(world, ship, ChildOf(one));
        throw new Error("mine");
      }),
    ).toThrow("mine");

    expect([has(world, one, Frozen), parentOf(world, ship), world.deferDepth]).toEqual([true, undefined, 0]);
    expect(codeOf(() => spawn(world))).toBeUndefined();
  });

  it("inside another that goes on leaves both their changes to the outermost end", () => {
    const { world, one } = start();

    defer(world, () => {
      try {
        defer(world, () => {
          add(world, one, Frozen);
          throw new Error("caught");
        });
      } catch {}
      expect(has(world, one, Frozen)).toBe(false);
      add(world, one, Lit);
    });

    expect([has(world, one, Frozen), has(world, one, Lit)]).toEqual([true, true]);
  });
});

describe("the list of commands", () => {
  it("is for callers inside iterations", () => {
    const world = createWorld();
    const outside = mustDefer(world);
    beginDeferred(world);
    const inside = mustDefer(world);
    endDeferred(world, true);

    expect([outside, inside, mustDefer(world)]).toEqual([false, true, false]);
  });

  it("is run once, also if a command iterates itself", () => {
    const world = createWorld();
    const done: string[] = [];
    defer(world, () => {
      deferCommand(world, 0, () => {
        defer(world, () => {
          deferCommand(world, 0, () => done.push("third"));
        });
        done.push("first");
      });
      deferCommand(world, 0, () => done.push("second"));
    });

    expect(done).toEqual(["first", "second", "third"]);
  });
});
