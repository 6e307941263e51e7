import { describe, expect, it } from "vitest";
import { growAll } from "../../src/base/growing.ts";
import { EntityIndex } from "../../src/records/entity-index.ts";
import {
  changeStorage,
  closeFamily,
  countIn,
  endOf,
  FAMILY,
  Families,
  firstIn,
  joinBefore,
  joinFamily,
  KEPT_ROOM,
  leaveFamily,
  memberAt,
  membersOf,
  moveInFamily,
  nextIn,
  packFamilies,
  ROOTS,
  reorderFamily,
  reserveFamily,
  sliceOf,
  startOf,
  valueCountOf,
} from "../../src/records/families.ts";
import { createDice, type Dice, seeds } from "../dice.ts";

const PAIRS = 6;
const PAIR = 3;

interface Lists {
  readonly families: Families;
  readonly entities: EntityIndex;
}

function createLists(entities = 64): Lists {
  const lists = { families: new Families(), entities: new EntityIndex(1) };
  growAll(lists.entities, entities + 1);
  lists.families.records = new Int32Array(PAIRS * FAMILY);
  return lists;
}

/** One family of entities 1 to `count`, in this order. */
function listOf(count: number): Lists {
  const lists = createLists(count + 1000);
  for (let index = 1; index <= count; index++) joinFamily(lists.families, lists.entities, PAIR, index, false);
  return lists;
}

function read({ families }: Lists): number[] {
  return membersOf(families, PAIR);
}

