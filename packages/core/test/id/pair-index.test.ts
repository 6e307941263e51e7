import { describe, expect, it } from "vitest";
import { bytesIn } from "../../src/base/growing.ts";
import {
  Is,
  PAIR_DELETES,
  PAIR_EXCLUSIVE,
  PAIR_HAS_DATA,
  PAIR_INTERNAL,
  PAIR_KEEPS_DEPTH,
  PAIR_REFUSES,
} from "../../src/id/definition.ts";
import { addPair, dropPair, findPair, firstPairOf, isTarget, PairIndex } from "../../src/id/pair-index.ts";
import { type Definition, f32, relation } from "../../src/index.ts";
import { Likes, Owns } from "../definitions.ts";
import { createDice } from "../dice.ts";

const relations: readonly Definition[] = [Likes, Owns, relation("Third"), relation("Fourth")];

function pairsOf(pairs: PairIndex, target: number): number[] {
  const found: number[] = [];
  for (let pair = firstPairOf(pairs, target); pair !== 0; pair = pairs.nextOfTarget[pair]!) found.push(pair);
  return found;
}

describe("the pair index", () => {
  it("has no pair at first", () => {
    const pairs = new PairIndex();

    expect(findPair(pairs, Likes.id, 5)).toBe(0);
    expect(isTarget(pairs, 5)).toBe(false);
    expect(firstPairOf(pairs, 1_000_000)).toBe(0);
  });

  it("returns small numbers from 1 on, one for each relation and target", () => {
    const pairs = new PairIndex();

    const numbers = [addPair(pairs, Likes, 5), addPair(pairs, Owns, 5), addPair(pairs, Likes, 6)];

    expect(numbers).toEqual([1, 2, 3]);
    expect(pairs.alive).toBe(3);
  });

  it("finds a pair by its two halves", () => {
    const pairs = new PairIndex();
    const likes = addPair(pairs, Likes, 5);
    const owns = addPair(pairs, Owns, 5);

    expect(findPair(pairs, Likes.id, 5)).toBe(likes);
    expect(findPair(pairs, Owns.id, 5)).toBe(owns);
    expect(findPair(pairs, Owns.id, 6)).toBe(0);
    expect([pairs.relation[owns], pairs.target[owns]]).toEqual([Owns.id, 5]);
  });

  it("lists the pairs of a target", () => {
    const pairs = new PairIndex();
    const mine = [addPair(pairs, Likes, 5), addPair(pairs, Owns, 5)];
    addPair(pairs, Likes, 6);

    expect(pairsOf(pairs, 5).toSorted()).toEqual(mine);
    expect(isTarget(pairs, 5)).toBe(true);
  });

  it("removes a freed pair, and no other of that target", () => {
    const pairs = new PairIndex();
    const [first, middle, last] = relations.map((one) => addPair(pairs, one, 5)) as [number, number, number];

    dropPair(pairs, middle);

    expect(findPair(pairs, relations[1]!.id, 5)).toBe(0);
    expect(findPair(pairs, relations[0]!.id, 5)).toBe(first);
    expect(findPair(pairs, relations[2]!.id, 5)).toBe(last);
    expect([pairs.relation[middle], pairs.alive]).toEqual([0, 3]);
  });

  it("does not count an entity as a target once its last pair is freed", () => {
    const pairs = new PairIndex();
    const pair = addPair(pairs, Likes, 5);

    dropPair(pairs, pair);

    expect(isTarget(pairs, 5)).toBe(false);
  });

  it("reuses freed numbers before it makes new ones", () => {
    const pairs = new PairIndex();
    const numbers = [1, 2, 3].map((target) => addPair(pairs, Likes, target));
    dropPair(pairs, numbers[0]!);
    dropPair(pairs, numbers[2]!);

    const again = [addPair(pairs, Owns, 7), addPair(pairs, Owns, 8)];

    expect(again.toSorted()).toEqual([numbers[0], numbers[2]]);
    expect(addPair(pairs, Owns, 9)).toBe(4);
  });

  it("records the traits of a relation for each of its pairs", () => {
    const pairs = new PairIndex();
    const traitsOf = (one: Definition): number => {
      const pair = addPair(pairs, one, one.id);
      return pairs.traits[pair]!;
    };

    expect(traitsOf(Likes)).toBe(0);
    expect(traitsOf(Owns)).toBe(PAIR_DELETES);
    expect(traitsOf(relation("Guards", { onTargetDestroy: "refuse" }))).toBe(PAIR_REFUSES);
    expect(traitsOf(relation("Docked", { exclusive: true }))).toBe(PAIR_EXCLUSIVE);
    expect(traitsOf(relation("Follows", { acyclic: true }))).toBe(PAIR_KEEPS_DEPTH + PAIR_EXCLUSIVE);
    expect(traitsOf(relation("Depends", { acyclic: true, exclusive: false }))).toBe(0);
    expect(traitsOf(relation("Ranks", { acyclic: true, traversable: false }))).toBe(PAIR_EXCLUSIVE);
    expect(traitsOf(Is)).toBe(PAIR_INTERNAL);
    expect(traitsOf(relation("Damage", { fields: { amount: f32 } }))).toBe(PAIR_HAS_DATA);
  });

  it("takes no more memory while pairs are added and freed", () => {
    const pairs = new PairIndex();
    const cycle = (): void => {
      const numbers = Array.from({ length: 50 }, (_, at) => addPair(pairs, Likes, at + 1));
      for (const pair of numbers) dropPair(pairs, pair);
    };
    cycle();
    const bytes = bytesIn(pairs);

    for (let round = 0; round < 200; round++) cycle();

    expect(bytesIn(pairs)).toBe(bytes);
    expect(pairs.alive).toBe(0);
  });

  it("does the same as a plain map under random changes", () => {
    const pairs = new PairIndex();
    const twin = new Map<string, number>();
    const dice = createDice(3);

    for (let step = 0; step < 20_000; step++) {
      const one = dice.pick(relations);
      const target = 1 + dice.below(200);
      const key = `${one.id} ${target}`;
      const known = twin.get(key);
      if (known === undefined) twin.set(key, addPair(pairs, one, target));
      else {
        dropPair(pairs, known);
        twin.delete(key);
      }
    }

    const found = new Map<string, number>();
    for (const one of relations) {
      for (let target = 1; target <= 200; target++) {
        const pair = findPair(pairs, one.id, target);
        if (pair !== 0) found.set(`${one.id} ${target}`, pair);
      }
    }
    expect(found).toEqual(new Map([...found.keys()].map((key) => [key, twin.get(key)!])));
    expect(found.size).toBe(twin.size);
    expect(new Set(found.values()).size).toBe(pairs.alive);
  });
});
