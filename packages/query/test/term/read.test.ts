import { type Entity, entityOf } from "@treeline/core";
import { ANY, Is } from "@treeline/core/internal";
import { describe, expect, it } from "vitest";
import type { QueryTerm } from "../../src/index.ts";
import type { Plan } from "../../src/term/plan.ts";
import { readTerms } from "../../src/term/read.ts";
import { Damage, Frozen, Likes, Marker, Mesh, Needs, Position, SoldIn } from "../definitions.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { relation } from "../public/define.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up } from "../public/terms.ts";
import { one, other, read, ship, station, world } from "./read-terms.ts";

const DockedTo = relation("DockedTo", { traversable: true });

const dead = (ship + 2 ** 24) as Entity;

/** The clauses, with the targets that are stored beside them. */
function clausesOf(...terms: readonly QueryTerm[]): object[] {
  const { plan, targets } = readTerms(world, terms);
  return plan.clauses.map(({ operator, definition }, at) => ({ operator, definition, target: targets[at] }));
}

describe("clauses", () => {
  it.each<[title: string, term: QueryTerm, clause: object]>([
    ["a component", Position, { operator: "with", definition: Position, target: 0 }],
    ["a component of JavaScript values", Mesh, { operator: "with", definition: Mesh, target: 0 }],
    ["a tag", Frozen, { operator: "with", definition: Frozen, target: 0 }],
    ["a pair", Likes(ship), { operator: "with", definition: Likes, target: ship }],
    ["a pair with data", Damage(ship), { operator: "with", definition: Damage, target: ship }],
    [
      "a parent that is stored as a value",
      Parent(ship),
      { operator: "with", definition: Parent, target: ship },
    ],
    ["any pair with a target", Any(ship), { operator: "with", definition: Any, target: ship }],
    ["an entity as a tag", asTag(station), { operator: "with", definition: Is, target: station }],
    ["not of an entity", not(asTag(station)), { operator: "not", definition: Is, target: station }],
    ["a pair with any target", ChildOf(Any), { operator: "with", definition: ChildOf, target: ANY }],
    ["not of a component", not(Position), { operator: "not", definition: Position, target: 0 }],
    ["not of a tag", not(Frozen), { operator: "not", definition: Frozen, target: 0 }],
    ["not of a pair", not(ChildOf(ship)), { operator: "not", definition: ChildOf, target: ship }],
    ["not of a pair with data", not(Damage(ship)), { operator: "not", definition: Damage, target: ship }],
    ["not of any target", not(Likes(Any)), { operator: "not", definition: Likes, target: ANY }],
    ["maybe", maybe(Position), { operator: "maybe", definition: Position, target: 0 }],
    ["maybe of a tag", maybe(Frozen), { operator: "maybe", definition: Frozen, target: 0 }],
    ["maybe of no fields", maybe(Marker), { operator: "maybe", definition: Marker, target: 0 }],
    ["maybe of a pair", maybe(Likes(ship)), { operator: "maybe", definition: Likes, target: ship }],
    ["maybe of any target", maybe(ChildOf(Any)), { operator: "maybe", definition: ChildOf, target: ANY }],
    ["maybe of an entity as a tag", maybe(asTag(ship)), { operator: "maybe", definition: Is, target: ship }],
    ["a pair with a variable", ChildOf(one), { operator: "with", definition: ChildOf, target: ANY }],
    ["all of one", all(Position), { operator: "with", definition: Position, target: 0 }],
  ])("have operator, definition and target of %s", (_, term, clause) => {
    expect(clausesOf(term)).toEqual([clause]);
    expect(read(term).tests).toEqual([]);
  });

  it.each<[title: string, make: () => QueryTerm, clause: object]>([
    [
      "a component",
      () => asTag(entityOf(world, Position)),
      { operator: "with", definition: Position, target: 0 },
    ],
    [
      "a tag, in not",
      () => not(asTag(entityOf(world, Frozen))),
      { operator: "not", definition: Frozen, target: 0 },
    ],
    ["a relation", () => asTag(entityOf(world, Likes)), { operator: "with", definition: Likes, target: ANY }],
    [
      "ChildOf, in not",
      () => not(asTag(entityOf(world, ChildOf))),
      { operator: "not", definition: ChildOf, target: ANY },
    ],
    [
      "a relation, in maybe",
      () => maybe(asTag(entityOf(world, Likes))),
      { operator: "maybe", definition: Likes, target: ANY },
    ],
  ])("have the definition of a component entity: %s", (_, make, clause) => {
    expect(clausesOf(make())).toEqual([clause]);
  });

  it("keep the order of the terms", () => {
    const { clauses } = read(not(Frozen), Position, cascade(Position), all(Mesh, Likes(ship)), maybe(Marker));

    expect(clauses.map(({ operator, definition }) => [operator, definition.name])).toEqual([
      ["not", "Frozen"],
      ["with", "Position"],
      ["with", "Mesh"],
      ["with", "Likes"],
      ["maybe", "Marker"],
    ]);
  });

  it("of no terms are none", () => {
    expect(read()).toMatchObject({ clauses: [], tests: [], outputs: [], variables: [], cascade: 0 });
  });

  it("know which term names a target", () => {
    const terms = [
      Likes(ship),
      not(ChildOf(ship)),
      ChildOf(dead),
      Any(ship),
      asTag(ship),
      maybe(Likes(ship)),
    ];
    const others = [ChildOf(Any), not(ChildOf(Any)), Position, Frozen, maybe(Position)];

    expect(read(...terms).clauses.map(({ named }) => named)).toEqual(terms.map(() => true));
    expect(read(...others).clauses.map(({ named }) => named)).toEqual(others.map(() => false));
  });
});

