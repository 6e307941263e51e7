import {
  Any,
  ChildOf,
  Disabled,
  defer,
  type Entity,
  has,
  isDisabled,
  Parent,
  type TermPattern,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it } from "vitest";
import { monitor, not, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { createMixed, stepMixed } from "../../mixed.ts";
import {
  ask,
  change,
  createRandomWorld,
  livingIn,
  type RandomQuestion,
  type RandomWorld,
} from "../../random-world.ts";
import { Frozen, Harms, Likes, Local, Placed } from "../../twin.ts";

/** A monitor beside a set that is found by a look at everybody. */
interface Watch {
  readonly question: RandomQuestion;
  readonly told: string[];
  /** Who answered before, by hand. */
  answering: Set<Entity>;
  readonly stop: () => void;
}

function answersByHand(random: RandomWorld, { answers }: RandomQuestion): Set<Entity> {
  return new Set(livingIn(random).filter((entity) => answers(entity)));
}

function watchFor(random: RandomWorld): Watch {
  const question = ask(random);
  const told: string[] = [];
  // Without the Sign that everybody has, some questions only say what entities have not.
  const terms = random.dice.chance(0.5) ? question.terms : question.terms.slice(1);
  const stop = monitor(query(random.world, ...terms), {
    entered: (entity) => told.push(`+${entity}`),
    left: (entity) => told.push(`-${entity}`),
  });
  return { question, told, answering: answersByHand(random, question), stop };
}

/** Where the monitor told something else than the difference between before and now. */
function wrongIn(random: RandomWorld, watch: Watch): string[] {
  const now = answersByHand(random, watch.question);
  const expected = [
    ...[...now].filter((entity) => !watch.answering.has(entity)).map((entity) => `+${entity}`),
    ...[...watch.answering].filter((entity) => !now.has(entity)).map((entity) => `-${entity}`),
  ];
  watch.answering = now;
  const told = watch.told.splice(0);
  const isRight = told.toSorted().join() === expected.toSorted().join();
  return isRight ? [] : [`${watch.question.text}: told ${told.join()} instead of ${expected.join()}`];
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

describe("monitors of random questions", () => {
  it.each([1, 2, 3, 4, 5, 6])("tell exactly the difference that every verb makes, seed %i", (seed) => {
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
        changes += watch.told.length;
        wrong.push(...wrongIn(random, watch).map((text) => `step ${step}, ${text}`));
      }
    }

    expect(wrong).toEqual([]);
    expect(changes).toBeGreaterThan(85);
    for (const { stop } of watches) stop();
    expect(world.events.listeners).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("monitors in worlds with clones, clears, many births and sweeps", () => {
  it.each([1, 2, 3])("keep sets that a look at everybody finds, seed %i", (seed) => {
    const mixed = createMixed(seed, { most: 60 });
    const { world, dice } = mixed;
    for (let step = 0; step < 40; step++) stepMixed(mixed);
    const questions: readonly { with: readonly TermPattern[]; without: readonly TermPattern[] }[] = [
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
    const watches = questions.map((question) => {
      const isAnswer = (entity: Entity): boolean =>
        (question.without.includes(Disabled) || !isDisabled(world, entity)) &&
        question.with.every((what) => has(world, entity, what)) &&
        !question.without.some((what) => has(world, entity, what));
      const inside = new Set(mixed.living.filter(isAnswer));
      monitor(query(world, ...question.with, ...question.without.map((what) => not(what))), {
        entered: (entity) => {
          if (inside.has(entity)) wrong.push(`${entity} entered twice`);
          inside.add(entity);
        },
        left: (entity) => {
          if (!inside.delete(entity)) wrong.push(`${entity} left and was not there`);
        },
      });
      return { isAnswer, inside };
    });

    for (let step = 0; step < 500 && wrong.length === 0; step++) {
      stepMixed(mixed);
      watches.forEach(({ isAnswer, inside }, place) => {
        const right = mixed.living.filter(isAnswer);
        const same = right.length === inside.size && right.every((entity) => inside.has(entity));
        if (!same) wrong.push(`step ${step}, question ${place}`);
      });
    }

    expect(wrong).toEqual([]);
  });
});
