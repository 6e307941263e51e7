import type { Entity } from "@treeline/core";
import { describe, expectTypeOf, it } from "vitest";
import type { Batch, Level, MonitorCallbacks, Run } from "../../src/index.ts";
import {
  ancestors,
  children,
  depthOf,
  descendants,
  destroy,
  destroyWhere,
  dispose,
  each,
  eachBatch,
  eachLevel,
  eachRun,
  monitor,
  observeAbove,
  query,
  roots,
} from "../../src/index.ts";
import { Any, asTag, ChildOf, Parent } from "../public/builtins.ts";
import { maybe, not } from "../public/filters.ts";
import { cascade, up } from "../public/terms.ts";
import type { ReadVector, Vector } from "./typed.ts";
import { Damage, Frozen, Kit, Label, Likes, Mesh, neverRun, Position, ship, world } from "./typed.ts";

describe("the arguments of each", () => {
  it("are row views of components with fields, and the entity", () => {
    neverRun(() =>
      each(query(world, Position), (position, one) => {
        expectTypeOf(position).toEqualTypeOf<Vector>();
        expectTypeOf(one).toEqualTypeOf<Entity>();
      }),
    );
  });

  it("have booleans, entities and typed arrays for such fields", () => {
    neverRun(() =>
      each(query(world, Kit), (kit) => {
        expectTypeOf(kit).toEqualTypeOf<{ on: boolean; at: Entity | undefined; cells: Uint8Array }>();
      }),
    );
  });

  it("are the values of components of JavaScript values", () => {
    neverRun(() =>
      each(query(world, Mesh, Label), (mesh, label, one) => {
        expectTypeOf(mesh).toEqualTypeOf<{ name: string }>();
        expectTypeOf(label).toEqualTypeOf<string>();
        expectTypeOf(one).toEqualTypeOf<Entity>();
      }),
    );
  });

  it("leave out tags, pairs without data, any target and not", () => {
    neverRun(() =>
      each(
        query(
          world,
          Frozen,
          ChildOf(ship),
          Likes(Any),
          Damage(Any),
          not(Mesh),
          not(ChildOf(Any)),
          not(Damage(ship)),
        ),
        (...row) => {
          expectTypeOf(row).toEqualTypeOf<[Entity]>();
        },
      ),
    );
  });

  it("leave out wildcards and entities as tags, and have true or undefined for tags in maybe", () => {
    neverRun(() =>
      each(
        query(
          world,
          asTag(ship),
          Any(ship),
          Any(Any),
          Parent(ship),
          maybe(Frozen),
          not(asTag(ship)),
          Position,
          maybe(Mesh),
        ),
        (...row) => {
          expectTypeOf(row).toEqualTypeOf<[true | undefined, Vector, { name: string } | undefined, Entity]>();
        },
      ),
    );
  });

  it("are row views of pairs with data", () => {
    neverRun(() =>
      each(query(world, Damage(ship), Likes(ship)), (damage, one) => {
        expectTypeOf(damage).toEqualTypeOf<{ amount: number }>();
        expectTypeOf(one).toEqualTypeOf<Entity>();
      }),
    );
  });

  it("may be undefined for maybe", () => {
    neverRun(() =>
      each(query(world, maybe(Position), maybe(Label)), (position, label) => {
        expectTypeOf(position).toEqualTypeOf<Vector | undefined>();
        expectTypeOf(label).toEqualTypeOf<string | undefined>();
      }),
    );
  });

  it("may be undefined for cascade, and are read-only", () => {
    neverRun(() =>
      each(query(world, cascade(Position)), (above) => {
        expectTypeOf(above).toEqualTypeOf<ReadVector | undefined>();
        // @ts-expect-error: the row of an ancestor is not to be written
        above!.x = 1;
      }),
    );
  });

  it("come in the order of the terms, the entity last", () => {
    const tested = query(
      world,
      Frozen,
      Mesh,
      not(Label),
      Damage(ship),
      maybe(Kit),
      cascade(Position),
      Position,
    );
    neverRun(() =>
      each(tested, (...row) => {
        type Last = [ReadVector | undefined, Vector, Entity];
        expectTypeOf<
          typeof row extends [unknown, unknown, unknown, ...infer Rest] ? Rest : never
        >().toEqualTypeOf<Last>();
        expectTypeOf(row[0]).toEqualTypeOf<{ name: string }>();
        expectTypeOf(row[1]).toEqualTypeOf<{ amount: number }>();
        expectTypeOf(row[2]).toEqualTypeOf<
          { on: boolean; at: Entity | undefined; cells: Uint8Array } | undefined
        >();
      }),
    );
  });

  it("may be left out from the end", () => {
    neverRun(() => {
      each(query(world, Position), (position) => {
        position.x = 1;
      });
      each(query(world, Position), () => {});
    });
  });

  it("are not given under other names, kinds or numbers", () => {
    neverRun(() => {
      each(query(world, Position), (position) => {
        // @ts-expect-error: Position has no z
        position.z = 1;
        // @ts-expect-error: x is a number
        position.x = "1";
      });
      // @ts-expect-error: there are two arguments only
      each(query(world, Position), (_position, _one, _more) => {});
      // @ts-expect-error: the first argument is no text
      each(query(world, Position), (_position: string) => {});
      // @ts-expect-error: it may be undefined
      each(query(world, maybe(Position)), (position) => position.x);
      // @ts-expect-error: it may be undefined, as for roots
      each(query(world, cascade(Position)), (above) => above.x);
    });
  });
});

