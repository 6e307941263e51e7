import { beforeEach, describe, expect, it } from "vitest";
import { add, entityOf, type Observed, observe, release, remove, spawn } from "../../../../src/index.ts";
import { Any, ChildOf, Frozen, Likes, Lit, Parent, Position } from "../../../definitions.ts";
import { createWorld, type Entity } from "../../../fixture.ts";
import { asTag, codeOf } from "../../../reading.ts";
import { calls, dock, record, setFixture, ship, world } from "./recorded-events.ts";

beforeEach(setFixture);

describe("an observer", () => {
  it.each<[string, () => Observed, string[]]>([
    ["a component", () => Position, ["+Position of ship"]],
    ["a tag", () => Frozen, ["+Frozen of ship"]],
    ["a relation alone", () => Likes, ["+Likes(dock) of ship", "+Likes(ship) of ship"]],
    ["any target of a relation", () => Likes(Any), ["+Likes(dock) of ship", "+Likes(ship) of ship"]],
    ["one pair", () => Likes(dock), ["+Likes(dock) of ship"]],
    ["parents in both storages", () => ChildOf, ["+ChildOf(dock) of ship ->dock"]],
    ["one parent", () => ChildOf(dock), ["+ChildOf(dock) of ship ->dock"]],
    ["another parent", () => ChildOf(ship), []],
    [
      "any relation with a target",
      () => Any(dock),
      ["+ChildOf(dock) of ship ->dock", "+Likes(dock) of ship"],
    ],
    [
      "any pair",
      () => Any(Any),
      ["+ChildOf(dock) of ship ->dock", "+Likes(dock) of ship", "+Likes(ship) of ship"],
    ],
    [
      "everything",
      () => Any,
      [
        "+Position of ship",
        "+Frozen of ship",
        "+ChildOf(dock) of ship ->dock",
        "+Likes(dock) of ship",
        "+Likes(ship) of ship",
      ],
    ],
    ["an entity as a tag", () => asTag(dock), ["+Is(dock) of ship"]],
    ["the component entity of a tag", () => asTag(entityOf(world, Frozen)), ["+Frozen of ship"]],
    [
      "the component entity of a relation",
      () => asTag(entityOf(world, Likes)),
      ["+Likes(dock) of ship", "+Likes(ship) of ship"],
    ],
    ["something else", () => Lit, []],
  ])("matches %s", (_, what, expected) => {
    record({ added: what() });

    add(world, ship, Likes(dock), Likes(ship), Position, Parent(dock), Frozen, asTag(dock));

    expect(calls.toSorted()).toEqual(expected.toSorted());
  });

  it("is called in the order of registration, for each change event", () => {
    for (const name of ["first", "second", "third"]) {
      observe(world, { added: name === "second" ? Any : Frozen }, ({ definition }) =>
        calls.push(`${name} ${definition.name}`),
      );
    }
    observe(world, { added: Lit }, () => calls.push("fourth Lit"));

    add(world, ship, Lit, Frozen);

    expect(calls).toEqual(["first Frozen", "second Frozen", "third Frozen", "second Lit", "fourth Lit"]);
  });

  it("may observe several kinds with one call, and stop with one", () => {
    const stop = record({ added: Frozen, removed: Lit, set: Position });
    add(world, ship, Frozen, Lit, Position({ x: 1 }));
    remove(world, ship, Lit);

    stop();
    remove(world, ship, Frozen);
    add(world, ship, Frozen, Lit);

    expect(calls).toEqual(["+Frozen of ship", "=Position of ship", "-Lit of ship"]);
  });

  it("stops at once, also inside a callback, and may be stopped twice", () => {
    const stops: (() => void)[] = [];
    stops.push(observe(world, { added: Frozen }, () => stops[1]!()));
    stops.push(record({ added: Frozen }));

    add(world, ship, Frozen);
    stops[1]!();
    stops[0]!();
    stops[0]!();
    add(world, dock, Frozen);

    expect([calls, world.events.observers]).toEqual([[], []]);
  });

  it("may stop itself, and the others continue", () => {
    const stop = observe(world, { added: Frozen }, () => {
      calls.push("once");
      stop();
    });
    record({ added: Frozen });

    add(world, ship, Frozen);
    add(world, dock, Frozen);

    expect(calls).toEqual(["once", "+Frozen of ship", "+Frozen of dock"]);
  });

  it("that starts inside a callback gets the next change event, not this one", () => {
    const stop = observe(world, { added: Frozen }, () => {
      stop();
      record({ added: Frozen });
    });

    add(world, ship, Frozen);
    const first = [...calls];
    add(world, dock, Frozen);

    expect([first, calls]).toEqual([[], ["+Frozen of dock"]]);
  });

  it("may be the same function twice", () => {
    const observer = (): unknown => calls.push("x");
    const stop = observe(world, { added: Frozen }, observer);
    observe(world, { added: Frozen }, observer);
    add(world, ship, Frozen);
    stop();
    add(world, dock, Frozen);

    expect(calls).toEqual(["x", "x", "x"]);
  });

  it("matches in one world only", () => {
    record({ added: Frozen });

    spawn(createWorld(), Frozen);

    expect(calls).toEqual([]);
  });
});

describe("observe refuses", () => {
  it.each<[string, string, () => unknown, unknown?]>([
    ["bad-term", "no kind at all", () => ({})],
    ["bad-term", "null", () => null],
    ["bad-term", "undefined", () => undefined],
    ["bad-term", "a text", () => "added"],
    ["bad-term", "Parent, which ChildOf covers", () => ({ added: Parent })],
    ["bad-term", "a pair of Parent", () => ({ added: Parent(ship) })],
    ["bad-term", "what is no term", () => ({ added: {} })],
    ["bad-term", "reordered of something else", () => ({ reordered: Likes })],
    ["bad-term", "reordered of a component", () => ({ reordered: Position })],
    ["bad-term", "a callback that is not a function", () => ({ added: Frozen }), 5],
    ["bad-term", "no callback", () => ({ added: Frozen }), undefined],
    ["dead-entity", "a target that is not alive", () => ({ added: Likes(destroyed()) })],
    ["dead-entity", "an entity as a tag that is not alive", () => ({ added: asTag(destroyed()) })],
    ["dead-entity", "a target of any relation that is not alive", () => ({ removed: Any(destroyed()) })],
    ["bad-term", "the number of the wildcard", () => ({ added: -1 })],
    ["dead-entity", "the number of the wildcard as target", () => ({ added: ChildOf(-1 as Entity) })],
  ])("with %s: %s, and there is no observer then", (code, _, kinds, ...observer) => {
    const call = observer.length === 0 ? () => undefined : observer[0];

    expect(codeOf(() => observe(world, kinds() as never, call as never))).toBe(code);

    expect(world.events.observers).toEqual([]);
  });

  function destroyed(): Entity {
    const one = spawn(world);
    release(world, one);
    return one;
  }
});
