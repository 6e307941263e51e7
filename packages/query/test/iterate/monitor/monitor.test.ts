import {
  add,
  ChildOf,
  clear,
  clone,
  createWorld,
  defer,
  type Entity,
  has,
  isAlive,
  remove,
  set,
  spawn,
  spawnMany,
} from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  count,
  destroy,
  destroyWhere,
  dispose,
  group,
  groupBy,
  monitor,
  not,
  orderBy,
  page,
  query,
  removeAll,
  shard,
} from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, Position, SoldIn } from "../../definitions.ts";
import { born, nameOf, news, setStage, told, watch, world } from "./watching.ts";

beforeEach(setStage);

describe("a monitor", () => {
  it("tells who starts and who stops to answer several terms", () => {
    watch(Position, not(Frozen));

    const ship = born("ship", Position);
    expect(told.splice(0)).toEqual(["+new"]); // its name comes later
    add(world, ship, Frozen);
    expect(news()).toEqual(["-ship"]);
    remove(world, ship, Position);
    expect(news()).toEqual([]);
    remove(world, ship, Frozen);
    expect(news()).toEqual([]);
    set(world, ship, Position, { x: 1 });
    expect(news()).toEqual(["+ship"]);
    set(world, ship, Position, { x: 2 });
    expect(news()).toEqual([]);
  });

  it("tells nothing of those who answer when it begins, until they leave", () => {
    const ship = born("ship", Position);
    watch(Position);

    expect(news()).toEqual([]);
    remove(world, ship, Position);

    expect(news()).toEqual(["-ship"]);
  });

  it("tells of births of many, of clones and of clears", () => {
    watch(Position);

    const [one] = spawnMany(world, 2, Position);
    expect(news()).toEqual(["+new", "+new"]);
    clone(world, one!);
    expect(news()).toEqual(["+new"]);
    clear(world, one!);
    expect(news()).toEqual(["-new"]);
  });

  it("tells of the dead as left: their handles are stale by then", () => {
    const ship = born("ship", Position);
    born("seat", Position, ChildOf(ship));
    monitor(query(world, Position), {
      left: (entity) => told.push(`-${nameOf(entity)} ${isAlive(world, entity)}`),
    });

    destroy(world, ship);

    expect(news()).toEqual(["-seat false", "-ship false"]);
  });

  it("tells of whole tables that die or lose something at once", () => {
    spawnMany(world, 3, Position);
    const stop = watch(Position);

    removeAll(world, Position);
    expect(news()).toEqual(["-new", "-new", "-new"]);
    spawnMany(world, 3, Position);
    news();
    destroyWhere(world, Position);
    expect(news()).toEqual(["-new", "-new", "-new"]);
    stop();
  });

  it("needs no more than one of both listeners", () => {
    monitor(query(world, Position), { entered: (entity) => told.push(`+${nameOf(entity)}`) });
    monitor(query(world, Position), { left: (entity) => told.push(`-${nameOf(entity)}`) });

    destroy(world, spawn(world, Position));

    expect(news()).toEqual(["+new", "-new"]);
  });

  it("hears nothing of other worlds", () => {
    watch(Position);

    spawn(createWorld(), Position);

    expect(news()).toEqual([]);
  });
});

