import { set, spawn } from "@treeline/core";
import { clockOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { added, changed, not, or, page, type Query, query, removed, up } from "../../../src/index.ts";
import { beginReading, endReading, watch } from "../../../src/query/build/filter-terms.ts";
import { createQuery } from "../../../src/query/build/query.ts";
import { readTerms } from "../../../src/term/read.ts";
import { Frozen, Warm } from "../../definitions.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

describe("while a query is tracked", () => {
  it("the world tracks what any of its tests requires, however deep, and nothing afterwards", () => {
    const terms = [changed(Warm), or(added(Frozen), not(removed(Warm))), changed(up(Warm))];
    const tested = createQuery(world, readTerms(world, terms));
    const { tracked } = world.graph.tracking;

    watch(tested, true);
    expect(tracked.map(({ definition, users }) => [definition.name, users]).toSorted()).toEqual([
      ["Frozen", 1],
      ["Warm", 1],
      ["Warm", 2],
    ]);
    watch(tested, false);
    expect(tracked).toEqual([]);
  });
});

describe("a read of changes", () => {
  it("is at a tick, and what is written after it is later", () => {
    const one = spawn(world, Warm);
    const tested = query(world, changed(Warm)) as Query;

    const tick = beginReading(tested);
    endReading(tested, tick);

    expect([tested.lastRead, clockOf(world).now > tick]).toEqual([tick, true]);
    set(world, one, Warm, { of: 1 });
    expect(beginReading(tested)).toBeGreaterThan(tick);
  });

  it("is none of a part, nor of a query that is not about changes", () => {
    expect([
      beginReading(page(query(world, changed(Warm)) as Query, 0, 1)),
      beginReading(query(world, Warm) as Query),
    ]).toEqual([0, 0]);
  });
});
