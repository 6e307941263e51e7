import type { Entity } from "@treeline/core";
import { add, clear, clone, defer, has, isAlive, remove, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { count, destroy, destroyWhere, dispose, monitor, query, removeAll } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, Position, SoldIn } from "../../definitions.ts";
import { ChildOf } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";
import { not } from "../../public/filters.ts";
import { group, groupBy, orderBy, page, shard } from "../../public/parts.ts";
import { hasObservers, listsChanges } from "../../world-state.ts";
import { nameOf, reported, setWatchedWorld, spawnNamed, takeReports, watch, world } from "./watched-world.ts";

beforeEach(setWatchedWorld);

describe("a monitor", () => {
  it("reports entities that start and stop to match several terms", () => {
    watch(Position, not(Frozen));

    const ship = spawnNamed("ship", Position);
    expect(reported.splice(0)).toEqual(["+new"]); // its name comes later
    add(world, ship, Frozen);
    expect(takeReports()).toEqual(["-ship"]);
    remove(world, ship, Position);
    expect(takeReports()).toEqual([]);
    remove(world, ship, Frozen);
    expect(takeReports()).toEqual([]);
    set(world, ship, Position, { x: 1 });
    expect(takeReports()).toEqual(["+ship"]);
    set(world, ship, Position, { x: 2 });
    expect(takeReports()).toEqual([]);
  });

  it("reports nothing of entities that match when it begins, until they leave", () => {
    const ship = spawnNamed("ship", Position);
    watch(Position);

    expect(takeReports()).toEqual([]);
    remove(world, ship, Position);

    expect(takeReports()).toEqual(["-ship"]);
  });

  it("reports spawns of many, clones and clears", () => {
    watch(Position);

    const [one] = spawnMany(world, 2, Position);
    expect(takeReports()).toEqual(["+new", "+new"]);
    clone(world, one!);
    expect(takeReports()).toEqual(["+new"]);
    clear(world, one!);
    expect(takeReports()).toEqual(["-new"]);
  });

  it("reports destroyed entities as left: their handles are not alive by then", () => {
    const ship = spawnNamed("ship", Position);
    spawnNamed("seat", Position, ChildOf(ship));
    monitor(query(world, Position), {
      left: (entity) => reported.push(`-${nameOf(entity)} ${isAlive(world, entity)}`),
    });

    destroy(world, ship);

    expect(takeReports()).toEqual(["-seat false", "-ship false"]);
  });

  it("reports at once when whole tables are destroyed or lose a component", () => {
    spawnMany(world, 3, Position);
    const stop = watch(Position);

    removeAll(world, Position);
    expect(takeReports()).toEqual(["-new", "-new", "-new"]);
    spawnMany(world, 3, Position);
    takeReports();
    destroyWhere(world, Position);
    expect(takeReports()).toEqual(["-new", "-new", "-new"]);
    stop();
  });

  it("needs only one of both callbacks", () => {
    monitor(query(world, Position), { entered: (entity) => reported.push(`+${nameOf(entity)}`) });
    monitor(query(world, Position), { left: (entity) => reported.push(`-${nameOf(entity)}`) });

    destroy(world, spawn(world, Position));

    expect(takeReports()).toEqual(["+new", "-new"]);
  });

  it("ignores other worlds", () => {
    watch(Position);

    spawn(createWorld(), Position);

    expect(takeReports()).toEqual([]);
  });
});

