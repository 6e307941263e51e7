import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  isAlive,
  Parent,
  remove,
  spawn,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  bind,
  cascade,
  changed,
  collect,
  destroy,
  each,
  eachBatch,
  eachLevel,
  eachRun,
  entities,
  groupBy,
  or,
  orderBy,
  page,
  type Query,
  query,
  removeAll,
  rows,
  up,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Tag } from "../definitions.ts";
import { cast, setCast, Warm } from "./cast.ts";

/** Where another engine of this kind leaves a loop unprotected. */

const parent = variable("parent");

let root: Entity;

beforeEach(() => {
  setCast();
  root = cast.born("root", Tag, Warm);
  for (const [at, storage] of [ChildOf, Parent, ChildOf, Parent].entries())
    cast.born(`c${at}`, Tag, Warm, storage(root));
});

afterEach(() => {
  expect(verify(cast.world)).toEqual([]);
});

const queries: [string, (root: Entity) => Query][] = [
  ["components", () => query(cast.world, Warm)],
  ["a target", (one) => query(cast.world, ChildOf(one))],
  ["alternatives", (one) => query(cast.world, or(ChildOf(one), Tag))],
  ["parents first", () => query(cast.world, Tag, cascade(Warm))],
  ["children first", () => query(cast.world, Tag, cascade(Warm, { desc: true }))],
  ["ancestors", () => query(cast.world, up(Warm))],
  ["a variable that is free", () => query(cast.world, ChildOf(parent))],
  ["a variable that is set", (one) => bind(query(cast.world, Tag, ChildOf(parent)), parent, one)],
  ["changes", () => query(cast.world, changed(Warm))],
  ["an order", () => query(cast.world, Warm, orderBy(Warm, "of"))],
  ["groups", () => query(cast.world, Warm, groupBy(ChildOf))],
  ["a page", () => page(query(cast.world, Warm), 1, 3)],
];

const iterations: [string, (asked: Query, visit: (entity: Entity) => void) => void][] = [
  ["each", (asked, visit) => each(asked, (...row: unknown[]) => visit(row.at(-1) as Entity))],
  [
    "rows",
    (asked, visit) => {
      for (const row of rows(asked)) visit(row.at(-1) as Entity);
    },
  ],
  [
    "eachRun",
    (asked, visit) =>
      eachRun(asked, (run) => {
        for (let row = run.first; row < run.end; row++) visit(run.entityAt(row));
      }),
  ],
  [
    "eachBatch",
    (asked, visit) => {
      if (asked.plan.traversals.length === 0 && asked.plan.variables.length === 0)
        each(asked, (...row: unknown[]) => visit(row.at(-1) as Entity));
      else
        eachBatch(asked, (batch) => {
          for (let at = batch.from; at < batch.to; at++) visit(batch.entityAt(batch.rows[at]!));
        });
    },
  ],
  [
    "eachLevel",
    (asked, visit) => {
      if (asked.plan.traversals.length === 0) each(asked, (...row: unknown[]) => visit(row.at(-1) as Entity));
      else
        eachLevel(asked, (level) =>
          level.eachBatch((batch) => {
            for (let at = batch.from; at < batch.to; at++) visit(batch.entityAt(batch.rows[at]!));
          }),
        );
    },
  ],
];

describe.each(queries)("a visit of %s", (_, ask) => {
  it.each(iterations)(
    "by %s meets everybody as listed, whatever it destroys, moves and makes",
    (_name, visit) => {
      const { world } = cast;
      const listed = entities(ask(root));
      const asked = ask(root);
      const met: Entity[] = [];

      visit(asked, (entity) => {
        met.push(entity);
        add(world, spawn(world, Tag, Warm, Parent(root)), ChildOf(entity));
        remove(world, entity, Warm);
        if (met.length % 2 === 0) destroy(world, entity);
        removeAll(world, ChildOf(root));
      });

      expect(met).toEqual(listed);
      expect(met.length).toBeGreaterThan(2);
      expect(met.filter((one) => !isAlive(world, one))).toHaveLength(Math.floor(met.length / 2));
    },
  );

  it.each(iterations)(
    "by %s that ends with an error leaves nothing locked and the query as good as before",
    (_name, visit) => {
      const { world } = cast;
      const asked = ask(root);

      expect(() =>
        visit(asked, (entity) => {
          add(world, entity, ChildOf(spawn(world, Warm)));
          throw new Error("enough");
        }),
      ).toThrow("enough");

      expect(world.deferDepth).toBe(0);
      const again: Entity[] = [];
      visit(asked.plan.isWatching ? ask(root) : asked, (entity) => again.push(entity));
      expect(again).toEqual(entities(ask(root)));
    },
  );

  it("left by break makes what waited, and leaves nothing locked", () => {
    const { world } = cast;
    const asked = ask(root);
    let dead: Entity | undefined;

    for (const row of rows(asked)) {
      dead = row.at(-1) as Entity;
      destroy(world, dead);
      expect(isAlive(world, dead)).toBe(true);
      break;
    }

    expect([world.deferDepth, isAlive(world, dead!)]).toEqual([0, false]);
  });

  it("inside a visit of the same query meets the same", () => {
    const asked = ask(root);
    const inner: string[] = [];
    const listed = cast.textOf(asked.plan.isWatching ? [] : entities(asked));

    each(asked, () => inner.push(cast.textOf(entities(asked))));

    expect(new Set(inner)).toEqual(new Set([listed]));
  });

  it("can be collected and gone through while the world changes", () => {
    const { world } = cast;
    const found = collect(ask(root));

    for (const row of found) destroy(world, row.at(-1) as Entity);

    expect(found.length).toBeGreaterThan(2);
    expect(found.filter((row) => isAlive(world, row.at(-1) as Entity))).toEqual([]);
  });
});

describe("in a strict world", () => {
  it("a structural change inside a visit throws, and the visit ends unlocked", () => {
    const world = createWorld({ strict: true });
    const [one] = spawnMany(world, 3, Tag);

    expect(codeOf(() => each(query(world, Tag), (entity) => destroy(world, entity)))).toBe("iterating");
    expect([world.deferDepth, isAlive(world, one!)]).toEqual([0, true]);
  });
});

describe("a visit that changes what it hangs on", () => {
  it("of ancestors hands over the sources as they were when it began", () => {
    const { world, nameOf } = cast;
    const met: string[] = [];

    each(query(world, up(Warm)), (warm, entity) => {
      met.push(`${nameOf(entity)}<${nameOf(warm.of)}`);
      remove(world, root, Warm);
    });

    expect(met.toSorted()).toEqual(["c0<root", "c1<root", "c2<root", "c3<root"]);
    expect(entities(query(world, up(Warm)))).toEqual([]);
  });

  it("may ask other questions, which see the world as it is until it ends", () => {
    const { world } = cast;
    const counts: number[] = [];

    each(query(world, ChildOf(root)), (entity) => {
      destroy(world, entity);
      counts.push(entities(query(world, ChildOf(root))).length);
    });

    expect(counts).toEqual([4, 4, 4, 4]);
    expect(entities(query(world, ChildOf(root)))).toEqual([]);
  });
});
