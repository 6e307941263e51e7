import { ChildOf, type Entity, isDisabled, pack, parentOf } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { cascade, each, eachRun, query } from "../../../src/index.ts";
import { currentBatches } from "../../current-batches.ts";
import { seeds } from "../../random/dice.ts";
import { createMixed, type MixedHabits, stepMixed, wrongInMixed } from "../../random/mixed-storages.ts";
import { along } from "../../random/path-world.ts";
import { Local, Mark, Placed } from "../../random/twin.ts";

/** Of the walks with seeds of their own. */
const STEPS = 200 * Number(process.env.TREELINE_WALKS ?? 1);

describe("in a random world with parents in types and as values", () => {
  it.each<[seed: number, habits: Partial<MixedHabits>]>([
    [1, { most: 30 }],
    [2, { most: 120 }],
    [3, { most: 400 }],
    [4, { most: 120, byValue: 1 }],
    [5, { most: 120, byValue: 0.1 }],
    [6, { most: 120, has: 0.1 }],
    [7, { most: 60, has: 0 }],
    [8, { most: 120, has: 0.9, byValue: 0.8 }],
  ])(
    "two components' batches, iterated now and then, equal a naive search, seed %i (I12)",
    (seed, habits) => {
      const mixed = createMixed(seed, habits);
      const wrong: string[] = [];

      for (let at = 0; at < STEPS && wrong.length === 0; at++) {
        stepMixed(mixed);
        if (mixed.dice.chance(0.15))
          wrong.push(...wrongInMixed(mixed, Placed).map((text) => `${at}: ${text}`));
        if (mixed.dice.chance(0.03))
          wrong.push(...wrongInMixed(mixed, Local).map((text) => `${at}: ${text}`));
      }

      expect(wrong.slice(0, 5)).toEqual([]);
      expect(verify(mixed.world)).toEqual([]);
    },
  );

  it.each(seeds(11, 2))("an iteration after thousands of unread changes is right, seed %i (I12)", (seed) => {
    const mixed = createMixed(seed, { most: 200 });
    wrongInMixed(mixed, Placed);
    const wrong: string[] = [];

    for (let round = 0; round < 3; round++) {
      for (let at = 0; at < 500; at++) stepMixed(mixed);
      wrong.push(...wrongInMixed(mixed, Placed));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each(seeds(21, 2))("batches are right directly after a pack, seed %i", (seed) => {
    const mixed = createMixed(seed, { most: 150 });
    const wrong: string[] = [];

    for (let round = 0; round < 8; round++) {
      for (let at = 0; at < 60; at++) stepMixed(mixed);
      wrongInMixed(mixed, Placed);
      stepMixed(mixed);
      pack(mixed.world);
      wrong.push(...wrongInMixed(mixed, Placed));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });

  it.each(seeds(31, 2))("what was followed step by step equals what is filed again, seed %i", (seed) => {
    const mixed = createMixed(seed, { most: 150 });
    const { world } = mixed;
    const kinds = (): string[] => {
      const { chunks, rows, sourceRows } = currentBatches(world, [along(world, ChildOf, Placed)]).rowLists;
      const found: string[] = [];
      for (let chunk = 1; chunk < chunks.length; chunk++) {
        const kind = [chunks.depth[chunk], chunks.archetype[chunk], chunks.source[chunk]];
        for (let at = chunks.start[chunk]!; at < chunks.start[chunk]! + chunks.rows[chunk]!; at++)
          found.push([...kind, rows[at], chunks.source[chunk] === -1 ? 0 : sourceRows[0]![at]].join());
      }
      return found.sort();
    };
    const differing: number[] = [];

    for (let round = 0; round < 25; round++) {
      for (let at = 0; at < 10; at++) stepMixed(mixed);
      const followed = kinds();
      for (const cursor of world.graph.journal.cursors) cursor.lost = true;
      if (String(followed) !== String(kinds())) differing.push(round);
    }

    expect(differing).toEqual([]);
  });

  it.each(seeds(41, 2))(
    "each and eachRun under cascade match every entity once, parents first, seed %i",
    (seed) => {
      const mixed = createMixed(seed, { most: 150 });
      const { world } = mixed;
      const wrong: string[] = [];

      for (let round = 0; round < 25; round++) {
        for (let at = 0; at < 15; at++) stepMixed(mixed);
        const tested = query(world, Mark, cascade(Placed));
        const byRow: Entity[] = [];
        const byRun: Entity[] = [];
        each(tested, (mark, _, entity) => {
          if (mark.of !== entity) wrong.push(`${round}: mark of ${entity}`);
          byRow.push(entity);
        });
        eachRun(tested, (run) => {
          for (let row = run.first; row < run.end; row++) byRun.push(run.entityAt(row));
        });

        const expected = mixed.living
          .filter((one) => !isDisabled(world, one))
          .sort((one, other) => one - other);
        for (const received of [byRow, byRun]) {
          const places = new Map(received.map((entity, place) => [entity, place]));
          for (const [entity, place] of places) {
            const parent = parentOf(world, entity);
            if (parent !== undefined && (places.get(parent) ?? -1) > place)
              wrong.push(`${round}: ${entity} too early`);
          }
          if (String(received.toSorted((one, other) => one - other)) !== String(expected))
            wrong.push(`${round}: others come`);
        }
      }

      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );
});
