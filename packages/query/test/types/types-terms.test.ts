import type { Entity } from "@treeline/core";
import { describe, expectTypeOf, it } from "vitest";
import { type Query, query, roots } from "../../src/index.ts";
import { Any, asTag, ChildOf, Disabled, Parent } from "../public/builtins.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up } from "../public/terms.ts";
import type { ReadVector } from "./typed.ts";
import {
  Damage,
  DockedTo,
  Frozen,
  Kit,
  Label,
  Likes,
  Mesh,
  neverRun,
  Position,
  parent,
  ship,
  world,
} from "./typed.ts";

describe("the terms of a query", () => {
  it("are kept in its type", () => {
    expectTypeOf(query(world, Position)).toExtend<Query>();
    expectTypeOf(query(world, Position)).toEqualTypeOf<Query<readonly [typeof Position]>>();
  });

  it("are components, tags, pairs and entities, plain or in not and maybe", () => {
    neverRun(() => {
      query(world);
      query(
        world,
        Position,
        Mesh,
        Frozen,
        ChildOf(ship),
        Damage(Any),
        not(Frozen),
        maybe(Mesh),
        cascade(Mesh),
      );
      query(
        world,
        asTag(ship),
        Any(ship),
        Any(Any),
        Parent(ship),
        Parent(Any),
        maybe(Frozen),
        maybe(Disabled),
      );
      query(world, not(asTag(ship)), not(Any(ship)), not(Any(Any)), not(Parent(ship)));
      query(world, maybe(Damage(ship)), maybe(asTag(ship)), maybe(Any(ship)), maybe(ChildOf(Any)));
      // @ts-expect-error: a relation needs a target
      query(world, Likes);
      // @ts-expect-error: a relation needs a target
      query(world, not(ChildOf));
      // @ts-expect-error: a relation needs a target
      query(world, maybe(Likes));
      // @ts-expect-error: a relation needs a target
      query(world, or(Likes, Frozen));
      // @ts-expect-error: a plain number is no entity
      query(world, 5);
      // @ts-expect-error: any relation needs a target
      query(world, Any);
      // @ts-expect-error: a text is no term
      query(world, "Position");
      // @ts-expect-error: undefined is no term
      query(world, undefined);
      // @ts-expect-error: the target is an entity, which may not be undefined
      query(world, ChildOf(roots(world)[0]));
      // @ts-expect-error: a query is no term
      query(world, query(world, Position));
    });
  });

  it("are groups, which may be nested", () => {
    neverRun(() => {
      query(world, or(Position, Frozen), all(Position, Likes(ship)), not(or(Frozen, all(Mesh, not(Label)))));
      query(world, not(not(Frozen)), not(up(Frozen)), not(on(ship, Frozen)), not(changed(Position)));
      query(world, or(up(Position), selfOrUp(Mesh), on(ship, Label), added(Frozen), removed(Mesh)));
      // @ts-expect-error: alternatives of nothing
      query(world, or());
      // @ts-expect-error: a group of nothing
      query(world, all());
      // @ts-expect-error: not of nothing
      query(world, not());
      // @ts-expect-error: not(maybe) says nothing
      query(world, not(maybe(Position)));
      // @ts-expect-error: nor does maybe(not)
      query(world, maybe(not(Position)));
      // @ts-expect-error: maybe is no alternative
      query(world, or(Position, maybe(Mesh)));
      // @ts-expect-error: maybe accepts no groups
      query(world, maybe(or(Position, Mesh)));
      // @ts-expect-error: maybe accepts no groups
      query(world, maybe(all(Position, Mesh)));
      // @ts-expect-error: cascade does not filter, so that maybe says nothing
      query(world, maybe(cascade(Position)));
      // @ts-expect-error: cascade does not filter
      query(world, not(cascade(Position)));
      // @ts-expect-error: cascade does not filter
      query(world, or(Frozen, cascade(Position)));
      // @ts-expect-error: an order is no filter
      query(world, all(Position, orderBy(Position, "x")));
      // @ts-expect-error: groups are no filter
      query(world, not(groupBy(ChildOf)));
      // @ts-expect-error: maybe of changes
      query(world, maybe(changed(Position)));
    });
  });

  it("go up along relations", () => {
    neverRun(() => {
      query(world, up(Frozen), up(asTag(ship)), up(Likes(Any)), selfOrUp(Damage(ship)), maybe(up(Position)));
      query(world, up(Position, { relation: DockedTo }), cascade(Mesh, { relation: DockedTo, desc: true }));
      // @ts-expect-error: a tag has no values
      query(world, cascade(Frozen));
      // @ts-expect-error: an entity has no values
      query(world, cascade(ship));
      // @ts-expect-error: nor have pairs a cascade
      query(world, cascade(Damage(ship)));
      query(world, ChildOf(parent), up(Likes(parent)), selfOrUp(Likes(parent)));
      // @ts-expect-error: up accepts no groups
      query(world, up(or(Position, Mesh)));
      // @ts-expect-error: up accepts no operators
      query(world, up(not(Position)));
      // @ts-expect-error: a component is no relation
      query(world, up(Position, { relation: Mesh }));
      // @ts-expect-error: a pair is no relation
      query(world, cascade(Position, { relation: ChildOf(ship) }));
      // @ts-expect-error: up has no direction
      query(world, up(Position, { desc: true }));
    });
  });

  it("are about given entities, variables and the world", () => {
    neverRun(() => {
      query(
        world,
        on(ship, Position),
        on(ship, up(Mesh)),
        on(parent, Frozen),
        on(parent, Likes(parent)),
        parent,
      );
      query(world, singleton(Position), singleton(Frozen), maybe(on(ship, Mesh)));
      // @ts-expect-error: on accepts no groups
      query(world, on(ship, or(Position, Mesh)));
      // @ts-expect-error: on accepts no not; not(on(...)) is meant
      query(world, on(ship, not(Position)));
      // @ts-expect-error: on accepts no on
      query(world, on(ship, on(ship, Position)));
      // @ts-expect-error: the source is an entity
      query(world, on(Position, Mesh));
      // @ts-expect-error: the source may not be undefined
      query(world, on(roots(world)[0], Mesh));
      // @ts-expect-error: a plain number is no entity
      query(world, on(5, Mesh));
      // @ts-expect-error: pairs are on entities, not on the world
      query(world, singleton(Likes(ship)));
      // @ts-expect-error: nor are entities
      query(world, singleton(ship));
      // @ts-expect-error: a variable is no filter
      query(world, ChildOf(parent), not(parent));
      // @ts-expect-error: a variable is no filter
      query(world, ChildOf(parent), or(Frozen, parent));
      // @ts-expect-error: any relation to a variable
      query(world, Any(parent));
    });
  });

  it("require changes of components", () => {
    neverRun(() => {
      query(world, changed(Position), changed(Mesh), changed(up(Position)), changed(cascade(Mesh)));
      query(world, added(Position), added(Frozen), removed(Mesh), removed(Frozen));
      // @ts-expect-error: a tag does not change
      query(world, changed(Frozen));
      // @ts-expect-error: pairs are not watched
      query(world, changed(Damage(ship)));
      // @ts-expect-error: nor are entities
      query(world, changed(ship));
      // @ts-expect-error: changed(on) is not kept
      query(world, changed(on(ship, Position)));
      // @ts-expect-error: pairs are not watched
      query(world, added(Likes(ship)));
      // @ts-expect-error: additions are of entities themselves
      query(world, added(up(Position)));
      // @ts-expect-error: relations are watched, not single pairs
      query(world, removed(Likes(ship)));
      query(world, removed(ChildOf));
    });
  });

  it("order by numbers, and group by relations and functions", () => {
    neverRun(() => {
      query(world, orderBy(Position, "x"), groupBy(ChildOf));
      query(world, orderBy(Kit, "on", { desc: true }));
      query(
        world,
        orderBy(Position, (one, other) => {
          expectTypeOf(one).toEqualTypeOf<ReadVector>();
          // @ts-expect-error: a comparison changes nothing
          one.x = 1;
          return one.x - other.x;
        }),
      );
      query(
        world,
        orderBy(Label, (one, other) => {
          expectTypeOf(one).toEqualTypeOf<string>();
          return one.localeCompare(other);
        }),
      );
      query(world, orderBy(up(Position), "x"), orderBy(selfOrUp(Kit), "on", { desc: true }));
      query(
        world,
        orderBy(up(Position), (one, other) => {
          expectTypeOf(one).toEqualTypeOf<ReadVector>();
          return one.x - other.x;
        }),
      );
      // @ts-expect-error: Position above has no z
      query(world, orderBy(up(Position), "z"));
      // @ts-expect-error: a cascade is no value to order by
      query(world, orderBy(cascade(Position), "x"));
      query(
        world,
        groupBy((one) => {
          expectTypeOf(one).toEqualTypeOf<Entity>();
          return one % 2;
        }),
      );
      // @ts-expect-error: Position has no z
      query(world, orderBy(Position, "z"));
      // @ts-expect-error: an entity is no number to order by
      query(world, orderBy(Kit, "at"));
      // @ts-expect-error: nor is a list
      query(world, orderBy(Kit, "cells"));
      // @ts-expect-error: nor is a name
      query(world, orderBy(Mesh, "name"));
      // @ts-expect-error: a tag has no values
      query(world, orderBy(Frozen, "x"));
      const isLess = (one: ReadVector, other: ReadVector): boolean => one.x < other.x;
      // @ts-expect-error: a comparison returns a number
      query(world, orderBy(Position, isLess));
      // @ts-expect-error: an order needs to know by what
      query(world, orderBy(Position));
      // @ts-expect-error: a component is no relation
      query(world, groupBy(Position));
      // @ts-expect-error: groups are not of one target
      query(world, groupBy(ChildOf(ship)));
    });
  });
});
