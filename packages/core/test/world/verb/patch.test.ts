import { beforeEach, describe, expect, it } from "vitest";
import { add, clone, defer, markChanged, observe, patch, release, remove, set } from "../../../src/index.ts";
import { array, bool, component, entity, f32, f64, relation, withHooks } from "../../defining.ts";
import { Any, Frozen, Likes } from "../../definitions.ts";
import { createWorld, type Entity, spawn, type World } from "../../fixture.ts";
import { codeOf, get, has, isAlive, locate, verify } from "../../reading.ts";
import { CHANGED, clockOf, keepTicks, tickOf } from "../../ticks.ts";
import { snapshot } from "../snapshot.ts";

interface Cargo {
  items: string[];
}

const observed: string[] = [];
const Position = component("Position", { x: f32, y: f64 });
const Mixed = component("Mixed", { on: bool, at: entity, list: array(f32, 3) });
const Hold = component<Cargo>("Hold");
const Hooked = withHooks(component("Hooked", { x: f32 }), {
  check: (_, __, { x }) => {
    if (x === 13) throw new Error("not 13");
  },
  written: (_, __, { x }) => observed.push(`written ${x}`),
  onSet: (_, __, { x }, before) => observed.push(`set ${x} after ${before?.x}`),
});
const Damage = relation("Damage", { fields: { amount: f32, kind: f32 } });

let world: World;
let ship: Entity;
let dock: Entity;

beforeEach(() => {
  world = createWorld();
  dock = spawn(world, Position);
  ship = spawn(world, Position({ x: 1, y: 2 }), Hold({ items: ["tea"] }));
  observed.length = 0;
});

function changedAt(one: Entity): number {
  return tickOf(world, one, Position, CHANGED);
}

function fail(): never {
  throw new Error("called");
}

