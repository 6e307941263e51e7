import { Any, ChildOf, type Entity, Parent, spawnMany, tag } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { on, query } from "../../../src/index.ts";
import { DockedTo, Includes, Knows, Likes, MemberOf, Owes, Position } from "../../definitions.ts";
import { setWorld, world } from "../../stage.ts";
import { a, answersTo, b, born, c, countingReads, inOrder, solved, spansOf } from "./solved.ts";

const Active = tag("Active");

beforeEach(setWorld);

describe("targets of those who are visited", () => {
  it("stand for the variable in turn, so that a source comes once for each", () => {
    const [x, y] = [born(), born()];
    const both = born(Likes(x), Likes(y));
    const one = born(Likes(y));
    born(Owes(x));

    expect(answersTo(Likes(a))).toEqual(
      inOrder([
        [both, x],
        [both, y],
        [one, y],
      ]),
    );
  });

  it("come as one span for each table and target", () => {
    const [x, y] = [born(), born()];
    spawnMany(world, 100, Likes(x), Likes(y));

    const { length, stride } = spansOf(query(world, Likes(a)));

    expect(length / stride).toBe(2);
  });

  it("come as one span for neighbours with one target, though they lie in several tables", () => {
    const dock = born();
    const docked = spawnMany(world, 40).flatMap((x) => spawnMany(world, 4, DockedTo(dock), Likes(x)));
    const asked = query(world, DockedTo(a));

    expect(inOrder(solved(asked))).toEqual(inOrder(docked.map((one) => [one, dock])));
    const { length, stride } = spansOf(asked);
    expect(length / stride).toBe(1);
  });

  it("are parents in both storages for ChildOf, and in its own for Parent", () => {
    const [x, y] = [born(), born()];
    const typed = born(ChildOf(x));
    const loose = [born(Parent(x)), born(Parent(y)), born(Parent(x))] as [Entity, Entity, Entity];
    const byValue = [
      [loose[0], x],
      [loose[1], y],
      [loose[2], x],
    ];

    expect(answersTo(ChildOf(a))).toEqual(inOrder([[typed, x], ...byValue]));
    expect(answersTo(Parent(a))).toEqual(inOrder(byValue));
  });

  it("are the same for two terms that share a variable", () => {
    const [x, y] = [born(), born()];
    const match = born(Likes(x), Likes(y), Owes(y));
    born(Likes(x), Owes(y));
    const child = born(Parent(x), Likes(x));
    born(Parent(x), Likes(y));

    expect(answersTo(Likes(a), Owes(a))).toEqual([[match, y]]);
    expect(answersTo(Likes(a), ChildOf(a))).toEqual([[child, x]]);
  });

  it("are told apart by two variables, each with each", () => {
    const [x, y] = [born(), born()];
    const one = born(Likes(x), Likes(y));

    expect(answersTo(Likes(a), Likes(b))).toEqual(
      inOrder([
        [one, x, x],
        [one, x, y],
        [one, y, x],
        [one, y, y],
      ]),
    );
  });

  it("of symmetric relations stand on both sides", () => {
    const x = born();
    const y = born(Knows(x));

    expect(answersTo(Knows(a))).toEqual(
      inOrder([
        [x, y],
        [y, x],
      ]),
    );
    expect(answersTo(Knows(a), on(a, Knows(b)))).toEqual(
      inOrder([
        [x, y, x],
        [y, x, y],
      ]),
    );
  });

  it("of reflexive relations are they themselves too, once", () => {
    const x = born(Position);
    const y = born(Position, Includes(x));
    const z = born(Position, Parent(x), Includes(y), Includes(x));

    expect(answersTo(Position, Includes(a))).toEqual(
      inOrder([
        [x, x],
        [y, y],
        [y, x],
        [z, z],
        [z, y],
        [z, x],
      ]),
    );
    expect(answersTo(Position, Includes(a), ChildOf(b))).toEqual(
      inOrder([
        [z, z, x],
        [z, y, x],
        [z, x, x],
      ]),
    );
  });
});

