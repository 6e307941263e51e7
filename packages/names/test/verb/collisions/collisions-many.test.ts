import { add, clear, clone, defer, release, remove, set, spawn, spawnMany } from "@treeline/core";
import { moveAll, parseTerm, removeFromAll } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { childNamed, configureNames, findAll, lookup, Name, rename } from "../../../src/index.ts";
import { STORAGES, yard } from "../../collision-cases.ts";
import { Any, ChildOf, Parent } from "../../definitions.ts";
import { createWorld, type Entity, refusalOf } from "../../fleet.ts";
import { get, isAlive, verify } from "../../reading.ts";

const namesOf = (all: { world: Parameters<typeof get>[0] }, entities: readonly Entity[]) =>
  entities.map((entity) => get(all.world, entity, Name));

describe.each(STORAGES)("several that are spawned at once, stored by %s,", (_, storage) => {
  it("are refused where collisions are errors, whether or not one has the name", () => {
    const { world, ship } = yard("error", storage);

    for (const name of ["Crate", "New"]) {
      expect(refusalOf(world, () => spawnMany(world, 3, Name(name), storage(ship))).code).toBe("name-taken");
      expect(
        refusalOf(world, () => defer(world, () => spawnMany(world, 3, Name(name), storage(ship)))).code,
      ).toBe("name-taken");
    }
  });

  it("get a suffix each where suffixes are given", () => {
    const all = yard("suffix", storage);
    const { world, ship } = all;

    const spawned = spawnMany(world, 4, Name("New"), storage(ship));
    const later = defer(world, () => spawnMany(world, 3, Name("Crate"), storage(ship)));

    expect(namesOf(all, spawned)).toEqual(["New", "New (2)", "New (3)", "New (4)"]);
    expect(namesOf(all, later)).toEqual(["Crate (2)", "Crate (3)", "Crate (4)"]);
    expect([lookup(world, "Ship::New (3)"), verify(world)]).toEqual([spawned[2], []]);
  });

  it("all have the name where it may be shared, in the order of spawning", () => {
    const all = yard("allow", storage);
    const { world, ship, crate } = all;

    const spawned = spawnMany(world, 3, Name("Crate"), storage(ship));

    expect(findAll(world, "Ship::Crate")).toEqual([crate, ...spawned]);
    const results = [crate, ...spawned].map((entity) => {
      const found = childNamed(world, ship, "Crate");
      release(world, entity);
      return found;
    });
    expect([results, verify(world)]).toEqual([[crate, ...spawned], []]);
  });

  it("none, or one, collide with nothing", () => {
    const { world, ship } = yard("error", storage);

    expect(spawnMany(world, 0, Name("Crate"), storage(ship))).toEqual([]);
    const [one] = spawnMany(world, 1, Name("New"), storage(ship));

    expect(lookup(world, "Ship::New")).toBe(one);
  });

  it("a thousand, are numbered up to a thousand", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const ship = spawn(world);

    const spawned = spawnMany(world, 1_000, Name("Crate"), storage(ship));
    for (let more = 0; more < 1_000; more++) spawn(world, Name("Crate"), storage(ship));

    expect([1, 499, 999].map((at) => get(world, spawned[at]!, Name))).toEqual([
      "Crate (2)",
      "Crate (500)",
      "Crate (1000)",
    ]);
    expect(childNamed(world, ship, "Crate (2000)")).toBeDefined();
    expect(verify(world)).toEqual([]);
  });
});

describe("several that become roots at once", () => {
  /** Two ships with a Crate each, a root Crate, and a Hook below the second ship. */
  function plant(collisions: "error" | "suffix" | "allow") {
    const all = yard(collisions, ChildOf);
    rename(all.world, all.rootCrate, "Root");
    rename(all.world, all.lid, "Root");
    return all;
  }

  it("are refused as a whole where collisions are errors", () => {
    const { world, crate, stationCrate, ship } = plant("error");

    expect(
      refusalOf(world, () =>
        moveAll(world, [
          [crate, undefined],
          [stationCrate, undefined],
        ]),
      ).code,
    ).toBe("name-taken");
    expect(refusalOf(world, () => removeFromAll(world, parseTerm(world, ChildOf(Any)))).code).toBe(
      "name-taken",
    );
    removeFromAll(world, parseTerm(world, ChildOf(ship)));
    expect([lookup(world, "Crate"), verify(world)]).toEqual([crate, []]);
  });

  it("get suffixes in their order, for roots that stay and for one another", () => {
    const all = plant("suffix");
    const { world, crate, stationCrate, lid, rootCrate, box } = all;

    removeFromAll(world, parseTerm(world, ChildOf(Any)));

    expect(namesOf(all, [rootCrate, lid, box])).toEqual(["Root", "Root (2)", "Box"]);
    expect(namesOf(all, [crate, stationCrate]).sort()).toEqual(["Crate", "Crate (2)"]);
    expect(verify(world)).toEqual([]);
  });

  it("share names where they may", () => {
    const all = plant("allow");
    const { world, crate, stationCrate, lid, rootCrate } = all;

    removeFromAll(world, parseTerm(world, ChildOf(Any)));

    expect(namesOf(all, [crate, stationCrate, lid, rootCrate])).toEqual(["Crate", "Crate", "Root", "Root"]);
    expect(findAll(world, "Root")[0]).toBe(rootCrate);
    expect(verify(world)).toEqual([]);
  });
});

