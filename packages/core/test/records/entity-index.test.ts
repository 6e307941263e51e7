import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/base/growing.ts";
import { INDEX_MASK, LAST_GENERATION, LAST_ORDER } from "../../src/base/limits.ts";
import { generationOf, handleOf } from "../../src/id/entity.ts";
import {
  EntityIndex,
  giveIndex,
  handleAt,
  hasRoomFor,
  isLiving,
  renewOrder,
  sortByOrder,
  takeIndex,
} from "../../src/records/entity-index.ts";
import { createDice } from "../dice.ts";

const TABLE = 1;
/** An index is reused only while more than this many are free. */
const FREE_BEFORE_REUSE = 4096;

/** Allocates an index and gives it a table, as its caller must. */
function allocate(entities: EntityIndex): number {
  const index = takeIndex(entities);
  entities.table[index] = TABLE;
  return index;
}

function allocateMany(entities: EntityIndex, count: number): number[] {
  return Array.from({ length: count }, () => allocate(entities));
}

/** An index that was used up to the last one; so many of them are free. */
function exhausted(free: number): EntityIndex {
  const entities = new EntityIndex(1);
  for (const index of allocateMany(entities, free)) giveIndex(entities, index);
  entities.length = INDEX_MASK + 1;
  return entities;
}

describe("spawns", () => {
  it("allocate indexes from 1 on, so that 0 can mean none", () => {
    const entities = new EntityIndex(1);

    expect(allocateMany(entities, 3)).toEqual([1, 2, 3]);
    expect(entities.alive).toBe(3);
  });

  it("start with the generation of the world", () => {
    const entities = new EntityIndex(70_000);

    expect(generationOf(handleAt(entities, allocate(entities)))).toBe(70_000);
  });

  it("are refused as capacity once 16,777,215 entities are alive", () => {
    const entities = exhausted(0);
    const { alive } = entities;

    expect(() => takeIndex(entities)).toThrow(expect.objectContaining({ code: "capacity" }));

    expect([entities.alive, entities.length]).toEqual([alive, INDEX_MASK + 1]);
  });

  it("reuse even the last free index when no other is left", () => {
    const entities = exhausted(2);

    expect([takeIndex(entities), takeIndex(entities)]).toEqual([1, 2]);
    expect(() => takeIndex(entities)).toThrow(expect.objectContaining({ code: "capacity" }));
  });

  it("know in advance how many more there is room for", () => {
    const entities = exhausted(5);

    expect([hasRoomFor(entities, 5), hasRoomFor(entities, 6)]).toEqual([true, false]);
    expect(hasRoomFor(new EntityIndex(1), INDEX_MASK)).toBe(true);
    expect(hasRoomFor(new EntityIndex(1), INDEX_MASK + 1)).toBe(false);
  });
});

describe("a handle", () => {
  it("is alive from spawn to destruction", () => {
    const entities = new EntityIndex(1);
    const handle = handleAt(entities, allocate(entities));
    const lives = [isLiving(entities, handle)];

    giveIndex(entities, 1);
    lives.push(isLiving(entities, handle));

    expect(lives).toEqual([true, false]);
    expect(entities.alive).toBe(0);
  });

  it("is not alive while its index is free", () => {
    const entities = new EntityIndex(1);
    allocate(entities);
    giveIndex(entities, 1);

    expect(isLiving(entities, handleAt(entities, 1))).toBe(false);
  });

  it.each([0, -1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 24) - 1])(
    "is not what %d is",
    (number) => {
      const entities = new EntityIndex(1);
      allocateMany(entities, 10);

      expect(isLiving(entities, number)).toBe(false);
    },
  );

  it("of a later index is not alive before that index is allocated", () => {
    const entities = new EntityIndex(1);
    allocate(entities);

    expect(isLiving(entities, handleOf(2, 1))).toBe(false);
  });

  it("never becomes valid again, however often its index is reused", () => {
    const entities = new EntityIndex(1);
    const dice = createDice(8);
    const living: number[] = [];
    const destroyed: number[] = [];

    for (let step = 0; step < 60_000; step++) {
      if (living.length > 50 || (living.length > 0 && dice.chance(0.5))) {
        const handle = living.splice(dice.below(living.length), 1)[0]!;
        giveIndex(entities, handle & INDEX_MASK);
        destroyed.push(handle);
      } else living.push(handleAt(entities, allocate(entities)));
    }

    expect(destroyed.filter((handle) => isLiving(entities, handle))).toEqual([]);
    expect(living.every((handle) => isLiving(entities, handle))).toBe(true);
    expect(new Set([...destroyed, ...living]).size).toBe(destroyed.length + living.length);
    expect(destroyed.some((handle) => generationOf(handle) > 3)).toBe(true);
  });
});

