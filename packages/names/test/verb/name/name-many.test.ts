import {
  add,
  addMany,
  ChildOf,
  createWorld,
  defer,
  type Entity,
  get,
  Parent,
  plainMemory,
  spawn,
  spawnRows,
  TreelineError,
  type World,
} from "@treeline/core";
import { dump, verify } from "@treeline/core/debug";
import { destroy } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { Alias, configureNames, lookup, Name, nameMany, pathOf, rename } from "../../../src/index.ts";
import { refusalOf } from "../../fleet.ts";

let world: World;
let ship: Entity;
let dock: Entity;

beforeEach(() => {
  world = createWorld();
  [ship, dock] = [spawn(world, Name("Ship")), spawn(world, Name("Dock"))];
});

describe("nameMany", () => {
  it("names entities in the order of the list", () => {
    const [one, other] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

    nameMany(world, [one, other], ["Mast", "Sail"]);

    expect([lookup(world, "Ship::Mast"), lookup(world, "Ship::Sail"), verify(world)]).toEqual([
      one,
      other,
      [],
    ]);
  });

  it("lets entities exchange their names", () => {
    nameMany(world, [ship, dock], ["Dock", "Ship"]);

    expect([lookup(world, "Dock"), lookup(world, "Ship"), verify(world)]).toEqual([ship, dock, []]);
  });

  it("gives an entity that is listed twice its first name", () => {
    nameMany(world, [ship, ship], ["Raft", "Boat"]);

    expect(pathOf(world, ship)).toBe("Raft");
  });

  it("adds suffixes where the world does so", () => {
    configureNames(world, { collisions: "suffix" });
    const crates = [1, 2, 3].map(() => spawn(world, ChildOf(dock)));

    nameMany(world, crates, ["Crate", "Crate", "Crate"]);

    expect(new Set(crates.map((crate) => get(world, crate, Name))).size).toBe(3);
  });

  it("leaves out who has its name by the end of an iteration", () => {
    configureNames(world, { collisions: "suffix" });

    defer(world, () => {
      rename(world, ship, "Raft");
      nameMany(world, [dock, ship], ["Raft", "Raft"]);
    });

    expect([get(world, dock, Name), get(world, ship, Name), verify(world)]).toEqual(["Raft (2)", "Raft", []]);
  });

  it("leaves out who is destroyed by the end of an iteration", () => {
    const [mast, sail] = [spawn(world, ChildOf(ship)), spawn(world, ChildOf(ship))];

    defer(world, () => {
      destroy(world, mast);
      nameMany(world, [mast, sail], ["Mast", "Mast"]);
    });

    expect([lookup(world, "Ship::Mast"), verify(world)]).toEqual([sail, []]);
  });

  it("gives names that differ by suffixes where others had the names before", () => {
    configureNames(world, { collisions: "suffix" });
    const [one, other, third] = [1, 2, 3].map(() => spawn(world, ChildOf(dock)));
    rename(world, one!, "Crate");
    rename(world, third!, "Crate (2)");

    nameMany(world, [other!, one!], ["Crate", "Crate"]);

    const named = [one, other, third].map((crate) => get(world, crate!, Name));
    expect([named, verify(world)]).toEqual([["Crate", "Crate (3)", "Crate (2)"], []]);
  });

  it("names many entities of many tables, some with names", () => {
    const decks = Array.from({ length: 20 }, () => spawn(world, ChildOf(ship)));
    const crates = decks.flatMap((deck) => [
      spawn(world, ChildOf(deck)),
      spawn(world, Name("Old"), ChildOf(deck)),
    ]);
    const texts = crates.map((_, place) => `Crate ${place}`);

    nameMany(world, crates, texts);

    expect(crates.map((crate) => get(world, crate, Name))).toEqual(texts);
    expect(texts.map((text, place) => lookup(world, text, { from: decks[place >> 1]! }))).toEqual(crates);
    expect(verify(world)).toEqual([]);
  });

  it.each<[string, string, () => void]>([
    ["a name is taken", "name-taken", () => nameMany(world, [ship], ["Dock"])],
    ["two would get one name", "name-taken", () => nameMany(world, [ship, dock], ["Raft", "Raft"])],
    ["a name is empty", "bad-name", () => nameMany(world, [ship, dock], ["Raft", ""])],
    ["a name is missing", "bad-value", () => nameMany(world, [ship, dock], ["Raft"])],
    ["names are no list", "bad-value", () => nameMany(world, [ship], "Raft" as never)],
    ["entities are no list", "bad-value", () => nameMany(world, ship as never, ["Raft"])],
  ])("changes nothing if %s", (_, code, call) => {
    expect(refusalOf(world, call).code).toBe(code);
    expect([lookup(world, "Ship"), lookup(world, "Dock")]).toEqual([ship, dock]);
  });
});

