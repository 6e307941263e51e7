import { defer, type Entity, has, isDisabled, type TermPattern } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { monitor, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Any, ChildOf, Disabled, Parent } from "../../public/builtins.ts";
import { not } from "../../public/filters.ts";
import { seeds } from "../../random/dice.ts";
import { createMixed, stepMixed } from "../../random/mixed-storages.ts";
import type { RandomQuery, RandomWorld } from "../../random/random-world.ts";
import { change, createRandomWorld, livingIn, randomQuery } from "../../random/random-world.ts";
import { Frozen, Harms, Likes, Local, Placed } from "../../random/twin.ts";
import { hasObservers } from "../../world-state.ts";

/** A monitor beside a set that is found by checking every entity. */
interface Watch {
  readonly description: RandomQuery;
  readonly reported: string[];
  /** The entities that matched before, found without the query. */
  matching: Set<Entity>;
  readonly stop: () => void;
}

function naiveMatches(random: RandomWorld, { matches }: RandomQuery): Set<Entity> {
  return new Set(livingIn(random).filter((entity) => matches(entity)));
}

function watchFor(random: RandomWorld): Watch {
  const description = randomQuery(random);
  const reported: string[] = [];
  // Without the Sign that all entities have, some queries only say what entities do not have.
  const terms = random.dice.chance(0.5) ? description.terms : description.terms.slice(1);
  const stop = monitor(query(random.world, ...terms), {
    entered: (entity) => reported.push(`+${entity}`),
    left: (entity) => reported.push(`-${entity}`),
  });
  return { description, reported, matching: naiveMatches(random, description), stop };
}

/** Where the monitor reported something else than the difference between before and now. */
function wrongIn(random: RandomWorld, watch: Watch): string[] {
  const now = naiveMatches(random, watch.description);
  const expected = [
    ...[...now].filter((entity) => !watch.matching.has(entity)).map((entity) => `+${entity}`),
    ...[...watch.matching].filter((entity) => !now.has(entity)).map((entity) => `-${entity}`),
  ];
  watch.matching = now;
  const reported = watch.reported.splice(0);
  const isRight = reported.toSorted().join() === expected.toSorted().join();
  return isRight
    ? []
    : [`${watch.description.text}: reported ${reported.join()} instead of ${expected.join()}`];
}

function act(random: RandomWorld): void {
  const { world, dice } = random;
  if (dice.chance(0.7)) change(random);
  else {
    codeOf(() =>
      defer(world, () => {
        for (let times = dice.below(6); times > 0; times--) change(random);
      }),
    );
  }
}

describe("monitors of random queries", () => {
  it.each([...seeds(1, 2, 3), ...seeds(2, 2, 3), ...seeds(3, 2, 3)])(
    "report exactly the difference that every verb makes, seed %i",
    (seed) => {
      const random = createRandomWorld(seed, [0, 0.5, 1][seed % 3]!);
      const { world, dice } = random;
      for (let step = 0; step < 40; step++) change(random);
      let watches: Watch[] = [];
      const wrong: string[] = [];
      let changes = 0;

      for (let step = 0; step < 400 && wrong.length === 0; step++) {
        if (watches.length < 12) watches.push(watchFor(random));
        else if (dice.chance(0.15)) {
          const [gone, ...rest] = watches;
          gone!.stop();
          watches = rest;
        }
        act(random);
        for (const watch of watches) {
          changes += watch.reported.length;
          wrong.push(...wrongIn(random, watch).map((text) => `step ${step}, ${text}`));
        }
      }

      expect(wrong).toEqual([]);
      expect(changes).toBeGreaterThan(85);
      for (const { stop } of watches) stop();
      expect(hasObservers(world)).toBe(false);
      expect(verify(world)).toEqual([]);
    },
  );
});

describe("monitors in worlds with clones, clears, many spawns and sweeps", () => {
  it.each(seeds(1, 3))("keep the sets that a naive search finds, seed %i", (seed) => {
    const mixed = createMixed(seed, { most: 60 });
    const { world, dice } = mixed;
    for (let step = 0; step < 40; step++) stepMixed(mixed);
    const descriptions: readonly { with: readonly TermPattern[]; without: readonly TermPattern[] }[] = [
      { with: [Local], without: [Placed] },
      { with: [], without: [Frozen] },
      { with: [], without: [] },
      { with: [ChildOf(Any)], without: [Parent(Any)] },
      { with: [Likes(Any), Frozen], without: [] },
      { with: [Any(dice.pick(mixed.living))], without: [] },
      { with: [], without: [Harms(Any), ChildOf(dice.pick(mixed.living))] },
      { with: [Local], without: [Disabled] },
    ];
    const wrong: string[] = [];
    const watches = descriptions.map((description) => {
      const isMatch = (entity: Entity): boolean =>
        (description.without.includes(Disabled) || !isDisabled(world, entity)) &&
        description.with.every((what) => has(world, entity, what)) &&
        !description.without.some((what) => has(world, entity, what));
      const inside = new Set(mixed.living.filter(isMatch));
      monitor(query(world, ...description.with, ...description.without.map((what) => not(what))), {
        entered: (entity) => {
          if (inside.has(entity)) wrong.push(`${entity} entered twice`);
          inside.add(entity);
        },
        left: (entity) => {
          if (!inside.delete(entity)) wrong.push(`${entity} left and was not there`);
        },
      });
      return { isMatch, inside };
    });

    for (let step = 0; step < 250 && wrong.length === 0; step++) {
      stepMixed(mixed);
      watches.forEach(({ isMatch, inside }, place) => {
        const right = mixed.living.filter(isMatch);
        const same = right.length === inside.size && right.every((entity) => inside.has(entity));
        if (!same) wrong.push(`step ${step}, query ${place}`);
      });
    }

    expect(wrong).toEqual([]);
  });
});
