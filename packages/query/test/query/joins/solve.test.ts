import { Any, ChildOf, Parent, spawnMany, tag } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { on, query } from "../../../src/index.ts";
import { DockedTo, Includes, Knows, Likes, MemberOf, Owes, Position } from "../../definitions.ts";
import { asTag } from "../../public/builtins.ts";
import { setWorld, world } from "../../test-world.ts";
import {
  a,
  b,
  c,
  countingReads,
  inOrder,
  joinedMatches,
  solved,
  solvedIntervals,
  spawnHere,
} from "./solved.ts";

const Active = tag("Active");

beforeEach(setWorld);

describe("targets of matched entities", () => {
  it("are bound to the variable in turn, so that a subject comes once for each", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const both = spawnHere(Likes(x), Likes(y));
    const one = spawnHere(Likes(y));
    spawnHere(Owes(x));

    expect(joinedMatches(Likes(a))).toEqual(
      inOrder([
        [both, x],
        [both, y],
        [one, y],
      ]),
    );
  });

  it("come as one interval for each table and target", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    spawnMany(world, 100, Likes(x), Likes(y));

    const { length, stride } = solvedIntervals(query(world, Likes(a)));

    expect(length / stride).toBe(2);
  });

  it("come as one interval for neighbours with one target, though they are in several tables", () => {
    const dock = spawnHere();
    const docked = spawnMany(world, 40).flatMap((x) => spawnMany(world, 4, DockedTo(dock), Likes(x)));
    const tested = query(world, DockedTo(a));

    expect(inOrder(solved(tested))).toEqual(inOrder(docked.map((one) => [one, dock])));
    const { length, stride } = solvedIntervals(tested);
    expect(length / stride).toBe(1);
  });

  it("are parents in both storages for ChildOf, and in its own for Parent", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const typed = spawnHere(ChildOf(x));
    const [one, two, three] = [spawnHere(Parent(x)), spawnHere(Parent(y)), spawnHere(Parent(x))];
    const byValue = [
      [one, x],
      [two, y],
      [three, x],
    ];

    expect(joinedMatches(ChildOf(a))).toEqual(inOrder([[typed, x], ...byValue]));
    expect(joinedMatches(Parent(a))).toEqual(inOrder(byValue));
  });

  it("are the same for two terms that share a variable", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const match = spawnHere(Likes(x), Likes(y), Owes(y));
    spawnHere(Likes(x), Owes(y));
    const child = spawnHere(Parent(x), Likes(x));
    spawnHere(Parent(x), Likes(y));

    expect(joinedMatches(Likes(a), Owes(a))).toEqual([[match, y]]);
    expect(joinedMatches(Likes(a), ChildOf(a))).toEqual([[child, x]]);
  });

  it("are distinguished by two variables, each with each", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const one = spawnHere(Likes(x), Likes(y));

    expect(joinedMatches(Likes(a), Likes(b))).toEqual(
      inOrder([
        [one, x, x],
        [one, x, y],
        [one, y, x],
        [one, y, y],
      ]),
    );
  });

  it("of symmetric relations are on both sides", () => {
    const x = spawnHere();
    const y = spawnHere(Knows(x));

    expect(joinedMatches(Knows(a))).toEqual(
      inOrder([
        [x, y],
        [y, x],
      ]),
    );
    expect(joinedMatches(Knows(a), on(a, Knows(b)))).toEqual(
      inOrder([
        [x, y, x],
        [y, x, y],
      ]),
    );
  });

  it("of reflexive relations include the entity itself, once", () => {
    const x = spawnHere(Position);
    const y = spawnHere(Position, Includes(x));
    const z = spawnHere(Position, Parent(x), Includes(y), Includes(x));

    expect(joinedMatches(Position, Includes(a))).toEqual(
      inOrder([
        [x, x],
        [y, y],
        [y, x],
        [z, z],
        [z, y],
        [z, x],
      ]),
    );
    expect(joinedMatches(Position, Includes(a), ChildOf(b))).toEqual(
      inOrder([
        [z, z, x],
        [z, y, x],
        [z, x, x],
      ]),
    );
  });
});

