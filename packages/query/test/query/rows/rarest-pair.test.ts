import { type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { not, or, type QueryTerm } from "../../../src/index.ts";
import { addSubjects } from "../../../src/query/rows/subjects.ts";
import { Likes, Near, Position, Tag } from "../../definitions.ts";
import { matchesOf } from "../../matches.ts";
import { Any, ChildOf, Parent } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";

vi.mock("../../../src/query/rows/subjects.ts", { spy: true });

let world: World;
let ship: Entity;
let buoy: Entity;
/** Two children of the ship by ChildOf, then two by Parent; the first of each likes the buoy. */
let crew: Entity[];

beforeEach(() => {
  world = createWorld();
  [ship, buoy] = spawnMany(world, 2) as [Entity, Entity];
  crew = [
    spawn(world, ChildOf(ship), Likes(buoy), Position),
    spawn(world, ChildOf(ship), Position),
    spawn(world, Parent(ship), Likes(buoy), Position),
    spawn(world, Parent(ship), Position),
  ];
  spawnMany(world, 10, Likes(buoy), Position);
});

describe("the rarest pair", () => {
  /** The relations whose subjects are iterated. */
  const relationsUsed = (...terms: QueryTerm[]): string[] => {
    vi.mocked(addSubjects).mockClear();
    matchesOf(world, ...terms);
    return vi.mocked(addSubjects).mock.calls.map(([, , definition]) => definition.name);
  };

  it("is the one that takes the fewest steps, wherever its term is", () => {
    spawnMany(world, 9, Parent(ship));
    spawn(world, Likes(ship));

    expect(relationsUsed(Likes(ship), ChildOf(ship))).toEqual(["Likes"]);
    expect(relationsUsed(ChildOf(ship), Likes(ship))).toEqual(["Likes"]);
    expect(relationsUsed(Any(buoy), Near(buoy), Position)).toEqual(["Near"]);
  });

  it("is not an excluded one, unless its subjects are fewer than the other rows", () => {
    for (const parent of spawnMany(world, 20)) spawn(world, ChildOf(parent), Likes(buoy), Position);

    expect(relationsUsed(not(Near(ship)), Near(buoy))).toEqual(["Near"]);
    expect(relationsUsed(not(ChildOf(ship)), Position)).toEqual(["ChildOf"]);
    expect(relationsUsed(Likes(buoy), not(Near(ship)))).toEqual(["Likes", "Near"]);
  });

  it("is none if all entities that match are fewer", () => {
    for (const parent of spawnMany(world, 40)) spawn(world, ChildOf(parent), Likes(buoy));
    const one = spawn(world, Tag, Likes(buoy));

    expect(matchesOf(world, Tag, Likes(buoy))).toEqual([one]);
    expect(relationsUsed(Tag, Likes(buoy))).toEqual([]);
  });
});

describe("filtering", () => {
  it("leaves rows that have all other pairs, or do not have them, in both storages", () => {
    const [a, b, c, d] = crew as [Entity, Entity, Entity, Entity];

    expect(matchesOf(world, Position, ChildOf(ship))).toEqual([a, b, c, d]);
    expect(matchesOf(world, Position, ChildOf(ship), Likes(buoy))).toEqual([a, c]);
    expect(matchesOf(world, Position, ChildOf(ship), not(Likes(buoy)))).toEqual([b, d]);
    expect(matchesOf(world, Position, Parent(ship), Any(buoy))).toEqual([c]);
    expect(matchesOf(world, Position, Likes(ship))).toEqual([]);
  });

  it("runs the remaining tests", () => {
    const [, b, , d] = crew as [Entity, Entity, Entity, Entity];

    expect(matchesOf(world, Position, ChildOf(ship), or(not(Likes(buoy)), Tag))).toEqual([b, d]);
  });

  it("counts the target of a reflexive relation in", () => {
    const near = spawn(world, Near(buoy));

    expect(matchesOf(world, Near(buoy))).toEqual([buoy, near]);
    expect(matchesOf(world, Near(buoy), not(Near(near)))).toEqual([buoy]);
  });
});

describe("tables", () => {
  it("match the same, few or many", () => {
    const others = spawnMany(world, 40);
    const termLists = [
      [Position, not(ChildOf(ship))],
      [Position, or(ChildOf(ship), Likes(buoy))],
      [or(ChildOf(ship), Parent(buoy)), Position],
      [Position, ChildOf(ship), not(Likes(buoy))],
    ];
    const few = termLists.map((terms) => matchesOf(world, ...terms));
    for (const parent of others) spawn(world, ChildOf(parent), Position, Tag);

    expect(termLists.map((terms) => matchesOf(world, ...terms, not(Tag)))).toEqual(few);
    expect(few.map(({ length }) => length)).toEqual([10, 14, 4, 2]);
  });
});