describe("a value that is not a number", () => {
  it.each<[string, (handle: number) => unknown]>([
    ["a text", (handle) => String(handle)],
    ["a list", (handle) => [handle]],
    ["an object that would be the number", (handle) => ({ valueOf: () => handle })],
    ["a boxed number", (handle) => Object(handle)],
    ["a bigint", (handle) => BigInt(handle)],
    ["a symbol", () => Symbol("s")],
    ["an object without prototype", () => Object.create(null)],
    ["undefined", () => undefined],
  ])("is not a handle: %s", (_, make) => {
    const entities = new EntityIndex(1);
    const index = takeIndex(entities);
    entities.table[index] = 1;
    const handle = handleAt(entities, index);

    expect([isLiving(entities, handle), isLiving(entities, make(handle) as number)]).toEqual([true, false]);
  });
});

describe("an index", () => {
  it("is not reused while 4,096 or fewer are free", () => {
    const entities = new EntityIndex(1);
    for (const index of allocateMany(entities, FREE_BEFORE_REUSE)) giveIndex(entities, index);

    expect(allocate(entities)).toBe(FREE_BEFORE_REUSE + 1);
  });

  it("is reused once more are free, the oldest first", () => {
    const entities = new EntityIndex(1);
    const indexes = allocateMany(entities, FREE_BEFORE_REUSE + 3);
    for (const index of indexes.toReversed()) giveIndex(entities, index);

    const again = allocateMany(entities, 4);

    expect(again.slice(0, 3)).toEqual([FREE_BEFORE_REUSE + 3, FREE_BEFORE_REUSE + 2, FREE_BEFORE_REUSE + 1]);
    expect(again[3]).toBe(FREE_BEFORE_REUSE + 4);
  });

  it("comes back with the next generation", () => {
    const entities = new EntityIndex(5);
    for (const index of allocateMany(entities, FREE_BEFORE_REUSE + 1)) giveIndex(entities, index);

    expect(handleAt(entities, allocate(entities))).toBe(handleOf(1, 6));
  });

  it("is retired once it is freed with the last generation, and its handle stays stale", () => {
    const entities = new EntityIndex(1);
    const [first] = allocateMany(entities, FREE_BEFORE_REUSE + 3) as [number];
    entities.handles[first] = handleOf(first, LAST_GENERATION);
    const last = handleAt(entities, first);
    expect(isLiving(entities, last)).toBe(true);

    for (let index = 1; index <= FREE_BEFORE_REUSE + 3; index++) giveIndex(entities, index);
    const reused = allocateMany(entities, 2);

    expect(reused).toEqual([2, 3]);
    expect(entities.free).toBe(FREE_BEFORE_REUSE);
    expect([isLiving(entities, last), isLiving(entities, handleAt(entities, first))]).toEqual([false, false]);
  });

  it("takes no more memory while entities are spawned and destroyed", () => {
    const entities = new EntityIndex(1);
    const cycle = (): void => {
      for (const index of allocateMany(entities, 100)) giveIndex(entities, index);
    };
    for (let round = 0; round < 100; round++) cycle();
    const bytes = bytesIn(entities);

    for (let round = 0; round < 1000; round++) cycle();

    expect(bytesIn(entities)).toBe(bytes);
  });
});

describe("sibling order", () => {
  it("grows with each attach", () => {
    const entities = new EntityIndex(1);
    const indexes = allocateMany(entities, 3);
    for (const index of indexes) renewOrder(entities, index);

    renewOrder(entities, 1);

    expect(indexes.toSorted((one, other) => entities.order[one]! - entities.order[other]!)).toEqual([
      2, 3, 1,
    ]);
  });

  it("is renumbered when its numbers run out, and stays the same", () => {
    const entities = new EntityIndex(1);
    const indexes = allocateMany(entities, 6);
    for (const index of [4, 2, 6, 1, 3, 5]) renewOrder(entities, index);
    giveIndex(entities, 6);
    entities.order[5] = LAST_ORDER;
    entities.lastOrder = LAST_ORDER;

    renewOrder(entities, 2);

    const living = indexes.filter((index) => index !== 6);
    const inOrder = living.toSorted((one, other) => entities.order[one]! - entities.order[other]!);
    expect(inOrder).toEqual([4, 1, 3, 5, 2]);
    expect(new Set(living.map((index) => entities.order[index])).size).toBe(5);
    expect(entities.lastOrder).toBe(6);
  });

  it("continues from the new numbers", () => {
    const entities = new EntityIndex(1);
    allocateMany(entities, 2);
    entities.lastOrder = LAST_ORDER - 1;
    renewOrder(entities, 1);

    renewOrder(entities, 2);
    renewOrder(entities, 1);

    expect([entities.order[2]! < entities.order[1]!, entities.lastOrder < 10]).toEqual([true, true]);
  });
});

describe("sortByOrder", () => {
  it("sorts indexes by their order numbers, in place", () => {
    const indexes = Int32Array.of(1, 2, 3, 4);
    const order = Uint32Array.of(0, 7, 2 ** 32 - 1, 1, 5);

    expect(sortByOrder(indexes, order)).toBe(indexes);

    expect([...indexes]).toEqual([3, 4, 1, 2]);
  });
});
