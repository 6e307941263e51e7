import {
  Any,
  type Asked,
  add,
  ChildOf,
  createWorld,
  type Entity,
  Parent,
  relation,
  spawn,
  spawnMany,
  tag,
  type World,
} from "@treeline/core";
import { handleAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../src/cleanup/destroy.ts";
import { countUnsure, type Sources, sifted, sourcesOf, spotsOfSources } from "../../src/match/sources.ts";
import { type Bounds, countSpots, shapeOfSpot, spotOf, spotsOfShapes } from "../../src/match/spots.ts";
import { planOf } from "../../src/term/read.ts";

const Frozen = tag("Frozen");
const Likes = relation("Likes");
const Includes = relation("Includes", { reflexive: true });

let world: World;
let ship: Entity;
let station: Entity;
let typed: Entity[];
let loose: Entity[];
let fan: Entity;

beforeEach(() => {
  world = createWorld();
  [ship, station] = spawnMany(world, 2) as [Entity, Entity];
  typed = [...spawnMany(world, 3, ChildOf(ship)), spawn(world, ChildOf(ship), Frozen)];
  loose = [...spawnMany(world, 2, Parent(ship)), spawn(world, Parent(ship), Frozen)];
  spawnMany(world, 5, Parent(station));
  fan = spawn(world, Likes(ship), Includes(ship), Parent(station), ship);
});

function sourcesFor(asked: Asked): Sources {
  return sourcesOf(world, planOf(world, [asked]).clauses[0]!);
}

/** The entities of a set, sorted. */
function entitiesIn(bounds: Bounds): Entity[] {
  const found: Entity[] = [];
  for (let at = 0; at < bounds.length; at += 2) {
    const shape = shapeOfSpot(world, bounds[at]!);
    for (let spot = bounds[at]!; spot < bounds[at + 1]!; spot++) {
      const index = shape.lanes.i32[spot - spotOf(shape, 0)]!;
      found.push(handleAt(world.entities, index));
    }
  }
  return found.toSorted((one, other) => one - other);
}

const questions: [story: string, ask: () => Asked, cost: number, who: () => Entity[]][] = [
  ["a parent, in both storages", () => ChildOf(ship), 2 + 7, () => [...typed, ...loose]],
  ["a parent stored as a value", () => Parent(ship), 7, () => loose],
  ["a pair", () => Likes(ship), 1, () => [fan]],
  ["a reflexive pair", () => Includes(ship), 2, () => [ship, fan]],
  ["an entity as a tag", () => ship, 1, () => [fan]],
  ["any pair with a target", () => Any(ship), 4 + 7, () => [...typed, ...loose, fan]],
  ["a pair that nobody has", () => Likes(station), 0, () => []],
  ["a parent without children", () => ChildOf(fan), 0, () => []],
];

describe("the sources of", () => {
  it.each(questions)("%s are found once each, and cost their tables and lists", (_, ask, cost, who) => {
    const sources = sourcesFor(ask());

    expect(entitiesIn(spotsOfSources(world, sources, () => true))).toEqual(who());
    expect(sources.cost).toBe(cost);
  });

  it.each(questions)("%s can be sifted out of everybody, or be left", (_, ask, __, who) => {
    const all = spotsOfShapes(world.graph.founded);
    const sources = sourcesFor(ask());

    expect(entitiesIn(sifted(world, all, sources, true))).toEqual(who());
    expect(entitiesIn(sifted(world, all, sources, false))).toEqual(
      entitiesIn(all).filter((one) => !who().includes(one)),
    );
  });

  it("a dead target are nobody", () => {
    destroy(world, ship);

    for (const asked of [ChildOf(ship), Parent(ship), Any(ship), Includes(ship), Likes(ship), ship]) {
      expect(sourcesFor(asked).cost).toBe(0);
    }
  });

  it("a target are those in shapes that answer", () => {
    const found = spotsOfSources(world, sourcesFor(ChildOf(ship)), ({ definitions }) =>
      definitions.includes(Frozen),
    );

    expect(entitiesIn(found)).toEqual([typed[3], loose[2]]);
  });

  it("a target that has the pair with itself are not found twice", () => {
    add(world, ship, Includes(ship));

    expect(countSpots(spotsOfSources(world, sourcesFor(Includes(ship)), () => true))).toBe(2);
  });
});

describe("rows that must be looked at one by one", () => {
  it("are those of shapes with parents stored as values", () => {
    const all = spotsOfShapes(world.graph.founded);

    expect(
      [ChildOf(ship), Parent(ship), Any(ship)].map((one) => countUnsure(world, all, sourcesFor(one))),
    ).toEqual([9, 9, 9]);
  });

  it("are none where tables tell", () => {
    const all = spotsOfShapes(world.graph.founded);

    expect([Likes(ship), ship, ChildOf(fan)].map((one) => countUnsure(world, all, sourcesFor(one)))).toEqual([
      0, 0, 0,
    ]);
  });
});
