import { Any, add, ChildOf, Disabled, Parent, remove, spawnMany, tag } from "@treeline/core";
import { indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { bind, destroy, not, on, query } from "../../../src/index.ts";
import { DockedTo, Includes, Likes, MemberOf, Owes, Position } from "../../definitions.ts";
import { setWorld, world } from "../../stage.ts";
import { a, answersTo, b, born, c, inOrder, solved, spansOf } from "./solved.ts";

const Active = tag("Active");

beforeEach(setWorld);

describe("variables that are no targets of who is visited", () => {
  it("are joined with everybody who answers", () => {
    const [game, level] = [born(), born()];
    add(world, game, Likes(level));
    const seen = [...spawnMany(world, 3, Position), born(Position, Active)];
    born(Position, Disabled);
    const expected = inOrder(seen.map((one) => [one, level]));

    expect(answersTo(Position, on(game, Likes(a)))).toEqual(expected);
    expect(answersTo(Position, not(Likes(level)), on(game, Likes(a)))).toEqual(expected);
    expect(answersTo(Position, on(a, Active))).toHaveLength(4);
    expect(answersTo(Position, on(level, Likes(a)))).toEqual([]);
  });

  it("may be sources of each other's pairs, in circles too", () => {
    const [x, y, z] = [born(), born(), born(Position)];
    add(world, x, Likes(y));
    add(world, y, Likes(x));
    add(world, y, Likes(y));

    expect(answersTo(Position, on(a, Likes(b)), on(b, Likes(a)))).toEqual(
      inOrder([
        [z, x, y],
        [z, y, x],
        [z, y, y],
      ]),
    );
    expect(answersTo(Position, on(a, Likes(a)))).toEqual([[z, y]]);
  });

  it("are everybody, if a reflexive relation asks for it", () => {
    const [x, y] = [born(Position), born()];
    add(world, y, Includes(x));

    expect(answersTo(Position, on(a, Includes(a)))).toEqual(
      inOrder([
        [x, x],
        [x, y],
      ]),
    );
    expect(answersTo(Position, on(a, Includes(b)))).toEqual(
      inOrder([
        [x, x, x],
        [x, y, x],
        [x, y, y],
      ]),
    );
    expect(answersTo(Position, on(a, Includes(x)))).toEqual(
      inOrder([
        [x, x],
        [x, y],
      ]),
    );
    expect(answersTo(Position, on(y, Includes(a)))).toEqual(
      inOrder([
        [x, x],
        [x, y],
      ]),
    );
    expect(answersTo(Position, on(a, Includes(Any)))).toEqual([[x, y]]);
  });
});

describe("variables that are set", () => {
  it("stand for their entity only, until they are free again", () => {
    const [x, y] = [born(), born()];
    const [one, two] = [born(Likes(x)), born(Likes(y), Likes(x))];
    const asked = query(world, Likes(a));

    expect(solved(bind(asked, a, y))).toEqual([[two, y]]);
    expect(inOrder(solved(bind(asked, a, x)))).toEqual(
      inOrder([
        [one, x],
        [two, x],
      ]),
    );
    expect(solved(bind(asked, a, one))).toEqual([]);
    expect(solved(bind(asked, a, undefined))).toHaveLength(3);
  });

  it("find others from either end", () => {
    const [red, blue] = [born(), born()];
    const ship = born(MemberOf(red));
    const crew = [born(DockedTo(ship)), born(DockedTo(ship), Position)];
    born(DockedTo(born(MemberOf(blue))));
    const asked = query(world, DockedTo(a), on(a, MemberOf(b)));
    const expected = inOrder(crew.map((one) => [one, ship, red]));

    expect(inOrder(solved(bind(asked, b, red)))).toEqual(expected);
    expect(inOrder(solved(bind(bind(asked, b, undefined), a, ship)))).toEqual(expected);
    expect(solved(bind(asked, b, blue))).toEqual([]);
  });

  it("have the reflexive pair with themselves", () => {
    const x = born(Position);
    const y = born(Position, Includes(x));
    const asked = query(world, Position, Includes(a));

    expect(inOrder(solved(bind(asked, a, x)))).toEqual(
      inOrder([
        [x, x],
        [y, x],
      ]),
    );
    expect(solved(bind(asked, a, y))).toEqual([[y, y]]);
  });

  it("answer nobody once their entity is dead", () => {
    const [x, y] = [born(), born(Position)];
    add(world, y, Likes(x));
    const asked = query(world, Position, on(a, Likes(b)));
    bind(bind(asked, a, y), b, x);
    expect(solved(asked)).toEqual([[y, y, x]]);

    destroy(world, x);

    expect(solved(asked)).toEqual([]);
    expect(solved(bind(asked, b, undefined))).toEqual([]);
  });
});

describe("who is visited", () => {
  it("is nobody disabled, unless a term names that; variables may stand for them", () => {
    const x = born(Disabled);
    const [one, other] = [born(Likes(x)), born(Likes(x), Disabled)];
    const child = born(Parent(x), Disabled);

    expect(answersTo(Likes(a))).toEqual([[one, x]]);
    expect(answersTo(Disabled, Likes(a))).toEqual([[other, x]]);
    expect(answersTo(Disabled, ChildOf(a))).toEqual([[child, x]]);
  });

  it("has all that other terms ask for, with targets too, and nothing of what they exclude", () => {
    const [x, y, mark] = [born(), born(), born()];
    const [one, two] = [born(Parent(x), Likes(y)), born(ChildOf(x), Likes(y), mark)];
    const three = born(Parent(y), Likes(y), Position);

    expect(answersTo(Likes(a), ChildOf(x))).toEqual(
      inOrder([
        [one, y],
        [two, y],
      ]),
    );
    expect(answersTo(Likes(a), not(ChildOf(x)))).toEqual([[three, y]]);
    expect(answersTo(Likes(a), not(Parent(x)))).toEqual(
      inOrder([
        [two, y],
        [three, y],
      ]),
    );
    expect(answersTo(Likes(a), mark)).toEqual([[two, y]]);
    expect(answersTo(Likes(a), not(mark), not(Position))).toEqual([[one, y]]);
    expect(answersTo(Likes(a), not(Any(x)))).toEqual([[three, y]]);
    expect(answersTo(Likes(a), Any(y))).toEqual(
      inOrder([
        [one, y],
        [two, y],
        [three, y],
      ]),
    );
  });

  it("comes once, though several pairs of it point at the target that is asked for", () => {
    const x = born();
    const one = born(Parent(x), Likes(x), Owes(x), x);
    const two = born(ChildOf(x), Likes(x));
    const three = born(Parent(x), Position);

    expect(answersTo(Any(x), ChildOf(a))).toEqual(
      inOrder([
        [one, x],
        [two, x],
        [three, x],
      ]),
    );
    expect(answersTo(Likes(a), on(b, Any(x)))).toHaveLength(2 * 3);
  });

  it("is not the target of an excluded reflexive relation, nor its sources", () => {
    const [x, y] = [born(), born()];
    const crowd = spawnMany(world, 5, Likes(x));
    const other = born(Likes(x), Includes(crowd[2]!));

    expect(answersTo(Likes(a), not(Includes(crowd[2]!)))).toEqual(
      inOrder([0, 1, 3, 4].map((at) => [crowd[at]!, x])),
    );
    expect(answersTo(Likes(a), not(Includes(y)))).toHaveLength(6);
    expect(answersTo(Likes(a), Includes(crowd[2]!))).toEqual(
      inOrder([
        [crowd[2]!, x],
        [other, x],
      ]),
    );
  });

  it("is nobody for targets and sources that are dead; what excludes them excludes nobody", () => {
    const [x, dead] = [born(), born()];
    const one = born(Likes(x));
    add(world, dead, Likes(x));
    destroy(world, dead);

    expect(answersTo(Likes(a), ChildOf(dead))).toEqual([]);
    expect(answersTo(Likes(a), on(dead, Likes(a)))).toEqual([]);
    expect(answersTo(Likes(a), on(b, Likes(dead)))).toEqual([]);
    expect(answersTo(Likes(a), not(ChildOf(dead)))).toEqual([[one, x]]);
  });

  it("stays in tables of its own if values of pairs are asked for", () => {
    const [x, y] = [born(), born()];
    born(Owes(x), Likes(x));
    born(Owes(x), Owes(y), Likes(x));
    born(Owes(x), Likes(x), Likes(y));
    const asked = query(world, Likes(a), Owes(x));

    expect(solved(asked)).toHaveLength(4);
    const { length, stride } = spansOf(asked);
    expect(length / stride).toBe(4);
  });
});

describe("order", () => {
  it("is the same for two worlds that have been through the same", () => {
    function answers(): number[][] {
      setWorld();
      const parents = spawnMany(world, 5);
      for (let at = 0; at < 40; at++) {
        const kind = at % 3 === 0 ? ChildOf : Parent;
        const one = born(kind(parents[at % 5]!), Likes(parents[at % 4]!));
        if (at % 7 === 0) add(world, one, Likes(parents[4]!));
        if (at % 11 === 0) remove(world, one, ChildOf(Any));
      }
      const found = solved(query(world, ChildOf(a), on(b, ChildOf(a)), Likes(c)));
      return found.map((one) => one.map(indexOf));
    }

    const once = answers();

    expect(once.length).toBeGreaterThan(100);
    expect(answers()).toEqual(once);
  });
});
