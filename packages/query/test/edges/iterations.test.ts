import { add, type Entity, isAlive, remove, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import type { Query } from "../../src/index.ts";
import {
  collect,
  destroy,
  each,
  eachBatch,
  eachLevel,
  eachRun,
  entities,
  explain,
  query,
  removeAll,
  rows,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Tag } from "../definitions.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { changed, or } from "../public/filters.ts";
import { bind, groupBy, orderBy, page } from "../public/parts.ts";
import { cascade, up, variable } from "../public/terms.ts";
import { isIterating } from "../world-state.ts";
import { isAboutChanges, named, setUpNamedWorld, Warm } from "./named-world.ts";

/** Cases in which similar engines leave a loop unprotected. */

const parent = variable("parent");

let root: Entity;

setUpNamedWorld();

beforeEach(() => {
  root = named.spawnNamed("root", Tag, Warm);
  for (const [at, storage] of [ChildOf, Parent, ChildOf, Parent].entries())
    named.spawnNamed(`c${at}`, Tag, Warm, storage(root));
});

const queries: [string, (root: Entity) => Query][] = [
  ["components", () => query(named.world, Warm)],
  ["a target", (one) => query(named.world, ChildOf(one))],
  ["alternatives", (one) => query(named.world, or(ChildOf(one), Tag))],
  ["parents first", () => query(named.world, Tag, cascade(Warm))],
  ["children first", () => query(named.world, Tag, cascade(Warm, { desc: true }))],
  ["ancestors", () => query(named.world, up(Warm))],
  ["a variable that is free", () => query(named.world, ChildOf(parent))],
  ["a variable that is set", (one) => bind(query(named.world, Tag, ChildOf(parent)), parent, one)],
  ["changes", () => query(named.world, changed(Warm))],
  ["an order", () => query(named.world, Warm, orderBy(Warm, "of"))],
  ["groups", () => query(named.world, Warm, groupBy(ChildOf))],
  ["a page", () => page(query(named.world, Warm), 1, 3)],
];

const hasBatches = (tested: Query): boolean => /^ +(path|free variable|variable):/m.test(explain(tested));
const hasLevels = (tested: Query): boolean => /^ +path:/m.test(explain(tested));

const iterations: [string, (tested: Query, iterate: (entity: Entity) => void) => void][] = [
  ["each", (tested, iterate) => each(tested, (...row: unknown[]) => iterate(row.at(-1) as Entity))],
  [
    "rows",
    (tested, iterate) => {
      for (const row of rows(tested)) iterate(row.at(-1) as Entity);
    },
  ],
  [
    "eachRun",
    (tested, iterate) =>
      eachRun(tested, (run) => {
        for (let row = run.first; row < run.end; row++) iterate(run.entityAt(row));
      }),
  ],
  [
    "eachBatch",
    (tested, iterate) => {
      if (!hasBatches(tested)) each(tested, (...row: unknown[]) => iterate(row.at(-1) as Entity));
      else
        eachBatch(tested, (batch) => {
          for (let at = batch.from; at < batch.to; at++) iterate(batch.entityAt(batch.rows[at]!));
        });
    },
  ],
  [
    "eachLevel",
    (tested, iterate) => {
      if (!hasLevels(tested)) each(tested, (...row: unknown[]) => iterate(row.at(-1) as Entity));
      else
        eachLevel(tested, (level) =>
          level.eachBatch((batch) => {
            for (let at = batch.from; at < batch.to; at++) iterate(batch.entityAt(batch.rows[at]!));
          }),
        );
    },
  ],
];

describe.each(queries)("an iteration of %s", (_, make) => {
  it.each(iterations)(
    "by %s meets all entities that match, whatever it destroys, moves and spawns",
    (_name, iterate) => {
      const { world } = named;
      const listed = entities(make(root));
      const tested = make(root);
      const met: Entity[] = [];

      iterate(tested, (entity) => {
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
    "by %s that ends with an error leaves nothing locked and the query usable",
    (_name, iterate) => {
      const { world } = named;
      const tested = make(root);

      expect(() =>
        iterate(tested, (entity) => {
          add(world, entity, ChildOf(spawn(world, Warm)));
          throw new Error("enough");
        }),
      ).toThrow("enough");

      expect(isIterating(world)).toBe(false);
      const again: Entity[] = [];
      iterate(isAboutChanges(tested) ? make(root) : tested, (entity) => again.push(entity));
      expect(again).toEqual(entities(make(root)));
    },
  );

  it("left by break makes deferred changes, and leaves nothing locked", () => {
    const { world } = named;
    const tested = make(root);
    let dead: Entity | undefined;

    for (const row of rows(tested)) {
      dead = row.at(-1) as Entity;
      destroy(world, dead);
      expect(isAlive(world, dead)).toBe(true);
      break;
    }

    expect([isIterating(world), isAlive(world, dead!)]).toEqual([false, false]);
  });

  it("inside an iteration of the same query meets the same entities", () => {
    const tested = make(root);
    const inner: string[] = [];
    const listed = named.textOf(isAboutChanges(tested) ? [] : entities(tested));

    each(tested, () => inner.push(named.textOf(entities(tested))));

    expect(new Set(inner)).toEqual(new Set([listed]));
  });

  it("can be collected and looped over while the world changes", () => {
    const { world } = named;
    const found = collect(make(root));

    for (const row of found) destroy(world, row.at(-1) as Entity);

    expect(found.length).toBeGreaterThan(2);
    expect(found.filter((row) => isAlive(world, row.at(-1) as Entity))).toEqual([]);
  });
});

describe("in a strict world", () => {
  it("a structural change inside an iteration throws, and the iteration ends unlocked", () => {
    const world = createWorld({ strict: true });
    const [one] = spawnMany(world, 3, Tag);

    expect(codeOf(() => each(query(world, Tag), (entity) => destroy(world, entity)))).toBe("iterating");
    expect([isIterating(world), isAlive(world, one!)]).toEqual([false, true]);
  });
});

describe("an iteration that changes what its query depends on", () => {
  it("of ancestors passes the sources as they were when it began", () => {
    const { world, nameOf } = named;
    const met: string[] = [];

    each(query(world, up(Warm)), (warm, entity) => {
      met.push(`${nameOf(entity)}<${nameOf(warm.of)}`);
      remove(world, root, Warm);
    });

    expect(met.toSorted()).toEqual(["c0<root", "c1<root", "c2<root", "c3<root"]);
    expect(entities(query(world, up(Warm)))).toEqual([]);
  });

  it("may use other queries, which see the world unchanged until it ends", () => {
    const { world } = named;
    const counts: number[] = [];

    each(query(world, ChildOf(root)), (entity) => {
      destroy(world, entity);
      counts.push(entities(query(world, ChildOf(root))).length);
    });

    expect(counts).toEqual([4, 4, 4, 4]);
    expect(entities(query(world, ChildOf(root)))).toEqual([]);
  });
});