describe("siblings", () => {
  it("are the children of the entity's own parent, the entity included, whatever the order of terms", () => {
    const [x, y] = [spawnHere(), spawnHere()];
    const me = spawnHere(Parent(x));
    const siblings = [me, ...spawnMany(world, 3, ChildOf(x)), ...spawnMany(world, 3, Parent(x), Position)];
    spawnMany(world, 5, ChildOf(y));
    spawnMany(world, 5, Parent(y));
    const expected = inOrder(siblings.map((one) => [one, x]));

    expect(joinedMatches(ChildOf(a), on(me, ChildOf(a)))).toEqual(expected);
    expect(joinedMatches(on(me, ChildOf(a)), ChildOf(a))).toEqual(expected);
    expect(joinedMatches(Parent(a), on(me, ChildOf(a)))).toHaveLength(4);
    expect(joinedMatches(Position, ChildOf(a), on(me, ChildOf(a)))).toHaveLength(3);
    expect(joinedMatches(ChildOf(a), on(x, ChildOf(a)))).toEqual([]);
  });

  it("come as one interval in adjacent rows, in both storages", () => {
    const x = spawnHere();
    const me = spawnHere(ChildOf(x));
    spawnMany(world, 50, ChildOf(x));
    spawnMany(world, 50, Parent(x));

    const { length, stride } = solvedIntervals(query(world, ChildOf(a), on(me, ChildOf(a))));

    expect(length / stride).toBe(2);
  });

  it.each([
    ["type", ChildOf],
    ["value", Parent],
  ])("are found without reading the children of ten thousand other parents (parents as %s)", (_, kind) => {
    const parents = spawnMany(world, 10_000);
    for (const parent of parents) spawnMany(world, 2, Position, kind(parent));
    const me = spawnHere(Position, kind(parents[5000]!));
    const tested = query(world, Position, ChildOf(a), on(me, ChildOf(a)));
    const expected = solved(tested);

    const [found, reads] = countingReads(world.graph.tables, "count", () => solved(tested));

    expect(found).toHaveLength(3);
    expect(found).toEqual(expected);
    expect(reads).toBeLessThan(50);
  });
});

describe("chains", () => {
  it("join entities that are docked to a ship of their own team", () => {
    const [red, blue] = [spawnHere(), spawnHere()];
    const [dawn, dusk] = [spawnHere(MemberOf(red)), spawnHere(MemberOf(blue))];
    const own = [
      spawnHere(DockedTo(dawn), MemberOf(red)),
      spawnHere(DockedTo(dusk), MemberOf(blue), Position),
    ];
    spawnHere(DockedTo(dawn), MemberOf(blue));
    spawnHere(DockedTo(dusk));
    const expected = inOrder([
      [own[0]!, dawn, red],
      [own[1]!, dusk, blue],
    ]);

    expect(joinedMatches(DockedTo(a), on(a, MemberOf(b)), MemberOf(b))).toEqual(expected);
    expect(joinedMatches(on(a, MemberOf(b)), MemberOf(b), DockedTo(a)).map(([entity]) => entity)).toEqual(
      expected.map(([entity]) => entity),
    );
  });

  it("lead over three variables, in both storages", () => {
    const x = spawnHere();
    const y = spawnHere(ChildOf(x));
    const z = spawnHere(Parent(y));
    const last = spawnHere(ChildOf(z));

    expect(joinedMatches(ChildOf(a), on(a, ChildOf(b)), on(b, ChildOf(c)))).toEqual([[last, z, y, x]]);
    expect(joinedMatches(ChildOf(a), on(a, ChildOf(b)), on(b, ChildOf(Any)))).toEqual([[last, z, y]]);
  });

  it("take steps that grow with the matches, not with the square of all entities", () => {
    const teams = spawnMany(world, 20);
    const ships = teams.flatMap((team) => spawnMany(world, 20, MemberOf(team)));
    for (const ship of ships) spawnMany(world, 3, DockedTo(ship), MemberOf(teams[7]!));
    const tested = query(world, DockedTo(a), on(a, MemberOf(b)), MemberOf(b));

    const [found, reads] = countingReads(world.graph.tables, "count", () => solvedIntervals(tested));

    expect(found.length / found.stride).toBe(20);
    expect(reads).toBeLessThan(20_000);
  });

  it.each([
    ["first", 0],
    ["second", 1],
    ["last", 2],
  ])("begin with the rarest pair, also if that is required %s", (_, place) => {
    const [hub, team] = [spawnHere(), spawnHere()];
    spawnMany(world, 5000, Likes(hub));
    const ship = spawnHere(Likes(hub), MemberOf(team));
    const guest = spawnHere(DockedTo(ship));
    const terms = [on(a, Likes(hub)), DockedTo(a)];
    terms.splice(place, 0, on(a, MemberOf(team)));
    const tested = query(world, ...terms);
    const expected = solved(tested);

    const [found, reads] = countingReads(world.entities, "table", () => solved(tested));

    expect([found, expected]).toEqual([[[guest, ship]], [[guest, ship]]]);
    expect(reads).toBeLessThan(100);
  });

  it("may require components, any target and entities as tags on the path", () => {
    const mark = spawnHere();
    const [x, y, z] = [
      spawnHere(Active),
      spawnHere(asTag(mark), Likes(mark)),
      spawnHere(Position, Active, asTag(mark)),
    ];
    const [one, two, three] = [spawnHere(DockedTo(x)), spawnHere(DockedTo(y)), spawnHere(DockedTo(z))];

    expect(joinedMatches(DockedTo(a), on(a, Active))).toEqual(
      inOrder([
        [one, x],
        [three, z],
      ]),
    );
    expect(joinedMatches(DockedTo(a), on(a, asTag(mark)))).toEqual(
      inOrder([
        [two, y],
        [three, z],
      ]),
    );
    expect(joinedMatches(DockedTo(a), on(a, Likes(Any)))).toEqual([[two, y]]);
    expect(joinedMatches(DockedTo(a), on(a, Any(mark)))).toEqual([[two, y]]);
    expect(joinedMatches(DockedTo(a), on(a, Any(Any)))).toEqual([[two, y]]);
  });
});
