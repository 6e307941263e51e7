import { type Entity, remove, spawn, type World } from "@treeline/core";
import { type ArchetypeView, indexOf } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import { type QueryTerm, query } from "../../src/index.ts";
import { findArchetypes, matchesArchetype, matchesAt } from "../../src/match/evaluate.ts";
import { matchedArchetypes } from "../../src/query/state/query-state.ts";
import { readTerms } from "../../src/term/read.ts";
import { Damage, Frozen, Includes, Likes, Position, Velocity } from "../definitions.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { createWorld, tag } from "../public/define.ts";
import { maybe, not } from "../public/filters.ts";
import { cascade } from "../public/terms.ts";

function archetypeFor(world: World, entity: Entity): ArchetypeView {
  const { graph, entities } = world;
  return graph.archetypes[graph.tables.archetype[entities.table[entity % 2 ** 24]!]!]!;
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
    byValue: spawn(world, Parent(ship), Position),
    tagged: spawn(world, asTag(ship)),
  };
  return { world, kinds, ship };
}

const descriptions: [title: string, termsFor: (ship: Entity) => QueryTerm[], kinds: string[]][] = [
  [
    "nothing",
    () => [],
    ["bare", "still", "moving", "frozen", "child", "friend", "harmful", "byValue", "tagged"],
  ],
  ["a component", () => [Position], ["still", "moving", "frozen", "child", "friend", "byValue"]],
  ["two components", () => [Position, Velocity], ["moving", "frozen"]],
  ["a tag", () => [Frozen], ["frozen"]],
  ["not a component", () => [not(Position)], ["bare", "harmful", "tagged"]],
  ["a component, but not a tag", () => [Velocity, not(Frozen)], ["moving"]],
  ["any parent", () => [ChildOf(Any)], ["child", "byValue"]],
  ["any parent stored by value", () => [Parent(Any)], ["byValue"]],
  [
    "no parent stored by value",
    () => [Position, not(Parent(Any))],
    ["still", "moving", "frozen", "child", "friend"],
  ],
  ["no parent", () => [not(ChildOf(Any)), Position], ["still", "moving", "frozen", "friend"]],
  ["any pair with data", () => [Damage(Any)], ["harmful"]],
  ["no pair of two relations", () => [not(Likes(Any)), not(Damage(Any)), not(Position)], ["bare", "tagged"]],
  [
    "any pair, which may be a sparse one: as far as archetypes decide",
    () => [Any(Any)],
    ["bare", "still", "moving", "frozen", "child", "friend", "harmful", "byValue", "tagged"],
  ],
  ["no pair", () => [not(Any(Any)), not(Position)], ["bare", "tagged"]],
  ["maybe a tag", () => [maybe(Frozen), Velocity], ["moving", "frozen"]],
  [
    "maybe a component",
    () => [Position, maybe(Velocity), not(Frozen), not(Likes(Any))],
    ["still", "moving", "child", "byValue"],
  ],
  ["cascade, which does not filter", () => [Frozen, cascade(Velocity)], ["frozen"]],
  ["a parent: as far as archetypes decide", (ship) => [ChildOf(ship)], ["child", "byValue"]],
  ["a parent stored by value: as far as archetypes decide", (ship) => [Parent(ship)], ["byValue"]],
  [
    "any pair with a target: as far as archetypes decide",
    (ship) => [Any(ship), Position],
    ["still", "moving", "frozen", "child", "friend", "byValue"],
  ],
  ["an entity as a tag: as far as archetypes decide", (ship) => [asTag(ship)], ["tagged"]],
  [
    "a reflexive pair, which the target has: as far as archetypes decide",
    (ship) => [Includes(ship), Frozen],
    ["frozen"],
  ],
  ["any target of a reflexive relation", () => [Includes(Any)], []],
  [
    "not a parent: as far as archetypes decide",
    (ship) => [not(ChildOf(ship)), Velocity],
    ["moving", "frozen"],
  ],
  [
    "not a parent of entities that may have it",
    (ship) => [not(ChildOf(ship)), ChildOf(Any)],
    ["child", "byValue"],
  ],
  ["what contradicts itself", () => [Position, not(Position)], []],
];

describe("an archetype matches", () => {
  it.each(descriptions)("%s", (_, termsFor, expected) => {
    const { world, kinds, ship } = fleet();
    const plan = readTerms(world, termsFor(ship)).plan;

    const found = Object.keys(kinds).filter((kind) =>
      matchesArchetype(plan, archetypeFor(world, kinds[kind]!)),
    );

    expect(found).toEqual(expected);
  });
});

