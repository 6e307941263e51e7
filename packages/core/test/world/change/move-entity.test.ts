import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../../src/debug.ts";
import { add, ChildOf, type Entity, get, release, remove, spawn, spawnMany } from "../../../src/index.ts";
import { Any, Frozen, Likes, Position } from "../../definitions.ts";
import { createDice } from "../../dice.ts";
import { setWorld, world } from "../../fixture.ts";
import { indexOf, rowOf } from "../../handles.ts";
import { ENTITY_CHANGED, journaled, ROW_FILLED } from "../../journal.ts";

beforeEach(setWorld);

describe("an entity that moves", () => {
  it("leaves its row to the last one of its archetype, whose record follows (I1)", () => {
    const crowd = Array.from({ length: 4 }, (_, at) => spawn(world, Position({ x: at })));

    add(world, crowd[1]!, Frozen);

    expect(crowd.map((one) => rowOf(world, one))).toEqual([0, 0, 2, 1]);
    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual([0, 1, 2, 3]);
    expect(verify(world)).toEqual([]);
  });

  it("and the entity that fills its row are recorded, while there is a reader", () => {
    const [mover, bystander, filler] = spawnMany(world, 3, Position) as [Entity, Entity, Entity];

    const entries = journaled(world, () => {
      add(world, mover, Frozen);
      release(world, bystander);
    });

    expect(entries).toEqual([
      [ROW_FILLED, indexOf(filler)],
      [ENTITY_CHANGED, indexOf(mover)],
      [ENTITY_CHANGED, indexOf(bystander)],
    ]);
  });

  it("to another parent stays in its row, and no other one moves", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const crowd = spawnMany(world, 4, Position({ x: 7 }), ChildOf(ship));
    const deck = spawn(world, ChildOf(crowd[1]!));

    const entries = journaled(world, () => {
      for (const one of crowd.slice(1, 3)) add(world, one, ChildOf(dock));
    });

    expect(crowd.map((one) => rowOf(world, one))).toEqual([0, 1, 2, 3]);
    expect(rowOf(world, deck)).toBe(0);
    expect(entries).toEqual(crowd.slice(1, 3).map((one) => [ENTITY_CHANGED, indexOf(one)]));
    expect(verify(world)).toEqual([]);
  });

  it("keeps all values right under random moves between many tables (I1)", () => {
    const dice = createDice(77);
    const parents = spawnMany(world, 40);
    const crowd = Array.from({ length: 400 }, (_, at) => spawn(world, Position({ x: at })));

    for (let step = 0; step < 10_000; step++) {
      const [one, target] = [dice.pick(crowd), dice.pick(parents)];
      const choice = dice.below(4);
      if (choice < 2) add(world, one, ChildOf(target));
      else if (choice === 2) add(world, one, Likes(target));
      else remove(world, one, dice.pick([ChildOf(Any), Likes(Any)]));
    }

    expect(crowd.map((one) => get(world, one, Position)!.x)).toEqual(crowd.map((_, at) => at));
    expect(verify(world)).toEqual([]);
  });
});