describe("listeners of a monitor", () => {
  it("find a world at rest, in which whoever entered answers", () => {
    monitor(query(world, Position, not(Frozen)), {
      entered: (entity) => told.push(`${has(world, entity, Position)} ${has(world, entity, Frozen)}`),
    });

    defer(world, () => {
      const one = spawn(world, Position, Frozen);
      remove(world, one, Frozen);
    });

    expect(news()).toEqual(["true false"]);
  });

  it("may change the world: that is made and told when all have been told", () => {
    const [one, other] = [born("one"), born("other")];
    monitor(query(world, Position), {
      entered: (entity) => {
        told.push(`+${nameOf(entity)}`);
        remove(world, other, Position);
        add(world, entity, Frozen);
      },
      left: (entity) => told.push(`-${nameOf(entity)}`),
    });
    watch(Frozen);

    defer(world, () => {
      add(world, one, Position);
      add(world, other, Position);
    });

    expect(news()).toEqual(["+one", "+other", "-other", "+one", "+other"]);
  });

  it("may destroy whom they are told of", () => {
    monitor(query(world, Position), {
      entered: (entity) => destroy(world, entity),
      left: () => told.push("left"),
    });

    const one = spawn(world, Position);

    expect(isAlive(world, one)).toBe(false);
    expect(news()).toEqual(["left"]);
  });

  it("may stop it: nobody else is told", () => {
    const stop = monitor(query(world, Position), {
      entered: () => {
        told.push("entered");
        stop();
      },
    });

    spawnMany(world, 3, Position);

    expect(news()).toEqual(["entered"]);
    expect(world.events.listeners).toEqual([]);
  });

  it("are not told any more of changes before a stop in the same visit", () => {
    const stop = watch(Position);

    defer(world, () => {
      spawn(world, Position);
      stop();
    });

    expect(news()).toEqual([]);
  });

  it("that throw stop nobody: the first error is thrown in the end", () => {
    monitor(query(world, Position), {
      entered: () => {
        told.push("thrower");
        throw new Error("no");
      },
    });
    watch(Position);

    expect(() => spawnMany(world, 2, Position)).toThrow("no");

    expect(news()).toEqual(["thrower", "thrower", "+new", "+new"]);
  });

  it("throw when they change a strict world", () => {
    const world = createWorld({ strict: true });
    monitor(query(world, Position), { entered: (entity) => add(world, entity, Frozen) });

    expect(codeOf(() => spawn(world, Position))).toBe("iterating");
  });
});

describe("yieldExisting", () => {
  it("leaves no monitor behind if who is told at once throws", () => {
    spawn(world, Position);
    const entered = (): never => {
      throw new Error("no");
    };

    expect(() => monitor(query(world, Position), { entered }, { yieldExisting: true })).toThrow("no");

    expect(() => spawn(world, Position)).not.toThrow();
  });

  function yielding(): () => void {
    return monitor(
      query(world, Position),
      {
        entered: (entity) => told.push(`+${nameOf(entity)}`),
        left: (entity) => told.push(`-${nameOf(entity)}`),
      },
      { yieldExisting: true },
    );
  }

  it("tells of who answers now, and when it stops, of who answers then; once", () => {
    const one = born("one", Position);
    born("other", Position);

    const stop = yielding();
    expect(news()).toEqual(["+one", "+other"]);
    remove(world, one, Position);
    spawn(world, Position);
    expect(news()).toEqual(["-one", "+new"]);
    stop();
    stop();
    spawn(world, Position);

    expect(news()).toEqual(["-other", "-new"]);
  });

  it("lets listeners change things: that waits until all are told", () => {
    const one = born("one", Position);
    const other = born("other", Position);
    const stop = monitor(
      query(world, Position),
      {
        entered: (entity) => {
          told.push(`+${nameOf(entity)}`);
          remove(world, entity === one ? other : one, Position);
        },
        left: (entity) => told.push(`-${nameOf(entity)}`),
      },
      { yieldExisting: true },
    );

    expect(news()).toEqual(["+one", "+other", "-other", "-one"]);
    stop();
    expect(news()).toEqual([]);
  });

  it("tells nothing twice in the end, whatever the listener does then", () => {
    const one = born("one", Position);
    born("other", Position);
    const stop = monitor(
      query(world, Position),
      {
        left: (entity) => {
          told.push(`-${nameOf(entity)}`);
          stop();
          remove(world, one, Position);
        },
      },
      { yieldExisting: true },
    );

    stop();

    expect(news()).toEqual(["-one", "-other"]);
    expect(has(world, one, Position)).toBe(false);
    expect(world.events.listeners).toEqual([]);
  });
});

