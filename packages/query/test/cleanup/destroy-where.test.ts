import type { Entity } from "@treeline/core";
import { add, clear, defer, entityOf, has, isAlive, observe, spawn, spawnMany } from "@treeline/core";
import { dump, stats, verify } from "@treeline/core/debug";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { destroyWhere, each, type QueryTerm, query } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Frozen, Holds, Likes, Owns } from "../definitions.ts";
import { iterated, matchesOf } from "../matches.ts";
import { Any, asTag, ChildOf, Disabled, DisabledTree, Parent } from "../public/builtins.ts";
import { component, createWorld } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { maybe, not } from "../public/filters.ts";
import { groupBy, orderBy } from "../public/parts.ts";
import { cascade, up } from "../public/terms.ts";
import { seeds } from "../random/dice.ts";
import { change, createRandomWorld, livingIn, randomQuery, Sign } from "../random/random-world.ts";
import { setShipAndStation, ship, station, verifyWorld, world } from "../test-world.ts";
import { listsChanges } from "../world-state.ts";
import { living } from "./alive.ts";

beforeEach(setShipAndStation);

afterEach(verifyWorld);

describe("destroyWhere", () => {
  it("destroys all entities that match, and no others", () => {
    const [one, other] = [spawn(world, Frozen), spawn(world, Frozen, Likes(ship))];
    const rest = spawn(world, Likes(ship));

    expect(destroyWhere(world, Frozen)).toBe(2);
    expect(living(one, other, rest, ship, station)).toEqual([false, false, true, true, true]);
  });

  it("destroys everything below them too, and counts it", () => {
    const cockpit = spawn(world, ChildOf(ship), Frozen);
    const seat = spawn(world, Parent(cockpit));
    const belt = spawn(world, ChildOf(seat), Frozen);
    const lamp = spawn(world, Owns(belt));

    expect(destroyWhere(world, Frozen)).toBe(4);
    expect(living(ship, cockpit, seat, belt, lamp)).toEqual([true, false, false, false, false]);
  });

  it("removes all children of a parent in both storages", () => {
    const typed = spawnMany(world, 3, ChildOf(ship));
    const byValue = spawnMany(world, 3, Parent(ship));
    const others = [spawn(world, ChildOf(station)), spawn(world, Parent(station))];

    expect(destroyWhere(world, ChildOf(ship))).toBe(6);
    expect(living(...typed, ...byValue).some((lives) => lives)).toBe(false);
    expect(living(ship, ...others)).toEqual([true, true, true]);
  });

  it("accepts all terms of queries", () => {
    const byValue = spawn(world, Parent(ship));
    const typed = spawn(world, ChildOf(ship));
    const fan = spawn(world, Likes(ship), Likes(station));
    const marked = spawn(world, asTag(station));

    expect(destroyWhere(world, Parent(Any), maybe(Frozen))).toBe(1);
    expect(destroyWhere(world, Any(station), not(ChildOf(Any)))).toBe(1);
    expect(destroyWhere(world, asTag(station))).toBe(1);
    expect(living(byValue, typed, fan, marked, ship)).toEqual([false, true, false, false, true]);
  });

  it("removes the pairs that survivors have with destroyed targets", () => {
    const destroyed = spawn(world, Frozen);
    const fan = spawn(world, Likes(destroyed));

    destroyWhere(world, Frozen);

    expect([isAlive(world, fan), has(world, fan, Likes(Any))]).toEqual([true, false]);
  });

  it("does nothing if no entity matches", () => {
    const before = dump(world);

    expect([destroyWhere(world, Frozen), destroyWhere(world, ChildOf(ship))]).toEqual([0, 0]);
    expect(dump(world)).toBe(before);
  });

  it("caches nothing of its query: neither an order nor rows with their ancestors", () => {
    const Rank = component("Rank", { of: f32 });
    const cockpit = spawn(world, Frozen, Rank, ChildOf(ship));
    spawn(world, Rank, ChildOf(ship));

    for (const term of [orderBy(Rank, "of"), groupBy(ChildOf), cascade(Rank), up(Rank)])
      destroyWhere(world, Frozen, Likes(Any), term);
    expect(listsChanges(world)).toBe(false);
    const failing = orderBy(Rank, () => {
      throw new RangeError("no");
    });

    expect(() => destroyWhere(world, Rank, failing)).toThrow(RangeError);
    expect(listsChanges(world)).toBe(false);
    expect(living(cockpit)).toEqual([true]);
  });

  it("does not affect equal queries", () => {
    const Rank = component("Rank", { of: f32 });
    const ranks = [2, 1].map((of) => spawn(world, Rank({ of }), ChildOf(ship)));
    const terms = [Rank, cascade(Rank), orderBy(Rank, "of")];
    const tested = query(world, ...terms);
    expect(iterated(tested)).toEqual(ranks.toReversed());

    destroyWhere(world, Frozen, ...terms);
    destroyWhere(world, ...terms, Frozen);

    expect(query(world, ...terms)).toBe(tested);
    expect(listsChanges(world)).toBe(true);
    expect(iterated(tested)).toEqual(ranks.toReversed());
  });

  it("skips disabled entities unless a term names that", () => {
    const [own, rest] = [spawn(world, Frozen, Disabled), spawn(world, Frozen)];
    const below = spawn(world, Frozen, ChildOf(spawn(world, DisabledTree)));

    expect(destroyWhere(world, Frozen)).toBe(1);
    expect(living(own, rest, below)).toEqual([true, false, true]);
    expect(destroyWhere(world, Frozen, maybe(Disabled))).toBe(2);
  });
});

