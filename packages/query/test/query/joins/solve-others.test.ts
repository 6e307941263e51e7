import { Any, add, ChildOf, Disabled, Parent, remove, spawnMany, tag } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { bind, destroy, not, on, query, unbind } from "../../../src/index.ts";
import { DockedTo, Includes, Likes, MemberOf, Owes, Position } from "../../definitions.ts";
import { asTag } from "../../public/builtins.ts";
import { setWorld, world } from "../../test-world.ts";
import { indexOf } from "../../world-state.ts";
import { a, b, c, inOrder, joinedMatches, solved, solvedIntervals, spawnHere } from "./solved.ts";

const Active = tag("Active");

beforeEach(setWorld);

describe("variables that are not targets of the matched entity", () => {
  it("are joined with all entities that match", () => {
    const [game, level] = [spawnHere(), spawnHere()];
    add(world, game, Likes(level));
    const entities = [...spawnMany(world, 3, Position), spawnHere(Position, Active)];
    spawnHere(Position, Disabled);
    const expected = inOrder(entities.map((one) => [one, level]));

    expect(joinedMatches(Position, on(game, Likes(a)))).toEqual(expected);
    expect(joinedMatches(Position, not(Likes(level)), on(game, Likes(a)))).toEqual(expected);
    expect(joinedMatches(Position, on(a, Active))).toHaveLength(4);
    expect(joinedMatches(Position, on(level, Likes(a)))).toEqual([]);
  });

  it("may be subjects of each other's pairs, in cycles too", () => {
    const [x, y, z] = [spawnHere(), spawnHere(), spawnHere(Position)];
    add(world, x, Likes(y));
    add(world, y, Likes(x));
    add(world, y, Likes(y));

    expect(joinedMatches(Position, on(a, Likes(b)), on(b, Likes(a)))).toEqual(
      inOrder([
        [z, x, y],
        [z, y, x],
        [z, y, y],
      ]),
    );
    expect(joinedMatches(Position, on(a, Likes(a)))).toEqual([[z, y]]);
  });

  it("are all entities, if a reflexive relation requires it", () => {
    const [x, y] = [spawnHere(Position), spawnHere()];
    add(world, y, Includes(x));

    expect(joinedMatches(Position, on(a, Includes(a)))).toEqual(
      inOrder([
        [x, x],
        [x, y],
      ]),
    );
    expect(joinedMatches(Position, on(a, Includes(b)))).toEqual(
      inOrder([
        [x, x, x],
        [x, y, x],
        [x, y, y],
      ]),
    );
    expect(joinedMatches(Position, on(a, Includes(x)))).toEqual(
      inOrder([
        [x, x],
        [x, y],
      ]),
    );
    expect(joinedMatches(Position, on(y, Includes(a)))).toEqual(
      inOrder([
        [x, x],
        [x, y],
      ]),
    );
    expect(joinedMatches(Position, on(a, Includes(Any)))).toEqual([[x, y]]);
  });
});

describe("variables that are set", () => {
  it("are bound to their entity only, until they are free again", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const [one, two] = [spawnHere(Likes(x)), spawnHere(Likes(y), Likes(x))];
    const tested = query(world, Likes(a));

    expect(solved(bind(tested, a, y))).toEqual([[two, y]]);
    expect(inOrder(solved(bind(tested, a, x)))).toEqual(
      inOrder([
        [one, x],
        [two, x],
      ]),
    );
    expect(solved(bind(tested, a, one))).toEqual([]);
    expect(solved(unbind(tested, a))).toHaveLength(3);
  });

  it("find others from either end", () => {
    const [red, blue] = [spawnHere(), spawnHere()];
    const ship = spawnHere(MemberOf(red));
    const crew = [spawnHere(DockedTo(ship)), spawnHere(DockedTo(ship), Position)];
    spawnHere(DockedTo(spawnHere(MemberOf(blue))));
    const tested = query(world, DockedTo(a), on(a, MemberOf(b)));
    const expected = inOrder(crew.map((one) => [one, ship, red]));

    expect(inOrder(solved(bind(tested, b, red)))).toEqual(expected);
    expect(inOrder(solved(bind(unbind(tested, b), a, ship)))).toEqual(expected);
    expect(solved(bind(tested, b, blue))).toEqual([]);
  });

  it("have the reflexive pair with themselves", () => {
    const x = spawnHere(Position);
    const y = spawnHere(Position, Includes(x));
    const tested = query(world, Position, Includes(a));

    expect(inOrder(solved(bind(tested, a, x)))).toEqual(
      inOrder([
        [x, x],
        [y, x],
      ]),
    );
    expect(solved(bind(tested, a, y))).toEqual([[y, y]]);
  });

  it("match nothing once their entity is destroyed", () => {
    const [x, y] = [spawnHere(), spawnHere(Position)];
    add(world, y, Likes(x));
    const tested = query(world, Position, on(a, Likes(b)));
    bind(bind(tested, a, y), b, x);
    expect(solved(tested)).toEqual([[y, y, x]]);

    destroy(world, x);

    expect(solved(tested)).toEqual([]);
    expect(solved(unbind(tested, b))).toEqual([]);
  });
});

