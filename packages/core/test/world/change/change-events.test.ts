import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clear,
  clone,
  type Definition,
  defer,
  entityOf,
  observe,
  release,
  remove,
} from "../../../src/index.ts";
import { Any, ChildOf, DisabledTree, Frozen, Parent } from "../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../fixture.ts";
import { addObservers, DisabledFromAbove, Life } from "../../internal.ts";
import { destroy } from "../destroy.ts";

let world: World;
let calls: string[];

beforeEach(() => {
  world = createWorld();
  calls = [];
});

/** Observes as our own packages may: also definitions that users cannot name. */
function record(definition: Definition, target = 0): () => void {
  return addObservers(
    world,
    (["added", "removed"] as const).map((kind) => ({
      kind,
      definition,
      target,
      isStopped: false,
      call: ({ entity }) => calls.push(`${kind === "added" ? "+" : "-"}${nameOf(entity)}`),
    })),
  );
}

const names = new Map<Entity, string>();

function nameOf(entity: Entity): string {
  return names.get(entity) ?? "new";
}

function named(name: string, entity: Entity): Entity {
  names.set(entity, name);
  return entity;
}

/** The events since the last call. */
function readEvents(): string[] {
  return calls.splice(0);
}

describe("Life", () => {
  it.each<[string, () => unknown, string[]]>([
    ["a spawn without anything", () => spawn(world), ["+new"]],
    ["many spawns", () => spawnMany(world, 2, Frozen), ["+new", "+new"]],
    ["a clone", () => clone(world, named("ship", spawn(world))), ["+new", "+new"]],
    ["a component entity", () => entityOf(world, Frozen), ["+new"]],
    ["a deferred spawn", () => defer(world, () => spawn(world)), ["+new"]],
  ])("is added once by %s", (_, act, expected) => {
    record(Life);

    act();

    expect(readEvents()).toEqual(expected);
  });

  it("is removed by destruction, children before parents, also of entities that have nothing", () => {
    const ship = named("ship", spawn(world));
    named("deck", spawn(world, ChildOf(ship)));
    named("seat", spawn(world, Parent(ship)));
    const bare = named("bare", spawn(world));
    const other = named("other", spawn(world));
    record(Life);

    destroy(world, ship);
    release(world, bare);
    destroy(world, other);

    expect(readEvents()).toEqual(["-deck", "-seat", "-ship", "-bare", "-other"]);
  });

  it("is kept through all other changes", () => {
    const dock = spawn(world);
    const ship = spawn(world, Frozen);
    record(Life);

    add(world, ship, ChildOf(dock));
    remove(world, ship, ChildOf(Any));
    clear(world, ship);

    expect(readEvents()).toEqual([]);
  });
});

describe("DisabledFromAbove", () => {
  it("is reported for everything below a disabled entity, and for what moves in and out", () => {
    const ship = spawn(world);
    const deck = named("deck", spawn(world, ChildOf(ship)));
    named("seat", spawn(world, Parent(deck)));
    record(DisabledFromAbove);

    add(world, ship, DisabledTree);
    expect(readEvents()).toEqual(["+deck", "+seat"]);
    const guest = named("guest", spawn(world));
    add(world, guest, Parent(deck));
    expect(readEvents()).toEqual(["+guest"]);
    remove(world, deck, ChildOf(Any));
    expect(readEvents().toSorted()).toEqual(["-deck", "-guest", "-seat"]);
  });
});

describe("Parent", () => {
  it("is reported for parents stored by value, also on a change of storage", () => {
    const ship = spawn(world);
    const dock = spawn(world);
    const deck = named("deck", spawn(world, ChildOf(ship)));
    record(Parent, ship);

    add(world, deck, Parent(ship));
    expect(readEvents()).toEqual(["+deck"]);
    add(world, deck, Parent(dock));
    expect(readEvents()).toEqual(["-deck"]);
    add(world, deck, ChildOf(dock));
    expect(readEvents()).toEqual([]);
  });
});

describe("users", () => {
  it("are not notified of any of these, whatever they observe", () => {
    observe(world, { added: Any, removed: Any, set: Any }, ({ kind, definition }) =>
      calls.push(`${kind} ${definition.name}`),
    );

    const ship = spawn(world, DisabledTree);
    const deck = spawn(world, Parent(ship));
    add(world, deck, ChildOf(ship));
    destroy(world, ship);

    expect(readEvents()).toEqual([
      "added DisabledTree",
      "added ChildOf",
      "removed ChildOf",
      "removed DisabledTree",
    ]);
  });
});
