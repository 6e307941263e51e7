import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, type Entity, observe, release, remove, set, spawn } from "../../../../src/index.ts";
import { Any, ChildOf, Frozen, Lit, Parent, Position } from "../../../definitions.ts";
import { get, has, isAlive, parentOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { calls, dock, record, setFixture, ship, world } from "./recorded-events.ts";

beforeEach(setFixture);

describe("an observer", () => {
  it("of an addition reads it, and its value, in its place", () => {
    const seen: unknown[] = [];
    observe(world, { added: Position }, ({ entity }) => {
      seen.push([has(world, entity, Position), get(world, entity, Position), parentOf(world, entity)]);
    });

    spawn(world, ChildOf(ship), Position({ x: 4 }));

    expect(seen).toEqual([[true, { x: 4 }, ship]]);
  });

  it.each<[string, () => unknown]>([
    ["remove", () => remove(world, ship, Position)],
    ["clear", () => clear(world, ship)],
    ["release", () => release(world, ship)],
    ["destroy", () => destroy(world, ship)],
    ["destroy of the parent", () => destroy(world, dock)],
  ])("of a removal reads what is about to be removed: %s", (_, act) => {
    add(world, ship, Position({ x: 4 }), ChildOf(dock), Frozen);
    const seen: unknown[] = [];
    observe(world, { removed: Position }, ({ entity }) => {
      seen.push([get(world, entity, Position), has(world, entity, Frozen), parentOf(world, entity)]);
      seen.push([isAlive(world, entity), isAlive(world, dock)]);
    });

    act();

    expect(seen).toEqual([
      [{ x: 4 }, true, dock],
      [true, true],
    ]);
  });

  it("of a retarget reads the old target before, and the new one after", () => {
    add(world, ship, ChildOf(dock));
    const pier = spawn(world);
    const seen: unknown[] = [];
    observe(world, { removed: ChildOf, added: ChildOf }, ({ kind, entity }) =>
      seen.push([kind, parentOf(world, entity) === dock, parentOf(world, entity) === pier]),
    );

    add(world, ship, ChildOf(pier));
    add(world, ship, Parent(dock));

    expect(seen).toEqual([
      ["removed", true, false],
      ["added", false, true],
      ["removed", false, true],
      ["added", true, false],
    ]);
  });

  it("that throws stops no others: the change is made, others are called, the first error is thrown in the end", () => {
    observe(world, { added: Frozen }, () => {
      throw new Error("first");
    });
    observe(world, { added: Frozen }, () => {
      throw new Error("second");
    });
    record({ added: Any });

    expect(() => add(world, ship, Frozen, Lit)).toThrow("first");

    expect(calls).toEqual(["+Frozen of ship", "+Lit of ship"]);
    expect([has(world, ship, Frozen), world.deferDepth, verify(world)]).toEqual([true, 0, []]);
  });

  it("of a removal cannot prevent it by throwing", () => {
    add(world, ship, Frozen, ChildOf(dock));
    observe(world, { removed: Frozen }, () => {
      throw new Error("stay");
    });

    expect(() => destroy(world, dock)).toThrow("stay");

    expect([isAlive(world, ship), isAlive(world, dock), verify(world)]).toEqual([false, false, []]);
  });

  it("may spawn, destroy and reparent: that is done when the verb ends", () => {
    add(world, ship, ChildOf(dock));
    let spawned: Entity | undefined;
    const seen: unknown[] = [];
    const stop = observe(world, { added: Frozen }, ({ entity }) => {
      stop();
      spawned = spawn(world, ChildOf(entity), Lit);
      remove(world, entity, ChildOf(Any));
      destroy(world, dock);
      seen.push(has(world, spawned, Lit), parentOf(world, entity) === dock, isAlive(world, dock));
    });

    add(world, ship, Frozen);

    expect(seen).toEqual([true, true, true]);
    expect([has(world, spawned!, Lit), parentOf(world, ship), isAlive(world, dock)]).toEqual([
      true,
      undefined,
      false,
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("may set values at once", () => {
    observe(world, { added: Position }, ({ entity }) => set(world, entity, Position, { x: 9 }));

    expect(get(world, spawn(world, Position({ x: 1 })), Position)).toEqual({ x: 9 });
  });

  it("may cause changes that it observes itself, one after another", () => {
    observe(world, { added: Position }, ({ entity }) => {
      const { x } = get(world, entity, Position)!;
      calls.push(`${x}`);
      if (x < 5) spawn(world, Position({ x: x + 1 }));
    });

    spawn(world, Position({ x: 1 }));

    expect(calls).toEqual(["1", "2", "3", "4", "5"]);
  });
});