describe("a matched entity", () => {
  it("is not disabled, unless a term names that; variables may be bound to disabled entities", () => {
    const x = spawnHere(Disabled);
    const [one, other] = [spawnHere(Likes(x)), spawnHere(Likes(x), Disabled)];
    const child = spawnHere(Parent(x), Disabled);

    expect(joinedMatches(Likes(a))).toEqual([[one, x]]);
    expect(joinedMatches(Disabled, Likes(a))).toEqual([[other, x]]);
    expect(joinedMatches(Disabled, ChildOf(a))).toEqual([[child, x]]);
  });

  it("has everything that other terms require, with targets too, and nothing that they exclude", () => {
    const [x, y, mark] = [spawnHere(), spawnHere(), spawnHere()];
    const [one, two] = [spawnHere(Parent(x), Likes(y)), spawnHere(ChildOf(x), Likes(y), asTag(mark))];
    const three = spawnHere(Parent(y), Likes(y), Position);

    expect(joinedMatches(Likes(a), ChildOf(x))).toEqual(
      inOrder([
        [one, y],
        [two, y],
      ]),
    );
    expect(joinedMatches(Likes(a), not(ChildOf(x)))).toEqual([[three, y]]);
    expect(joinedMatches(Likes(a), not(Parent(x)))).toEqual(
      inOrder([
        [two, y],
        [three, y],
      ]),
    );
    expect(joinedMatches(Likes(a), asTag(mark))).toEqual([[two, y]]);
    expect(joinedMatches(Likes(a), not(asTag(mark)), not(Position))).toEqual([[one, y]]);
    expect(joinedMatches(Likes(a), not(Any(x)))).toEqual([[three, y]]);
    expect(joinedMatches(Likes(a), Any(y))).toEqual(
      inOrder([
        [one, y],
        [two, y],
        [three, y],
      ]),
    );
  });

  it("comes once, though several of its pairs have the required target", () => {
    const x = spawnHere();
    const one = spawnHere(Parent(x), Likes(x), Owes(x), asTag(x));
    const two = spawnHere(ChildOf(x), Likes(x));
    const three = spawnHere(Parent(x), Position);

    expect(joinedMatches(Any(x), ChildOf(a))).toEqual(
      inOrder([
        [one, x],
        [two, x],
        [three, x],
      ]),
    );
    expect(joinedMatches(Likes(a), on(b, Any(x)))).toHaveLength(2 * 3);
  });

  it("is not the target of an excluded reflexive relation, nor its subjects", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const manyChildren = spawnMany(world, 5, Likes(x));
    const other = spawnHere(Likes(x), Includes(manyChildren[2]!));

    expect(joinedMatches(Likes(a), not(Includes(manyChildren[2]!)))).toEqual(
      inOrder([0, 1, 3, 4].map((at) => [manyChildren[at]!, x])),
    );
    expect(joinedMatches(Likes(a), not(Includes(y)))).toHaveLength(6);
    expect(joinedMatches(Likes(a), Includes(manyChildren[2]!))).toEqual(
      inOrder([
        [manyChildren[2]!, x],
        [other, x],
      ]),
    );
  });

  it("is none for targets and subjects that are destroyed; excluding them excludes nothing", () => {
    const [x, dead] = [spawnHere(), spawnHere()];
    const one = spawnHere(Likes(x));
    add(world, dead, Likes(x));
    destroy(world, dead);

    expect(joinedMatches(Likes(a), ChildOf(dead))).toEqual([]);
    expect(joinedMatches(Likes(a), on(dead, Likes(a)))).toEqual([]);
    expect(joinedMatches(Likes(a), on(b, Likes(dead)))).toEqual([]);
    expect(joinedMatches(Likes(a), not(ChildOf(dead)))).toEqual([[one, x]]);
  });

  it("stays in tables of its own if values of pairs are required", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    spawnHere(Owes(x), Likes(x));
    spawnHere(Owes(x), Owes(y), Likes(x));
    spawnHere(Owes(x), Likes(x), Likes(y));
    const tested = query(world, Likes(a), Owes(x));

    expect(solved(tested)).toHaveLength(4);
    const { length, stride } = solvedIntervals(tested);
    expect(length / stride).toBe(4);
  });
});

describe("order", () => {
  it("is the same for two worlds with the same history", () => {
    function matches(): number[][] {
      setWorld();
      const parents = spawnMany(world, 5);
      for (let at = 0; at < 40; at++) {
        const kind = at % 3 === 0 ? ChildOf : Parent;
        const one = spawnHere(kind(parents[at % 5]!), Likes(parents[at % 4]!));
        if (at % 7 === 0) add(world, one, Likes(parents[4]!));
        if (at % 11 === 0) remove(world, one, ChildOf(Any));
      }
      const found = solved(query(world, ChildOf(a), on(b, ChildOf(a)), Likes(c)));
      return found.map((one) => one.map(indexOf));
    }

    const once = matches();

    expect(once.length).toBeGreaterThan(100);
    expect(matches()).toEqual(once);
  });
});
