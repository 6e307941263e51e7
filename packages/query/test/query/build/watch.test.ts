import { set, spawn } from "@treeline/core";
import { clockOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { added, changed, not, or, page, type Query, query, removed, up } from "../../../src/index.ts";
import { beginReading, endReading, watch } from "../../../src/query/build/filter-terms.ts";
import { createQuery } from "../../../src/query/build/query.ts";
import { readTerms } from "../../../src/term/read.ts";
import { Frozen, Warm } from "../../definitions.ts";
import { setWorld, world } from "../../stage.ts";

beforeEach(setWorld);

describe("while somebody watches", () => {
  it("the world tracks what any of its tests asks for, however deep, and nothing afterwards", () => {
    const terms = [changed(Warm), or(added(Frozen), not(removed(Warm))), changed(up(Warm))];
    const asked = createQuery(world, readTerms(world, terms));
    const { tracked } = world.graph.tracking;

    watch(asked, true);
    expect(tracked.map(({ definition, users }) => [definition.name, users]).toSorted()).toEqual([
      ["Frozen", 1],
      ["Warm", 1],
      ["Warm", 2],
    ]);
    watch(asked, false);
    expect(tracked).toEqual([]);
  });
});

describe("a look", () => {
  it("is at a tick, and what is written after it is later", () => {
    const one = spawn(world, Warm);
    const asked = query(world, changed(Warm)) as Query;

    const tick = beginReading(asked);
    endReading(asked, tick);

    expect([asked.lastRead, clockOf(world).now > tick]).toEqual([tick, true]);
    set(world, one, Warm, { of: 1 });
    expect(beginReading(asked)).toBeGreaterThan(tick);
  });

  it("is none of a part, nor of a query that does not ask for changes", () => {
    expect([
      beginReading(page(query(world, changed(Warm)) as Query, 0, 1)),
      beginReading(query(world, Warm) as Query),
    ]).toEqual([0, 0]);
  });
});
