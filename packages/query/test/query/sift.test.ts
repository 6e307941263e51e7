import {
  Any,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  Parent,
  relation,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { handleAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { query } from "../../src/query/query.ts";
import type { Query } from "../../src/query/query-state.ts";
import { addAnswering, areFewTables, rarestOf, siftSpans } from "../../src/query/sift.ts";
import { Seen } from "../../src/query/sight.ts";
import { createSpansFor } from "../../src/query/spans.ts";
import { not, or, type QueryTerm } from "../../src/term/operators.ts";
import { askedOf } from "../asked.ts";

const Position = component("Position", { x: f32 });
const Tag = tag("Tag");
const Likes = relation("Likes");
const Near = relation("Near", { reflexive: true });

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

/** Those of all who have what shapes tell that are left. */
function left(place: number, asksTests: boolean, ...terms: QueryTerm[]): Entity[] {
  const asked = query(world, ...terms) as Query;
  const [seen, spans] = [new Seen(asked), createSpansFor(asked)];
  seen.begin(asked);
  addAnswering(asked, spans);
  siftSpans(asked, seen, spans, place, asksTests);
  const found: Entity[] = [];
  for (let at = 0; at < spans.length; at += spans.stride) {
    const { i32 } = world.graph.shapes[spans.numbers[at]!]!.lanes;
    for (let row = spans.numbers[at + 1]!; row < spans.numbers[at + 2]!; row++)
      found.push(handleAt(world.entities, i32[row]!));
  }
  return found.toSorted((one, other) => one - other);
}

describe("the rarest clause", () => {
  const rarest = (...terms: QueryTerm[]): number => rarestOf(query(world, ...terms) as Query);

  it("is that whose target has the fewest sources, wherever it stands", () => {
    expect(rarest(Likes(buoy), ChildOf(ship))).toBe(1);
    expect(rarest(ChildOf(ship), Likes(buoy))).toBe(0);
    expect(rarest(Likes(ship), ChildOf(ship))).toBe(0);
    expect(rarest(ChildOf(ship), Parent(ship))).toBe(1);
  });

  it("is none of those whose sources are more than rows with their pair, or are not meant", () => {
    expect(rarest(Any(buoy), Near(ship))).toBe(-1);
    expect(rarest(not(ChildOf(ship)), Likes(buoy))).toBe(1);
    expect(rarest(not(ChildOf(ship)), not(Likes(buoy)))).toBe(-1);
  });

  it("is none if all have many", () => {
    spawnMany(world, 1100, ChildOf(ship), Likes(buoy));

    expect(rarest(ChildOf(ship), Likes(buoy))).toBe(-1);
  });
});

describe("sifting", () => {
  it("leaves rows that have all other pairs, or have them not, in both storages", () => {
    const [a, b, c, d] = crew as [Entity, Entity, Entity, Entity];

    expect(left(-1, false, Position, ChildOf(ship))).toEqual([a, b, c, d]);
    expect(left(-1, false, Position, ChildOf(ship), Likes(buoy))).toEqual([a, c]);
    expect(left(-1, false, Position, ChildOf(ship), not(Likes(buoy)))).toEqual([b, d]);
    expect(left(-1, false, Position, Parent(ship), Any(buoy))).toEqual([c]);
  });

  it("takes the clause that rows are known to answer for granted", () => {
    expect(left(1, false, Position, Likes(ship))).toEqual(left(-1, false, Position, Likes(Any)));
    expect(left(-1, false, Position, Likes(ship))).toEqual([]);
  });

  it("asks the tests, if that is wanted", () => {
    const [, b, , d] = crew as [Entity, Entity, Entity, Entity];
    const terms = [Position, ChildOf(ship), or(not(Likes(buoy)), Tag)];

    expect(left(-1, true, ...terms)).toEqual([b, d]);
    expect(left(-1, false, ...terms)).toEqual(crew);
  });

  it("counts the target of a reflexive relation in", () => {
    const near = spawn(world, Near(buoy));

    expect(left(-1, false, Near(buoy))).toEqual([buoy, near]);
    expect(left(-1, false, Near(buoy), not(Near(near)))).toEqual([buoy]);
  });
});

describe("tables", () => {
  it("are few while there are up to 16 of those that answer", () => {
    const asked = query(world, Position, not(ChildOf(ship))) as Query;
    const before = areFewTables(asked);
    for (const parent of spawnMany(world, 16)) spawn(world, ChildOf(parent), Position);

    expect([before, areFewTables(asked)]).toEqual([true, false]);
    expect(areFewTables(query(world, Position, Likes(Any), not(ChildOf(ship))) as Query)).toBe(true);
  });

  it("give the same answers, few or many", () => {
    const others = spawnMany(world, 40);
    const asks = [
      [Position, not(ChildOf(ship))],
      [Position, or(ChildOf(ship), Likes(buoy))],
      [or(ChildOf(ship), Parent(buoy)), Position],
      [Position, ChildOf(ship), not(Likes(buoy))],
    ];
    const few = asks.map((terms) => askedOf(world, ...terms));
    for (const parent of others) spawn(world, ChildOf(parent), Position, Tag);

    expect(asks.map((terms) => askedOf(world, ...terms, not(Tag)))).toEqual(few);
    expect(few.map(({ length }) => length)).toEqual([10, 14, 4, 2]);
  });
});
