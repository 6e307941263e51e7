import { beforeEach, describe, expect, it } from "vitest";
import { add, defer, type Observed, observe, remove, spawn, spawnMany } from "../../../../src/index.ts";
import { Any, ChildOf, Damage, DockedTo, Frozen, Likes, Parent, Position } from "../../../definitions.ts";
import { asTag, has } from "../../../reading.ts";
import { calls, dock, record, setFixture, ship, textOf, world } from "./recorded-events.ts";

beforeEach(setFixture);

describe("yieldExisting", () => {
  it("reports at once all entities that have it", () => {
    const one = spawn(world, Position({ x: 1 }), Frozen);
    const other = spawn(world, Position({ x: 2 }));
    const observed: unknown[] = [];

    observe(world, { added: Position }, ({ kind, entity }) => observed.push([kind, entity]), {
      yieldExisting: true,
    });
    spawn(world, Position);

    expect(observed.slice(0, 2).toSorted()).toEqual(
      [
        ["added", one],
        ["added", other],
      ].toSorted(),
    );
    expect(observed.length).toBe(3);
  });

  it("reports set for components with values, and not for others", () => {
    add(world, ship, Position, Frozen, Damage(dock));

    observe(world, { set: Any }, (event) => calls.push(textOf(event)), { yieldExisting: true });

    expect(calls.toSorted()).toEqual(["=Damage(dock) of ship", "=Position of ship"]);
  });

  it.each<[string, () => Observed, string[]]>([
    ["a relation", () => Likes, ["+Likes(dock) of ship", "+Likes(ship) of ship"]],
    ["one pair", () => Likes(ship), ["+Likes(ship) of ship"]],
    ["parents", () => ChildOf, ["+ChildOf(ship) of dock ->ship"]],
    [
      "any relation with a target",
      () => Any(ship),
      ["+ChildOf(ship) of dock ->ship", "+Likes(ship) of ship"],
    ],
    ["an entity as a tag", () => asTag(dock), ["+Is(dock) of ship"]],
    [
      "everything",
      () => Any,
      ["+ChildOf(ship) of dock ->ship", "+Frozen of dock", "+Likes(dock) of ship", "+Likes(ship) of ship"],
    ],
  ])("reports %s", (_, what, expected) => {
    add(world, ship, Likes(dock), Likes(ship), asTag(dock));
    add(world, dock, Parent(ship), Frozen);

    observe(world, { added: what() }, (event) => calls.push(textOf(event)), { yieldExisting: true });

    expect(calls.toSorted()).toEqual(expected);
  });

  it("reports, when it stops, that all entities lose it, once", () => {
    add(world, ship, DockedTo(dock));
    const stop = observe(
      world,
      { added: DockedTo, removed: DockedTo },
      (event) => calls.push(textOf(event)),
      {
        yieldExisting: true,
      },
    );

    stop();
    stop();
    add(world, ship, DockedTo(ship));

    expect(calls).toEqual(["+DockedTo(dock) of ship ->dock", "-DockedTo(dock) of ship dock>-"]);
  });

  it("reports nothing twice in the end, whatever the observer does then", () => {
    add(world, ship, Frozen);
    add(world, dock, Frozen);
    const stop = observe(
      world,
      { removed: Frozen },
      (event) => {
        calls.push(textOf(event));
        stop();
        remove(world, ship, Frozen);
      },
      { yieldExisting: true },
    );

    stop();

    expect(calls.toSorted()).toEqual(["-Frozen of dock", "-Frozen of ship"]);
    expect(has(world, ship, Frozen)).toBe(false);
  });

  it("reports nothing without it", () => {
    add(world, ship, Frozen);

    record({ added: Frozen, removed: Frozen })();

    expect(calls).toEqual([]);
  });

  it("lets the observer change things: that is deferred until all are reported", () => {
    spawnMany(world, 3, Frozen);

    observe(
      world,
      { added: Frozen },
      ({ entity }) => {
        calls.push("frozen");
        if (calls.length <= 3) remove(world, entity, Frozen);
        if (calls.length === 1) spawn(world, Frozen);
      },
      { yieldExisting: true },
    );

    expect(calls.length).toBe(4);
  });

  it("reports no pending spawn", () => {
    defer(world, () => {
      spawn(world, Frozen);
      observe(world, { added: Frozen }, (event) => calls.push(textOf(event)), { yieldExisting: true });
      expect(calls).toEqual([]);
    });

    expect(calls).toEqual(["+Frozen of new"]);
  });
});