describe("siblings", () => {
  it("are the children of one's own parent, oneself included, whatever the order of terms", () => {
    const [x, y] = [born(), born()];
    const me = born(Parent(x));
    const family = [me, ...spawnMany(world, 3, ChildOf(x)), ...spawnMany(world, 3, Parent(x), Position)];
    spawnMany(world, 5, ChildOf(y));
    spawnMany(world, 5, Parent(y));
    const expected = inOrder(family.map((one) => [one, x]));

    expect(answersTo(ChildOf(a), on(me, ChildOf(a)))).toEqual(expected);
    expect(answersTo(on(me, ChildOf(a)), ChildOf(a))).toEqual(expected);
    expect(answersTo(Parent(a), on(me, ChildOf(a)))).toHaveLength(4);
    expect(answersTo(Position, ChildOf(a), on(me, ChildOf(a)))).toHaveLength(3);
    expect(answersTo(ChildOf(a), on(x, ChildOf(a)))).toEqual([]);
  });

  it("come as one span where they lie side by side, in both storages", () => {
    const x = born();
    const me = born(ChildOf(x));
    spawnMany(world, 50, ChildOf(x));
    spawnMany(world, 50, Parent(x));

    const { length, stride } = spansOf(query(world, ChildOf(a), on(me, ChildOf(a))));

    expect(length / stride).toBe(2);
  });

  it.each([
    ["type", ChildOf],
    ["value", Parent],
  ])("are found without a look at ten thousand other families (parents as %s)", (_, kind) => {
    const parents = spawnMany(world, 10_000);
    for (const parent of parents) spawnMany(world, 2, Position, kind(parent));
    const me = born(Position, kind(parents[5000]!));
    const asked = query(world, Position, ChildOf(a), on(me, ChildOf(a)));
    const expected = solved(asked);

    const [found, reads] = countingReads(world.graph.tables, "count", () => solved(asked));

    expect(found).toHaveLength(3);
    expect(found).toEqual(expected);
    expect(reads).toBeLessThan(50);
  });
});

describe("chains", () => {
  it("join those who are docked to a ship of their own team", () => {
    const [red, blue] = [born(), born()];
    const [dawn, dusk] = [born(MemberOf(red)), born(MemberOf(blue))];
    const own = [born(DockedTo(dawn), MemberOf(red)), born(DockedTo(dusk), MemberOf(blue), Position)];
    born(DockedTo(dawn), MemberOf(blue));
    born(DockedTo(dusk));
    const expected = inOrder([
      [own[0]!, dawn, red],
      [own[1]!, dusk, blue],
    ]);

    expect(answersTo(DockedTo(a), on(a, MemberOf(b)), MemberOf(b))).toEqual(expected);
    expect(answersTo(on(a, MemberOf(b)), MemberOf(b), DockedTo(a)).map(([who]) => who)).toEqual(
      expected.map(([who]) => who),
    );
  });

  it("lead over three variables, in both storages", () => {
    const x = born();
    const y = born(ChildOf(x));
    const z = born(Parent(y));
    const last = born(ChildOf(z));

    expect(answersTo(ChildOf(a), on(a, ChildOf(b)), on(b, ChildOf(c)))).toEqual([[last, z, y, x]]);
    expect(answersTo(ChildOf(a), on(a, ChildOf(b)), on(b, ChildOf(Any)))).toEqual([[last, z, y]]);
  });

  it("take steps that grow with the answers, not with everybody times everybody", () => {
    const teams = spawnMany(world, 20);
    const ships = teams.flatMap((team) => spawnMany(world, 20, MemberOf(team)));
    for (const ship of ships) spawnMany(world, 3, DockedTo(ship), MemberOf(teams[7]!));
    const asked = query(world, DockedTo(a), on(a, MemberOf(b)), MemberOf(b));

    const [found, reads] = countingReads(world.graph.tables, "count", () => spansOf(asked));

    expect(found.length / found.stride).toBe(20);
    expect(reads).toBeLessThan(20_000);
  });

  it.each([
    ["first", 0],
    ["second", 1],
    ["last", 2],
  ])("begin with the rarest pair, also if that is asked for %s", (_, place) => {
    const [hub, team] = [born(), born()];
    spawnMany(world, 5000, Likes(hub));
    const ship = born(Likes(hub), MemberOf(team));
    const guest = born(DockedTo(ship));
    const terms = [on(a, Likes(hub)), DockedTo(a)];
    terms.splice(place, 0, on(a, MemberOf(team)));
    const asked = query(world, ...terms);
    const expected = solved(asked);

    const [found, reads] = countingReads(world.entities, "table", () => solved(asked));

    expect([found, expected]).toEqual([[[guest, ship]], [[guest, ship]]]);
    expect(reads).toBeLessThan(100);
  });

  it("may ask for components, any target and entities as tags on the way", () => {
    const mark = born();
    const [x, y, z] = [born(Active), born(mark, Likes(mark)), born(Position, Active, mark)];
    const [one, two, three] = [born(DockedTo(x)), born(DockedTo(y)), born(DockedTo(z))];

    expect(answersTo(DockedTo(a), on(a, Active))).toEqual(
      inOrder([
        [one, x],
        [three, z],
      ]),
    );
    expect(answersTo(DockedTo(a), on(a, mark))).toEqual(
      inOrder([
        [two, y],
        [three, z],
      ]),
    );
    expect(answersTo(DockedTo(a), on(a, Likes(Any)))).toEqual([[two, y]]);
    expect(answersTo(DockedTo(a), on(a, Any(mark)))).toEqual([[two, y]]);
    expect(answersTo(DockedTo(a), on(a, Any(Any)))).toEqual([[two, y]]);
  });
});
