import { type Entity, set, spawn } from "@treeline/core";
import { describe, expect, it } from "vitest";
import { dispose, each, entities, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Frozen, SoldIn } from "../../definitions.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf } from "../../public/builtins.ts";
import { component, createWorld, tag } from "../../public/define.ts";
import { f64 } from "../../public/fields.ts";
import { changed } from "../../public/filters.ts";
import { bind, group, groupBy, groupsOf, orderBy, page, shard } from "../../public/parts.ts";
import { cascade, variable } from "../../public/terms.ts";

const Score = component("Score", { points: f64 });
const Red = tag("Red");

/** Eleven matches in three archetypes, in several runs. */
function plantScores() {
  const world = createWorld();
  const kinds = [[], [Frozen], [Frozen, Red]];
  const all = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5].map((points, at) =>
    spawn(world, Score({ points }), ...kinds[at % 3]!),
  );
  return { world, all };
}

describe("a page", () => {
  it("is the given part of what the whole iterates, across archetypes", () => {
    const { world } = plantScores();
    const tested = query(world, Score);
    const whole = entities(tested);

    for (let offset = 0; offset < 13; offset++) {
      for (let limit = 0; limit < 13; limit++) {
        expect(entities(page(tested, offset, limit))).toEqual(whole.slice(offset, offset + limit));
      }
    }
  });

  it("of an ordered query is the same part of its order", () => {
    const { world, all } = plantScores();
    const tested = query(world, Score, orderBy(Score, "points", { desc: true }));
    const whole = entities(tested);
    const second = page(tested, 3, 4);
    expect(whole[0]).toBe(all[5]);

    for (let offset = 0; offset < 13; offset++) {
      for (let limit = 0; limit < 13; limit++) {
        expect(entities(page(tested, offset, limit))).toEqual(whole.slice(offset, offset + limit));
      }
    }
    set(world, all[1]!, Score, { points: 10 });

    expect(entities(second)).toEqual(entities(tested).slice(3, 7));
    expect(entities(tested)[0]).toBe(all[1]);
  });

  it("cuts lists of a cascade", () => {
    const world = createWorld();
    const roots = [spawn(world, Score), spawn(world, Score)];
    const decks = roots.flatMap((root) => [1, 2, 3].map(() => spawn(world, Score, ChildOf(root))));
    for (const deck of decks) spawn(world, Score, ChildOf(deck));
    const tested = query(world, Score, cascade(Score));
    const whole = entities(tested);
    expect(whole).toHaveLength(14);

    expect([0, 5, 10].flatMap((offset) => entities(page(tested, offset, 5)))).toEqual(whole);
    expect(entities(page(tested, 1, 3))).toEqual(whole.slice(1, 4));
  });

  it("follows what a variable is bound to", () => {
    const world = createWorld();
    const parent = variable("parent");
    const [ship, station] = [spawn(world), spawn(world)];
    const seats = [ship, station, ship, station].map((one) => spawn(world, ChildOf(one)));
    const tested = query(world, ChildOf(parent));
    const second = page(tested, 1, 1);

    expect(entities(second)).toHaveLength(1);
    bind(tested, parent, ship);
    expect(entities(second)).toEqual([seats[2]]);
    bind(second, parent, station);
    expect(entities(tested)).toEqual([seats[1], seats[3]]);
  });

  it("leaves the whole as it was", () => {
    const { world } = plantScores();
    const tested = query(world, Score, orderBy(Score, "points"));
    const whole = matchesByRun(tested);

    entities(page(tested, 2, 5));

    expect(matchesByRun(tested)).toEqual(whole);
  });
});

