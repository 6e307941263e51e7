import { add, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { dispose, each, eachBatch, eachRun, type Query, type QueryTerm, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, Likes, Position, Velocity } from "../../definitions.ts";
import { iterated, matchesOf } from "../../matches.ts";
import { Any, asTag, ChildOf, Disabled, Parent } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";
import { maybe, not } from "../../public/filters.ts";
import { cascade } from "../../public/terms.ts";
import { seeds } from "../../random/dice.ts";
import { change, createRandomWorld, randomQuery } from "../../random/random-world.ts";
import { createTwin, step } from "../../random/twin.ts";
import { randomTwinQuery } from "../../random/twin-query.ts";
import { setWorld, world } from "../../test-world.ts";
import { listsChanges } from "../../world-state.ts";

beforeEach(setWorld);

describe("the same description", () => {
  it.each<[title: string, terms: () => QueryTerm[]]>([
    ["no terms", () => []],
    ["a component", () => [Position]],
    ["several terms", () => [Position, not(Frozen), maybe(Velocity), ChildOf(Any)]],
    ["wildcards", () => [Any(Any), not(Parent(Any)), maybe(Disabled)]],
    ["cascade", () => [Position, cascade(Velocity)]],
  ])("returns the same query: %s", (_, terms) => {
    expect(query(world, ...terms())).toBe(query(world, ...terms()));
  });

  it("in another order returns another query, since arguments come in the order of terms", () => {
    expect(query(world, Position, Velocity)).not.toBe(query(world, Velocity, Position));
  });

  it("in another world returns another query", () => {
    const [one, other] = [createWorld(), createWorld()];
    const entity = spawn(one, Position);

    expect(query(one, Position)).not.toBe(query(other, Position));
    expect([matchesOf(one, Position), matchesOf(other, Position)]).toEqual([[entity], []]);
  });

  it("returns a new query once the last use was disposed", () => {
    const old = query(world, Position);
    dispose(old);
    const entity = spawn(world, Position);

    expect(query(world, Position)).not.toBe(old);
    expect(matchesOf(world, Position)).toEqual([entity]);
  });
});

describe("dispose", () => {
  it("counts uses: others continue", () => {
    const first = query(world, Position);
    const second = query(world, Position);
    const entity = spawn(world, Position);

    dispose(first);

    expect(iterated(second)).toEqual([entity]);
    expect(query(world, Position)).toBe(second);
  });

  it.each<[title: string, iterate: (tested: Query) => void]>([
    ["each", (tested) => each(tested, () => {})],
    ["eachRun", (tested) => eachRun(tested, () => {})],
    ["eachBatch", (tested) => eachBatch(tested, () => {})],
  ])("of the last use makes iteration an error: %s", (_, iterate) => {
    const tested = query(world, Position, cascade(Position));
    query(world, Position, cascade(Position));
    dispose(tested);
    iterate(tested);
    dispose(tested);

    expect(codeOf(() => iterate(tested))).toBe("disposed");
    expect(codeOf(() => spawn(world))).toBe(undefined);
  });

  it("once too often does nothing, not to a new query of the same description either", () => {
    const old = query(world, Position);
    dispose(old);
    const fresh = query(world, Position);

    dispose(old);

    expect(codeOf(() => iterated(fresh))).toBe(undefined);
    expect(query(world, Position)).toBe(fresh);
  });

  it("ends the notifications of new archetypes", () => {
    const tested = query(world, Position);
    dispose(tested);

    spawn(world, Position);

    expect(tested.matches.listed).toBeUndefined();
    expect(verify(world)).toEqual([]);
  });

  it("of a targeted query does nothing", () => {
    const ship = spawn(world);
    const crew = spawn(world, Likes(ship));
    const tested = query(world, Likes(ship));

    dispose(tested);
    dispose(tested);

    expect(iterated(tested)).toEqual([crew]);
  });

  it("inside the query's own iteration lets the iteration end", () => {
    spawnMany(world, 3, Position);
    const tested = query(world, Position);
    let calls = 0;

    each(tested, () => {
      calls++;
      dispose(tested);
    });

    expect(calls).toBe(3);
    expect(codeOf(() => iterated(tested))).toBe("disposed");
  });
});

describe("what is not a query", () => {
  it.each([
    ["undefined", undefined],
    ["a number", 5],
    ["a term", Position],
    ["an object", {}],
  ])("can be neither iterated nor disposed: %s", (_, none) => {
    const tested = none as unknown as Query;
    const acts = [each, eachRun, eachBatch].map((iterate) => () => iterate(tested, () => {}));

    expect([...acts, () => dispose(tested)].map(codeOf)).toEqual(Array(4).fill("bad-query"));
  });
});

describe("queries that name a target", () => {
  it("are not cached by the world", () => {
    const ship = spawn(world);

    const one = query(world, ChildOf(ship));

    expect(one).not.toBe(query(world, ChildOf(ship)));
  });

  it("are those with any pair and with an entity as a tag, too", () => {
    const ship = spawn(world);
    const terms = [Any(ship), asTag(ship), not(asTag(ship)), Parent(ship), Any(Any)];

    const [former, later] = [1, 2].map(() => terms.map((term) => query(world, term)));

    expect(former!.map((one, at) => one === later![at])).toEqual([false, false, false, false, true]);
  });

  it("are refused with a value, whatever was queried recently", () => {
    const ship = spawn(world);
    const valued = { ...Likes(ship), value: { much: 1 } };
    expect(codeOf(() => query(world, valued))).toBe("bad-query");

    query(world, Likes(ship));

    expect(codeOf(() => query(world, valued))).toBe("bad-query");
  });
});

describe("a new archetype", () => {
  it("is listed by queries made before any archetype, in order of creation", () => {
    const tested = query(world, Position);
    const both = spawn(world, Position, Frozen);
    const one = spawn(world, Position);

    expect(iterated(tested)).toEqual([both, one]);
  });
});

describe("verify", () => {
  it.each(seeds(1, 3))("finds nothing in a random world with many queries, seed %i (I11)", (seed) => {
    const twin = createTwin(seed, { most: 80, pair: 0.4 });
    const kept: Query[] = [];
    const broken: string[] = [];

    for (let at = 0; at < 600; at++) {
      step(twin);
      if (at % 10 === 0) kept.push(query(twin.world, ...randomTwinQuery(twin, 0).terms));
      if (kept.length > 20) dispose(kept.splice(twin.dice.below(20), 1)[0]!);
      if (at % 20 === 0) broken.push(...verify(twin.world));
    }

    expect(broken).toEqual([]);
  });

  it.each(seeds(1, 2))(
    "finds nothing while parents change storage and entities become disabled, seed %i (I11)",
    (seed) => {
      const random = createRandomWorld(seed, 0.5);
      const kept: Query[] = [];
      const broken: string[] = [];

      for (let at = 0; at < 400; at++) {
        change(random);
        if (at % 10 === 0) kept.push(query(random.world, ...randomQuery(random).terms));
        if (kept.length > 20) dispose(kept.splice(random.dice.below(20), 1)[0]!);
        if (at % 20 === 0) broken.push(...verify(random.world));
      }

      expect(broken).toEqual([]);
    },
  );
});

describe("cascade queries that are disposed", () => {
  it("leave nothing that structural changes would be listed for, once no query uses the component", () => {
    const parent = spawn(world, Position);
    spawn(world, Position, ChildOf(parent));
    const one = query(world, Position, cascade(Position));
    const other = query(world, Position, not(Frozen), cascade(Position));
    for (const tested of [one, other]) eachBatch(tested, () => {});

    dispose(one);
    const whileUsed = listsChanges(world);
    dispose(other);
    const afterwards = listsChanges(world);

    expect([whileUsed, afterwards]).toEqual([true, false]);
  });

  it("are right again when they are made again, whatever moved meanwhile", () => {
    const parent = spawn(world, Position({ x: 1 }));
    const child = spawn(world, Position({ x: 2 }));
    const former = query(world, Position, cascade(Position));
    eachBatch(former, () => {});
    dispose(former);

    add(world, child, ChildOf(parent));
    const received: (number | undefined)[] = [];
    each(query(world, Position, cascade(Position)), (own, above) => received.push(own.x, above?.x));

    expect(received).toEqual([1, undefined, 2, 1]);
    expect(verify(world)).toEqual([]);
  });
});