/** Counts how often numbers of lists are read or written. */
function countSteps({ families }: Lists): () => number {
  let steps = 0;
  const counted = (pool: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> =>
    new Proxy(pool, {
      get: (list, key) => {
        const value: unknown = Reflect.get(list, key);
        if (typeof key === "string" && key !== "constructor") steps++;
        return value;
      },
      set: (list, key, value) => {
        steps++;
        return Reflect.set(list, key, value);
      },
    });
  families.pool = counted(families.pool);
  return () => steps;
}

describe("a family", () => {
  it("is empty at first", () => {
    const { families } = createLists();

    expect([countIn(families, PAIR), valueCountOf(families, PAIR), firstIn(families, PAIR)]).toEqual([
      0, 0, 0,
    ]);
    expect([membersOf(families, PAIR), memberAt(families, new EntityIndex(1), PAIR, 0, 0)]).toEqual([[], 0]);
  });

  it("lists entities in the order of joining, and knows the place of each", () => {
    const lists = listOf(5);

    expect(read(lists)).toEqual([1, 2, 3, 4, 5]);
    expect([...lists.entities.place.subarray(1, 6)]).toEqual([0, 1, 2, 3, 4]);
    expect([...lists.entities.family.subarray(1, 7)]).toEqual([PAIR, PAIR, PAIR, PAIR, PAIR, 0]);
  });

  it("closes up behind those that leave", () => {
    const lists = listOf(5);

    for (const index of [1, 3, 5]) leaveFamily(lists.families, lists.entities, index, false);

    expect(read(lists)).toEqual([2, 4]);
    expect([nextIn(lists.families, lists.entities, 2), nextIn(lists.families, lists.entities, 4)]).toEqual([
      4, 0,
    ]);
    expect(lists.entities.family[3]).toBe(0);
  });

  it("puts one before another, or at the end", () => {
    const lists = listOf(3);
    const { families, entities } = lists;

    joinBefore(families, entities, PAIR, 10, 1, false);
    joinBefore(families, entities, PAIR, 11, 3, true);
    joinBefore(families, entities, PAIR, 12, 0, false);

    expect(read(lists)).toEqual([10, 1, 2, 11, 3, 12]);
    expect([countIn(families, PAIR), valueCountOf(families, PAIR)]).toEqual([6, 1]);
  });

  it("moves one within it, and returns whether that changed anything", () => {
    const lists = listOf(3);
    const { families, entities } = lists;

    const changed = [
      moveInFamily(families, entities, 3, 1),
      moveInFamily(families, entities, 3, 1),
      moveInFamily(families, entities, 3, 3),
      moveInFamily(families, entities, 2, 0),
      moveInFamily(families, entities, 1, 0),
    ];

    expect(changed).toEqual([true, false, false, false, true]);
    expect(read(lists)).toEqual([3, 2, 1]);
    expect(countIn(families, PAIR)).toBe(3);
  });

  it("is spread without what its slice held before", () => {
    const lists = listOf(200);
    const { families, entities } = lists;
    for (let index = 20; index <= 40; index++) leaveFamily(families, entities, index, false);

    moveInFamily(families, entities, 195, 110); // no place is free near that of 110

    const others = Array.from({ length: 200 }, (_, at) => at + 1).filter(
      (index) => index < 20 || (index > 40 && index !== 195),
    );
    const order = others.toSpliced(others.indexOf(110), 0, 195);
    expect(endOf(families, PAIR) - startOf(families, PAIR)).toBeGreaterThan(order.length);
    expect(read(lists)).toEqual(order);
    const { first } = sliceOf(families, PAIR);
    expect(order.map((index) => families.pool[first + entities.place[index]!])).toEqual(order);
  });

  it("keeps places over a change of storage", () => {
    const lists = listOf(3);

    changeStorage(lists.families, PAIR, true);
    changeStorage(lists.families, PAIR, true);
    changeStorage(lists.families, PAIR, false);

    expect([read(lists), valueCountOf(lists.families, PAIR)]).toEqual([[1, 2, 3], 1]);
  });

  it("does not take out an entity whose spawn is pending", () => {
    const lists = listOf(2);
    lists.entities.place[9] = -1;

    leaveFamily(lists.families, lists.entities, 9, false);

    expect([read(lists), countIn(lists.families, 0)]).toEqual([[1, 2], 0]);
  });

  it("keeps its slice when it is empty, until it is closed; then another family takes it", () => {
    const lists = listOf(500);
    const { families, entities } = lists;
    for (let index = 501; index <= 520; index++) joinFamily(families, entities, 1, index, false);
    const { first, room } = sliceOf(families, PAIR);
    const { end } = families;

    for (let index = 1; index <= 500; index++) leaveFamily(families, entities, index, false);
    expect(sliceOf(families, PAIR)).toEqual({ first, room });
    closeFamily(families, PAIR);
    reserveFamily(families, entities, 2, 500);

    expect([sliceOf(families, 2).first, families.end]).toEqual([first, end]);
  });

  it("of the roots frees its slice when it is empty and long", () => {
    const { families, entities } = createLists(600);
    for (let index = 1; index <= 500; index++) joinFamily(families, entities, ROOTS, index, false);

    for (let index = 1; index <= 500; index++) leaveFamily(families, entities, index, false);

    expect([sliceOf(families, ROOTS).room, families.end]).toEqual([0, 0]);
  });

  it("frees its slice when it is closed with all its entities", () => {
    const { families } = listOf(4);

    closeFamily(families, PAIR);

    expect([countIn(families, PAIR), sliceOf(families, PAIR).room, families.end]).toEqual([0, 0, 0]);
  });

  it("has room for what was reserved", () => {
    const lists = listOf(3);
    const { families, entities } = lists;

    reserveFamily(families, entities, PAIR, 900);
    const { pool } = families;
    const { room } = sliceOf(families, PAIR);
    for (let index = 4; index < 904; index++) joinFamily(families, entities, PAIR, index, false);

    expect(families.pool).toBe(pool);
    expect(sliceOf(families, PAIR).room).toBe(room);
    expect(read(lists)).toHaveLength(903);
  });

  it("is as it was when its list cannot grow", () => {
    const lists = listOf(4);
    const { families, entities } = lists;
    joinFamily(families, entities, 1, 9, false);
    const before = [
      { ...families, pool: [...families.pool], records: [...families.records] },
      [...entities.place],
    ];

    Object.defineProperty(families.pool, "constructor", {
      value: function refuse(): never {
        throw new RangeError("no memory");
      },
    });

    expect(() => reserveFamily(families, entities, PAIR, 1000)).toThrow(RangeError);

    expect([
      { ...families, pool: [...families.pool], records: [...families.records] },
      [...entities.place],
    ]).toEqual(before);
  });
});

describe("a family whose entities move to its end, again and again", () => {
  it("has no more holes than entities", () => {
    const lists = listOf(100);
    const { families, entities } = lists;
    const order = read(lists);
    const lengths: number[] = [];

    for (let turn = 0; turn < 1000; turn++) {
      const index = 2 + (turn % 99); // the first one stays, so that the list begins where it did
      moveInFamily(families, entities, index, 0);
      order.splice(order.indexOf(index), 1);
      order.push(index);
      lengths.push(endOf(families, PAIR) - startOf(families, PAIR));
    }

    expect(read(lists)).toEqual(order);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(2 * 100);
  });
});

describe("the steps of a long family are few", () => {
  const COUNT = 10_000;

  it("as a queue, and as a stack", () => {
    const lists = listOf(COUNT);
    const { families, entities } = lists;
    reserveFamily(families, entities, PAIR, 100);
    const steps = countSteps(lists);

    for (let round = 0; round < 2 * COUNT; round++) {
      const index = firstIn(families, PAIR);
      leaveFamily(families, entities, index, false);
      joinFamily(families, entities, PAIR, index, false);
    }
    expect(read(lists)).toEqual(
      [...listOf(COUNT).entities.row.subarray(0, COUNT).keys()].map((at) => at + 1),
    );
    const asQueue = steps();
    for (let round = 0; round < COUNT; round++) {
      leaveFamily(families, entities, COUNT, false);
      joinFamily(families, entities, PAIR, COUNT, false);
    }

    expect(asQueue).toBeLessThan(2 * COUNT * 12);
    expect(steps() - asQueue).toBeLessThan(COUNT * 8);
  });

  it.each<[string, (at: number, dice: Dice) => readonly [number, number]]>([
    ["at random places", (_, dice) => [1 + dice.below(COUNT), 1 + dice.below(COUNT)]],
    ["to one place", (at) => [1 + at, COUNT / 2]],
    ["to the front", (at) => [2 + at, 1]],
  ])("when entities move %s", (_, pick) => {
    const lists = listOf(COUNT);
    const dice = createDice(7);
    const steps = countSteps(lists);

    for (let at = 0; at < 2000; at++) {
      const [index, before] = pick(at, dice);
      moveInFamily(lists.families, lists.entities, index, before);
    }

    expect(steps()).toBeLessThan(2000 * 16 * Math.sqrt(COUNT));
    expect(new Set(read(lists)).size).toBe(COUNT);
  });

  it("when all leave, in any order", () => {
    for (const order of ["first", "last", "random"]) {
      const lists = listOf(COUNT);
      const dice = createDice(3);
      const left = read(lists);
      if (order === "last") left.reverse();
      if (order === "random") left.sort(() => dice.below(3) - 1);
      const steps = countSteps(lists);

      for (const index of left) leaveFamily(lists.families, lists.entities, index, false);

      expect(steps()).toBeLessThan(COUNT * 20);
      expect(countIn(lists.families, PAIR)).toBe(0);
    }
  });
});

/** Compares everything that can be read with the lists as plain arrays. */
function expectSame(
  lists: Lists,
  models: readonly (readonly number[])[],
  byValue: ReadonlySet<number>,
): void {
  const { families, entities } = lists;
  const claimed = new Set<number>();
  for (const [pair, model] of models.entries()) {
    const start = startOf(families, pair);
    const end = endOf(families, pair);
    const { first, room } = sliceOf(families, pair);
    expect(membersOf(families, pair)).toEqual(model);
    expect(countIn(families, pair)).toBe(model.length);
    expect(valueCountOf(families, pair)).toBe(model.filter((index) => byValue.has(index)).length);
    expect(firstIn(families, pair)).toBe(model[0] ?? 0);
    expect(model.map((index) => nextIn(families, entities, index))).toEqual(
      [...model.slice(1), 0].slice(0, model.length),
    );
    expect(model.map((index) => families.pool[first + entities.place[index]!])).toEqual(model);
    expect(model.every((index) => entities.family[index] === pair)).toBe(true);
    for (const except of [0, model[0] ?? 0, model[model.length >> 1] ?? 0]) {
      const others = model.filter((index) => index !== except);
      const found = [...others, 0].map((_, place) => memberAt(families, entities, pair, place, except));
      expect(found).toEqual([...others, 0]);
    }
    // Holes are bounded, and never at an end.
    expect(end - start - model.length).toBeLessThanOrEqual(Math.max(model.length, KEPT_ROOM));
    if (model.length > 0)
      expect([families.pool[start], families.pool[end - 1]]).toEqual([model[0], model.at(-1)]);
    // Slices never overlap.
    for (let at = first; at < first + room; at++) {
      expect(claimed.has(at)).toBe(false);
      claimed.add(at);
    }
    expect(first + room).toBeLessThanOrEqual(families.end);
  }
}

it.each(seeds(1, 8))("random families are as plain arrays, seed %i", (seed) => {
  const dice = createDice(seed);
  const size = dice.pick([12, 60, 400]);
  const lists = createLists(size);
  const { families, entities } = lists;
  const models: number[][] = Array.from({ length: PAIRS }, () => []);
  const byValue = new Set<number>();
  const pairOf = new Map<number, number>();
  const place = (pair: number, index: number, before: number): void => {
    const model = models[pair]!;
    model.splice(before === 0 ? model.length : model.indexOf(before), 0, index);
  };
  const leave = (index: number): void => {
    const model = models[pairOf.get(index)!]!;
    leaveFamily(families, entities, index, byValue.has(index));
    model.splice(model.indexOf(index), 1);
    pairOf.delete(index);
    byValue.delete(index);
  };

  for (let step = 0; step < 3000; step++) {
    const index = 1 + dice.below(size);
    const pair = pairOf.get(index);
    if (pair === undefined) {
      const to = dice.chance(0.7) ? PAIR : dice.below(PAIRS);
      const isByValue = to !== 0 && dice.chance(0.4);
      const before = dice.chance(0.4) ? (models[to]![dice.below(models[to]!.length + 1)] ?? 0) : 0;
      if (before === 0 && dice.chance(0.7)) joinFamily(families, entities, to, index, isByValue);
      else joinBefore(families, entities, to, index, before, isByValue);
      place(to, index, before);
      pairOf.set(index, to);
      if (isByValue) byValue.add(index);
    } else if (dice.chance(0.35)) {
      const model = models[pair]!;
      const before = model[dice.below(model.length + 1)] ?? 0;
      const isThere = before === index || (model[model.indexOf(index) + 1] ?? 0) === before;
      expect(moveInFamily(families, entities, index, before)).toBe(!isThere);
      if (!isThere) {
        model.splice(model.indexOf(index), 1);
        place(pair, index, before);
      }
    } else if (dice.chance(0.5)) leave(index);
    else if (pair !== 0) {
      const isByValue = !byValue.has(index);
      changeStorage(families, pair, isByValue);
      byValue[isByValue ? "add" : "delete"](index);
    }
    if (dice.chance(0.01)) {
      models[PAIR]!.sort(() => dice.below(3) - 1);
      reorderFamily(families, entities, PAIR, models[PAIR]!);
    }
    if (dice.chance(0.01)) reserveFamily(families, entities, dice.below(PAIRS), dice.below(100));
    if (dice.chance(0.005)) for (const one of [...models[PAIR]!]) if (dice.chance(0.9)) leave(one);
    if (dice.chance(0.005)) {
      packFamilies(families, entities, PAIRS);
      expect(families.pool).toHaveLength(families.end);
    }
    if (step % 20 === 0) expectSame(lists, models, byValue);
  }
  expectSame(lists, models, byValue);
});
