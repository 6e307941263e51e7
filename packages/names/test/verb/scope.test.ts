import { add, clone, defer, observe, release, remove, spawn, spawnMany } from "@treeline/core";
import { describe, expect, it } from "vitest";
import {
  ensurePath,
  findAll,
  lookup,
  Name,
  pathOf,
  rename,
  withoutScope,
  withScope,
} from "../../src/index.ts";
import { ChildOf, Parent } from "../definitions.ts";
import { codeOf, createWorld, type Entity, fleet, refusalOf } from "../fleet.ts";
import { isAlive, parentOf, verify } from "../reading.ts";

describe("an entity spawned inside withScope", () => {
  it("becomes a child of its parent: one, many, a clone, a path", () => {
    const { world, ship, station } = fleet();

    const spawned = withScope(world, ship, () => [
      spawn(world),
      spawn(world, Name("a")),
      ...spawnMany(world, 3),
      clone(world, station),
      ensurePath(world, "b"),
    ]);

    expect(spawned.map((entity) => parentOf(world, entity))).toEqual(Array(7).fill(ship));
    expect([lookup(world, "Ship::a"), lookup(world, "Ship::b")]).toEqual([spawned[1], spawned[6]]);
    expect(verify(world)).toEqual([]);
  });

  it("keeps a parent of its own, in both storages", () => {
    const { world, ship, station, hold } = fleet();

    const spawned = withScope(world, ship, () => [
      spawn(world, ChildOf(station)),
      spawn(world, Parent(hold)),
      ...spawnMany(world, 2, Parent(station)),
      clone(world, ship, { with: [ChildOf(station)] }),
    ]);

    expect(spawned.map((entity) => parentOf(world, entity))).toEqual([
      station,
      hold,
      station,
      station,
      station,
    ]);
  });

  it("is one of functions that are called there", () => {
    const { world, ship } = fleet();
    const spawnCrate = (): Entity => spawn(world, Name("Crate"));

    const crate = withScope(world, ship, () => [1].map(spawnCrate)[0]!);

    expect(pathOf(world, crate)).toBe("Ship::Crate");
  });

  it("may not have the name of an existing child, but that of a root", () => {
    const { world, ship } = fleet();

    withScope(world, ship, () => {
      expect(refusalOf(world, () => spawn(world, Name("Hold"))).code).toBe("name-taken");
      spawn(world, Name("Station"));
    });

    expect(lookup(world, "Ship::Station")).toBeDefined();
  });

  it("as a deep clone has the parent of the scope, and its descendants keep theirs", () => {
    const { world, ship, station, dock } = fleet();
    rename(world, dock, "Dock");

    const copy = withScope(world, ship, () => clone(world, station, { deep: true }));

    expect([parentOf(world, copy), parentOf(world, lookup(world, "Dock", { from: copy })!)]).toEqual([
      ship,
      copy,
    ]);
  });

  it("as a clone of a child gets the parent of the scope, not that of its original", () => {
    const { world, station, hold, ship } = fleet();

    const copy = withScope(world, station, () => clone(world, hold));
    const usual = clone(world, hold);

    expect([parentOf(world, copy), parentOf(world, usual)]).toEqual([station, ship]);
  });

  it("inside an iteration keeps the parent of the moment of its call", () => {
    const { world, ship, station } = fleet();

    const spawned = defer(world, () => [
      withScope(world, ship, () => spawn(world, Name("a"))),
      withScope(world, station, () => clone(world, ship)),
      ...withScope(world, ship, () => spawnMany(world, 2)),
      withScope(world, station, () => ensurePath(world, "b::c")),
      spawn(world, Name("d")),
    ]);

    const parents = [ship, station, ship, ship, lookup(world, "Station::b"), undefined];
    expect(spawned.map((entity) => parentOf(world, entity))).toEqual(parents);
  });

  it("is not moved when the scope ends, nor are the entities from before", () => {
    const { world, ship, buoy } = fleet();
    const crate = withScope(world, ship, () => {
      rename(world, buoy, "Buoy");
      return spawn(world, Name("Crate"));
    });

    expect([parentOf(world, crate), parentOf(world, buoy)]).toEqual([ship, undefined]);
  });
});