describe("Name.each", () => {
  it("names what spawnRows spawns", () => {
    const crates = spawnRows(world, 2, [Name.each(["A", "B"]), ChildOf.each([ship, dock])]);

    expect([lookup(world, "Ship::A"), lookup(world, "Dock::B"), verify(world)]).toEqual([...crates, []]);
  });

  it("names children of many parents, in both storages", () => {
    for (const relation of [ChildOf, Parent]) {
      const decks = Array.from({ length: 20 }, () => spawn(world, ChildOf(ship)));
      const parents = Array.from({ length: 60 }, (_, place) => decks[(place * 7) % 20]!);
      const texts = parents.map((_, place) => `Crate ${Math.floor(place / 20)}`);

      const crates = spawnRows(world, 60, [Name.each(texts), relation.each(parents)]);

      expect(crates.map((crate) => get(world, crate, Name))).toEqual(texts);
      expect(texts.map((text, place) => lookup(world, text, { from: parents[place]! }))).toEqual(crates);
    }
    expect(verify(world)).toEqual([]);
  });

  it("refuses names of siblings in another storage, and aliases of other entities", () => {
    spawn(world, Name("A"), Alias("Player"), Parent(ship));

    const codes = [
      refusalOf(world, () => spawnRows(world, 2, [Name.each(["B", "A"]), ChildOf.each([dock, ship])])),
      refusalOf(world, () => spawnRows(world, 2, [Name.each(["B", "Player"])])),
      refusalOf(world, () => nameMany(world, [dock, ship], ["B", "Player"])),
    ].map(({ code }) => code);

    expect(codes).toEqual(["name-taken", "name-taken", "name-taken"]);
  });

  it("names roots apart from aliases", () => {
    configureNames(world, { collisions: "suffix" });
    spawn(world, Alias("Raft"));

    const rafts = spawnRows(world, 2, [Name.each(["Raft", "Boat"])]);

    expect(rafts.map((raft) => get(world, raft, Name))).toEqual(["Raft (2)", "Boat"]);
  });

  it.each<[string, string, () => void]>([
    ["a sibling has the name", "name-taken", () => spawnRows(world, 2, [Name.each(["A", "Dock"])])],
    [
      "two siblings would have it",
      "name-taken",
      () => spawnRows(world, 2, [Name.each(["A", "A"]), ChildOf(ship)]),
    ],
    ["a name is empty", "bad-name", () => spawnRows(world, 2, [Name.each(["A", ""])])],
  ])("changes nothing if %s", (_, code, call) => {
    expect(refusalOf(world, call).code).toBe(code);
  });

  it("adds suffixes where the world does so", () => {
    configureNames(world, { collisions: "suffix" });

    const crates = spawnRows(world, 3, [Name.each(["Crate", "Crate", "Crate"]), ChildOf(dock)]);

    expect(new Set(crates.map((crate) => get(world, crate, Name))).size).toBe(3);
    expect(verify(world)).toEqual([]);
  });
});

