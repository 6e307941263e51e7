import { beforeEach, describe, expect, it } from "vitest";
import { DisabledFromAbove, Life } from "../../../src/id/builtins.ts";
import {
  Any,
  add,
  ChildOf,
  clear,
  clone,
  createWorld,
  type Definition,
  DisabledTree,
  defer,
  type Entity,
  entityOf,
  observe,
  Parent,
  release,
  remove,
  spawn,
  spawnMany,
  type World,
} from "../../../src/index.ts";
import { addListeners } from "../../../src/world/verb/observe.ts";
import { Frozen } from "../../definitions.ts";
import { destroy } from "../destroy.ts";

let world: World;
let calls: string[];

beforeEach(() => {
  world = createWorld();
  calls = [];
});

/** Listens as our own packages may: also to what users cannot name. */
function record(definition: Definition, target = 0): () => void {
  return addListeners(
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

/** What was told since the last look. */
function readEvents(): string[] {
  return calls.splice(0);
}

describe("Life", () => {
  it.each<[string, () => unknown, string[]]>([
    ["a birth without anything", () => spawn(world), ["+new"]],
    ["many births", () => spawnMany(world, 2, Frozen), ["+new", "+new"]],
    ["a clone", () => clone(world, named("ship", spawn(world))), ["+new", "+new"]],
    ["an entity that stands for a definition", () => entityOf(world, Frozen), ["+new"]],
    ["a birth that waited", () => defer(world, () => spawn(world)), ["+new"]],
  ])("begins once with %s", (_, act, expected) => {
    record(Life);

    act();

    expect(readEvents()).toEqual(expected);
  });

  it("ends with a death, children before parents, also of those who have nothing", () => {
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

  it("goes on through everything else", () => {
    const dock = spawn(world);
    const ship = spawn(world, Frozen);
    record(Life);

    add(world, ship, ChildOf(dock));
    remove(world, ship, ChildOf(Any));
    clear(world, ship);

    expect(readEvents()).toEqual([]);
  });
});

describe("Hidden", () => {
  it("is told of everybody below what is disabled, and of who comes there and goes", () => {
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
  it("is told of parents that are stored as values, with a change of storage too", () => {
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
  it("are told of none of these, whatever they listen to", () => {
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
