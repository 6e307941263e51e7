import { describe, expect, it } from "vitest";
import { add, clone, defer, observe, remove, set, spawn, spawnMany } from "../../../src/index.ts";
import { Any, ChildOf, Frozen, Lit, Parent, Position } from "../../definitions.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { get, has, parentOf, subjectsOf } from "../../reading.ts";
import { livingTables } from "../snapshot.ts";

function start(strict = false): { world: World; ship: Entity; one: Entity } {
  const world = createWorld({ strict });
  const ship = spawn(world);
  return { world, ship, one: spawn(world, Position({ x: 1 }), ChildOf(ship)) };
}

type Act = (world: World, one: Entity, ship: Entity) => unknown;

describe("defer", () => {
  it("returns what the function returns", () => {
    const { world } = start();

    expect(defer(world, () => "done")).toBe("done");
    expect(defer(createWorld({ strict: true }), () => 5)).toBe(5);
  });

  it("makes the changes in the order of issue", () => {
    const { world, one } = start();
    const calls: unknown[] = [];
    observe(world, { added: Any, removed: Any }, ({ kind, definition, entity }) => {
      calls.push([kind, definition.name, entity === one]);
    });

    defer(world, () => {
      add(world, one, Frozen);
      remove(world, one, Position);
      spawn(world, Lit);
      remove(world, one, Frozen);
    });

    expect(calls).toEqual([
      ["added", "Frozen", true],
      ["removed", "Position", true],
      ["added", "Lit", false],
      ["removed", "Frozen", true],
    ]);
  });

  it("makes changes that changes cause, behind all deferred ones, before it ends", () => {
    const { world, one, ship } = start();
    const calls: string[] = [];
    observe(world, { added: Frozen }, ({ entity }) => {
      calls.push("frozen");
      add(world, entity, Lit);
    });
    observe(world, { added: Lit }, () => calls.push("lit"));
    observe(world, { removed: Position }, () => calls.push("no position"));

    defer(world, () => {
      add(world, one, Frozen);
      remove(world, one, Position);
    });

    expect(calls).toEqual(["frozen", "no position", "lit"]);
    expect([has(world, one, Lit), has(world, ship, Lit)]).toEqual([true, false]);
  });

  it("lets the caller change a given value afterwards", () => {
    const { world } = start();
    const scratch = { x: 0 };
    const crowd = spawnMany(world, 3);

    const spawned = defer(world, () =>
      crowd.map((one) => {
        scratch.x++;
        add(world, one, Position(scratch));
        set(world, one, Position, scratch);
        return [spawn(world, Position(scratch)), ...spawnMany(world, 1, Position(scratch))];
      }),
    );

    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual([1, 2, 3]);
    expect(spawned.map((pair) => pair.map((one) => get(world, one, Position)!.x))).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ]);
  });

  it("keeps the order of siblings that of issue, whatever the storage", () => {
    const { world, ship, one } = start();

    const spawned = defer(world, () => [
      spawn(world, ChildOf(ship)),
      spawn(world, Parent(ship), Frozen),
      ...spawnMany(world, 2, ChildOf(ship), Lit),
      clone(world, one),
    ]);

    expect(subjectsOf(world, ship, ChildOf)).toEqual([one, ...spawned]);
  });

  it("of a removal and an addition of the same parent puts the child behind its siblings, and no more", () => {
    const { world, ship, one } = start();
    const other = spawn(world, ChildOf(ship));

    defer(world, () => {
      remove(world, one, ChildOf(ship));
      add(world, one, ChildOf(ship));
    });

    expect(subjectsOf(world, ship, ChildOf)).toEqual([other, one]);
    expect(get(world, one, Position)).toEqual({ x: 1 });
  });

  it.each([[[0, 1, 2]], [[0, 2, 1]], [[1, 0, 2]], [[1, 2, 0]], [[2, 0, 1]], [[2, 1, 0]]])(
    "of a reparent, a removal and a set has the same result as one by one, in the order %j",
    (order) => {
      const [now, later] = [start(), start()];
      const acts: Act[] = [
        (world, one, ship) => add(world, one, Parent(subjectsOf(world, ship, ChildOf)[1]!)),
        (world, one) => remove(world, one, Frozen),
        (world, one) => set(world, one, Position, { x: 9 }),
      ];
      for (const { world, one, ship } of [now, later]) {
        spawn(world, ChildOf(ship));
        add(world, one, Frozen);
      }

      for (const at of order) acts[at]!(now.world, now.one, now.ship);
      defer(later.world, () => {
        for (const at of order) acts[at]!(later.world, later.one, later.ship);
      });

      expect(livingTables(later.world)).toEqual(livingTables(now.world));
      expect(get(later.world, later.one, Position)).toEqual({ x: 9 });
    },
  );

  it("of two reparents ends with the last parent", () => {
    const { world, one } = start();
    const [dock, station] = [spawn(world), spawn(world)];

    defer(world, () => {
      add(world, one, ChildOf(dock));
      add(world, one, Parent(station));
    });

    expect([parentOf(world, one), has(world, one, Parent(station))]).toEqual([station, true]);
  });

  it("is done with all changes when it ends, a hundred thousand of them too", () => {
    const { world } = start();

    const spawned = defer(world, () =>
      Array.from({ length: 100_000 }, (_, x) => spawn(world, Position({ x }))),
    );

    expect(get(world, spawned.at(-1)!, Position)).toEqual({ x: 99_999 });
    expect(world.commands.list).toEqual([]);
  });
});