describe("patch", () => {
  it("lets a function change the fields of a value, and leaves the others", () => {
    const isDone = patch(world, ship, Position, (position) => {
      position.x += 10;
    });

    expect([isDone, get(world, ship, Position), get(world, dock, Position)]).toEqual([
      true,
      { x: 11, y: 2 },
      { x: 0, y: 0 },
    ]);
  });

  it.each([
    ["a text", "tea"],
    ["a number", 5],
    ["undefined", undefined],
    ["null", null],
  ])("refuses %s, which no function can change, as bad-value before it calls the function", (_, value) => {
    const Whole = component<unknown>("Whole");
    add(world, ship, Whole(0));
    set(world, ship, Whole, value);
    const before = snapshot(world);

    expect(() => patch(world, ship, Whole, fail)).toThrow(/^the value of Whole is .*; use set$/);
    expect(codeOf(() => patch(world, ship, Whole, fail))).toBe("bad-value");
    expect([get(world, ship, Whole), snapshot(world)]).toEqual([value, before]);
  });

  it("works on flags, references and lists", () => {
    add(world, ship, Mixed({ list: [1, 2, 3] }));

    patch(world, ship, Mixed, (mixed) => {
      mixed.on = true;
      mixed.at = dock;
      mixed.list[1] = 20;
    });

    const { on, at, list } = get(world, ship, Mixed)!;
    expect([on, at, [...list]]).toEqual([true, dock, [1, 20, 3]]);
  });

  it("lets a reference be unset, and reads one to a destroyed entity as undefined", () => {
    add(world, ship, Mixed({ at: dock }));
    patch(world, ship, Mixed, (mixed) => {
      mixed.at = undefined;
    });
    const taken = get(world, ship, Mixed)!.at;
    set(world, ship, Mixed, { at: dock });
    release(world, dock);
    patch(world, ship, Mixed, (mixed) => {
      mixed.on = true;
    });

    expect([taken, get(world, ship, Mixed)!.at]).toEqual([undefined, undefined]);
  });

  it("passes a copy: a caller that keeps it changes nothing later", () => {
    const kept: { x: number }[] = [];
    patch(world, ship, Position, (position) => void kept.push(position));

    kept[0]!.x = 99;

    expect(get(world, ship, Position)!.x).toBe(1);
  });

  it("passes the object itself of a component without fields, which stays the same", () => {
    const before = get(world, ship, Hold);

    patch(world, ship, Hold, (hold) => void hold.items.push("rum"));

    expect(get(world, ship, Hold)).toBe(before);
    expect(before).toEqual({ items: ["tea", "rum"] });
  });

  it("works on the values of one pair", () => {
    add(world, ship, Damage(dock, { amount: 1, kind: 7 }), Damage(ship, { amount: 5 }));

    patch(world, ship, Damage(dock), (damage) => {
      damage.amount++;
    });

    expect([get(world, ship, Damage(dock)), get(world, ship, Damage(ship))]).toEqual([
      { amount: 2, kind: 7 },
      { amount: 5, kind: 0 },
    ]);
  });

  it("does not call the function if the entity does not have it, and adds nothing", () => {
    expect([patch(world, dock, Hold, fail), has(world, dock, Hold)]).toEqual([false, false]);
    expect([patch(world, ship, Damage(dock), fail), has(world, ship, Damage(dock))]).toEqual([false, false]);
  });

  it("calls hooks and observers as set does", () => {
    add(world, ship, Hooked({ x: 1 }));
    observed.length = 0;
    observe(world, { set: Any }, ({ kind, definition }) => observed.push(`${kind} ${definition.name}`));

    patch(world, ship, Hooked, (hooked) => {
      hooked.x = 4;
    });

    expect(observed).toEqual(["written 4", "set 4 after 1", "set Hooked"]);
  });

  it("marks the row as changed", () => {
    keepTicks(world, Position, CHANGED, true);
    clockOf(world).now = 5;

    patch(world, ship, Position, () => {});

    expect([changedAt(ship), changedAt(dock)]).toEqual([5, 1]);
  });

  it.each<[string, string, () => unknown]>([
    ["an entity that is not alive", "dead-entity", () => patch(world, spawnDestroyed(), Position, fail)],
    [
      "a pair with a target that is not alive",
      "dead-entity",
      () => patch(world, ship, Damage(spawnDestroyed()), fail),
    ],
    ["a relation without target", "bad-term", () => patch(world, ship, Damage as never, fail)],
    ["a wildcard", "bad-term", () => patch(world, ship, Damage(Any) as never, fail)],
    ["no definition", "bad-term", () => patch(world, ship, {} as never, fail)],
    ["a tag", "bad-value", () => patch(world, ship, Frozen as never, fail)],
    ["a pair without values", "bad-value", () => patch(world, ship, Likes(dock) as never, fail)],
    [
      "a value that does not fit",
      "bad-value",
      () =>
        patch(world, ship, Position, (position) => {
          position.x = "1" as unknown as number;
        }),
    ],
    [
      "a field that is not there",
      "bad-value",
      () =>
        patch(world, ship, Position, (position) => {
          (position as unknown as { z: number }).z = 1;
        }),
    ],
  ])("refuses %s with %s, and writes nothing", (_, code, act) => {
    expect(codeOf(act)).toBe(code);
    expect(get(world, ship, Position)).toEqual({ x: 1, y: 2 });
  });

  it.each<[string, () => unknown]>([
    // @ts-expect-error: a function for patch changes what it gets
    ["another object", () => patch(world, ship, Position, (position) => ({ ...position, x: 5 }))],
    [
      "a number",
      () =>
        // @ts-expect-error: nor does it return what it has written
        patch(world, ship, Position, (position) => {
          position.x = 5;
          return position.x;
        }),
    ],
    // @ts-expect-error: it has returned when the value is written
    ["a promise", () => patch(world, ship, Position, async () => {})],
    // @ts-expect-error: set writes another value of a component without fields
    ["another object of a component without fields", () => patch(world, ship, Hold, () => ({ items: [] }))],
    // @ts-expect-error: and of a pair
    ["another object of a pair", () => patch(world, ship, Damage(dock), () => ({ amount: 5, kind: 5 }))],
  ])("refuses a function that returns something as bad-value, and writes nothing: %s", (_, act) => {
    add(world, ship, Damage(dock, { amount: 1, kind: 1 }));
    const before = [Position, Hold, Damage(dock)].map((one) => get(world, ship, one as typeof Position));

    expect(codeOf(act)).toBe("bad-value");

    expect([Position, Hold, Damage(dock)].map((one) => get(world, ship, one as typeof Position))).toEqual(
      before,
    );
    expect(verify(world)).toEqual([]);
  });

  it("accepts a function whose type says that it returns nothing", () => {
    const move: (position: { x: number }) => void = (position) => {
      position.x = 7;
    };

    expect(patch(world, ship, Position, move)).toBe(true);
    expect(get(world, ship, Position)!.x).toBe(7);
  });

  it("writes nothing if the function throws", () => {
    expect(() =>
      patch(world, ship, Position, (position) => {
        position.x = 50;
        throw new Error("no");
      }),
    ).toThrow("no");
    expect(get(world, ship, Position)).toEqual({ x: 1, y: 2 });
  });

  it("writes nothing if a hook refuses", () => {
    add(world, ship, Hooked({ x: 1 }));

    expect(() =>
      patch(world, ship, Hooked, (hooked) => {
        hooked.x = 13;
      }),
    ).toThrow("not 13");
    expect(get(world, ship, Hooked)).toEqual({ x: 1 });
  });

  it("writes nothing if the function removes the component, or destroys the entity", () => {
    const removed = patch(world, ship, Position, () => remove(world, ship, Position));
    const destroyedMeanwhile = patch(world, dock, Position, () => release(world, dock));

    expect([removed, destroyedMeanwhile, has(world, ship, Position)]).toEqual([false, false, false]);
  });
});

function spawnDestroyed(): Entity {
  const destroyed = spawn(world);
  release(world, destroyed);
  return destroyed;
}