describe("all archetypes that match", () => {
  it.each(descriptions)("are found for %s", (_, termsFor, expected) => {
    const { world, kinds, ship } = fleet();

    const found = findArchetypes(world, readTerms(world, termsFor(ship)).plan);

    expect(new Set(found)).toEqual(new Set(expected.map((kind) => archetypeFor(world, kinds[kind]!))));
    expect(found.length).toBe(new Set(found).size);
  });

  it("are those with rows once, not those on the path to them", () => {
    const world = createWorld();
    spawn(world, Position, Velocity, Frozen);

    const found = findArchetypes(world, readTerms(world, [not(Likes(Any))]).plan);

    expect(found.map(({ definitions }) => definitions.length)).toEqual([3]);
  });

  it("are none in an empty world, nor for what no entity has", () => {
    const { world } = fleet();
    const Unused = tag("Unused");

    expect(findArchetypes(createWorld(), readTerms(world, []).plan)).toEqual([]);
    expect(findArchetypes(world, readTerms(world, [Position, Unused]).plan)).toEqual([]);
  });

  it("are in a list of its own", () => {
    const { world } = fleet();

    findArchetypes(world, readTerms(world, [Frozen]).plan).length = 0;

    expect(findArchetypes(world, readTerms(world, [Frozen]).plan).length).toBe(1);
  });
});

describe("a disabled entity", () => {
  const disabled: [title: string, disable: (world: World) => Entity][] = [
    ["disabled by themselves", (world) => spawn(world, Position, Disabled)],
    ["that disable their tree", (world) => spawn(world, Position, DisabledTree)],
    ["in a disabled tree", (world) => spawn(world, Position, ChildOf(spawn(world, DisabledTree)))],
    [
      "in a disabled tree, with parents as values",
      (world) => spawn(world, Position, Parent(spawn(world, DisabledTree))),
    ],
  ];

  it.each(disabled)("matches only if a term names what disables: %s", (_, disable) => {
    const world = createWorld();
    const index = indexOf(disable(world));
    const matches = (...terms: QueryTerm[]): boolean => matchesAt(world, readTerms(world, terms), index);

    expect([matches(), matches(Position), matches(not(Frozen)), matches(cascade(Position))]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect([matches(maybe(Disabled)), matches(maybe(DisabledTree), Position)]).toEqual([true, true]);
    expect(matches(maybe(Disabled), Velocity)).toBe(false);
  });

  it("is matched with the tag, and with `not` of the other tag", () => {
    const world = createWorld();
    const [own, tree, below] = disabled.map(([, disable]) => indexOf(disable(world)));
    const matchingNames = (...terms: QueryTerm[]): string[] =>
      Object.entries({ own, tree, below })
        .filter(([, index]) => matchesAt(world, readTerms(world, terms), index!))
        .map(([name]) => name);

    expect(matchingNames(Disabled)).toEqual(["own"]);
    expect(matchingNames(DisabledTree)).toEqual(["tree"]);
    expect(matchingNames(not(Disabled))).toEqual(["tree", "below"]);
    expect(matchingNames(not(DisabledTree))).toEqual(["own", "below"]);
  });
});

describe("a query made before the archetypes, and one made after them,", () => {
  it.each(descriptions.filter(([title]) => !title.includes("as far as") && !title.includes("may have it")))(
    "list the same archetypes for %s",
    (_, termsFor) => {
      const { world, ship } = fleet();
      const early = createWorld();
      const before = query(early, ...termsFor(ship));
      const home = spawn(early);
      spawn(early, Position);
      spawn(early, Position, Velocity);
      spawn(early, Position, Velocity, Frozen);
      spawn(early, ChildOf(home), Position);
      spawn(early, Likes(home), Position);
      spawn(early, Damage(home, { amount: 1 }));
      spawn(early, Parent(home), Position);
      spawn(early, asTag(home));

      const after = query(world, ...termsFor(ship));

      expect(matchedArchetypes(before).map(({ number }) => number)).toEqual(
        matchedArchetypes(after).map(({ number }) => number),
      );
    },
  );

  it.each<[title: string, terms: QueryTerm[]]>([
    ["what must be there", [Position]],
    ["what must not be there", [not(Likes(Any))]],
  ])("list archetypes in order of creation, if the smaller archetype is created last: %s", (_, terms) => {
    const world = createWorld();
    const early = query(world, ...terms, not(Damage(Any)));
    const both = spawn(world, Position, Velocity);
    const one = spawn(world, Position);

    const late = query(world, ...terms);

    expect(matchedArchetypes(early)).toEqual([archetypeFor(world, both), archetypeFor(world, one)]);
    expect(matchedArchetypes(late)).toEqual([archetypeFor(world, both), archetypeFor(world, one)]);
  });

  it("cache an archetype whose last row is gone", () => {
    const world = createWorld();
    const one = spawn(world, Position, Frozen);
    const archetype = archetypeFor(world, one);

    remove(world, one, Frozen);

    expect(matchedArchetypes(query(world, Frozen))).toEqual([archetype]);
  });
});