describe("withScope", () => {
  it("returns what the function returns", () => {
    const { world, ship } = fleet();

    expect(withScope(world, ship, () => 7)).toBe(7);
    expect(withScope(world, ship, () => undefined)).toBeUndefined();
  });

  it("nests, and each end restores the outer one", () => {
    const { world, ship, station } = fleet();
    const parents: (Entity | undefined)[] = [];
    const inspect = (): number => parents.push(parentOf(world, spawn(world)));

    inspect();
    withScope(world, ship, () => {
      inspect();
      withScope(world, station, () => {
        inspect();
        withoutScope(world, inspect);
        inspect();
      });
      inspect();
    });
    inspect();

    expect(parents).toEqual([undefined, ship, station, undefined, station, ship, undefined]);
  });

  it("ends with an error too, which is thrown on", () => {
    const { world, ship, station } = fleet();
    const enough = new Error("enough");

    withScope(world, ship, () => {
      expect(() =>
        withScope(world, station, () => {
          throw enough;
        }),
      ).toThrow(enough);
      expect(parentOf(world, spawn(world))).toBe(ship);
    });

    expect(parentOf(world, spawn(world))).toBeUndefined();
  });

  it("ends with a refused change", () => {
    const { world, ship } = fleet();

    expect(codeOf(() => withScope(world, ship, () => spawn(world, Name("Hold"))))).toBe("name-taken");

    expect(parentOf(world, spawn(world))).toBeUndefined();
  });

  it("ends for an async function with its first await", async () => {
    const { world, ship } = fleet();

    const spawned = await withScope(world, ship, async () => {
      const before = spawn(world);
      await Promise.resolve();
      return [before, spawn(world)];
    });

    expect(spawned.map((entity) => parentOf(world, entity))).toEqual([ship, undefined]);
  });

  it("ends for a generator before it begins", () => {
    const { world, ship } = fleet();

    const spawned = withScope(world, ship, function* () {
      yield spawn(world);
    });

    expect(parentOf(world, spawned.next().value as Entity)).toBeUndefined();
  });

  it("is left by withoutScope: roots are spawned, and lookups start at the roots", () => {
    const { world, ship, buoy } = fleet();

    const [spawned, made, found] = withScope(world, ship, () =>
      withoutScope(world, () => [spawn(world), ensurePath(world, "Raft"), lookup(world, "Cockpit")]),
    );

    expect([parentOf(world, spawned!), parentOf(world, made!), found]).toEqual([undefined, undefined, buoy]);
  });

  it("is that of one world: in another one roots are spawned", () => {
    const { world, ship } = fleet();
    const other = createWorld();

    const spawned = withScope(world, ship, () => spawn(other));

    expect(parentOf(other, spawned)).toBeUndefined();
  });

  it("lets lookups without from start at its children", () => {
    const { world, ship, cockpit, hold, buoy, station } = fleet();

    withScope(world, ship, () => {
      expect(lookup(world, "Cockpit")).toBe(cockpit);
      expect(lookup(world, "Station")).toBeUndefined();
      expect(lookup(world, "Cockpit", { from: station })).toBe(lookup(world, "::Station::Cockpit"));
      expect(findAll(world, "*")).toEqual([cockpit, hold]);
      expect(lookup(world, ["Hold"])).toBe(hold);
      expect(lookup(world, "::Cockpit")).toBe(buoy);
    });
  });

  it("has no effect on what is added and removed", () => {
    const { world, ship, hold, station } = fleet();

    withScope(world, ship, () => {
      add(world, hold, ChildOf(station));
      remove(world, hold, ChildOf(station));
    });

    expect(parentOf(world, hold)).toBeUndefined();
  });
});

describe("observers", () => {
  it("are outside of the scope in which they are called", () => {
    const { world, ship, buoy } = fleet();
    const seen: unknown[] = [];
    const spawned: Entity[] = [];
    const stop = observe(world, { added: Name, removed: Name, set: Name }, () => {
      seen.push(lookup(world, "Cockpit") === buoy);
      spawned.push(spawn(world));
    });

    withScope(world, ship, () => {
      const crate = spawn(world, Name("Crate"));
      rename(world, crate, "Box");
      release(world, crate);
      expect(parentOf(world, spawn(world))).toBe(ship);
    });
    stop();

    expect([seen.length >= 3, new Set(seen)]).toEqual([true, new Set([true])]);
    expect(new Set(spawned.map((entity) => parentOf(world, entity)))).toEqual(new Set([undefined]));
  });

  it("that throw leave the scope as it was", () => {
    const { world, ship } = fleet();
    const stop = observe(world, { added: Name }, () => {
      throw new Error("no");
    });

    withScope(world, ship, () => {
      expect(() => spawn(world, Name("a"))).toThrow("no");
      stop();
      expect(parentOf(world, spawn(world))).toBe(ship);
    });
  });

  it("may open a scope of their own", () => {
    const { world, ship, station } = fleet();
    let spawned: Entity | undefined;
    const stop = observe(world, { added: Name }, () => {
      spawned = withScope(world, station, () => spawn(world));
    });

    withScope(world, ship, () => spawn(world, Name("a")));
    stop();

    expect(parentOf(world, spawned!)).toBe(station);
  });
});

describe("a parent that is not alive", () => {
  it("is refused before the function is called", () => {
    const { world, hold } = fleet();
    release(world, hold);
    let isCalled = false;

    expect(
      codeOf(() =>
        withScope(world, hold, () => {
          isCalled = true;
        }),
      ),
    ).toBe("dead-entity");
    expect(codeOf(() => withScope(world, spawn(createWorld()), () => 1))).toBe("dead-entity");

    expect(isCalled).toBe(false);
  });

  it("that is destroyed in its scope refuses spawns, and lookups without from", () => {
    const { world, hold, station } = fleet();

    withScope(world, hold, () => {
      release(world, hold);

      for (const act of [
        () => spawn(world),
        () => spawnMany(world, 2),
        () => clone(world, station),
        () => ensurePath(world, "a"),
        () => lookup(world, "a"),
        () => findAll(world, "*"),
      ]) {
        expect(refusalOf(world, act).code).toBe("dead-entity");
      }
      expect(isAlive(world, spawn(world, ChildOf(station)))).toBe(true);
      expect(
        parentOf(
          world,
          withoutScope(world, () => spawn(world)),
        ),
      ).toBeUndefined();
    });

    expect(parentOf(world, spawn(world))).toBeUndefined();
  });

  it("that is destroyed before the iteration ends also destroys the entities to be spawned below", () => {
    const { world, hold } = fleet();

    const spawned = defer(world, () =>
      withScope(world, hold, () => {
        release(world, hold);
        return spawn(world, Name("Crate"));
      }),
    );

    expect([isAlive(world, spawned), verify(world)]).toEqual([false, []]);
  });
});
