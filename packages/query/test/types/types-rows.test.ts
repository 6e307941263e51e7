import { add, type Entity, spawn } from "@treeline/core";
import { describe, expectTypeOf, it } from "vitest";
import type { RowIterator } from "../../src/index.ts";
import {
  collect,
  count,
  destroy,
  each,
  entities,
  explain,
  first,
  isEmpty,
  query,
  rows,
} from "../../src/index.ts";
import { Any, asTag, ChildOf } from "../public/builtins.ts";
import { added, all, changed, maybe, not, or, removed } from "../public/filters.ts";
import { bind, group, groupBy, groupsOf, orderBy, page, shard, unbind } from "../public/parts.ts";
import { cascade, on, selfOrUp, singleton, up } from "../public/terms.ts";
import type { Given, KitRow, Named, ReadVector, Vector } from "./typed.ts";
import { Damage, Frozen, Kit, Label, Likes, Mesh, neverRun, Position, parent, ship, world } from "./typed.ts";

describe("what terms pass", () => {
  it("is inferred for up to eight terms", () => {
    const eight = query(
      world,
      Position,
      Mesh,
      Label,
      Kit,
      Damage(parent),
      up(Position),
      on(ship, Mesh),
      parent,
    );
    expectTypeOf<Given<typeof eight>>().toEqualTypeOf<
      [Vector, Named, string, KitRow, { amount: number }, ReadVector, Readonly<Named>, Entity, Entity]
    >();
  });

  it("may be undefined, or true, in maybe", () => {
    const may = query(
      world,
      maybe(Position),
      maybe(Frozen),
      maybe(Likes(ship)),
      maybe(Damage(ship)),
      maybe(Damage(Any)),
      maybe(asTag(ship)),
      maybe(up(Mesh)),
      maybe(on(ship, Frozen)),
    );
    expectTypeOf<Given<typeof may>>().toEqualTypeOf<
      [
        Vector | undefined,
        true | undefined,
        true | undefined,
        { amount: number } | undefined,
        true | undefined,
        true | undefined,
        Readonly<Named> | undefined,
        true | undefined,
        Entity,
      ]
    >();
  });

  it("is a union of alternatives", () => {
    const either = query(
      world,
      or(Position, Label),
      or(Frozen, Position),
      or(Frozen, Likes(ship)),
      or(not(Position), all(Mesh, Label)),
      or(up(Position), Mesh),
      or(or(Position, Frozen), Label),
    );
    expectTypeOf<Given<typeof either>>().toEqualTypeOf<
      [Vector | string, Vector | undefined, ReadVector | Named, Vector | string | undefined, Entity]
    >();
  });

  it("is read-only for ancestors, given entities and the world", () => {
    const tested = query(
      world,
      up(Position),
      selfOrUp(Position),
      cascade(Position),
      on(ship, Position),
      singleton(Position),
    );
    expectTypeOf<Given<typeof tested>>().toEqualTypeOf<
      [ReadVector, ReadVector, ReadVector | undefined, ReadVector, ReadVector, Entity]
    >();
    neverRun(() => {
      each(tested, (above, selfOrAbove, parents, given, one) => {
        // @ts-expect-error: the row of an ancestor is not to be written
        above.x = 1;
        // @ts-expect-error: nor one that may be an ancestor's
        selfOrAbove.x = 1;
        // @ts-expect-error: nor the source's
        parents!.x = 1;
        // @ts-expect-error: nor a given entity's
        given.x = 1;
        // @ts-expect-error: nor the world's
        one.x = 1;
      });
      each(query(world, or(up(Position), Frozen)), (above) => {
        // @ts-expect-error: nor one among alternatives
        above!.x = 1;
      });
      each(query(world, maybe(up(Position))), (above) => {
        // @ts-expect-error: nor one that may be there
        above!.x = 1;
      });
      each(query(world, on(ship, up(Position))), (above) => {
        // @ts-expect-error: nor a given entity's ancestor's
        above.x = 1;
      });
    });
  });

  it("is nothing for terms that only filter", () => {
    const tested = query(
      world,
      up(Frozen),
      selfOrUp(asTag(ship)),
      on(ship, Frozen),
      singleton(Frozen),
      not(up(Position)),
      all(Position, Mesh),
      changed(Position),
      orderBy(Position, "x"),
    );
    expectTypeOf<Given<typeof tested>>().toEqualTypeOf<[Entity]>();
    const more = query(
      world,
      added(Position),
      removed(Frozen),
      groupBy(ChildOf),
      or(Frozen, Likes(Any)),
      ChildOf(parent),
    );
    expectTypeOf<Given<typeof more>>().toEqualTypeOf<[Entity]>();
  });

  it("is the entity for variables, and values of pairs with them", () => {
    const tested = query(
      world,
      ChildOf(parent),
      parent,
      Damage(parent),
      maybe(Damage(parent)),
      maybe(Likes(parent)),
    );
    expectTypeOf<Given<typeof tested>>().toEqualTypeOf<
      [Entity, { amount: number }, { amount: number } | undefined, true | undefined, Entity]
    >();
    neverRun(() => {
      // @ts-expect-error: a variable is not an entity that can be a target
      add(world, ship, ChildOf(parent));
      // @ts-expect-error: nor is it one that can be had
      add(world, ship, parent);
      // @ts-expect-error: nor can an entity be spawned with it
      spawn(world, Damage(parent));
      // @ts-expect-error: pairs with variables carry no value
      query(world, Damage(parent, { amount: 1 }));
      expectTypeOf(bind(tested, parent, ship)).toEqualTypeOf(tested);
      expectTypeOf(unbind(tested, parent)).toEqualTypeOf(tested);
      // @ts-expect-error: unbind frees a variable
      bind(tested, parent, undefined);
      // @ts-expect-error: what is bound is a variable
      bind(tested, ship, ship);
      // @ts-expect-error: what it is bound to is an entity
      bind(tested, parent, Position);
    });
  });
});