describe("a monitor of a group by relation", () => {
  const markets = () => {
    const [north, south] = [born("north"), born("south")];
    const asked = query(world, Position, groupBy(SoldIn));
    const watched = (market: Entity | undefined, yieldExisting = false) =>
      monitor(
        group(asked, market),
        {
          entered: (entity) => told.push(`+${nameOf(entity)}`),
          left: (entity) => told.push(`-${nameOf(entity)}`),
        },
        { yieldExisting },
      );
    return { north, south, asked, watched };
  };

  it("tells who comes into it and who goes, by target and by what else is asked", () => {
    const { north, south, watched } = markets();
    const one = born("one", Position, SoldIn(south));
    watched(south);

    add(world, one, SoldIn(north));
    expect(news()).toEqual(["-one"]);
    add(world, one, SoldIn(south));
    expect(news()).toEqual(["+one"]);
    remove(world, one, Position);
    expect(news()).toEqual(["-one"]);
    set(world, one, Position, { x: 1 });
    expect(news()).toEqual(["+one"]);
    destroy(world, south);

    expect(news()).toEqual(["-one"]);
  });

  it("tells of those without target, and at once if it is to, of its own group only", () => {
    const { north, south, watched } = markets();
    const [one, other] = [born("one", Position, SoldIn(south)), born("other", Position)];
    watched(undefined, true);
    expect(news()).toEqual(["+other"]);
    const stop = watched(south, true);
    expect(news()).toEqual(["+one"]);

    add(world, other, SoldIn(north));
    remove(world, one, SoldIn(south));

    expect(news()).toEqual(["-other", "+one", "-one"]);
    stop();
    expect(news()).toEqual([]);
  });

  it("outlives the query", () => {
    const { south, asked, watched } = markets();
    watched(south);

    dispose(asked);
    spawn(world, Position, SoldIn(south));

    expect(news()).toEqual(["+new"]);
  });

  it("is refused for its pages, with an order, and by a function: bad-query", () => {
    const { south, asked } = markets();
    const listeners = { entered: () => undefined };
    const ordered = query(world, Position, groupBy(SoldIn), orderBy(Position, "x"));
    const byName = query(world, Position, groupBy(nameOf));

    for (const part of [
      page(group(asked, south), 0, 1),
      page(group(asked, undefined), 0, 1),
      shard(asked, 0, 1),
      group(page(asked, 0, 1), south),
      group(ordered, south),
      group(byName, "one"),
    ])
      expect(codeOf(() => monitor(part, listeners))).toBe("bad-query");
    expect(world.events.listeners).toEqual([]);
  });
});

describe("the query of a monitor", () => {
  it("may be disposed: the question stays", () => {
    const asked = query(world, Position);
    monitor(asked, { entered: () => told.push("entered") });

    dispose(asked);
    spawn(world, Position);

    expect(news()).toEqual(["entered"]);
  });

  it("keeps its answers in order if it is visited, and monitors do not", () => {
    born("ship", Position);
    const asked = query(world, Position, orderBy(Position, "x"));
    const stops = [1, 2].map(() => monitor(asked, { entered: () => undefined }));
    expect(world.graph.journal.reading).toBe(false);
    expect(asked.ordering).toBeUndefined();
    count(page(asked, 0, 1));
    expect(world.graph.journal.reading).toBe(true);

    dispose(asked);
    for (const stop of stops) stop();

    expect(world.graph.journal.reading).toBe(false);
  });

  it("must be in use when it begins: disposed", () => {
    const asked = query(world, Position);
    dispose(asked);

    expect(codeOf(() => monitor(asked, { entered: () => undefined }))).toBe("disposed");
    expect(world.events.listeners).toEqual([]);
  });

  it.each([undefined, null, {}, { entered: 5 }, { left: "left" }, { entered: () => undefined, left: 5 }])(
    "takes functions, not %o: bad-query",
    (listeners) => {
      expect(codeOf(() => monitor(query(world, Position), listeners as never))).toBe("bad-query");
      expect(world.events.listeners).toEqual([]);
    },
  );
});
