import {
  Any,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  relation,
  remove,
  spawn,
  tag,
  type World,
} from "@treeline/core";
import type { Shape } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { matchesShape, matchingShapes } from "../../src/match/match-shape.ts";
import { query } from "../../src/query/query.ts";
import { cascade, clausesOf, maybe, not, type QueryTerm } from "../../src/term/term.ts";

const Position = component("Position", { x: f32 });
const Velocity = component("Velocity", { x: f32 });
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const Damage = relation("Damage", { fields: { amount: f32 } });

function shapeOf(world: World, entity: Entity): Shape {
  const { graph, entities } = world;
  return graph.shapes[graph.tables.shape[entities.table[entity % 2 ** 24]!]!]!;
}

/** One entity of each kind. */
function fleet(): { world: World; kinds: { readonly [name: string]: Entity }; ship: Entity } {
  const world = createWorld();
  const ship = spawn(world);
  const kinds = {
    bare: ship,
    still: spawn(world, Position),
    moving: spawn(world, Position, Velocity),
    frozen: spawn(world, Position, Velocity, Frozen),
    child: spawn(world, ChildOf(ship), Position),
    friend: spawn(world, Likes(ship), Position),
    harmful: spawn(world, Damage(ship, { amount: 1 })),
  };
  return { world, kinds, ship };
}

const questions: [story: string, ask: (ship: Entity) => QueryTerm[], kinds: string[]][] = [
  ["nothing", () => [], ["bare", "still", "moving", "frozen", "child", "friend", "harmful"]],
  ["a component", () => [Position], ["still", "moving", "frozen", "child", "friend"]],
  ["two components", () => [Position, Velocity], ["moving", "frozen"]],
  ["a tag", () => [Frozen], ["frozen"]],
  ["not a component", () => [not(Position)], ["bare", "harmful"]],
  ["a component, but not a tag", () => [Velocity, not(Frozen)], ["moving"]],
  ["any parent", () => [ChildOf(Any)], ["child"]],
  ["no parent", () => [not(ChildOf(Any)), Position], ["still", "moving", "frozen", "friend"]],
  ["any pair with data", () => [Damage(Any)], ["harmful"]],
  ["no pair of two relations", () => [not(Likes(Any)), not(Damage(Any)), not(Position)], ["bare"]],
  [
    "maybe a component",
    () => [Position, maybe(Velocity), not(Frozen), not(Likes(Any))],
    ["still", "moving", "child"],
  ],
  ["cascade, which does not filter", () => [Frozen, cascade(Velocity)], ["frozen"]],
  ["a parent: as far as shapes tell", (ship) => [ChildOf(ship)], ["child"]],
  ["not a parent: as far as shapes tell", (ship) => [not(ChildOf(ship)), Velocity], ["moving", "frozen"]],
  ["not a parent of those who may have it", (ship) => [not(ChildOf(ship)), ChildOf(Any)], ["child"]],
  ["what contradicts itself", () => [Position, not(Position)], []],
];

describe("a shape answers", () => {
  it.each(questions)("%s", (_, ask, expected) => {
    const { world, kinds, ship } = fleet();
    const clauses = clausesOf(ask(ship));

    const found = Object.keys(kinds).filter((kind) => matchesShape(clauses, shapeOf(world, kinds[kind]!)));

    expect(found).toEqual(expected);
  });
});

describe("all shapes that answer", () => {
  it.each(questions)("are found for %s", (_, ask, expected) => {
    const { world, kinds, ship } = fleet();

    const found = matchingShapes(world.graph, clausesOf(ask(ship)));

    expect(new Set(found)).toEqual(new Set(expected.map((kind) => shapeOf(world, kinds[kind]!))));
    expect(found.length).toBe(new Set(found).size);
  });

  it("are those with rows once, not what lies on the way to them", () => {
    const world = createWorld();
    spawn(world, Position, Velocity, Frozen);

    const found = matchingShapes(world.graph, clausesOf([not(Likes(Any))]));

    expect(found.map(({ definitions }) => definitions.length)).toEqual([3]);
  });

  it("are none in an empty world, nor for what nobody has", () => {
    const { world } = fleet();
    const Unused = tag("Unused");

    expect(matchingShapes(createWorld().graph, clausesOf([]))).toEqual([]);
    expect(matchingShapes(world.graph, clausesOf([Position, Unused]))).toEqual([]);
  });

  it("are in a list of its own", () => {
    const { world } = fleet();

    matchingShapes(world.graph, clausesOf([Frozen])).length = 0;

    expect(matchingShapes(world.graph, clausesOf([Frozen])).length).toBe(1);
  });
});

describe("a query made before the shapes, and one made after them,", () => {
  it.each(questions.filter(([story]) => !story.includes("as far as") && !story.includes("may have it")))(
    "list the same shapes for %s",
    (_, ask) => {
      const { world, ship } = fleet();
      const early = createWorld();
      const before = query(early, ...ask(ship));
      const home = spawn(early);
      spawn(early, Position);
      spawn(early, Position, Velocity);
      spawn(early, Position, Velocity, Frozen);
      spawn(early, ChildOf(home), Position);
      spawn(early, Likes(home), Position);
      spawn(early, Damage(home, { amount: 1 }));

      const after = query(world, ...ask(ship));

      expect(before.shapes.map(({ erasedType }) => erasedType)).toEqual(
        after.shapes.map(({ erasedType }) => erasedType),
      );
    },
  );

  it.each<[story: string, terms: QueryTerm[]]>([
    ["what must be there", [Position]],
    ["what must not be there", [not(Likes(Any))]],
  ])("list shapes in order of founding, when the smaller shape is founded last: %s", (_, terms) => {
    const world = createWorld();
    const early = query(world, ...terms, not(Damage(Any)));
    const both = spawn(world, Position, Velocity);
    const one = spawn(world, Position);

    const late = query(world, ...terms);

    expect(early.shapes).toEqual([shapeOf(world, both), shapeOf(world, one)]);
    expect(late.shapes).toEqual([shapeOf(world, both), shapeOf(world, one)]);
  });

  it("keep a shape whose last row is gone", () => {
    const world = createWorld();
    const one = spawn(world, Position, Frozen);
    const shape = shapeOf(world, one);

    remove(world, one, Frozen);

    expect(query(world, Frozen).shapes).toEqual([shape]);
  });
});