describe("an entity that shares a name", () => {
  function twins() {
    const all = yard("allow", ChildOf);
    const { world, ship, crate } = all;
    const second = spawn(world, Name("Crate"), Parent(ship));
    const third = spawn(world, Name("Crate"), ChildOf(ship));
    return { ...all, second, third, found: () => childNamed(world, ship, "Crate"), crate };
  }

  it.each<[string, (all: ReturnType<typeof twins>) => unknown]>([
    ["the same name again", ({ world, crate }) => rename(world, crate, "Crate")],
    ["a set of the same name", ({ world, crate }) => set(world, crate, Name, "Crate")],
    ["an add of the same name", ({ world, crate }) => add(world, crate, Name("Crate"))],
    ["another storage", ({ world, crate, ship }) => add(world, crate, Parent(ship))],
    [
      "another storage and back",
      ({ world, crate, ship }) => {
        add(world, crate, Parent(ship));
        add(world, crate, ChildOf(ship));
      },
    ],
    [
      "the same parent with the same name",
      ({ world, crate, ship }) => add(world, crate, ChildOf(ship), Name("Crate")),
    ],
    ["the destruction of another one", ({ world, second }) => release(world, second)],
    ["a clone beside it", ({ world, crate }) => clone(world, crate, { with: [Name("Crate")] })],
  ])("keeps its place with %s", (_, act) => {
    const all = twins();

    act(all);

    expect([all.found(), verify(all.world)]).toEqual([all.crate, []]);
  });

  it.each<[string, (all: ReturnType<typeof twins>) => unknown]>([
    [
      "a rename, and back",
      ({ world, crate }) => {
        rename(world, crate, "Other");
        rename(world, crate, "Crate");
      },
    ],
    [
      "a move, and back",
      ({ world, crate, ship, bin }) => {
        add(world, crate, ChildOf(bin));
        add(world, crate, ChildOf(ship));
      },
    ],
    [
      "the loss of its name, and a new one",
      ({ world, crate }) => {
        remove(world, crate, Name);
        add(world, crate, Name("Crate"));
      },
    ],
    [
      "a clear, and everything added again",
      ({ world, crate, ship }) => {
        clear(world, crate);
        add(world, crate, Name("Crate"), ChildOf(ship));
      },
    ],
  ])("is behind the others after %s", (_, act) => {
    const all = twins();
    const { world, second, third, crate } = all;

    act(all);

    expect(all.found()).toBe(second);
    release(world, second);
    expect(all.found()).toBe(third);
    release(world, third);
    expect([all.found(), verify(world)]).toEqual([crate, []]);
  });

  it("is followed by the next whichever is removed", () => {
    for (const leaving of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 0, 2],
      [1, 2, 0],
    ]) {
      const { world, crate, second, third, found } = twins();
      const left = [crate, second, third];
      for (const at of leaving) {
        const one = [crate, second, third][at]!;
        expect(found()).toBe(left[0]);
        rename(world, one, `left ${at}`);
        left.splice(left.indexOf(one), 1);
        expect(verify(world)).toEqual([]);
      }
      expect(found()).toBeUndefined();
    }
  });

  it("is destroyed with its parent like the others", () => {
    const { world, ship, crate, second, third } = twins();
    remove(world, crate, ChildOf(ship));
    for (const one of [second, third]) release(world, one);

    expect([isAlive(world, crate), lookup(world, "Ship::Crate"), verify(world)]).toEqual([
      true,
      undefined,
      [],
    ]);
  });
});

describe("suffixes", () => {
  it("are not removed when the name is free again", () => {
    const all = yard("suffix", ChildOf);
    const { world, ship, crate } = all;
    const second = spawn(world, Name("Crate"), ChildOf(ship));

    release(world, crate);

    expect([get(world, second, Name), childNamed(world, ship, "Crate")]).toEqual(["Crate (2)", undefined]);
  });

  it("count on from the number that a name already has", () => {
    const { world, ship, station } = yard("suffix", ChildOf);
    spawn(world, Name("Gun (7)"), ChildOf(ship));
    const other = spawn(world, Name("Gun (7)"), ChildOf(station));

    add(world, other, ChildOf(ship));

    expect(get(world, other, Name)).toBe("Gun (8)");
  });

  it("are not added for an entity that keeps its name: its own name is free to it", () => {
    const { world, ship, crate } = yard("suffix", ChildOf);
    const second = spawn(world, Name("Crate"), ChildOf(ship));

    rename(world, second, "Crate");
    expect(get(world, second, Name)).toBe("Crate (2)");
    rename(world, crate, "Crate (2)");

    expect([get(world, crate, Name), get(world, second, Name)]).toEqual(["Crate (3)", "Crate (2)"]);
    expect(verify(world)).toEqual([]);
  });

  it("are found for a move and a name in one verb by the new parent's children", () => {
    const { world, ship, lid } = yard("suffix", Parent);

    add(world, lid, Name("Crate"), Parent(ship));

    expect([lookup(world, "Ship::Crate (2)"), lookup(world, "Station::Crate (2)")]).toEqual([lid, undefined]);
  });

  it("give a chain of moves the same result as outside iterations", () => {
    for (const act of [(_: unknown, run: () => void) => run(), defer]) {
      const { world, ship, crate, stationCrate, station, rootCrate } = yard("suffix", ChildOf);

      act(world, () => {
        add(world, stationCrate, ChildOf(ship));
        add(world, rootCrate, ChildOf(ship));
        rename(world, crate, "Old");
        add(world, stationCrate, ChildOf(station));
      });

      expect([stationCrate, rootCrate, crate].map((entity) => get(world, entity, Name))).toEqual([
        "Crate (2)",
        "Crate (3)",
        "Old",
      ]);
      expect(verify(world)).toEqual([]);
    }
  });

  it("may make a name longer without limit", () => {
    const world = createWorld();
    configureNames(world, { collisions: "suffix" });
    const long = "x".repeat(100_000);

    const [, second] = [spawn(world, Name(long)), spawn(world, Name(long))];

    expect(get(world, second, Name)).toBe(`${long} (2)`);
  });
});
