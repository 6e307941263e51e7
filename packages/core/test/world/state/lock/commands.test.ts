import { beforeEach, describe, expect, expectTypeOf, it } from "vitest";
import type { CommandBuffer } from "../../../../src/index.ts";
import {
  add,
  applyCommands,
  clone,
  createCommands,
  defer,
  discardCommands,
  observe,
  patch,
  record,
  release,
  remove,
  set,
} from "../../../../src/index.ts";
import { ChildOf, DockedTo, Frozen, Likes, Position } from "../../../definitions.ts";
import {
  createWorld,
  dock,
  type Entity,
  setShipAndDock,
  ship,
  spawn,
  spawnMany,
  world,
} from "../../../fixture.ts";
import { codeOf, get, has, isAlive, parentOf, stats, targetsOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";

let buffer: CommandBuffer;

beforeEach(setShipAndDock);
beforeEach(() => {
  buffer = createCommands(world);
});

describe("record", () => {
  it("makes no change, and applyCommands makes them in order", () => {
    record(buffer, () => {
      add(world, ship, Frozen);
      add(world, ship, Position({ x: 1 }));
      remove(world, ship, Frozen);
    });
    const before = [has(world, ship, Frozen), has(world, ship, Position)];

    applyCommands(buffer);

    expect(before).toEqual([false, false]);
    expect([has(world, ship, Frozen), get(world, ship, Position)?.x]).toEqual([false, 1]);
  });

  it("returns what the function returns", () => {
    expect(record(buffer, () => 7)).toBe(7);
    expectTypeOf(record(buffer, () => "a")).toEqualTypeOf<string>();
  });

  it("records writes of components that are there, as all others", () => {
    add(world, ship, Position({ x: 1 }));

    record(buffer, () => {
      set(world, ship, Position, { x: 2 });
      patch(world, ship, Position, (position) => {
        position.x *= 10;
      });
    });

    expect(get(world, ship, Position)?.x).toBe(1);
    applyCommands(buffer);
    expect(get(world, ship, Position)?.x).toBe(20);
  });

  it("copies values when they are recorded", () => {
    const value = { x: 1 };
    record(buffer, () => add(world, ship, Position(value)));
    value.x = 2;

    applyCommands(buffer);

    expect(get(world, ship, Position)?.x).toBe(1);
  });

  it("gives spawned entities handles at once, which every record may name", () => {
    const other = createCommands(world);
    const pod = record(buffer, () => {
      const spawned = spawn(world, ChildOf(ship));
      add(world, spawned, Frozen);
      return spawned;
    });
    record(other, () => {
      expect(isAlive(world, pod)).toBe(true);
      add(world, pod, Position({ x: 3 }));
    });

    applyCommands(buffer);
    applyCommands(other);

    expect([parentOf(world, pod), has(world, pod, Frozen), get(world, pod, Position)?.x]).toEqual([
      ship,
      true,
      3,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("leaves what it will spawn not alive until it is applied, so that no verb can change it", () => {
    const pod = record(buffer, () => spawn(world));

    expect(isAlive(world, pod)).toBe(false);
    expect(codeOf(() => add(world, pod, Frozen))).toBe("dead-entity");
    expect(codeOf(() => spawn(world, ChildOf(pod)))).toBe("dead-entity");
    expect(verify(world)).toEqual([]);
    applyCommands(buffer);
    expect(isAlive(world, pod)).toBe(true);
  });

  it("spawns many, and clones what the original has when it is applied", () => {
    const [pods, copy] = record(
      buffer,
      () => [spawnMany(world, 3, ChildOf(ship)), clone(world, ship)] as const,
    );
    add(world, ship, Position({ x: 5 }));

    applyCommands(buffer);

    expect(pods.map((pod) => parentOf(world, pod))).toEqual([ship, ship, ship]);
    expect(get(world, copy, Position)?.x).toBe(5);
  });

  it("can be called several times for one buffer, and from within another", () => {
    const other = createCommands(world);
    record(buffer, () => {
      add(world, ship, Likes(dock));
      record(other, () => add(world, ship, Frozen));
      add(world, dock, Likes(ship));
    });
    record(buffer, () => record(buffer, () => add(world, dock, Frozen)));

    applyCommands(buffer);

    expect([targetsOf(world, ship, Likes), targetsOf(world, dock, Likes)]).toEqual([[dock], [ship]]);
    expect([has(world, ship, Frozen), has(world, dock, Frozen)]).toEqual([false, true]);
    applyCommands(other);
    expect(has(world, ship, Frozen)).toBe(true);
  });

  it("keeps what was recorded before the function throws", () => {
    const failed = (): void =>
      record(buffer, () => {
        add(world, ship, Frozen);
        throw new RangeError("stop");
      });

    expect(failed).toThrow(RangeError);
    applyCommands(buffer);
    expect(has(world, ship, Frozen)).toBe(true);
  });

  it("inside an iteration leaves its deferred changes alone", () => {
    defer(world, () => {
      const pod = spawn(world);
      record(buffer, () => add(world, pod, Frozen));
      add(world, ship, Frozen);
      expect(isAlive(world, pod)).toBe(true);
    });

    expect([stats(world).entities, has(world, ship, Frozen)]).toEqual([3, true]);
    applyCommands(buffer);
    expect(verify(world)).toEqual([]);
  });

  it("works in a strict world", () => {
    const strict = createWorld({ strict: true });
    const commands = createCommands(strict);
    const pod = record(commands, () => spawn(strict, Frozen));

    applyCommands(commands);

    expect(has(strict, pod, Frozen)).toBe(true);
    expect(codeOf(() => defer(strict, () => spawn(strict)))).toBe("iterating");
  });

  it("refuses at once what an iteration refuses at once", () => {
    release(world, dock);

    expect(codeOf(() => record(buffer, () => add(world, dock, Frozen)))).toBe("dead-entity");
    expect(codeOf(() => record(buffer, () => set(world, ship, Position, { x: "a" as never })))).toBe(
      "bad-value",
    );
  });
});

describe("applyCommands", () => {
  it("makes the changes of several buffers in the order of the calls", () => {
    const other = createCommands(world);
    record(buffer, () => add(world, ship, DockedTo(dock)));
    record(other, () => add(world, ship, DockedTo(ship)));

    applyCommands(other);
    applyCommands(buffer);

    expect(targetsOf(world, ship, DockedTo)).toEqual([dock]);
  });

  it("empties the buffer, which can be filled again", () => {
    record(buffer, () => add(world, ship, Frozen));
    applyCommands(buffer);
    remove(world, ship, Frozen);

    applyCommands(buffer);

    expect(has(world, ship, Frozen)).toBe(false);
    record(buffer, () => add(world, ship, Position));
    applyCommands(buffer);
    expect(has(world, ship, Position)).toBe(true);
  });

  it("drops changes to destroyed entities, and spawns below them", () => {
    const pod = record(buffer, () => {
      add(world, dock, Frozen);
      return spawn(world, ChildOf(dock));
    });
    destroy(world, dock);

    applyCommands(buffer);

    expect([isAlive(world, pod), stats(world).entities]).toEqual([false, 1]);
    expect(verify(world)).toEqual([]);
  });

  it("drops changes to an entity that a buffer applied later spawns", () => {
    const other = createCommands(world);
    const pod = record(buffer, () => spawn(world, Frozen));
    record(other, () => add(world, pod, Position));

    applyCommands(other);
    applyCommands(buffer);

    expect([has(world, pod, Frozen), has(world, pod, Position)]).toEqual([true, false]);
    expect(verify(world)).toEqual([]);
  });

  it("makes all other changes, and then throws the first error", () => {
    add(world, dock, ChildOf(ship));
    record(buffer, () => {
      add(world, ship, ChildOf(dock));
      add(world, ship, Frozen);
    });

    expect(codeOf(() => applyCommands(buffer))).toBe("cycle");
    expect([has(world, ship, Frozen), parentOf(world, ship)]).toEqual([true, undefined]);
  });

  it("inside an iteration appends to its deferred changes", () => {
    const seen: boolean[] = [];
    const pod = record(buffer, () => spawn(world, ChildOf(ship)));

    defer(world, () => {
      remove(world, ship, Frozen);
      applyCommands(buffer);
      seen.push(isAlive(world, pod), parentOf(world, pod) === ship);
      add(world, pod, Frozen);
    });

    expect([...seen, parentOf(world, pod) === ship, has(world, pod, Frozen)]).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });

  it("inside an iteration does not spawn earlier than deferred changes that name what it spawns", () => {
    const shot = record(buffer, () => spawn(world, Frozen));
    const other = createCommands(world);
    record(other, () => {
      add(world, shot, Position);
      applyCommands(buffer);
    });

    applyCommands(other);

    expect([isAlive(world, shot), has(world, shot, Frozen), has(world, shot, Position)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("inside another record appends to that buffer", () => {
    const other = createCommands(world);
    const pod = record(buffer, () => spawn(world, Frozen));

    record(other, () => {
      applyCommands(buffer);
      add(world, pod, Position);
      applyCommands(other); // its own: nothing to append
    });
    const before = isAlive(world, pod);
    applyCommands(other);

    expect([before, has(world, pod, Frozen), has(world, pod, Position)]).toEqual([false, true, true]);
  });

  it("inside another record takes what a record around both has recorded so far", () => {
    const other = createCommands(world);
    const [first, second, third] = record(buffer, () => {
      const one = spawn(world, Frozen);
      const two = record(other, () => {
        applyCommands(buffer);
        return spawn(world, ChildOf(one));
      });
      return [one, two, spawn(world, ChildOf(one))] as const;
    });

    const none = [first, second, third].map((one) => isAlive(world, one));
    applyCommands(other);
    const two = [first, second, third].map((one) => isAlive(world, one));
    applyCommands(buffer);

    expect([none, two]).toEqual([
      [false, false, false],
      [true, true, false],
    ]);
    expect([second, third].map((one) => parentOf(world, one))).toEqual([first, first]);
    expect(verify(world)).toEqual([]);
  });

  it("in an observer waits for the end of the change", () => {
    record(buffer, () => add(world, dock, Frozen));
    const seen: boolean[] = [];
    observe(world, { added: Position }, () => {
      applyCommands(buffer);
      seen.push(has(world, dock, Frozen));
    });

    add(world, ship, Position);

    expect([...seen, has(world, dock, Frozen)]).toEqual([false, true]);
  });

  it("is refused inside an iteration of a strict world, and keeps the changes", () => {
    const strict = createWorld({ strict: true });
    const commands = createCommands(strict);
    const pod = record(commands, () => spawn(strict));

    expect(codeOf(() => defer(strict, () => applyCommands(commands)))).toBe("iterating");
    applyCommands(commands);
    expect(isAlive(strict, pod)).toBe(true);
  });
});

describe("discardCommands", () => {
  it("throws the changes away, with the entities that they would have spawned", () => {
    const spawned: Entity[] = record(buffer, () => [spawn(world, ChildOf(ship)), ...spawnMany(world, 3)]);
    record(buffer, () => add(world, ship, Frozen));

    discardCommands(buffer);
    applyCommands(buffer);

    expect(spawned.map((one) => isAlive(world, one))).toEqual([false, false, false, false]);
    expect([has(world, ship, Frozen), stats(world).entities]).toEqual([false, 2]);
    expect(verify(world)).toEqual([]);
  });

  it("inside its own record also throws away what that has recorded, and keeps what it records afterwards", () => {
    const old = record(buffer, () => spawn(world));

    const [dropped, kept] = record(buffer, () => {
      const first = spawn(world);
      discardCommands(buffer);
      return [first, spawn(world, Frozen)] as const;
    });
    const before = [old, dropped, kept].map((one) => isAlive(world, one));
    applyCommands(buffer);

    expect(before).toEqual([false, false, false]);
    expect([old, dropped, kept].map((one) => isAlive(world, one))).toEqual([false, false, true]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps entities of other buffers that its changes named", () => {
    const other = createCommands(world);
    const pod = record(buffer, () => spawn(world, Frozen));
    record(other, () => add(world, pod, Position));

    discardCommands(other);
    applyCommands(buffer);

    expect(has(world, pod, Frozen)).toBe(true);
  });
});
