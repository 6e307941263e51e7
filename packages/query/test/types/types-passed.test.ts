import type { Entity, RelationOptions } from "@treeline/core";
import { entity, value } from "@treeline/core";
import { expect, expectTypeOf, it } from "vitest";
import type { QueryOf } from "../../src/index.ts";
import { collect, each, type Query, query, rows, selfOrUp, up } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { asTag, ChildOf } from "../public/builtins.ts";
import { component, relation } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { added, changed, removed } from "../public/filters.ts";
import { Damage, Frozen, Likes, neverRun, Position, ship, type Vector, world } from "./typed.ts";

const Door = component("Door", { state: "open" as "open" | "shut", of: entity, list: value<string[]>() });

it("a query shows what each passes", () => {
  expectTypeOf(query(world, Position, Frozen)).toEqualTypeOf<QueryOf<[Vector, Entity]>>();
  expectTypeOf(query(world, asTag(ship))).toEqualTypeOf<QueryOf<[Entity]>>();
  expectTypeOf<Query<readonly [typeof Position]>>().toEqualTypeOf<QueryOf<[Vector, Entity]>>();
  expectTypeOf(query(world, Position)).toExtend<Query>();
});

it("keeps unions of texts in rows", () => {
  neverRun(() => {
    each(query(world, Door), (door) => {
      expectTypeOf(door.state).toEqualTypeOf<"open" | "shut">();
      // @ts-expect-error a text that is not in the union
      door.state = "opne";
    });
  });
  expect(collect(query(world, Door))).toEqual([]);
});

const given: Entity[] = [];

it("passes nothing for ancestors with a tag, and says so where something is expected", () => {
  const below = query(world, Position, selfOrUp(Frozen));
  neverRun(() => {
    each(below, (position, one) => {
      expectTypeOf(position).toEqualTypeOf<Vector>();
      expectTypeOf(one).toEqualTypeOf<Entity>();
    });
    each(below, (_position, _frozen, one) => {
      // @ts-expect-error nothing is passed for the tag, so this is not the entity
      given.push(one satisfies Entity);
    });
  });
  expectTypeOf(collect(below)).toEqualTypeOf<[Vector, Entity][]>();
  for (const row of rows(query(world, Position, up(Frozen))))
    expectTypeOf(row).toEqualTypeOf<[Vector, Entity]>();
});

it("needs targets, and entities by name", () => {
  neverRun(() => {
    // @ts-expect-error a relation needs a target
    query(world, Likes);
    // @ts-expect-error a relation needs a target
    query(world, Position, up(Damage));
    // @ts-expect-error an entity is no term
    query(world, ship);
  });
  expect(collect(query(world, asTag(ship)))).toEqual([]);
});

it("has changes only of relations with one target", () => {
  const Docked = relation("Docked", { exclusive: true });
  const Within = relation("Within", { traversable: true });
  const Needs = relation("Needs", { traversable: true, exclusive: false });
  const Owes = relation("Owes", { fields: { coins: f32 } });
  const Rents = relation("Rents", { exclusive: true, fields: { coins: f32 } });
  const options: RelationOptions = { exclusive: true };
  neverRun(() => {
    query(
      world,
      added(Docked),
      removed(Within),
      changed(Rents),
      added(ChildOf),
      changed(Position),
      removed(Frozen),
    );
    query(world, added(relation("Unknown", options)));
    // @ts-expect-error it has many targets
    query(world, added(Likes));
    // @ts-expect-error it has many targets
    query(world, removed(Needs));
    // @ts-expect-error it has many targets
    query(world, changed(Owes));
  });
  expect([Likes, Needs, Owes].map((one) => codeOf(() => query(world, added(one as never))))).toEqual([
    "bad-query",
    "bad-query",
    "bad-query",
  ]);
  expect(codeOf(() => query(world, added(Docked), removed(Within), changed(Rents)))).toBeUndefined();
});
