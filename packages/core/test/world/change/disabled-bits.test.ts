import { beforeEach, describe, expect, it } from "vitest";
import { describe as describeEntity } from "../../../src/debug.ts";
import { add, clear, clone, defer, observe, pack, release, remove } from "../../../src/index.ts";
import {
  Any,
  ChildOf,
  Disabled,
  DisabledTree,
  Label,
  OrderedChildren,
  Parent,
  Position,
} from "../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany } from "../../fixture.ts";
import { removeFromAll } from "../../internal.ts";
import { codeOf, has, isDisabled, subjectsOf, verify } from "../../reading.ts";
import { refusing } from "../../storage/memory/refused-memory.ts";
import { destroy } from "../destroy.ts";
import { belt, deck, disabled, seat, setFixture, ship, world } from "./disabled-tree.ts";

beforeEach(setFixture);

function destroyBelow(parent: Entity): void {
  for (const child of subjectsOf(world, parent, ChildOf)) destroy(world, child);
}

describe("disabling", () => {
  /** The location of each entity. */
  function places(): unknown {
    const { entities, graph } = world;
    return [entities.table.slice(), entities.row.slice(), graph.tables.first.slice(), graph.tables.alive];
  }

  it("moves no row and no table, by the tag of one and by that of trees, but for the entity that gets the latter", () => {
    spawn(world, DisabledTree);
    add(world, ship, DisabledTree);
    remove(world, ship, DisabledTree);
    const before = places();

    add(world, deck, Disabled);
    add(world, ship, DisabledTree);
    expect(disabled(deck, seat, belt)).toEqual([true, true, true]);
    remove(world, ship, DisabledTree);
    remove(world, deck, Disabled);

    expect(places()).toEqual(before);
    expect(verify(world)).toEqual([]);
  });

  it.each<[story: string, change: () => unknown]>([
    ["goes to another archetype", () => add(world, deck, Label("deck"))],
    ["gets another parent", () => add(world, deck, ChildOf(spawn(world)))],
    ["changes the storage of its parent", () => add(world, deck, Parent(ship))],
    ["has siblings, so that columns grow", () => spawnMany(world, 100, ChildOf(ship), Position)],
    ["is packed", () => pack(world)],
    [
      "is packed after others have gone",
      () => {
        const others = spawnMany(world, 50, ChildOf(ship), Position);
        for (const other of others.slice(1)) release(world, other);
        pack(world);
      },
    ],
    [
      "fills the row of one that goes",
      () => {
        const [first] = spawnMany(world, 1, Position);
        remove(world, deck, ChildOf(Any));
        release(world, first!);
      },
    ],
  ])("stays with an entity that %s, and with no other", (_, change) => {
    add(world, deck, Disabled);
    const others = [ship, seat, belt];

    change();

    expect([isDisabled(world, deck), has(world, deck, Disabled), disabled(...others)]).toEqual([
      true,
      true,
      [false, false, false],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it.each([
    ["one by one", (all: readonly Entity[]) => all.forEach((one) => void release(world, one))],
    ["as a whole", () => destroyBelow(ship)],
  ])("is not inherited by an entity that gets the row of a destroyed one, %s", (_, end) => {
    const all = spawnMany(world, 40, ChildOf(ship), Label("x"));
    for (const one of all) add(world, one, Disabled);

    end(all);
    const parent = spawn(world);
    const later = spawnMany(world, 40, ChildOf(parent), Label("y"));

    expect(disabled(...later)).toEqual(later.map(() => false));
    expect(verify(world)).toEqual([]);
  });

  it("is copied by clone, row by row or term by term, and set by what is added to a clone", () => {
    add(world, seat, Disabled);
    const plain = clone(world, deck, { deep: true });
    const stop = observe(world, { added: Disabled }, () => {});
    const calls = clone(world, deck, { deep: true });
    stop();
    const given = clone(world, deck, { deep: true, with: [Disabled, Label("copy")] });

    for (const copy of [plain, calls, given]) {
      const [below] = subjectsOf(world, copy, ChildOf) as [Entity];
      expect([isDisabled(world, copy), ...disabled(below, ...subjectsOf(world, below, ChildOf))]).toEqual([
        copy === given,
        true,
        false,
      ]);
    }
    expect(verify(world)).toEqual([]);
  });

  it("is a tag of an entity that is spawned with it, alone or with many", () => {
    const spawned = [
      spawn(world, Disabled),
      spawn(world, Disabled),
      ...spawnMany(world, 3, Disabled, Position),
      defer(world, () => spawn(world, Disabled)),
    ];

    expect(disabled(...spawned)).toEqual(spawned.map(() => true));
    expect(codeOf(() => spawn(world, Disabled, Disabled))).toBe("bad-term");
    expect(verify(world)).toEqual([]);
  });

  it("is removed by clear, and by removing it from all entities", () => {
    const root = spawn(world, Disabled);
    add(world, deck, Disabled);
    add(world, seat, Disabled);

    clear(world, root);
    clear(world, deck);
    expect(disabled(root, deck, seat)).toEqual([false, false, true]);
    removeFromAll(world, { definition: Disabled, target: 0 });

    expect(disabled(seat)).toEqual([false]);
  });

  it("is reported, also on destruction, by clear and for entities that already have it", () => {
    const calls: string[] = [];
    const names = new Map([
      [deck, "deck"],
      [belt, "belt"],
    ]);
    add(world, belt, Disabled);
    observe(
      world,
      { added: Disabled, removed: Disabled },
      ({ kind, entity }) =>
        void calls.push(`${kind} ${names.get(entity)} ${has(world, entity, Disabled) ? "with" : "without"}`),
      { yieldExisting: true },
    );

    add(world, deck, Disabled, Label("deck"));
    add(world, deck, Disabled);
    clear(world, deck);
    remove(world, deck, Disabled);
    destroy(world, seat);

    expect(calls).toEqual(["added belt with", "added deck with", "removed deck with", "removed belt with"]);
  });

  it("comes before other tags for an observer of everything", () => {
    const calls: string[] = [];
    observe(
      world,
      { added: Any, removed: Any },
      ({ kind, definition }) => void calls.push(`${kind} ${definition.name}`),
    );

    add(world, belt, Label("x"), DisabledTree, Disabled, OrderedChildren);
    clear(world, belt);

    const tags = ["OrderedChildren", "Disabled", "DisabledTree", "Label"];
    expect(calls).toEqual([
      ...tags.map((name) => `added ${name}`),
      ...tags.map((name) => `removed ${name}`),
      "removed ChildOf",
    ]);
  });

  it("needs no memory of the world, however many entities are below, and still works when memory has run out", () => {
    const memory = refusing();
    const world = createWorld({ memory });
    const top = spawn(world, DisabledTree);
    const [one, two] = [spawn(world, ChildOf(top)), spawn(world, ChildOf(spawn(world)))];
    spawnMany(world, 1000, ChildOf(two), Position);

    memory.refuse(1, false);
    add(world, one, Disabled);
    remove(world, one, ChildOf(Any));

    const are = [one, two].map((each) => isDisabled(world, each));
    expect([memory.requests, are]).toEqual([0, [true, false]]);
    expect(verify(world)).toEqual([]);
  });

  it("is shown in descriptions of one entity, among its tags", () => {
    add(world, ship, Disabled);

    expect(describeEntity(world, ship)).toContain("[Disabled]");
  });
});