describe("columns", () => {
  it("of a run are typed arrays by field, or a list of values", () => {
    neverRun(() =>
      eachRun(query(world, Position), (run) => {
        expectTypeOf(run).toEqualTypeOf<Run>();
        expectTypeOf(run.columns(Position).x).toEqualTypeOf<Float32Array>();
        expectTypeOf(run.columns(Kit).on).toEqualTypeOf<Uint8Array>();
        expectTypeOf(run.columns(Kit).at).toEqualTypeOf<Float64Array>();
        expectTypeOf(run.columns(Kit).cells).toEqualTypeOf<Uint8Array>();
        expectTypeOf(run.columns(Mesh)).toEqualTypeOf<{ name: string }[]>();
        expectTypeOf(run.columns(Damage(ship)).amount).toEqualTypeOf<Float32Array>();
        expectTypeOf(run.columnsIf(Label)).toEqualTypeOf<string[] | undefined>();
        expectTypeOf(run.entityAt(0)).toEqualTypeOf<Entity>();
      }),
    );
  });

  it("of a run are not there for what has no values", () => {
    neverRun(() =>
      eachRun(query(world, Position), (run) => {
        // @ts-expect-error: a tag has no values
        run.columns(Frozen);
        // @ts-expect-error: a relation needs a target
        run.columns(Damage);
        // @ts-expect-error: Position has no z
        run.columns(Position).z;
        // @ts-expect-error: columns are not to be replaced
        run.columns(Position).x = new Float32Array(1);
        // @ts-expect-error: columnsIf accepts components only
        run.columnsIf(Damage(ship));
        // @ts-expect-error: it may be undefined
        run.columnsIf(Position).x;
      }),
    );
  });

  it("of a batch are the same, for rows and for parents", () => {
    neverRun(() =>
      eachBatch(query(world, Position, cascade(Position)), (batch) => {
        expectTypeOf(batch).toEqualTypeOf<Batch>();
        expectTypeOf(batch.columns(Position).y).toEqualTypeOf<Float32Array>();
        expectTypeOf(batch.columns(Damage(ship)).amount).toEqualTypeOf<Float32Array>();
        expectTypeOf(batch.columnsIf(Kit)).toEqualTypeOf<
          { readonly on: Uint8Array; readonly at: Float64Array; readonly cells: Uint8Array } | undefined
        >();
        expectTypeOf(batch.parentColumns(Mesh)).toEqualTypeOf<{ name: string }[]>();
        expectTypeOf(batch.rows).toEqualTypeOf<Int32Array>();
        expectTypeOf(batch.parentRows).toEqualTypeOf<Int32Array>();
        expectTypeOf(batch.hasParents).toEqualTypeOf<boolean>();
        expectTypeOf(batch.depth).toEqualTypeOf<number>();
        // @ts-expect-error: a tag has no values
        batch.columns(Frozen);
        expectTypeOf(batch.has(up(Position))).toEqualTypeOf<boolean>();
        expectTypeOf(batch.rowsOf(Position)).toEqualTypeOf<Int32Array>();
        expectTypeOf(batch.columnsOf(Position, Mesh)).toEqualTypeOf<{ name: string }[]>();
        // @ts-expect-error: parents' columns are of components
        batch.parentColumns(Damage(ship));
        // @ts-expect-error: so are those along a path
        batch.columnsOf(Position, Frozen);
      }),
    );
  });

  it("of a level come by its batches", () => {
    neverRun(() =>
      eachLevel(query(world, cascade(Position)), (level) => {
        expectTypeOf(level).toEqualTypeOf<Level>();
        expectTypeOf(level.depth).toEqualTypeOf<number>();
        expectTypeOf(level.count).toEqualTypeOf<number>();
        level.eachBatch((batch) => expectTypeOf(batch).toEqualTypeOf<Batch>());
      }),
    );
  });

  it("that are written are those of components", () => {
    neverRun(() => {
      const tested = query(world, Position, cascade(Position));
      eachRun(tested, () => {}, { writes: [Position, Mesh] });
      eachBatch(tested, () => {}, { writes: [Position] });
      eachLevel(tested, () => {}, { writes: [] });
      // @ts-expect-error: a tag has no columns
      eachRun(tested, () => {}, { writes: [Frozen] });
      // @ts-expect-error: pairs are not watched
      eachBatch(tested, () => {}, { writes: [Damage(ship)] });
      // @ts-expect-error: it is a list
      eachLevel(tested, () => {}, { writes: Position });
      // @ts-expect-error: each knows by itself what is written
      each(tested, () => {}, { writes: [Position] });
    });
  });
});

