import { add, clear, defer, observe, release, remove, set, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { lookup, Name, pathOf, rename } from "../../../src/index.ts";
import { Any, ChildOf, Parent, tag } from "../../definitions.ts";
import { createWorld, type Entity, fleet } from "../../fleet.ts";
import { get, has, isAlive, verify } from "../../reading.ts";

const Frozen = tag("Frozen");

describe("names of deferred changes", () => {
  it("are found when the iteration ends, and not before", () => {
    const { world, ship } = fleet();

    const seat = defer(world, () => {
      const deck = spawn(world, Name("Deck"), Parent(ship));
      const spawned = spawn(world, Name("Seat"), ChildOf(deck));
      expect(lookup(world, "Ship::Deck")).toBeUndefined();
      return spawned;
    });

    expect([lookup(world, "Ship::Deck::Seat"), pathOf(world, seat)]).toEqual([seat, "Ship::Deck::Seat"]);
    expect(verify(world)).toEqual([]);
  });

  it("may be set on one after another has lost them, in the order of issue", () => {
    const { world, ship, cockpit, hold } = fleet();

    defer(world, () => {
      rename(world, cockpit, "Old");
      add(world, cockpit, Frozen);
      rename(world, hold, "Cockpit");
      rename(world, cockpit, "Hold");
    });

    expect([lookup(world, "Ship::Cockpit"), lookup(world, "Ship::Hold")]).toEqual([hold, cockpit]);
    expect([get(world, ship, Name), verify(world)]).toEqual(["Ship", []]);
  });

  it("that collide at the end are refused one by one: the first one keeps the name", () => {
    const { world, ship } = fleet();
    const spawned: Entity[] = [];

    expect(() =>
      defer(world, () => {
        spawned.push(spawn(world, Name("Crate"), ChildOf(ship)), spawn(world, Name("Crate"), Parent(ship)));
        spawned.push(spawn(world, Name("Box"), Parent(ship)));
      }),
    ).toThrow(expect.objectContaining({ code: "name-taken" }));

    expect([spawned.map((one) => isAlive(world, one)), lookup(world, "Ship::Crate")]).toEqual([
      [true, false, true],
      spawned[0],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("are there after the same parent was removed and added again", () => {
    const { world, ship, hold } = fleet();

    defer(world, () => {
      remove(world, hold, ChildOf(ship));
      add(world, hold, ChildOf(ship));
    });

    expect([lookup(world, "Ship::Hold"), verify(world)]).toEqual([hold, []]);
  });

  it("set after a clear make a named root, also if it is the previous name", () => {
    for (const give of [
      (world: Parameters<typeof rename>[0], one: Entity) => rename(world, one, "Hold"),
      (world: Parameters<typeof rename>[0], one: Entity) => set(world, one, Name, "Hold"),
      (world: Parameters<typeof rename>[0], one: Entity) => add(world, one, Name("Hold")),
    ]) {
      const { world, hold } = fleet();

      defer(world, () => {
        clear(world, hold);
        give(world, hold);
      });

      expect([lookup(world, "Hold"), lookup(world, "Ship::Hold"), verify(world)]).toEqual([
        hold,
        undefined,
        [],
      ]);
    }
  });

  it("of a rename to the present name, after a removal or another rename, are set all the same", () => {
    const { world, cockpit, hold } = fleet();

    defer(world, () => {
      remove(world, hold, Name);
      rename(world, hold, "Hold");
      add(world, cockpit, Frozen);
      rename(world, cockpit, "Bridge");
      rename(world, cockpit, "Cockpit");
    });

    expect([lookup(world, "Ship::Hold"), lookup(world, "Ship::Cockpit"), verify(world)]).toEqual([
      hold,
      cockpit,
      [],
    ]);
  });

  it("in any order of name and parent have the same result", () => {
    for (const order of [
      [0, 1],
      [1, 0],
    ]) {
      const { world, ship } = fleet();
      const crate = spawn(world);
      const acts = [() => add(world, crate, Parent(ship)), () => rename(world, crate, "Crate")];

      defer(world, () => {
        for (const at of order) acts[at]!();
      });

      expect(lookup(world, "Ship::Crate")).toBe(crate);
    }
  });

  it("of entities that are destroyed with a parent are free", () => {
    const { world, hold, ship } = fleet();

    defer(world, () => {
      release(world, hold);
      spawn(world, Name("Lost"), ChildOf(hold));
    });

    const again = spawn(world, Name("Hold"), ChildOf(ship));
    expect([lookup(world, "Ship::Hold"), lookup(world, "Lost"), verify(world)]).toEqual([
      again,
      undefined,
      [],
    ]);
  });
});

describe("observers", () => {
  it("of an added or removed name find its entity by path", () => {
    const world = createWorld();
    const ship = spawn(world, Name("Ship"));
    const seen: unknown[] = [];
    observe(world, { added: Name, removed: Name, set: Name }, ({ kind, entity }) =>
      seen.push([kind, pathOf(world, entity), lookup(world, pathOf(world, entity)) === entity]),
    );

    const hold = spawn(world, Name("Hold"), Parent(ship));
    rename(world, hold, "Hull");
    rename(world, hold, "Hull");
    release(world, hold);

    expect(seen).toEqual([
      ["added", "Ship::Hold", true],
      ["set", "Ship::Hold", true],
      ["set", "Ship::Hull", true],
      ["removed", "Ship::Hull", true],
    ]);
  });

  it("of a reparent read the old path before, and the new one after", () => {
    const { world, hold, station } = fleet();
    const seen: string[] = [];
    observe(world, { added: ChildOf, removed: ChildOf }, ({ entity }) => seen.push(pathOf(world, entity)));

    add(world, hold, Parent(station));

    expect(seen).toEqual(["Ship::Hold", "Station::Hold"]);
  });

  it("that rename others do so when the verb ends", () => {
    const { world, cockpit, hold } = fleet();
    observe(world, { removed: Name }, () => add(world, hold, Name("Cockpit")));

    release(world, cockpit);

    expect([lookup(world, "Ship::Cockpit"), has(world, hold, Name), has(world, hold, Any(Any))]).toEqual([
      hold,
      true,
      true,
    ]);
  });
});
