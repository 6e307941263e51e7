import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, defer, observe, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { relation } from "../../defining.ts";
import { Any, ChildOf, Frozen, Knows, MarriedTo } from "../../definitions.ts";
import { a, b, c, d, type Entity, setFour, world } from "../../fixture.ts";
import { indexOf, tableOf } from "../../handles.ts";
import { codeOf, has, isAlive, subjectsOf, targetsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";
import { snapshot } from "../snapshot.ts";
import { symmetricPairs } from "./symmetric-pairs.ts";

const Bound = relation("Bound", { symmetric: true, onTargetDestroy: "delete" });
const Holds = relation("Holds", { symmetric: true, onTargetDestroy: "refuse" });

beforeEach(setFour);

describe("a symmetric relation", () => {
  it("is on both sides once one side was added", () => {
    add(world, a, Knows(b));

    expect(symmetricPairs(Knows)).toBe("ab ba");
    expect([targetsOf(world, b, Knows), subjectsOf(world, b, Knows)]).toEqual([[a], [a]]);
    expect(verify(world)).toEqual([]);
  });

  it("is on both sides from spawn on, with several targets", () => {
    const one = spawn(world, Knows(a), Knows(b), Frozen);
    const [first, second] = spawnMany(world, 2, Knows(c)) as [Entity, Entity];

    expect([a, b].map((each) => targetsOf(world, each, Knows))).toEqual([[one], [one]]);
    expect(targetsOf(world, c, Knows)).toEqual([first, second]);
  });

  it("is the same added from the other side: nothing changes", () => {
    add(world, a, Knows(b));
    const before = snapshot(world);

    add(world, b, Knows(a));

    expect(snapshot(world)).toEqual(before);
  });

  it.each<[string, (...of: [Entity, Entity]) => unknown]>([
    ["the one side", (one, other) => remove(world, one, Knows(other))],
    ["the other side", (one, other) => remove(world, other, Knows(one))],
    ["any target of the one side", (one) => remove(world, one, Knows(Any))],
    ["anything that points at the other", (one, other) => remove(world, one, Any(other))],
  ])("is removed from both sides when it is removed by %s, and others stay", (_, take) => {
    add(world, a, Knows(b));
    add(world, b, Knows(c));
    add(world, c, Knows(d));

    take(a, b);

    expect(symmetricPairs(Knows)).toBe("bc cb cd dc");
    expect(verify(world)).toEqual([]);
  });

  it("with itself is one pair, added and removed once", () => {
    const calls: string[] = [];
    observe(world, { added: Knows, removed: Knows }, ({ kind, entity, target }) =>
      calls.push(`${kind} ${entity === target}`),
    );

    add(world, a, Knows(a));
    const held = targetsOf(world, a, Knows);
    remove(world, a, Knows(a));

    expect([held, symmetricPairs(Knows), calls]).toEqual([[a], "", ["added true", "removed true"]]);
  });

  it("keeps the order of adding on both sides", () => {
    add(world, a, Knows(c));
    add(world, b, Knows(a));
    add(world, d, Knows(a));
    add(world, a, Knows(b));

    expect(targetsOf(world, a, Knows)).toEqual([c, b, d]);
  });

  it("moves no other entity: others keep their tables", () => {
    const table = tableOf(world, c);

    add(world, a, Knows(b));

    expect(tableOf(world, c)).toBe(table);
  });

  it.each<[string, (one: Entity) => unknown]>([
    ["released", (one) => remove(world, one, Knows(Any))],
    ["destroyed", (one) => destroy(world, one)],
    [
      "destroyed with observers",
      (one) => {
        observe(world, { removed: Any }, () => undefined);
        destroy(world, one);
      },
    ],
  ])("is removed from the remaining side when the other is %s", (_, destroyOne) => {
    add(world, a, Knows(b));
    add(world, c, Knows(b));

    destroyOne(b);

    expect([a, c].map((one) => has(world, one, Knows(Any)))).toEqual([false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("can be destroyed on both sides, in any order", () => {
    add(world, a, Knows(b));
    add(world, c, Knows(d), ChildOf(b));
    observe(world, { removed: Any }, () => undefined);

    destroy(world, b, a);
    destroy(world, d);

    expect([world.entities.alive, world.graph.pairs.alive]).toEqual([0, 0]);
  });

  it("keeps its entities from being released", () => {
    add(world, a, Knows(b));

    expect([codeOf(() => release(world, a)), codeOf(() => release(world, b))]).toEqual([
      "still-a-target",
      "still-a-target",
    ]);
  });

  it("that deletes destroys all that are connected with it", () => {
    add(world, a, Bound(b));
    add(world, b, Bound(c));

    expect(destroy(world, c)).toBe(3);

    expect([a, b, c, d].map((one) => isAlive(world, one))).toEqual([false, false, false, true]);
    expect(verify(world)).toEqual([]);
  });

  it("that refuses protects both sides, unless both are destroyed", () => {
    add(world, a, Holds(b));
    const before = snapshot(world);

    expect([codeOf(() => destroy(world, a)), codeOf(() => destroy(world, b))]).toEqual([
      "refused",
      "refused",
    ]);

    expect(snapshot(world)).toEqual(before);
    expect(destroy(world, a, b)).toBe(2);
  });

  it("is removed from both sides when one is cleared", () => {
    add(world, a, Knows(b));
    add(world, a, MarriedTo(c));

    clear(world, a);

    expect([symmetricPairs(Knows), symmetricPairs(MarriedTo), verify(world)]).toEqual(["", "", []]);
  });

  it("connects a clone as well, if it allows many targets", () => {
    add(world, a, Knows(b));

    const copy = clone(world, a);

    expect([targetsOf(world, copy, Knows), targetsOf(world, b, Knows)]).toEqual([[b], [a, copy]]);
  });

  it("with itself is copied by a clone as one with itself, deferred or not", () => {
    add(world, a, Knows(a));
    add(world, b, MarriedTo(b));

    const [one, other, later] = [clone(world, a), clone(world, b), defer(world, () => clone(world, a))];

    expect([
      targetsOf(world, one, Knows),
      targetsOf(world, other, MarriedTo),
      targetsOf(world, later, Knows),
    ]).toEqual([[one], [other], [later]]);
    expect([symmetricPairs(Knows), symmetricPairs(MarriedTo), verify(world)]).toEqual(["aa", "bb", []]);
  });

  it("is found from both sides right after the call, inside an iteration at its end", () => {
    defer(world, () => {
      add(world, a, Knows(b));
      remove(world, b, Knows(a));
      add(world, c, Knows(b));
    });

    expect(symmetricPairs(Knows)).toBe("bc cb");
  });

  it("is reported on both sides, as added and as removed", () => {
    const calls: string[] = [];
    const nameOf = (one: Entity | undefined): string => "-abcd"[indexOf(one ?? 0)]!;
    observe(world, { added: Knows, removed: Knows }, ({ kind, entity, target }) =>
      calls.push(`${kind} ${nameOf(entity)}${nameOf(target)}`),
    );

    add(world, a, Knows(b));
    remove(world, b, Knows(a));

    expect(calls.toSorted()).toEqual(["added ab", "added ba", "removed ab", "removed ba"]);
    expect(calls.slice(0, 2).toSorted()).toEqual(["added ab", "added ba"]);
  });
});
