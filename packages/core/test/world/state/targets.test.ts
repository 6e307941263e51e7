import { beforeEach, describe, expect, it } from "vitest";
import { findPair } from "../../../src/id/pair-index.ts";
import { add, ChildOf, spawn } from "../../../src/index.ts";
import {
  depthAt,
  eachTableOf,
  pairAt,
  parentAt,
  parentIndexAt,
  settleDepths,
  tableHasPair,
} from "../../../src/world/state/targets.ts";
import { Frozen, Label, Likes } from "../../definitions.ts";
import { plant } from "../../drawn-tree.ts";
import { setWorld, world } from "../../fixture.ts";
import { indexOf, tableOf } from "../../handles.ts";
import { journaled, TABLE_CHANGED } from "../../journal.ts";

beforeEach(setWorld);

describe("internal reads of targets by index", () => {
  it("is the parent, as handle and as index", () => {
    const ship = spawn(world);
    const one = indexOf(spawn(world, ChildOf(ship)));

    expect([parentAt(world, one), parentIndexAt(world, one)]).toEqual([ship, indexOf(ship)]);
    expect([parentAt(world, indexOf(ship)), parentIndexAt(world, indexOf(ship))]).toEqual([undefined, 0]);
  });

  it("is the first pair of a relation, or 0", () => {
    const ship = spawn(world);
    const one = indexOf(spawn(world, ChildOf(ship), Likes(ship)));
    const { pairs } = world.graph;

    expect(pairAt(world, one, Likes)).toBe(findPair(pairs, Likes.id, indexOf(ship)));
    expect(pairAt(world, indexOf(ship), Likes)).toBe(0);
  });

  it("is whether a table has a pair", () => {
    const [a, b] = [spawn(world), spawn(world)];
    const table = world.entities.table[indexOf(spawn(world, Likes(a), ChildOf(b)))]!;
    const pairOf = (relationId: number, target: number) => findPair(world.graph.pairs, relationId, target);

    expect(tableHasPair(world, table, pairOf(Likes.id, indexOf(a)))).toBe(true);
    expect(tableHasPair(world, table, pairOf(ChildOf.id, indexOf(b)))).toBe(true);
    spawn(world, Likes(b));
    expect(tableHasPair(world, table, pairOf(Likes.id, indexOf(b)))).toBe(false);
  });

  it("are the tables of a pair, each once", () => {
    const ship = spawn(world);
    const children = [
      spawn(world, ChildOf(ship)),
      spawn(world, ChildOf(ship), Label("a")),
      spawn(world, ChildOf(ship), Frozen),
    ];
    const seen: number[] = [];

    eachTableOf(world.graph.records, findPair(world.graph.pairs, ChildOf.id, indexOf(ship)), (table) => {
      seen.push(table);
    });

    expect(seen.toSorted()).toEqual(children.map((one) => tableOf(world, one)).toSorted());
  });
});

describe("settling depths", () => {
  it("notes the tables whose depth has changed, for readers of the journal", () => {
    const { top, ship, cockpit, seat, belt } = plant(world, "top\nship\n  cockpit\n    seat\n      belt");
    add(world, ship, ChildOf(top));

    const noted = journaled(world, () => settleDepths(world));

    expect(noted.every(([kind]) => kind === TABLE_CHANGED)).toBe(true);
    const tables = [cockpit, seat, belt].map((one) => tableOf(world, one));
    expect(noted.map(([, number]) => number).toSorted()).toEqual(tables.toSorted());
    expect(depthAt(world, indexOf(belt))).toBe(4);
  });
});
