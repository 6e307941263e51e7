import { add, ChildOf, createWorld, type Entity, Parent, remove, spawn, type World } from "@treeline/core";
import { clockOf, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { changed, count, each, first, type Query, query, selfOrUp, up } from "../../../src/index.ts";
import { noteSources } from "../../../src/query/rows/with-ancestors.ts";
import { currentBatches } from "../../current-batches.ts";
import { Tag, Warm } from "../../definitions.ts";

let world: World;
let root: Entity;
let ship: Entity;
let seat: Entity;

beforeEach(() => {
  world = createWorld();
  root = spawn(world, Warm);
  ship = spawn(world, Parent(root));
  seat = spawn(world, ChildOf(ship));
});

/** Takes notes at a tick of their own, as a visit that looks does. @returns who got another holder then. */
function noted(asked: Query): Entity[] {
  const { now } = clockOf(world);
  asked.watch.isReading = true;
  noteSources(asked, currentBatches(world, asked.plan.traversals));
  clockOf(world).now++;
  return [root, ship, seat].filter((one) => asked.watch.notes[0]?.switched[indexOf(one)] === now);
}

describe("notes of who is above whom", () => {
  it("are of everybody at first, then of those whose holder is another one", () => {
    const asked = query(world, changed(up(Warm))) as Query;

    expect(noted(asked)).toEqual([ship, seat]);
    add(world, ship, Warm);
    expect(noted(asked)).toEqual([seat]);
    add(world, seat, Tag);
    expect(noted(asked)).toEqual([]);
    add(world, seat, Parent(root));
    expect(noted(asked)).toEqual([seat]);
  });

  it("are of whoever has one again, also the same as before", () => {
    const asked = query(world, changed(up(Warm))) as Query;
    noted(asked);

    remove(world, root, Warm);
    expect(noted(asked)).toEqual([]);
    add(world, root, Warm);
    expect(noted(asked)).toEqual([ship, seat]);
  });

  it("are not of whoever is its own holder, but when it ceases to be", () => {
    const asked = query(world, changed(selfOrUp(Warm))) as Query;
    noted(asked);

    add(world, ship, Warm);
    expect(noted(asked)).toEqual([seat]);
    remove(world, ship, Warm);
    expect(noted(asked)).toEqual([ship, seat]);
  });

  it("are not taken by who only peeks, which finds out for itself what is another than is noted", () => {
    const asked = query(world, changed(up(Warm))) as Query;
    noted(asked);
    each(asked, () => undefined);
    const told = (): Entity[] => [first(asked)].filter((one) => one !== undefined);

    remove(world, seat, ChildOf(ship));
    expect(told()).toEqual([]);
    add(world, seat, ChildOf(ship));
    expect(told()).toEqual([]);
    const { round } = asked.watch;
    add(world, ship, Warm);
    expect([told(), told(), count(asked)]).toEqual([[seat], [seat], 1]);
    expect(asked.watch.round).toBe(round);
    expect(noted(asked)).toEqual([seat]);
    each(asked, () => undefined);
    expect(told()).toEqual([]);
  });

  it("are not taken while nothing moves, nor for queries that do not ask", () => {
    const asked = query(world, changed(up(Warm))) as Query;
    const other = query(world, up(Warm)) as Query;
    noted(asked);
    noted(other);
    const { round, steadySince } = asked.watch;

    noted(asked);

    expect([asked.watch.round, asked.watch.steadySince, other.watch.round]).toEqual([round, steadySince, 0]);
  });
});