describe("Alias.each beside Name.each", () => {
  const terms = [
    [Name.each(["Raft", "Boat"]), Alias.each(["One", "Two"])],
    [Alias.each(["One", "Two"]), Name.each(["Raft", "Boat"])],
  ];

  it.each(terms)("gives each entity its own name and alias", (...lists) => {
    const spawned = spawnRows(world, 2, lists);
    const added = [spawn(world, ChildOf(ship)), spawn(world, ChildOf(ship))];
    addMany(world, added, Name.each(["Mast", "Sail"]), Alias.each(["Three", "Four"]));

    const found = ["One", "Two", "Three", "Four"].map((alias) => lookup(world, alias));
    expect([found, verify(world)]).toEqual([[...spawned, ...added], []]);
    expect([lookup(world, "Raft"), lookup(world, "Ship::Sail")]).toEqual([spawned[0], added[1]]);
  });

  it("lets a root have one text as its name and its alias", () => {
    const rafts = spawnRows(world, 2, [Name.each(["A", "B"]), Alias.each(["A", "B"])]);

    expect([lookup(world, "A"), lookup(world, "B"), verify(world)]).toEqual([...rafts, []]);
  });

  it("lets the child of one root have the alias of another entity as its name", () => {
    const crates = spawnRows(world, 2, [Name.each(["A", "B"]), Alias.each(["B", "C"]), ChildOf(ship)]);

    expect([lookup(world, "B"), lookup(world, "Ship::B"), verify(world)]).toEqual([...crates, []]);
  });

  it("lets a name equal an alias where the world does so", () => {
    configureNames(world, { collisions: "allow" });

    const [one] = spawnRows(world, 2, [Name.each(["A", "B"]), Alias.each(["B", "C"])]);

    expect([lookup(world, "B"), verify(world)]).toEqual([one, []]);
  });

  it.each<[string, () => void]>([
    ["one gets the name of another as its alias", () => spawnBoth(["A", "B"], ["B", "C"])],
    ["one gets the alias of another as its name", () => spawnBoth(["A", "B"], ["C", "A"])],
    ["two get one alias", () => spawnBoth(["A", "B"], ["C", "C"])],
    ["a root has the alias as its name", () => spawnBoth(["A", "B"], ["C", "Dock"])],
    [
      "roots get names and aliases",
      () => addMany(world, [ship, dock], Name.each(["A", "B"]), Alias.each(["B", "C"])),
    ],
  ])("is refused if %s", (_, call) => {
    for (const collisions of ["error", "suffix"] as const) {
      configureNames(world, { collisions });
      expect(refusalOf(world, call).code).toBe("name-taken");
    }
  });

  function spawnBoth(names: string[], aliases: string[]): void {
    spawnRows(world, 2, [Name.each(names), Alias.each(aliases)]);
  }
});

it("changes nothing when memory is refused, whichever request that is, and works afterwards", () => {
  let refused = 0;
  for (let request = 1; ; request++) {
    const plain = plainMemory();
    let left = Number.POSITIVE_INFINITY;
    const inWorld = createWorld({
      memory: {
        ...plain,
        allocate: (bytes, moved) => {
          if (--left === 0) throw new TreelineError("capacity", "no more blocks");
          return plain.allocate(bytes, moved);
        },
      },
    });
    const [one, other] = [spawn(inWorld, Name("One")), spawn(inWorld, Name("Other"))];
    const list = Array.from({ length: 60 }, (_, at) => spawn(inWorld, (at % 2 ? ChildOf : Parent)(one)));
    for (const entity of list.slice(40)) add(inWorld, entity, Name(`was ${entity}`), ChildOf(other));
    const texts = list.map((_, at) => `new ${at}`);
    const before = dump(inWorld);

    left = request;
    let refusal: unknown;
    try {
      nameMany(inWorld, list, texts);
    } catch (error) {
      refusal = error;
    }

    const isRefused = left <= 0;
    if (isRefused && refusal !== undefined) {
      refused++;
      expect(refusal).toMatchObject({ code: "capacity" });
      expect([dump(inWorld), verify(inWorld)]).toEqual([before, []]);
      for (const entity of list.slice(40)) expect(lookup(inWorld, `Other::was ${entity}`)).toBe(entity);
      expect(lookup(inWorld, "One::new 0")).toBeUndefined();
      left = Number.POSITIVE_INFINITY;
      nameMany(inWorld, list, texts);
    }
    expect(list.map((entity) => get(inWorld, entity, Name))).toEqual(texts);
    expect([lookup(inWorld, "One::new 1"), lookup(inWorld, "Other::new 59")]).toEqual([list[1], list[59]]);
    expect(verify(inWorld)).toEqual([]);
    if (!isRefused) break;
  }
  expect(refused).toBeGreaterThan(0);
});
