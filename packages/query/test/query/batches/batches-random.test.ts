import { pack } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { wrongBatches } from "../../random/cascades.ts";
import { seeds } from "../../random/dice.ts";
import { createTwin, Harms, Likes, Local, Owns, Placed, step, strangersIn } from "../../random/twin.ts";

describe("in a random world", () => {
  it.each([
    [1, { most: 40, destroy: 0.05 }],
    [2, { most: 120, destroy: 0.02, pack: 0 }],
    [3, { most: 250, destroy: 0.01 }],
    [4, { most: 100, destroy: 0.1, pack: 0.05 }],
    [5, { most: 60, destroy: 0.03, pair: 0.3, links: [Likes, Harms, Owns] }],
    [6, { most: 12, destroy: 0.02 }],
    [7, { most: 300, litter: 90, destroy: 0.04, share: 0.6 }],
  ])(
    "two components' batches, iterated now and then, equal a naive search, seed %i (I12)",
    (seed, habits) => {
      const twin = createTwin(seed, habits);
      const wrong: string[] = [];

      for (let at = 0; at < 400 && wrong.length === 0; at++) {
        step(twin);
        if (twin.dice.chance(0.12)) wrong.push(...wrongBatches(twin, Placed).map((text) => `${at}: ${text}`));
        if (twin.dice.chance(0.03)) wrong.push(...wrongBatches(twin, Local).map((text) => `${at}: ${text}`));
        if (at % 200 === 0) wrong.push(...verify(twin.world), ...strangersIn(twin).map(String));
      }

      expect(wrong.slice(0, 5)).toEqual([]);
      expect(verify(twin.world)).toEqual([]);
    },
  );

  it.each(seeds(11, 2))("an iteration after thousands of unread changes is right, seed %i (I12)", (seed) => {
    const twin = createTwin(seed, { most: 200, destroy: 0.02 });
    wrongBatches(twin, Placed);
    const wrong: string[] = [];

    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 500; at++) step(twin);
      wrong.push(...wrongBatches(twin, Placed));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each(seeds(21, 2))("batches are right directly after a pack, seed %i", (seed) => {
    const twin = createTwin(seed, { most: 150, destroy: 0.05 });
    const wrong: string[] = [];

    for (let round = 0; round < 8; round++) {
      for (let at = 0; at < 60; at++) step(twin);
      wrongBatches(twin, Placed);
      step(twin);
      pack(twin.world);
      wrong.push(...wrongBatches(twin, Placed), ...verify(twin.world));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