describe("destroyWhere without terms", () => {
  it("destroys all entities, the disabled too", () => {
    const crew = [
      spawn(world, Parent(ship)),
      spawn(world, Disabled, Frozen),
      spawn(world, ChildOf(spawn(world, DisabledTree))),
      spawn(world, Holds(station)),
    ];

    expect(destroyWhere(world)).toBe(7);
    expect([stats(world).entities, ...living(ship, station, ...crew)]).toEqual([0, ...Array(6).fill(false)]);
  });

  it("destroys component entities, but not those of builtins", () => {
    const [frozen, childOf, disabled] = [Frozen, ChildOf, Disabled].map((one) => entityOf(world, one));

    expect(destroyWhere(world)).toBe(3);
    expect(living(ship, frozen!, childOf!, disabled!)).toEqual([false, false, true, true]);
  });

  it("does nothing in an empty world", () => {
    expect(destroyWhere(createWorld())).toBe(0);
  });
});

describe("destroyWhere is refused, and changes nothing,", () => {
  it.each<[title: string, randomQuery: () => unknown, code: string]>([
    ["for what is no term", () => undefined, "bad-query"],
    ["for a relation without target", () => Likes, "bad-query"],
    ["for a target that can be no entity", () => ChildOf(undefined as never), "dead-entity"],
    ["if a survivor holds a destroyed entity", () => Frozen, "refused"],
    ["if a survivor holds an entity that is destroyed with them", () => Likes(ship), "refused"],
    ["if a builtin matches", () => asTag(station), "refused"],
  ])("%s", (_, term, code) => {
    const destroyed = [spawn(world, Frozen), spawn(world, Likes(ship), Frozen)];
    spawn(world, Holds(spawn(world, ChildOf(destroyed[1]!))));
    add(world, entityOf(world, ChildOf), asTag(station));
    const before = dump(world);

    expect(codeOf(() => destroyWhere(world, term() as QueryTerm))).toBe(code);
    expect(dump(world)).toBe(before);
  });

  it("not if the subject of a refusing pair is destroyed too: it is one destruction", () => {
    const held = spawn(world, Frozen);
    const source = spawn(world, Frozen, Holds(held));

    expect(destroyWhere(world, Frozen)).toBe(2);
    expect(living(held, source)).toEqual([false, false]);
  });

  it("for cascades in two directions", () => {
    const randomQuery = (): unknown => destroyWhere(world, cascade(Sign), cascade(Sign, { desc: true }));

    expect(codeOf(randomQuery)).toBe("bad-query");
  });
});

