import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clear,
  clone,
  type Definition,
  defer,
  entityOf,
  observe,
  pack,
  release,
  remove,
  set,
} from "../../../../src/index.ts";
import { array, component, f32, i32, relation, withHooks, withPolicy } from "../../../defining.ts";
import { Any, ChildOf, Damage, Frozen, Label, Likes, Lit, Parent } from "../../../definitions.ts";
import {
  createWorld,
  dock,
  type Entity,
  setShipAndDock,
  ship,
  spawn,
  spawnMany,
  world,
} from "../../../fixture.ts";
import { codeOf, verify } from "../../../reading.ts";
import { ADDED, CHANGED, clockOf, keepTicks, REMOVED, type TrackKind, tickOf } from "../../../ticks.ts";
import { destroy } from "../../destroy.ts";

const Position = component("Position", { x: f32, y: f32 });
const Shield = component("Shield", { power: i32, parts: array(f32, 3) });
const Hooked = withHooks(component("Hooked", { x: f32 }), { written: () => undefined });
const Near = relation("Near", { symmetric: true });

beforeEach(setShipAndDock);

/** Ticks of one entity: changed, added and removed. */
function ticksOf(entity: Entity, definition: Definition): number[] {
  return [CHANGED, ADDED, REMOVED].map((kind) => tickOf(world, entity, definition, kind as TrackKind));
}

/** Tracks all that there is of these, from tick 1 on, and lets the clock go on to 5. */
function trackAll(...definitions: Definition[]): void {
  for (const definition of definitions) {
    if (definition.holds !== "nothing") keepTicks(world, definition, CHANGED, true);
    keepTicks(world, definition, ADDED, true);
    keepTicks(world, definition, REMOVED, true);
  }
  clockOf(world).now = 5;
}

describe("the clock of a world", () => {
  it("starts at 1, and is its own", () => {
    expect(clockOf(world).now).toBe(1);
    expect(clockOf(world)).toBe(clockOf(world));
    expect(clockOf(createWorld())).not.toBe(clockOf(world));
  });
});

describe("a world where nothing is tracked", () => {
  it("has no tracks", () => {
    add(world, ship, Position({ x: 1 }));
    remove(world, ship, Position);

    expect(world.graph.archetypes.every(({ lanes }) => lanes.tracks === undefined)).toBe(true);
  });
});

describe("a component that becomes tracked", () => {
  it("counts as changed and added now, for entities that have it; none has lost it", () => {
    add(world, ship, Position);
    clockOf(world).now = 3;

    trackAll(Position);

    expect([ticksOf(ship, Position), ticksOf(dock, Position)]).toEqual([
      [3, 3, 0],
      [0, 0, 0],
    ]);
  });

  it("is tracked in archetypes without rows as well", () => {
    release(world, spawn(world, Position));

    trackAll(Position);
    const spawned = spawn(world, Position);

    expect(ticksOf(spawned, Position)).toEqual([5, 5, 0]);
    expect(verify(world)).toEqual([]);
  });

  it("is tracked in archetypes that are founded later", () => {
    trackAll(Position);

    expect(ticksOf(spawn(world, Position, Frozen), Position)).toEqual([5, 5, 0]);
  });

  it("continues unchanged for one more user", () => {
    const spawned = spawn(world, Position);
    trackAll(Position);

    keepTicks(world, Position, CHANGED, true);

    expect(ticksOf(spawned, Position)).toEqual([1, 1, 0]);
  });

  it.each<[string, () => unknown]>([
    ["a relation", () => keepTicks(world, Likes, ADDED, true)],
    ["changes of a tag", () => keepTicks(world, Frozen, CHANGED, true)],
    ["the end of what is not tracked", () => keepTicks(world, Frozen, ADDED, false)],
  ])("is never %s", (_, track) => {
    expect(codeOf(track)).toBe("internal-error");
  });
});