describe("tests", () => {
  it("are any pair at all, which may be a sparse one that archetypes do not know", () => {
    const { tests, clauses } = read(Any(Any), not(Any(Any)));
    const has = { kind: "has", definition: Any, target: ANY };

    expect([clauses, tests]).toEqual([[], [has, { kind: "not", of: has }]]);
  });

  it("are trees of what groups require", () => {
    const { tests, clauses } = read(not(or(Frozen, all(Position, not(Likes(ship))))));

    expect(clauses).toEqual([]);
    expect(tests).toMatchObject([
      {
        kind: "not",
        of: {
          kind: "any",
          of: [
            { kind: "has", definition: Frozen, target: 0 },
            {
              kind: "all",
              of: [
                { kind: "has", definition: Position },
                { kind: "not", of: { kind: "has", definition: Likes, target: ship } },
              ],
            },
          ],
        },
      },
    ]);
  });

  it.each<[title: string, term: QueryTerm, test: object]>([
    ["up", up(Position), { kind: "above", definition: Position, path: 0, self: false }],
    ["selfOrUp", selfOrUp(Frozen), { kind: "above", definition: Frozen, path: 0, self: true }],
    ["on", on(ship, Frozen), { kind: "on", fixed: 0 }],
    ["singleton", singleton(Position), { kind: "on", fixed: 0 }],
    ["changed", changed(Position), { kind: "changed", definition: Position, track: "changed" }],
    ["changed of values", changed(Mesh), { kind: "changed", definition: Mesh, track: "changed" }],
    ["changed above", changed(up(Position)), { kind: "changed above", path: 0, self: false, note: 0 }],
    ["changed above or here", changed(selfOrUp(Mesh)), { kind: "changed above", path: 0, self: true }],
    ["added", added(Frozen), { kind: "changed", definition: Frozen, track: "added" }],
    ["removed", removed(Marker), { kind: "changed", definition: Marker, track: "removed" }],
  ])("have what %s requires", (_, term, test) => {
    expect(read(term).tests).toMatchObject([test]);
  });

  it("are none for cascade, orderBy, groupBy and maybe", () => {
    const terms = [
      cascade(Position),
      orderBy(Position, "x"),
      groupBy(SoldIn),
      maybe(up(Frozen)),
      maybe(Mesh),
    ];

    expect(read(...terms).tests).toEqual([]);
  });
});