describe("callbacks", () => {
  it("of a monitor receive an entity; at least one of them is required at run time", () => {
    expectTypeOf<MonitorCallbacks["entered"]>().toEqualTypeOf<((entity: Entity) => void) | undefined>();
    neverRun(() => {
      const stop = monitor(query(world, Position, not(Frozen)), {
        entered: (one) => expectTypeOf(one).toEqualTypeOf<Entity>(),
      });
      expectTypeOf(stop).toEqualTypeOf<() => void>();
      // @ts-expect-error: there is no such event
      monitor(query(world, Position), { changed: () => undefined });
      // @ts-expect-error: it accepts a query, not a term
      monitor(Position, {});
    });
  });

  it("of observeAbove receive kind, entity and source", () => {
    neverRun(() => {
      const stop = observeAbove(world, Position, (event) => {
        expectTypeOf(event.kind).toEqualTypeOf<"added" | "removed" | "set">();
        expectTypeOf(event.entity).toEqualTypeOf<Entity>();
        expectTypeOf(event.source).toEqualTypeOf<Entity>();
      });
      expectTypeOf(stop).toEqualTypeOf<() => void>();
      observeAbove(world, Frozen, () => undefined, { yieldExisting: true });
      // @ts-expect-error: relations are not followed like that
      observeAbove(world, Likes, () => undefined);
      // @ts-expect-error: nor are pairs
      observeAbove(world, Damage(ship), () => undefined);
    });
  });
});

describe("the other verbs", () => {
  it("accept entities and return lists of entities", () => {
    expectTypeOf(roots(world)).toEqualTypeOf<Entity[]>();
    expectTypeOf(ancestors(world, ship)).toEqualTypeOf<Entity[]>();
    expectTypeOf(descendants(world, ship)).toEqualTypeOf<Entity[]>();
    expectTypeOf(depthOf(world, ship)).toEqualTypeOf<number>();
    neverRun(() => {
      expectTypeOf(destroy(world, ship)).toEqualTypeOf<void>();
      dispose(query(world, Position));
      expectTypeOf(destroyWhere(world, Position, not(asTag(ship)), Any(ship))).toEqualTypeOf<number>();
      expectTypeOf(destroyWhere(world)).toEqualTypeOf<number>();
      // @ts-expect-error: a relation needs a target
      destroyWhere(world, Likes);
      // @ts-expect-error: a plain number is no entity
      destroy(world, 5);
      // @ts-expect-error: undefined is no entity
      depthOf(world, undefined);
      // @ts-expect-error: the world comes first
      children(ship);
      // @ts-expect-error: children have a parent; roots have none
      children(world);
      // @ts-expect-error: undefined is no entity
      children(world, undefined);
    });
  });
});
