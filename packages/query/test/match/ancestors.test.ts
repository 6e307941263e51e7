import { Any, add, ChildOf, type Entity, Parent, type Relation, spawn, tag } from "@treeline/core";
import { indexOf, parseTerm, type TableId, tableAt } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { createPath, depthAlong, sourceAbove, type UpPath } from "../../src/match/ancestors.ts";
import { Likes, Needs } from "../definitions.ts";
import { setWorld, world } from "../test-world.ts";

const Warm = tag("Warm");

beforeEach(setWorld);

function above(
  entity: Entity,
  along: Relation | typeof ChildOf,
  what: Parameters<typeof parseTerm>[1],
): number {
  return sourceAbove(world, indexOf(entity), pathTo(along, what));
}

function pathTo(relation: Relation | typeof ChildOf, what: Parameters<typeof parseTerm>[1]): UpPath {
  return createPath(world, { relation, what: parseTerm(world, what) });
}

describe("the source above", () => {
  it("is the nearest ancestor that has it, in both storages, never the entity itself", () => {
    const root = spawn(world, Warm);
    const ship = spawn(world, Parent(root), Likes(root));
    const seat = spawn(world, ChildOf(ship), Warm);

    expect([above(seat, ChildOf, Warm), above(ship, ChildOf, Warm), above(root, ChildOf, Warm)]).toEqual([
      indexOf(root),
      indexOf(root),
      0,
    ]);
    expect([above(seat, ChildOf, Likes(root)), above(seat, ChildOf, Any(Any))]).toEqual([
      indexOf(ship),
      indexOf(ship),
    ]);
  });

  it("is looked for on the branch of the lowest index first, to its end", () => {
    const far = spawn(world, Warm);
    const near = spawn(world, Warm);
    const first = spawn(world, Needs(far));
    const entity = spawn(world, Needs(near));
    const both = spawn(world, Needs(first), Needs(entity));

    expect(above(both, Needs, Warm)).toBe(indexOf(far));
    add(world, both, Needs(near));
    expect(above(both, Needs, Warm)).toBe(indexOf(near));
  });
});

describe("notes of long paths up", () => {
  it("are made beyond the first steps, and used from below", () => {
    const root = spawn(world, Warm);
    const chain = [root];
    for (let at = 1; at < 100; at++)
      chain.push(spawn(world, (at % 2 === 0 ? Parent : ChildOf)(chain[at - 1]!)));
    const path = pathTo(ChildOf, Warm);
    const found = (at: number): number => sourceAbove(world, indexOf(chain[at]!), path);

    expect(found(32)).toBe(indexOf(root));
    expect(path.far.size).toBe(0);
    expect(found(80)).toBe(indexOf(root));
    expect(path.far.size).toBe(80 - 33);
    for (const pair of path.far.keys()) path.far.set(pair, 7);
    expect(found(99)).toBe(7);
    expect(path.far.size).toBe(99 - 33);
  });

  it("record that there is none as well, and the nearest of several", () => {
    const chain = [spawn(world)];
    for (let at = 1; at < 100; at++) chain.push(spawn(world, ChildOf(chain[at - 1]!)));
    const before = pathTo(ChildOf, Warm);

    expect([99, 98, 50].map((at) => sourceAbove(world, indexOf(chain[at]!), before))).toEqual([0, 0, 0]);
    add(world, chain[30]!, Warm);
    add(world, chain[60]!, Warm);
    const again = pathTo(ChildOf, Warm);
    const wanted = [...chain.keys()].map((at) => (at > 60 ? chain[60]! : at > 30 ? chain[30]! : 0));
    const right = wanted.map((one) => indexOf(one));
    expect(chain.map((one) => sourceAbove(world, indexOf(one), again))).toEqual(right);
    expect(chain.toReversed().map((one) => sourceAbove(world, indexOf(one), again))).toEqual(
      right.toReversed(),
    );
    expect(chain.map((one) => above(one, ChildOf, Warm))).toEqual(right);
  });
});

describe("the longest path up", () => {
  it("counts steps to the farthest root, and caches what it passed", () => {
    const a = spawn(world);
    const b = spawn(world, Needs(a));
    const c = spawn(world, Needs(a), Needs(b));
    const known = new Map<TableId, number>();

    expect(depthAlong(world, indexOf(c), Needs, known)).toBe(2);
    expect(known).toEqual(
      new Map([
        [tableAt(world, indexOf(a)), 0],
        [tableAt(world, indexOf(b)), 1],
        [tableAt(world, indexOf(c)), 2],
      ]),
    );
    expect(depthAlong(world, indexOf(a), Needs, new Map())).toBe(0);
  });

  it("reuses what is cached, and does not walk there again", () => {
    const a = spawn(world);
    const b = spawn(world, Needs(a));

    expect(depthAlong(world, indexOf(b), Needs, new Map([[tableAt(world, indexOf(a)), 7]]))).toBe(8);
  });

  it("is the cached depth, along an exclusive relation", () => {
    const root = spawn(world);
    const ship = spawn(world, Parent(root));
    const seat = spawn(world, ChildOf(ship));

    expect([root, ship, seat].map((one) => depthAlong(world, indexOf(one), ChildOf, new Map()))).toEqual([
      0, 1, 2,
    ]);
  });
});
