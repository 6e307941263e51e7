import { add, ChildOf, type Entity, Parent, remove } from "@treeline/core";
import { clockOf, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { changed, count, each, first, type Query, query, selfOrUp, up } from "../../../src/index.ts";
import { noteSources } from "../../../src/query/rows/with-ancestors.ts";
import { currentBatches } from "../../current-batches.ts";
import { Tag, Warm } from "../../definitions.ts";
import { root, seat, setBranch, ship, world } from "../../test-world.ts";

beforeEach(() => setBranch(Warm));

/** Takes notes at a tick of their own, as an iteration that reads does. @returns the entities that got another source. */
function noted(tested: Query): Entity[] {
  const { now } = clockOf(world);
  tested.watch.isReading = true;
  noteSources(tested, currentBatches(world, tested.plan.traversals));
  clockOf(world).now++;
  return [root, ship, seat].filter((one) => tested.watch.notes[0]?.switched[indexOf(one)] === now);
}

describe("notes of sources", () => {
  it("contain all entities at first, then those whose source is another one", () => {
    const tested = query(world, changed(up(Warm))) as Query;

    expect(noted(tested)).toEqual([ship, seat]);
    add(world, ship, Warm);
    expect(noted(tested)).toEqual([seat]);
    add(world, seat, Tag);
    expect(noted(tested)).toEqual([]);
    add(world, seat, Parent(root));
    expect(noted(tested)).toEqual([seat]);
  });

  it("contain entities that have a source again, also the same as before", () => {
    const tested = query(world, changed(up(Warm))) as Query;
    noted(tested);

    remove(world, root, Warm);
    expect(noted(tested)).toEqual([]);
    add(world, root, Warm);
    expect(noted(tested)).toEqual([ship, seat]);
  });

  it("contain an entity that is its own source only when it ceases to be", () => {
    const tested = query(world, changed(selfOrUp(Warm))) as Query;
    noted(tested);

    add(world, ship, Warm);
    expect(noted(tested)).toEqual([seat]);
    remove(world, ship, Warm);
    expect(noted(tested)).toEqual([ship, seat]);
  });

  it("are not taken by `count`, which computes what differs from the notes", () => {
    const tested = query(world, changed(up(Warm))) as Query;
    noted(tested);
    each(tested, () => undefined);
    const reported = (): Entity[] => [first(tested)].filter((one) => one !== undefined);

    remove(world, seat, ChildOf(ship));
    expect(reported()).toEqual([]);
    add(world, seat, ChildOf(ship));
    expect(reported()).toEqual([]);
    const { round } = tested.watch;
    add(world, ship, Warm);
    expect([reported(), reported(), count(tested)]).toEqual([[seat], [seat], 1]);
    expect(tested.watch.round).toBe(round);
    expect(noted(tested)).toEqual([seat]);
    each(tested, () => undefined);
    expect(reported()).toEqual([]);
  });

  it("are not taken while nothing moves, nor for queries that do not need them", () => {
    const tested = query(world, changed(up(Warm))) as Query;
    const other = query(world, up(Warm)) as Query;
    noted(tested);
    noted(other);
    const { round, steadySince } = tested.watch;

    noted(tested);

    expect([tested.watch.round, tested.watch.steadySince, other.watch.round]).toEqual([
      round,
      steadySince,
      0,
    ]);
  });
});