describe("paths to ancestors", () => {
  const paths = ({ traversals }: Plan): unknown[] =>
    traversals.map(({ relation: along, what }) => [along.name, what.definition.name, what.target]);

  it("are listed once each, those of cascade first", () => {
    const plan = read(
      up(Frozen),
      cascade(Position),
      selfOrUp(Position),
      up(Position, { relation: DockedTo }),
      not(up(Likes(ship))),
      changed(up(Position)),
      cascade(Mesh),
    );

    expect(paths(plan)).toEqual([
      ["ChildOf", "Position", 0],
      ["ChildOf", "Mesh", 0],
      ["ChildOf", "Frozen", 0],
      ["DockedTo", "Position", 0],
      ["ChildOf", "Likes", ship],
    ]);
  });

  it("have equal keys for equal lists, and different ones for others", () => {
    const keys = [
      read(up(Frozen)),
      read(Position, maybe(selfOrUp(Frozen))),
      read(up(Position)),
      read(up(Frozen, { relation: DockedTo })),
      read(up(Frozen), up(Position)),
      read(up(Position), up(Frozen)),
      read(up(Likes(ship))),
      read(up(Likes(Any))),
    ].map(({ pathsKey }) => pathsKey);

    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(keys.length - 1);
  });

  it.each<[title: string, terms: QueryTerm[], direction: number]>([
    ["no cascade", [up(Position)], 0],
    ["parents first", [cascade(Position)], 1],
    ["children first", [cascade(Position, { desc: true }), cascade(Mesh, { desc: true })], -1],
    ["parents first along another relation", [cascade(Position, { relation: Needs })], 1],
  ])("have the order of depth: %s", (_, terms, direction) => {
    expect(read(...terms).cascade).toBe(direction);
  });
});

describe("terms about given entities", () => {
  it("are listed once each", () => {
    const { fixedSources } = read(
      on(ship, Position),
      not(on(ship, Position)),
      on(station, up(Position)),
      on(ship, selfOrUp(Likes(Any), { relation: DockedTo })),
      singleton(Position),
    );

    expect(fixedSources).toMatchObject([
      { source: ship, definition: Position, target: 0, relation: undefined, self: false },
      { source: station, definition: Position, relation: ChildOf, self: false },
      { source: ship, definition: Likes, target: ANY, relation: DockedTo, self: true },
      { source: 0, definition: Position, relation: undefined },
    ]);
  });
});

describe("the passed values", () => {
  it.each<[title: string, terms: readonly QueryTerm[], given: readonly string[]]>([
    ["own values", [Position, Mesh, Marker, Damage(ship)], ["has", "has", "has", "has"]],
    [
      "nothing for what has no values",
      [Frozen, Likes(ship), Damage(Any), Any(ship), asTag(ship), not(Position)],
      [],
    ],
    ["marks", [maybe(Frozen), maybe(Likes(ship)), maybe(Damage(Any))], ["flag", "flag", "flag"]],
    ["values that may be there", [maybe(Position), maybe(Damage(ship))], ["has", "has"]],
    ["values above", [up(Position), selfOrUp(Mesh), cascade(Mesh), maybe(up(Mesh))], Array(4).fill("above")],
    ["nothing for tags above, a mark for maybe", [up(Frozen), maybe(up(Frozen))], ["flag"]],
    [
      "values of given entities",
      [on(ship, Position), singleton(Mesh), on(ship, up(Mesh))],
      Array(3).fill("on"),
    ],
    ["nothing for tags on entities", [on(ship, Frozen), singleton(Frozen)], []],
    ["a mark for a tag that may be on an entity", [maybe(on(ship, Frozen))], ["flag"]],
    ["the first of alternatives", [or(Frozen, Position), or(Likes(ship), up(Mesh))], ["first", "first"]],
    ["the first of nested alternatives", [or(or(Frozen, Position), Frozen)], ["first"]],
    ["nothing if no alternative has values", [or(Frozen, Likes(ship), all(Position), not(Mesh))], []],
    ["nothing for groups", [all(Position, Mesh), not(or(Position, Mesh))], []],
    ["nothing for changes", [changed(Position), added(Position), removed(Position)], []],
    ["variables, and values of pairs with them", [Damage(one), one, Likes(one)], ["has", "variable"]],
    ["nothing for order and groups", [orderBy(Position, "x"), groupBy(SoldIn)], []],
  ])("is, in the order of the terms: %s", (_, terms, given) => {
    expect(read(...terms).outputs.map(({ kind }) => kind)).toEqual(given);
  });

  it.each<[title: string, term: QueryTerm, expected: boolean]>([
    ["of a pair with data and target", Damage(ship), true],
    ["of one that may be there", maybe(Damage(ship)), true],
    ["of one among alternatives", or(Frozen, Damage(ship)), true],
    ["of one with a variable", Damage(one), true],
    ["not with any target", Damage(Any), false],
    ["not in not", not(Damage(ship)), false],
    ["not without data", Likes(ship), false],
    ["not of components", Position, false],
    ["not of other entities", on(station, Damage(ship)), false],
    ["not of ancestors", up(Damage(ship)), false],
  ])("may be the value %s", (_, term, expected) => {
    expect(read(term).readsPairs).toBe(expected);
  });
});

