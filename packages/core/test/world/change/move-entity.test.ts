import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import { add, ChildOf, type Entity, get, release, spawn, spawnMany } from "../../../src/index.ts";
import { Frozen, Position } from "../../definitions.ts";
import { createDice } from "../../dice.ts";
import { setWorld, world } from "../../fixture.ts";
import { indexOf, rowOf } from "../../handles.ts";
import { journaled, TARGET_MOVED } from "../../journal.ts";

beforeEach(setWorld);

describe("an entity that moves", () => {
  it("leaves its row to the last one of its table, whose record follows (I1)", () => {
    const crowd = Array.from({ length: 4 }, (_, at) => spawn(world, Position({ x: at })));

    add(world, crowd[1]!, Frozen);

    expect(crowd.map((one) => rowOf(world, one))).toEqual([0, 0, 2, 1]);
    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual([0, 1, 2, 3]);
    expect(verify(world)).toEqual([]);
  });

  it("and the entity that fills its row are recorded if they are targets, while there is a reader", () => {
    const [mover, bystander, filler] = spawnMany(world, 3, Position) as [Entity, Entity, Entity];
    for (const target of [mover, filler]) spawn(world, ChildOf(target));

    const entries = journaled(world, () => {
      add(world, mover, Frozen);
      release(world, bystander);
    });

    const moved = entries.filter(([kind]) => kind === TARGET_MOVED).map(([, number]) => number);
    expect(moved.slice(0, 2).toSorted()).toEqual([indexOf(mover), indexOf(filler)].toSorted());
  });

  it("keeps all values right under random moves between many tables (I1)", () => {
    const dice = createDice(77);
    const parents = spawnMany(world, 40);
    const crowd = Array.from({ length: 400 }, (_, at) => spawn(world, Position({ x: at })));

    for (let step = 0; step < 10_000; step++) add(world, dice.pick(crowd), ChildOf(dice.pick(parents)));

    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual(crowd.map((_, at) => at));
    expect(verify(world)).toEqual([]);
  });
});
