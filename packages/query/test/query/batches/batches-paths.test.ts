import { Any, observe, pack } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { forgetBatches } from "../../../src/query/batches/batches.ts";
import { keyOfTraversals } from "../../../src/term/plan.ts";
import { currentBatches } from "../../current-batches.ts";
import { seeds } from "../../random/dice.ts";
import {
  createPathWorld,
  FOLLOWED,
  filedRows,
  manyLists,
  Size,
  stepPaths,
  Tired,
  wrongPaths,
} from "../../random/path-world.ts";

describe("in a random world with several trees over the same entities", () => {
  it.each(
    seeds(1, 4).flatMap((seed) => [
      { seed, most: 12, byValue: 0.5 },
      { seed: seed + 1000, most: 25, byValue: 0 },
      { seed: seed + 2000, most: 25, byValue: 1 },
      { seed: seed + 3000, most: 60, byValue: 0.5 },
    ]),
  )(
    "all lists of traversals equal a naive search, after every step: $seed (I12)",
    ({ seed, most, byValue }) => {
      const own = createPathWorld(seed, most, byValue);
      for (let at = 0; at < 10; at++) stepPaths(own);
      const lists = manyLists(own);
      const wrong: string[] = [];

      for (let at = 0; at < 45 && wrong.length === 0; at++) {
        stepPaths(own);
        lists.forEach((list, number) => {
          wrong.push(...wrongPaths(own, list).map((text) => `${at}, list ${number}: ${text}`));
        });
        wrong.push(...verify(own.world));
      }

      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );

  it.each(seeds(11, 4))(
    "lists that are read now and then follow, also those with new targets, seed %i (I12)",
    (seed) => {
      const own = createPathWorld(seed, 80);
      for (let at = 0; at < 10; at++) stepPaths(own);
      let lists = manyLists(own);
      const wrong: string[] = [];

      for (let at = 0; at < 250 && wrong.length === 0; at++) {
        stepPaths(own);
        const number = own.dice.below(lists.length * 6);
        if (number < lists.length)
          wrong.push(...wrongPaths(own, lists[number]!).map((text) => `${at}, list ${number}: ${text}`));
        if (at % 50 !== 49) continue;
        for (const list of lists) forgetBatches(own.world, keyOfTraversals(list));
        lists = manyLists(own);
      }

      expect(wrong.slice(0, 5)).toEqual([]);
      expect(verify(own.world)).toEqual([]);
    },
  );

  it.each(seeds(51, 4))("they follow also when observers read in the middle of changes, seed %i", (seed) => {
    const own = createPathWorld(seed, 40);
    const { world } = own;
    for (let at = 0; at < 10; at++) stepPaths(own);
    const lists = manyLists(own);
    let reads = 0;
    for (const what of [Tired, Size, ...FOLLOWED.map((relation) => relation(Any))]) {
      observe(world, { added: what, removed: what }, () => {
        reads++;
        currentBatches(world, own.dice.pick(lists));
      });
    }
    const wrong: string[] = [];

    for (let at = 0; at < 60 && wrong.length === 0; at++) {
      stepPaths(own);
      lists.forEach((list, number) => {
        wrong.push(...wrongPaths(own, list).map((text) => `${at}, list ${number}: ${text}`));
      });
    }

    expect([wrong.slice(0, 5), reads > 50]).toEqual([[], true]);
  });

  it.each(seeds(21, 2))(
    "they are right after thousands of unread changes, and after a pack, seed %i",
    (seed) => {
      const own = createPathWorld(seed, 60);
      for (let at = 0; at < 30; at++) stepPaths(own);
      const lists = manyLists(own);
      const wrong: string[] = [];

      for (let round = 0; round < 4; round++) {
        for (const list of lists) wrong.push(...wrongPaths(own, list));
        for (let at = 0; at < 400; at++) stepPaths(own);
        if (round % 2 === 0) pack(own.world);
      }

      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );

  it.each(seeds(31, 3))("what was followed equals what is filed again, seed %i", (seed) => {
    const own = createPathWorld(seed, 80);
    const { world } = own;
    for (let at = 0; at < 30; at++) stepPaths(own);
    const lists = manyLists(own);
    const kinds = (): string[] => lists.map((list) => filedRows(world, list).map(String).sort().join("; "));
    const differing: number[] = [];

    for (let round = 0; round < 10; round++) {
      for (let at = 0; at < 10; at++) stepPaths(own);
      const followed = kinds();
      for (const cursor of world.graph.journal.cursors) cursor.lost = true;
      if (String(followed) !== String(kinds())) differing.push(round);
    }

    expect(differing).toEqual([]);
  });

  it.each(seeds(41, 2))("the version stays only while every entity keeps its place, seed %i", (seed) => {
    const own = createPathWorld(seed, 40);
    for (let at = 0; at < 30; at++) stepPaths(own);
    const lists = manyLists(own);
    const last = lists.map(() => ({ version: -1, rows: "" }));
    const wrong: string[] = [];
    let same = 0;

    for (let at = 0; at < 75; at++) {
      stepPaths(own);
      lists.forEach((list, number) => {
        const { version } = currentBatches(own.world, list);
        const rows = String(filedRows(own.world, list));
        const isSame = version === last[number]!.version;
        if (isSame) same++;
        if (isSame && rows !== last[number]!.rows) wrong.push(`${at}: list ${number}`);
        last[number] = { version, rows };
      });
    }

    expect([wrong, same > 0]).toEqual([[], true]);
  });
});
