import { beforeEach, describe, expect, it } from "vitest";
import { findPair } from "../../../src/id/pair-index.ts";
import { add, ChildOf, spawn } from "../../../src/index.ts";
import {
  countSubjects,
  depthAt,
  eachTableOf,
  hasPairAt,
  pairAt,
  parentAt,
  parentIndexAt,
  settleDepths,
  subjectIndexes,
  tableHasPair,
} from "../../../src/world/state/targets.ts";
import { Frozen, Label, Likes, Parent } from "../../definitions.ts";
import { plant } from "../../drawn-tree.ts";
import { setWorld, world } from "../../fixture.ts";
import { indexOf, pairOf, tableOf } from "../../handles.ts";
import { moveTo } from "../../internal.ts";
import { DEPTH_CHANGED, journaled } from "../../journal.ts";

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
    const one = spawn(world, Likes(a), ChildOf(b));
    const other = spawn(world, Likes(b));
    const table = tableOf(world, one);

    expect(tableHasPair(world, table, pairOf(world, Likes, a))).toBe(true);
    expect(tableHasPair(world, table, pairOf(world, Likes, b))).toBe(false);
    expect(tableHasPair(world, tableOf(world, other), pairOf(world, Likes, b))).toBe(true);
  });

  it("is whether an entity has a pair, that of its parent in either storage included", () => {
    const ship = spawn(world);
    const children = [ChildOf, Parent].map((storage) => spawn(world, storage(ship), Likes(ship)));
    const root = spawn(world, Likes(ship));

    const found = [...children, root].map((one) =>
      [ChildOf, Likes].map((relation) => hasPairAt(world, indexOf(one), pairOf(world, relation, ship))),
    );

    expect(found).toEqual([
      [true, true],
      [true, true],
      [false, true],
    ]);
  });

  it("are the tables of a pair, each once", () => {
    const ship = spawn(world);
    const fans = [
      spawn(world, Likes(ship)),
      spawn(world, Likes(ship), Label("a")),
      spawn(world, Likes(ship), Frozen),
      spawn(world, Likes(ship), Likes(spawn(world))),
    ];
    spawn(world, Likes(ship), Frozen);
    const seen: number[] = [];

    eachTableOf(world.graph.records, pairOf(world, Likes, ship), (table) => {
      seen.push(table);
    });

    expect(seen.toSorted()).toEqual(fans.map((one) => tableOf(world, one)).toSorted());
  });

  it("are all subjects of a pair, in any order, and children in sibling order", () => {
    const ship = spawn(world);
    const fans = [spawn(world, Likes(ship)), spawn(world, Likes(ship), Frozen)];
    const [a, b] = [spawn(world, ChildOf(ship)), spawn(world, Frozen, Parent(ship))];
    moveTo(world, b, ship, 0);
    const found = [Likes, ChildOf].map((relation) => subjectIndexes(world, pairOf(world, relation, ship)));
    const counts = [Likes, ChildOf].map((relation) => countSubjects(world, pairOf(world, relation, ship)));

    expect([found[0]!.toSorted(), found[1]]).toEqual([fans.map(indexOf).toSorted(), [b, a].map(indexOf)]);
    expect(counts).toEqual([2, 2]);
  });
});

describe("settling depths", () => {
  it("notes the pairs of entities whose depth has changed, for readers of the journal", () => {
    const { top, ship, cockpit, seat, belt } = plant(world, "top\nship\n  cockpit\n    seat\n      belt");
    const buckle = spawn(world, Parent(seat));
    add(world, ship, ChildOf(top));

    const noted = journaled(world, () => settleDepths(world));

    expect(noted.every(([kind]) => kind === DEPTH_CHANGED)).toBe(true);
    const above = [ship, cockpit, seat].map((one) => findPair(world.graph.pairs, ChildOf.id, indexOf(one)));
    expect(noted.map(([, number]) => number).toSorted()).toEqual(above.toSorted());
    expect([cockpit, belt, buckle].map((one) => depthAt(world, indexOf(one)))).toEqual([2, 4, 4]);
    expect(depthAt(world, indexOf(belt))).toBe(4);
  });
});