describe("shards", () => {
  it.each([1, 2, 3, 4, 11, 12, 100])("together iterate every entity once, in order: %i", (count) => {
    const { world } = plantScores();
    const tested = query(world, Score);

    const parts = Array.from({ length: count }, (_, at) => entities(shard(tested, at, count)));

    expect(parts.flat()).toEqual(entities(tested));
    const sizes = parts.map(({ length }) => length);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  it("end at the given bounds", () => {
    const { world } = plantScores();
    const tested = query(world, Score, orderBy(Score, "points"));
    const whole = entities(tested);

    expect(entities(shard(tested, 0, 3))).toEqual(whole.slice(0, 3));
    expect(entities(shard(tested, 1, 3))).toEqual(whole.slice(3, 7));
    expect(entities(shard(tested, 2, 3))).toEqual(whole.slice(7));
  });
});

describe("parts of parts", () => {
  it("are cut one from the other", () => {
    const { world } = plantScores();
    const tested = query(world, Score, orderBy(Score, "points"));
    const whole = entities(tested);

    expect(entities(page(page(tested, 2, 6), 1, 3))).toEqual(whole.slice(3, 6));
    expect(entities(page(page(tested, 2, 6), 4, 9))).toEqual(whole.slice(6, 8));
    expect(entities(page(page(tested, 2, 6), 7, 9))).toEqual([]);
    expect(entities(shard(page(tested, 1, 4), 1, 2))).toEqual(whole.slice(3, 5));
    expect(entities(page(shard(tested, 1, 2), 1, 2))).toEqual(whole.slice(6, 8));
  });

  it.each([
    ["as it comes", []],
    ["ordered", [orderBy(Score, "points", { desc: true })]],
  ])("may be of a group, or a group of them: %s", (_, order) => {
    const { world, all } = plantScores();
    const markets = [spawn(world), spawn(world)];
    all.forEach((one, at) => {
      if (at < 10) spawn(world, SoldIn(markets[at % 2]!), Score({ points: at }));
      else spawn(world, Score({ points: -at }));
      set(world, one, Score, { points: -100 - at });
    });
    const tested = query(world, Score, groupBy(SoldIn), ...order);
    const whole = entities(tested);
    const members = (key: Entity | undefined): Entity[] => entities(group(tested, key));

    expect(groupsOf(tested)).toEqual([...markets, undefined]);
    for (const key of [...markets, undefined]) {
      const all = members(key);
      expect(entities(page(group(tested, key), 1, 3))).toEqual(all.slice(1, 4));
      expect(entities(shard(group(tested, key), 1, 2))).toEqual(all.slice(Math.floor(all.length / 2)));
    }
    const middle = page(tested, 3, 5);
    expect(groupsOf(middle)).toEqual(markets);
    expect(entities(group(middle, markets[0]))).toEqual(whole.slice(3, 5));
    expect(entities(group(middle, markets[1]))).toEqual(whole.slice(5, 8));
    expect(entities(group(middle, undefined))).toEqual([]);
    expect(entities(page(group(middle, markets[1]), 1, 9))).toEqual(whole.slice(6, 8));
    expect(groupsOf(page(tested, 10, 2))).toEqual([undefined]);
    expect(groupsOf(page(tested, 10, 0))).toEqual([]);
    expect(entities(group(page(tested, 12, 2), markets[0]))).toEqual([]);
  });
});

describe("parts of a query about changes", () => {
  it("read what is changed, and leave it unread for each other until the whole is iterated", () => {
    const { world, all } = plantScores();
    const tested = query(world, changed(Score), groupBy(SoldIn));
    const readPart = (part: typeof tested): Entity[] => {
      const found: Entity[] = [];
      each(part, (entity) => {
        found.push(entity);
      });
      return found;
    };
    readPart(tested);
    for (const one of all.slice(0, 4)) set(world, one, Score, { points: 0 });

    const parts = [
      readPart(shard(tested, 0, 2)),
      readPart(shard(tested, 1, 2)),
      readPart(group(tested, undefined)),
    ];
    const whole = readPart(tested);

    expect(parts).toEqual([whole.slice(0, 2), whole.slice(2), whole]);
    expect(whole.toSorted()).toEqual(all.slice(0, 4));
    expect(readPart(page(tested, 0, 9))).toEqual([]);
  });
});

describe("a part is refused", () => {
  it.each<[offset: unknown, limit: unknown]>([
    [-1, 1],
    [0.5, 1],
    [0, -1],
    [0, Number.NaN],
    [0, Number.POSITIVE_INFINITY],
    ["0", 1],
    [0, undefined],
  ])("as a page from %s of %s", (offset, limit) => {
    const { world } = plantScores();

    expect(codeOf(() => page(query(world, Score), offset as number, limit as number))).toBe("bad-query");
  });

  it.each<[index: unknown, count: unknown]>([
    [0, 0],
    [2, 2],
    [-1, 2],
    [0.5, 2],
    [0, 1.5],
    [undefined, 2],
    [0, undefined],
  ])("as shard %s of %s", (index, count) => {
    const { world } = plantScores();

    expect(codeOf(() => shard(query(world, Score), index as number, count as number))).toBe("bad-query");
  });

  it("of what is not a query, and of one that was disposed", () => {
    const { world } = plantScores();
    const tested = query(world, Score);
    const first = page(tested, 0, 1);
    dispose(tested);

    expect(codeOf(() => page(world as never, 0, 1))).toBe("bad-query");
    expect(codeOf(() => shard(undefined as never, 0, 1))).toBe("bad-query");
    expect(codeOf(() => page(tested, 0, 1))).toBe("disposed");
    expect(codeOf(() => shard(first, 0, 1))).toBe("disposed");
  });
});