describe("callbacks of a monitor", () => {
  it("see a world at rest, in which the entities that entered match", () => {
    monitor(query(world, Position, not(Frozen)), {
      entered: (entity) => reported.push(`${has(world, entity, Position)} ${has(world, entity, Frozen)}`),
    });

    defer(world, () => {
      const one = spawn(world, Position, Frozen);
      remove(world, one, Frozen);
    });

    expect(takeReports()).toEqual(["true false"]);
  });

  it("may change the world: the change is made and reported after all callbacks", () => {
    const [one, other] = [spawnNamed("one"), spawnNamed("other")];
    monitor(query(world, Position), {
      entered: (entity) => {
        reported.push(`+${nameOf(entity)}`);
        remove(world, other, Position);
        add(world, entity, Frozen);
      },
      left: (entity) => reported.push(`-${nameOf(entity)}`),
    });
    watch(Frozen);

    defer(world, () => {
      add(world, one, Position);
      add(world, other, Position);
    });

    expect(takeReports()).toEqual(["+one", "+other", "-other", "+one", "+other"]);
  });

  it("may destroy the entity that they are called with", () => {
    monitor(query(world, Position), {
      entered: (entity) => destroy(world, entity),
      left: () => reported.push("left"),
    });

    const one = spawn(world, Position);

    expect(isAlive(world, one)).toBe(false);
    expect(takeReports()).toEqual(["left"]);
  });

  it("may stop it: no further callback is called", () => {
    const stop = monitor(query(world, Position), {
      entered: () => {
        reported.push("entered");
        stop();
      },
    });

    spawnMany(world, 3, Position);

    expect(takeReports()).toEqual(["entered"]);
    expect(hasObservers(world)).toBe(false);
  });

  it("are not called for changes before a stop in the same iteration", () => {
    const stop = watch(Position);

    defer(world, () => {
      spawn(world, Position);
      stop();
    });

    expect(takeReports()).toEqual([]);
  });

  it("that throw do not stop others: the first error is thrown at the end", () => {
    monitor(query(world, Position), {
      entered: () => {
        reported.push("thrower");
        throw new Error("no");
      },
    });
    watch(Position);

    expect(() => spawnMany(world, 2, Position)).toThrow("no");

    expect(takeReports()).toEqual(["thrower", "thrower", "+new", "+new"]);
  });

  it("throw when they change a strict world", () => {
    const world = createWorld({ strict: true });
    monitor(query(world, Position), { entered: (entity) => add(world, entity, Frozen) });

    expect(codeOf(() => spawn(world, Position))).toBe("iterating");
  });
});

describe("yieldExisting", () => {
  it("leaves no monitor behind if its first callback throws", () => {
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
        entered: (entity) => reported.push(`+${nameOf(entity)}`),
        left: (entity) => reported.push(`-${nameOf(entity)}`),
      },
      { yieldExisting: true },
    );
  }

  it("reports entities that match now, and when it stops, entities that match then; once", () => {
    const one = spawnNamed("one", Position);
    spawnNamed("other", Position);

    const stop = yielding();
    expect(takeReports()).toEqual(["+one", "+other"]);
    remove(world, one, Position);
    spawn(world, Position);
    expect(takeReports()).toEqual(["-one", "+new"]);
    stop();
    stop();
    spawn(world, Position);

    expect(takeReports()).toEqual(["-other", "-new"]);
  });

  it("lets callbacks change the world: changes are deferred until all are notified", () => {
    const one = spawnNamed("one", Position);
    const other = spawnNamed("other", Position);
    const stop = monitor(
      query(world, Position),
      {
        entered: (entity) => {
          reported.push(`+${nameOf(entity)}`);
          remove(world, entity === one ? other : one, Position);
        },
        left: (entity) => reported.push(`-${nameOf(entity)}`),
      },
      { yieldExisting: true },
    );

    expect(takeReports()).toEqual(["+one", "+other", "-other", "-one"]);
    stop();
    expect(takeReports()).toEqual([]);
  });

  it("reports nothing twice at the end, whatever the callback does then", () => {
    const one = spawnNamed("one", Position);
    spawnNamed("other", Position);
    const stop = monitor(
      query(world, Position),
      {
        left: (entity) => {
          reported.push(`-${nameOf(entity)}`);
          stop();
          remove(world, one, Position);
        },
      },
      { yieldExisting: true },
    );

    stop();

    expect(takeReports()).toEqual(["-one", "-other"]);
    expect(has(world, one, Position)).toBe(false);
    expect(hasObservers(world)).toBe(false);
  });
});