describe("a component that is no longer tracked", () => {
  it("is untracked with its last user", () => {
    const spawned = spawn(world, Position);
    trackAll(Position);
    keepTicks(world, Position, CHANGED, true);

    keepTicks(world, Position, CHANGED, false);
    const between = ticksOf(spawned, Position);
    keepTicks(world, Position, CHANGED, false);

    expect([between, ticksOf(spawned, Position)]).toEqual([
      [1, 1, 0],
      [0, 1, 0],
    ]);
  });

  it("leaves no tracks anywhere", () => {
    trackAll(Position, Frozen);
    remove(world, spawn(world, Position), Position);
    for (const kind of [CHANGED, ADDED, REMOVED] as const) keepTicks(world, Position, kind, false);
    for (const kind of [ADDED, REMOVED] as const) keepTicks(world, Frozen, kind, false);

    expect(world.graph.archetypes.every(({ lanes }) => lanes.tracks === undefined)).toBe(true);
  });

  it("is forgotten: tracked again, no entity has lost it", () => {
    add(world, ship, Position);
    trackAll(Position);
    remove(world, ship, Position);
    keepTicks(world, Position, REMOVED, false);

    keepTicks(world, Position, REMOVED, true);

    expect(tickOf(world, ship, Position, REMOVED)).toBe(0);
  });
});

describe("an entity is changed and added now", () => {
  beforeEach(() => trackAll(Position, Label));

  it.each<[string, () => Entity]>([
    ["by spawn", () => spawn(world, Position)],
    ["by spawn with a value", () => spawn(world, Position({ x: 1, y: 2 }))],
    ["by spawnMany", () => spawnMany(world, 100, Position)[99]!],
    ["by clone", () => clone(world, add1(spawn(world), Position))],
    ["by add", () => add1(ship, Position)],
    ["by add with a value", () => add1(ship, Position({ x: 1 }))],
    ["by add of several", () => add1(ship, Position, Frozen, Likes(dock))],
    ["by set", () => set1(ship, { x: 1 })],
    ["at the end of an iteration", () => defer(world, () => spawn(world, Position))],
    ["at the end of an iteration, many of them", () => defer(world, () => spawnMany(world, 3, Position)[2]!)],
    ["by add at the end of an iteration", () => defer(world, () => add1(ship, Position))],
    ["by set at the end of an iteration", () => defer(world, () => set1(ship, {}))],
    ["as the child of another", () => spawn(world, ChildOf(ship), Position)],
    ["as a child whose parent is a value", () => spawn(world, Parent(ship), Position)],
    ["as the second of a kind", () => [1, 2].map((y) => spawn(world, Position({ x: 1, y })))[1]!],
  ])("%s", (_, act) => {
    expect(ticksOf(act(), Position)).toEqual([5, 5, 0]);
    expect(verify(world)).toEqual([]);
  });

  it("while it is observed", () => {
    observe(world, { added: Any, set: Any }, () => {});

    expect(ticksOf(spawn(world, Position({ x: 1 })), Position)).toEqual([5, 5, 0]);
    expect(ticksOf(add1(ship, Position({ x: 1 })), Position)).toEqual([5, 5, 0]);
  });

  it("again after it was removed", () => {
    add(world, ship, Position);
    clockOf(world).now = 6;

    remove(world, ship, Position);
    add(world, ship, Position);

    expect(ticksOf(ship, Position)).toEqual([6, 6, 0]);
  });
});

function set1(entity: Entity, value: { x?: number }): Entity {
  set(world, entity, Position, value);
  return entity;
}

function add1(entity: Entity, ...terms: Parameters<typeof add>[2][]): Entity {
  add(world, entity, ...terms);
  return entity;
}