describe("destroyWhere reports each destroyed entity once", () => {
  it("children before parents, siblings in order", () => {
    const [cockpit, hold] = [spawn(world, ChildOf(ship), Frozen), spawn(world, Parent(ship), Frozen)];
    const [seat, crate] = [spawn(world, Parent(cockpit), Frozen), spawn(world, ChildOf(hold), Frozen)];
    const buoy = spawn(world, Frozen);
    const reported: Entity[] = [];
    observe(world, { removed: Frozen }, ({ entity }) => reported.push(entity));

    expect(destroyWhere(world, Frozen)).toBe(5);

    expect(reported).toEqual([seat, cockpit, crate, hold, buoy]);
  });
});

describe("destroyWhere inside an iteration", () => {
  it("is deferred to the end, returns 0, and looks for matches then", () => {
    const [one, other] = [spawn(world, Frozen), spawn(world, Likes(ship))];
    const counts: number[] = [];
    let during = 0;

    each(query(world, Frozen), () => {
      counts.push(destroyWhere(world, Frozen));
      add(world, other, Frozen);
      clear(world, one);
      during = matchesOf(world, Frozen).length;
    });

    expect([counts, during]).toEqual([[0], 1]);
    expect(living(one, other)).toEqual([false, true]);
  });

  it("finds what earlier deferred commands made, and not what later ones make", () => {
    const [early, late] = defer(world, () => {
      const first = spawn(world, Frozen);
      destroyWhere(world, Frozen);
      return [first, spawn(world, Frozen)];
    });

    expect(living(early, late)).toEqual([false, true]);
  });

  it("without terms spares entities that are spawned after it", () => {
    const late = defer(world, () => {
      destroyWhere(world);
      return spawn(world, Frozen);
    });

    expect(living(ship, station, late)).toEqual([false, false, true]);
    expect(has(world, late, Frozen)).toBe(true);
  });

  it("is refused at the call for bad terms, and at the end for refusing pairs", () => {
    const held = spawn(world, Frozen);
    spawn(world, Holds(held));
    let atCall: string | undefined;

    const atEnd = codeOf(() =>
      defer(world, () => {
        atCall = codeOf(() => destroyWhere(world, Likes as never));
        destroyWhere(world, Frozen);
      }),
    );

    expect([atCall, atEnd, isAlive(world, held)]).toEqual(["bad-query", "refused", true]);
  });

  it("throws in a strict world", () => {
    const strict = createWorld({ strict: true });
    const one = spawn(strict, Frozen);
    let code: string | undefined;

    each(query(strict, Frozen), () => {
      code = codeOf(() => destroyWhere(strict, Frozen));
    });

    expect([code, isAlive(strict, one)]).toEqual(["iterating", true]);
  });
});

describe("the return value of destroyWhere", () => {
  it("counts only the entities that it destroys, not what observers spawn or destroy", () => {
    spawn(world, Frozen);
    spawn(world, Frozen);
    const stop = observe(world, { removed: Frozen }, () => {
      spawn(world, Likes(ship));
      destroyWhere(world, Likes(ship));
    });

    expect(destroyWhere(world, Frozen)).toBe(2);

    stop();
  });
});

describe("destroyWhere in a random world", () => {
  it.each(seeds(1, 3))("destroys the entities that a naive search finds, seed %i", (seed) => {
    const random = createRandomWorld(seed, 0.5);
    const wrong: string[] = [];

    for (let at = 0; at < 300; at++) {
      for (let more = 0; more < 5; more++) change(random);
      const { terms, matches, text } = randomQuery(random);
      const before = livingIn(random);
      const expected = before.filter(matches);
      if (expected.length > before.length / 4) continue;
      const count = destroyWhere(random.world, ...terms);
      const after = livingIn(random);
      if (expected.some((one) => isAlive(random.world, one))) wrong.push(`${text}: an entity survives`);
      if (before.length - after.length !== count) wrong.push(`${text}: ${count} were destroyed`);
      if (expected.length === 0 && count > 0)
        wrong.push(`${text}: no entity matched, ${count} were destroyed`);
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(verify(random.world)).toEqual([]);
  });
});