describe("rows and collect", () => {
  const tested = query(
    world,
    Position,
    Mesh,
    maybe(Frozen),
    maybe(Kit),
    or(Label, Damage(ship)),
    up(Position),
  );
  type Row = [
    Vector,
    Named,
    true | undefined,
    KitRow | undefined,
    string | { amount: number },
    ReadVector,
    Entity,
  ];

  it("return what each passes, as one list", () => {
    expectTypeOf<Given<typeof tested>>().toEqualTypeOf<Row>();
    neverRun(() => {
      expectTypeOf(rows(tested)).toEqualTypeOf<RowIterator<Row>>();
      expectTypeOf(collect(tested)).toEqualTypeOf<Row[]>();
      for (const [position, mesh, isFrozen, kit, either, above, one] of rows(tested)) {
        expectTypeOf(position).toEqualTypeOf<Vector>();
        expectTypeOf(mesh).toEqualTypeOf<Named>();
        expectTypeOf(isFrozen).toEqualTypeOf<true | undefined>();
        expectTypeOf(kit).toEqualTypeOf<KitRow | undefined>();
        expectTypeOf(either).toEqualTypeOf<string | { amount: number }>();
        expectTypeOf(above).toEqualTypeOf<ReadVector>();
        expectTypeOf(one).toEqualTypeOf<Entity>();
        position.x = 1;
        // @ts-expect-error: the row of an ancestor is not to be written
        above.x = 1;
        // @ts-expect-error: it may be undefined
        kit.on;
      }
      for (const [one] of rows(query(world, Frozen))) expectTypeOf(one).toEqualTypeOf<Entity>();
      for (const row of collect(query(world))) expectTypeOf(row).toEqualTypeOf<[Entity]>();
      // @ts-expect-error: there are two only
      for (const [_position, _one, _more] of rows(query(world, Position)));
      // @ts-expect-error: Position has no z
      for (const [position] of rows(query(world, Position))) position.z;
      // @ts-expect-error: it accepts a query, not a term
      rows(Position);
      // @ts-expect-error: it accepts a query, not a world
      collect(world);
    });
  });

  it("and other functions accept any query", () => {
    neverRun(() => {
      expectTypeOf(entities(tested)).toEqualTypeOf<Entity[]>();
      expectTypeOf(first(tested)).toEqualTypeOf<Entity | undefined>();
      expectTypeOf(count(tested)).toEqualTypeOf<number>();
      expectTypeOf(isEmpty(tested)).toEqualTypeOf<boolean>();
      expectTypeOf(explain(tested)).toEqualTypeOf<string>();
      expectTypeOf(rows(tested).return()).toEqualTypeOf<IteratorReturnResult<undefined>>();
      // @ts-expect-error: it accepts a query, not terms
      count(world, Position);
      // @ts-expect-error: it may be undefined
      destroy(world, first(tested));
    });
  });

  it("accept parts of queries, which pass the same", () => {
    neverRun(() => {
      expectTypeOf(page(tested, 0, 10)).toEqualTypeOf(tested);
      expectTypeOf(shard(tested, 0, 4)).toEqualTypeOf(tested);
      expectTypeOf(group(tested, ship)).toEqualTypeOf(tested);
      expectTypeOf(collect(page(tested, 0, 10))).toEqualTypeOf<Row[]>();
      expectTypeOf(groupsOf(tested)).toEqualTypeOf<(Entity | undefined)[]>();
      expectTypeOf(groupsOf<string>(tested)).toEqualTypeOf<string[]>();
      // @ts-expect-error: a page has an offset and a limit
      page(tested, 10);
      // @ts-expect-error: a shard is one of several
      shard(tested, 1);
    });
  });
});