describe("a monitor of a group by relation", () => {
  const markets = () => {
    const [north, south] = [spawnNamed("north"), spawnNamed("south")];
    const tested = query(world, Position, groupBy(SoldIn));
    const watched = (market: Entity | undefined, yieldExisting = false) =>
      monitor(
        group(tested, market),
        {
          entered: (entity) => reported.push(`+${nameOf(entity)}`),
          left: (entity) => reported.push(`-${nameOf(entity)}`),
        },
        { yieldExisting },
      );
    return { north, south, tested, watched };
  };

  it("reports entities that come into it and leave it, by target and by the other terms", () => {
    const { north, south, watched } = markets();
    const one = spawnNamed("one", Position, SoldIn(south));
    watched(south);

    add(world, one, SoldIn(north));
    expect(takeReports()).toEqual(["-one"]);
    add(world, one, SoldIn(south));
    expect(takeReports()).toEqual(["+one"]);
    remove(world, one, Position);
    expect(takeReports()).toEqual(["-one"]);
    set(world, one, Position, { x: 1 });
    expect(takeReports()).toEqual(["+one"]);
    destroy(world, south);

    expect(takeReports()).toEqual(["-one"]);
  });

  it("reports entities without target, and at once with yieldExisting, of its own group only", () => {
    const { north, south, watched } = markets();
    const [one, other] = [spawnNamed("one", Position, SoldIn(south)), spawnNamed("other", Position)];
    watched(undefined, true);
    expect(takeReports()).toEqual(["+other"]);
    const stop = watched(south, true);
    expect(takeReports()).toEqual(["+one"]);

    add(world, other, SoldIn(north));
    remove(world, one, SoldIn(south));

    expect(takeReports()).toEqual(["-other", "+one", "-one"]);
    stop();
    expect(takeReports()).toEqual([]);
  });

  it("continues after the query is disposed", () => {
    const { south, tested, watched } = markets();
    watched(south);

    dispose(tested);
    spawn(world, Position, SoldIn(south));

    expect(takeReports()).toEqual(["+new"]);
  });

  it("is refused for its pages, with an order, and by a function: bad-query", () => {
    const { south, tested } = markets();
    const observers = { entered: () => undefined };
    const ordered = query(world, Position, groupBy(SoldIn), orderBy(Position, "x"));
    const byName = query(world, Position, groupBy(nameOf));

    for (const part of [
      page(group(tested, south), 0, 1),
      page(group(tested, undefined), 0, 1),
      shard(tested, 0, 1),
      group(page(tested, 0, 1), south),
      group(ordered, south),
      group(byName, "one"),
    ])
      expect(codeOf(() => monitor(part, observers))).toBe("bad-query");
    expect(hasObservers(world)).toBe(false);
  });
});

describe("the query of a monitor", () => {
  it("may be disposed: the monitor continues", () => {
    const tested = query(world, Position);
    monitor(tested, { entered: () => reported.push("entered") });

    dispose(tested);
    spawn(world, Position);

    expect(takeReports()).toEqual(["entered"]);
  });

  it("keeps its matches in order if it is iterated, and monitors do not", () => {
    spawnNamed("ship", Position);
    const tested = query(world, Position, orderBy(Position, "x"));
    const stops = [1, 2].map(() => monitor(tested, { entered: () => undefined }));
    expect(listsChanges(world)).toBe(false);
    expect(tested.ordering).toBeUndefined();
    count(page(tested, 0, 1));
    expect(listsChanges(world)).toBe(true);

    dispose(tested);
    for (const stop of stops) stop();

    expect(listsChanges(world)).toBe(false);
  });

  it("must be in use when it begins: disposed", () => {
    const tested = query(world, Position);
    dispose(tested);

    expect(codeOf(() => monitor(tested, { entered: () => undefined }))).toBe("disposed");
    expect(hasObservers(world)).toBe(false);
  });

  it.each([undefined, null, {}, { entered: 5 }, { left: "left" }, { entered: () => undefined, left: 5 }])(
    "accepts functions, not %o: bad-query",
    (observers) => {
      expect(codeOf(() => monitor(query(world, Position), observers as never))).toBe("bad-query");
      expect(hasObservers(world)).toBe(false);
    },
  );
});