describe("inside an iteration, patch", () => {
  it("is done at once", () => {
    defer(world, () => {
      patch(world, ship, Position, (position) => {
        position.x = 5;
      });

      expect(get(world, ship, Position)!.x).toBe(5);
    });
  });

  it("is deferred behind deferred commands, and then sees their changes", () => {
    const seen: number[] = [];

    const isDone = defer(world, () => {
      add(world, ship, Frozen);
      set(world, ship, Position, { y: 40 });
      return patch(world, ship, Position, (position) => {
        seen.push(position.y);
        position.x = 5;
      });
    });

    expect([isDone, seen, get(world, ship, Position)]).toEqual([true, [40], { x: 5, y: 40 }]);
  });

  it("works on an entity that is spawned at its end", () => {
    const spawned = defer(world, () => {
      const pending = spawn(world, Position({ x: 7 }));
      patch(world, pending, Position, (position) => {
        position.y = position.x + 1;
      });
      return pending;
    });

    expect(get(world, spawned, Position)).toEqual({ x: 7, y: 8 });
  });

  it.each<[string, () => unknown]>([
    ["its component is gone", () => remove(world, ship, Position)],
    ["its entity is destroyed", () => release(world, ship)],
  ])("does not call the function if by then %s", (_, act) => {
    let calls = 0;

    defer(world, () => {
      act();
      patch(world, ship, Position, () => void calls++);
    });

    expect(calls).toBe(0);
  });
});

describe("markChanged", () => {
  it("marks a row that was written without a verb", () => {
    keepTicks(world, Position, CHANGED, true);
    clockOf(world).now = 5;
    const { columns, row } = locate(world, ship, Position)!;
    columns.x[row] = 33;
    const before = changedAt(ship);

    const isDone = markChanged(world, ship, Position);

    expect([before, changedAt(ship), changedAt(dock), isDone]).toEqual([1, 5, 1, true]);
    expect(get(world, ship, Position)).toEqual({ x: 33, y: 2 });
  });

  it("calls hooks and observers with the present value, as a set that names no field", () => {
    add(world, ship, Hooked({ x: 1 }));
    observed.length = 0;
    observe(world, { set: Any }, ({ kind, definition }) => observed.push(`${kind} ${definition.name}`));

    markChanged(world, ship, Hooked);

    expect(observed).toEqual(["written 1", "set 1 after 1", "set Hooked"]);
  });

  it("keeps the object of a component without fields", () => {
    const hold = get(world, ship, Hold)!;
    hold.items.push("rum");
    observe(world, { set: Hold }, () => observed.push("set"));

    markChanged(world, ship, Hold);

    expect([get(world, ship, Hold) === hold, observed]).toEqual([true, ["set"]]);
  });

  it("only notifies for a pair", () => {
    add(world, ship, Damage(dock, { amount: 3 }));
    observe(world, { set: Damage(Any) }, ({ target }) => observed.push(`set ${target === dock}`));

    expect([markChanged(world, ship, Damage(dock)), observed]).toEqual([true, ["set true"]]);
    expect(get(world, ship, Damage(dock))).toEqual({ amount: 3, kind: 0 });
  });

  it("notifies no observer if the entity does not have it", () => {
    observe(world, { set: Any, added: Any }, () => observed.push("told"));

    expect([markChanged(world, dock, Hold), observed]).toEqual([false, []]);
  });

  it("defers what its function changes, while later spawns are pending (I1)", () => {
    const seen: unknown[] = [];
    let late: Entity | undefined;

    defer(world, () => {
      add(world, ship, Frozen); // so that the patch is deferred
      patch(world, ship, Position, (position) => {
        position.x = 7;
        add(world, late!, Frozen);
        seen.push(clone(world, late!), has(world, late!, Frozen));
      });
      late = spawn(world, Position({ x: 3 }));
    });

    const [copy, wasFrozen] = seen as [Entity, boolean];
    expect([wasFrozen, has(world, late!, Frozen)]).toEqual([true, true]);
    expect([get(world, ship, Position)!.x, get(world, late!, Position)!.x, isAlive(world, copy)]).toEqual([
      7,
      3,
      true,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("is deferred behind deferred commands: an object that is set before it stays", () => {
    const other = { items: ["silk"] };

    defer(world, () => {
      add(world, ship, Frozen);
      set(world, ship, Hold, other);
      markChanged(world, ship, Hold);
    });

    expect(get(world, ship, Hold)).toBe(other);
  });

  it("notifies no observer if a hook refuses", () => {
    add(world, ship, Hooked({ x: 1 }));
    const { columns, row } = locate(world, ship, Hooked)!;
    columns.x[row] = 13;
    observe(world, { set: Any }, () => observed.push("told"));
    observed.length = 0;

    expect(() => markChanged(world, ship, Hooked)).toThrow("not 13");
    expect(observed).toEqual([]);
  });

  it.each<[string, string, () => unknown]>([
    ["an entity that is not alive", "dead-entity", () => markChanged(world, spawnDestroyed(), Position)],
    [
      "a pair with a target that is not alive",
      "dead-entity",
      () => markChanged(world, ship, Damage(spawnDestroyed())),
    ],
    ["a relation without target", "bad-term", () => markChanged(world, ship, Damage as never)],
    ["no definition", "bad-term", () => markChanged(world, ship, {} as never)],
    ["a tag", "bad-value", () => markChanged(world, ship, Frozen as never)],
  ])("refuses %s with %s", (_, code, act) => {
    expect(codeOf(act)).toBe(code);
  });
});