describe("a plan", () => {
  it.each<[title: string, terms: readonly QueryTerm[], expected: boolean]>([
    ["by the tag", [Position, Disabled], true],
    ["by the tag of trees", [DisabledTree], true],
    ["by not", [not(Disabled)], true],
    ["by maybe", [Position, maybe(DisabledTree)], true],
    ["inside groups", [not(all(Position, or(Frozen, Disabled)))], true],
    ["by what was added and removed", [or(added(Disabled), removed(Disabled))], true],
    ["not of ancestors and given entities", [up(Disabled), on(ship, DisabledTree)], false],
    ["not by anything else", [Position, not(Frozen), ChildOf(ship)], false],
    ["not without terms", [], false],
  ])("knows whether it names disabled entities: %s", (_, terms, expected) => {
    expect(read(...terms).namesDisabled).toBe(expected);
  });

  it.each<[title: string, terms: readonly QueryTerm[], expected: boolean]>([
    ["a target", [ChildOf(ship)], true],
    ["a target in not", [not(ChildOf(ship))], true],
    ["a target in groups", [or(Frozen, all(Likes(ship)))], true],
    ["an entity as a tag", [asTag(ship)], true],
    ["a target of ancestors", [maybe(up(Likes(ship)))], true],
    ["a given entity", [on(ship, Frozen)], true],
    ["a target of the singleton's kind, none", [singleton(Frozen)], false],
    ["a target of a variable's", [ChildOf(one), on(one, Likes(ship))], true],
    ["variables alone, none", [ChildOf(one), on(one, Likes(other))], false],
    ["any target, none", [ChildOf(Any), Any(Any), not(Likes(Any))], false],
    ["what is a component entity, none", [asTag(entityOf(world, Position))], false],
  ])("knows whether it names an entity: %s", (_, terms, expected) => {
    expect(read(...terms).namesEntity).toBe(expected);
  });

  it("knows whether it is about changes, wherever they are", () => {
    expect(
      [read(changed(Position)), read(not(or(Frozen, added(Mesh))))].every((plan) => plan.isWatching),
    ).toBe(true);
    expect(read(Position, up(Mesh), orderBy(Position, "x")).isWatching).toBe(false);
  });

  it("knows order and groups", () => {
    const compare = (a: { x: number }, b: { x: number }): number => a.x - b.x;
    const key = (): number => 1;

    expect(read(orderBy(Position, "x", { desc: true })).orders).toMatchObject([
      { by: "x", isDescending: true },
    ]);
    expect(read(orderBy(Position, compare)).orders).toMatchObject([{ by: compare, isDescending: false }]);
    expect([read(groupBy(SoldIn)).groups, read(groupBy(key)).groups, read().groups]).toEqual([
      { by: "target", relation: SoldIn },
      { by: "key", keyOf: key },
      undefined,
    ]);
  });
});
