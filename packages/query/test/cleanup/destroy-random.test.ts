import { component, type Entity, f64, get, has, isAlive, parentOf, set, withHooks } from "@treeline/core";
import { stats, verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { children } from "../../src/index.ts";
import { sorted } from "../matches.ts";
import { seeds } from "../random/dice.ts";
import {
  anyEntity,
  childrenIn,
  closureIn,
  createTwin,
  Frozen,
  Harms,
  Holds,
  kill,
  Likes,
  Local,
  Mark,
  Owns,
  Placed,
  step,
  strangersIn,
  type Twin,
} from "../random/twin.ts";

/** All differences between the world and its twin. */
function differencesIn(twin: Twin): string[] {
  const { world, living } = twin;
  const found = strangersIn(twin).map((one) => `${one} lives in one of both only`);
  if (stats(world).entities !== living.size) found.push(`${stats(world).entities} live, not ${living.size}`);
  for (const [one, { parent, has: own, targets }] of living) {
    if (!isAlive(world, one)) continue;
    if (parentOf(world, one) !== parent) found.push(`parent of ${one}`);
    if (get(world, one, Mark)!.of !== one) found.push(`mark of ${one}`);
    for (const what of [Local, Placed, Frozen]) {
      if (has(world, one, what) !== own.has(what)) found.push(`${what.name} of ${one}`);
      else if (what !== Frozen && own.has(what) && get(world, one, what as typeof Local)!.of !== one) {
        found.push(`value of ${one}`);
      }
    }
    for (const target of living.keys()) {
      for (const link of [Likes, Owns, Holds]) {
        const right = targets.get(link)!.has(target);
        if (has(world, one, link(target)) !== right) found.push(`${link.name}(${target}) of ${one}`);
      }
      const harm = get(world, one, Harms(target));
      const right = targets.get(Harms)!.has(target);
      if (right ? harm?.by !== one || harm.to !== target : harm !== undefined) found.push(`harm by ${one}`);
    }
  }
  return found;
}

/** The destroyed entities for which hooks were called, in order; the value contains the entity. */
let reported: number[] = [];
const Recorded = withHooks(component("Recorded", { of: f64 }), {
  onRemove: (_, entity, { of }) => reported.push(of === entity ? entity : -1),
});

beforeEach(() => {
  reported = [];
});

const ALL_LINKS = [Likes, Likes, Likes, Harms, Harms, Owns, Owns, Holds];

function postOrderIn(twin: Twin, entity: Entity): Entity[] {
  return [...childrenIn(twin, entity).flatMap((child) => postOrderIn(twin, child)), entity];
}

describe("in a random world", () => {
  it.each(seeds(1, 3))("destroy removes exactly the closure of its argument, seed %i", (seed) => {
    const twin = createTwin(seed, { most: 30, destroy: 0, share: 1, pair: 0.3, links: ALL_LINKS });
    const wrong: string[] = [];
    let destructions = 0;
    let refusals = 0;

    for (let at = 0; at < 400 && wrong.length === 0; at++) {
      step(twin);
      if (twin.living.size < 5 || !twin.dice.chance(0.08)) continue;
      const before = twin.living.size;
      kill(twin, anyEntity(twin));
      destructions += before - twin.living.size;
      if (twin.living.size === before) refusals++;
      wrong.push(...differencesIn(twin), ...verify(twin.world));
      if (twin.living.size === 0) continue;
      const one = anyEntity(twin);
      if (String(children(twin.world, one)) !== String(childrenIn(twin, one)))
        wrong.push(`children of ${one}`);
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(destructions).toBeGreaterThan(40);
    expect(refusals).toBeGreaterThan(2);
  });

  it.each([
    [5, "in post-order", [Likes, Harms]],
    [6, "in post-order", [Likes, Harms]],
    [7, "in any order", ALL_LINKS],
    [8, "in any order", ALL_LINKS],
  ])(
    "hooks are called once for each destroyed entity, and for no other, seed %i, %s",
    (seed, order, links) => {
      const twin = createTwin(seed, { most: 30, destroy: 0, share: 1, pair: 0.3, links });
      const observed = new Set<Entity>();
      const wrong: string[] = [];

      for (let at = 0; at < 300 && wrong.length === 0; at++) {
        step(twin);
        if (twin.living.size === 0) continue;
        const one = anyEntity(twin);
        if (twin.dice.chance(0.3)) {
          observed.add(one);
          set(twin.world, one, Recorded, { of: one });
        }
        if (!twin.dice.chance(0.08)) continue;
        const victim = anyEntity(twin);
        const postOrder = postOrderIn(twin, victim).filter((destroyed) => observed.has(destroyed));
        const closure = [...closureIn(twin, victim)].filter((destroyed) => observed.has(destroyed));
        reported = [];
        kill(twin, victim);
        if (twin.living.has(victim)) closure.length = 0;
        if (sorted(reported as Entity[]).join() !== sorted(closure).join())
          wrong.push(`${at}: called for ${reported}`);
        if (order === "in post-order" && reported.join() !== postOrder.join())
          wrong.push(`${at}: order ${reported}`);
        wrong.push(...differencesIn(twin), ...verify(twin.world));
      }

      expect(wrong.slice(0, 5)).toEqual([]);
    },
  );
});