describe("an entity that has it is changed now, and not added", () => {
  beforeEach(() => {
    add(world, ship, Position, Label("a"), Shield, Hooked, Damage(dock, { amount: 1 }));
    add(world, dock, Position, Label("b"), Shield, Hooked);
    trackAll(Position, Label, Shield, Hooked);
  });

  it.each<[string, Definition, () => unknown]>([
    ["by set", Position, () => set(world, ship, Position, { x: 1, y: 2 })],
    ["by set of one field", Position, () => set(world, ship, Position, { y: 2 })],
    ["by set without fields", Position, () => set(world, ship, Position, {})],
    ["by set of an undefined field", Position, () => set(world, ship, Position, { x: undefined as never })],
    ["by set of a list", Shield, () => set(world, ship, Shield, { parts: [1, 2, 3] })],
    ["by set of a value without fields", Label, () => set(world, ship, Label, "c")],
    ["by set with hooks", Hooked, () => set(world, ship, Hooked, { x: 1 })],
    ["by set inside an iteration", Position, () => defer(world, () => set(world, ship, Position, { x: 1 }))],
    [
      "by deferred set",
      Position,
      () =>
        defer(world, () => {
          add(world, ship, Frozen);
          set(world, ship, Position, { x: 1 });
        }),
    ],
    ["by add with a value", Position, () => add(world, ship, Position({ x: 1 }))],
    ["by add with a value and others", Position, () => add(world, ship, Frozen, Position({ x: 1 }))],
    [
      "by observed set",
      Position,
      () => {
        observe(world, { set: Position }, () => {});
        set(world, ship, Position, { x: 1 });
      },
    ],
  ])("%s", (_, definition, act) => {
    act();

    expect(ticksOf(ship, definition)).toEqual([5, 1, 0]);
    expect(ticksOf(dock, definition)).toEqual([1, 1, 0]);
  });

  it("for that component alone", () => {
    set(world, ship, Position, { x: 1 });

    expect(ticksOf(ship, Label)).toEqual([1, 1, 0]);
  });

  it.each<[string, () => unknown]>([
    ["by add without value", () => add(world, ship, Position)],
    ["by a refused set", () => codeOf(() => set(world, ship, Position, { x: "1" as unknown as number }))],
    ["by a set of the value of a pair", () => set(world, ship, Damage(dock), { amount: 3 })],
    ["by a reparent", () => add(world, ship, ChildOf(dock))],
    ["by another component", () => add(world, ship, Frozen)],
  ])("but not %s", (_, act) => {
    act();

    expect(ticksOf(ship, Position)).toEqual([1, 1, 0]);
  });
});

describe("an entity that loses it is removed now", () => {
  let child: Entity;

  beforeEach(() => {
    child = spawn(world, ChildOf(dock), Position, Frozen, Hooked);
    trackAll(Position, Frozen);
  });

  it.each<[string, () => unknown]>([
    ["by remove", () => remove(world, child, Position)],
    ["by clear", () => clear(world, child)],
    ["at the end of an iteration", () => defer(world, () => remove(world, child, Position))],
    [
      "while an observer sees it",
      () => {
        observe(world, { removed: Any }, () => {});
        remove(world, child, Position);
      },
    ],
  ])("%s", (_, act) => {
    act();

    expect(ticksOf(child, Position)).toEqual([0, 0, 5]);
    expect(verify(world)).toEqual([]);
  });

  it("and stays so wherever it moves, until it has it again", () => {
    remove(world, child, Position);
    clockOf(world).now = 7;
    const seen = [
      () => add(world, child, Lit),
      () => add(world, child, ChildOf(ship)),
      () => remove(world, child, ChildOf(Any)),
      () => pack(world),
      () => add(world, child, Near(ship)),
      () => add(world, child, Label("x")),
      () => add(world, child, Position),
      () => add(world, child, Shield),
    ].map((step) => {
      step();
      return tickOf(world, child, Position, REMOVED);
    });

    expect(seen).toEqual([5, 5, 5, 5, 5, 5, 0, 0]);
    expect(verify(world)).toEqual([]);
  });

  it("with the definition, when its component entity is destroyed", () => {
    const Fuel = withPolicy(component("Fuel", { litres: f32 }), { onDestroy: "remove" });
    add(world, child, Fuel);
    trackAll(Fuel);

    destroy(world, entityOf(world, Fuel));

    expect(ticksOf(child, Fuel)).toEqual([0, 0, 5]);
  });

  it("for tags as well", () => {
    remove(world, child, Frozen);

    expect(ticksOf(child, Frozen)).toEqual([0, 0, 5]);
  });

  it("but an entity that never had it is not, in the same row", () => {
    remove(world, child, Position);
    destroy(world, child);

    expect(ticksOf(spawn(world, ChildOf(dock), Frozen, Hooked), Position)).toEqual([0, 0, 0]);
  });

  it("but others of its new archetype are not", () => {
    const other = spawn(world, ChildOf(dock), Frozen, Hooked);

    remove(world, child, Position);

    expect(ticksOf(other, Position)).toEqual([0, 0, 0]);
  });
});
