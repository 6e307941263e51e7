import { add, type Entity, pack, remove, spawn, spawnMany, type World } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { describe, expect, it, vi } from "vitest";
import { destroy, each, eachRun, entities, not, type QueryTerm, query } from "../../../src/index.ts";
import { hasAt } from "../../../src/match/pairs.ts";
import { addSubjects } from "../../../src/query/rows/subjects.ts";
import { DockedTo, Frozen, Position } from "../../definitions.ts";
import { listedFor } from "../../listed-rows.ts";
import { iterated, matchesByRun, matchesOf, sorted } from "../../matches.ts";
import { Any, ChildOf, Parent } from "../../public/builtins.ts";
import { createWorld } from "../../public/define.ts";
import { seeds } from "../../random/dice.ts";
import { createTwin, Harms, Likes, Mark, step } from "../../random/twin.ts";
import { matchesIn, randomTwinQuery } from "../../random/twin-query.ts";

vi.mock("../../../src/match/pairs.ts", { spy: true });
vi.mock("../../../src/query/rows/subjects.ts", { spy: true });

describe("a query that names a target finds", () => {
  it("the children of one parent, of all archetypes", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const plain = spawn(world, ChildOf(ship));
    const placed = spawn(world, ChildOf(ship), Position);
    spawn(world, ChildOf(station), Position);

    expect(matchesOf(world, ChildOf(ship))).toEqual([plain, placed]);
  });

  it("only those that match the other terms as well", () => {
    const world = createWorld();
    const ship = spawn(world);
    const placed = spawn(world, ChildOf(ship), Position);
    spawn(world, ChildOf(ship));
    spawn(world, ChildOf(ship), Position, Frozen);

    expect(matchesOf(world, not(Frozen), ChildOf(ship), Position)).toEqual([placed]);
  });

  it("entities that have all of several pairs", () => {
    const world = createWorld();
    const [ship, station, buoy] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const both = spawn(world, Likes(ship), Likes(station));
    const more = spawn(world, Likes(buoy), Likes(ship), Likes(station), ChildOf(ship));
    spawn(world, Likes(ship));
    spawn(world, Likes(station), Likes(buoy));

    expect(matchesOf(world, Likes(ship), Likes(station))).toEqual([both, more]);
  });

  it("entities that have one pair and not another", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const only = spawn(world, Likes(ship));
    spawn(world, Likes(ship), Likes(station));

    expect(matchesOf(world, Likes(ship), not(Likes(station)))).toEqual([only]);
  });

  it("all entities except the children of one parent", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const near = spawnMany(world, 3, ChildOf(station));
    spawnMany(world, 3, ChildOf(ship));
    const far = spawnMany(world, 3, ChildOf(station), Position);

    expect(matchesOf(world, not(ChildOf(ship)))).toEqual([ship, station, ...near, ...far]);
  });

  it("all entities except the children of several parents, in adjacent rows or not", () => {
    const world = createWorld();
    const parents = spawnMany(world, 7);
    const children = parents.map((parent) => spawnMany(world, 3, ChildOf(parent)));
    const [, second, third, , fifth] = parents as [Entity, Entity, Entity, Entity, Entity];

    const found = matchesOf(world, not(ChildOf(fifth)), not(ChildOf(second)), not(ChildOf(third)));

    expect(found).toEqual([...parents, ...[0, 3, 5, 6].flatMap((at) => children[at]!)]);
  });

  it("no row twice when a table has several of the excluded pairs", () => {
    const world = createWorld();
    const [ship, station, buoy] = spawnMany(world, 3) as [Entity, Entity, Entity];
    spawn(world, Likes(ship), Likes(station));
    const neither = spawn(world, Likes(buoy));

    const found = matchesOf(world, not(Likes(ship)), not(Likes(station)));

    expect(found).toEqual([ship, station, buoy, neither]);
  });

  it("pairs with data of one target", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const one = spawn(world, Harms(ship, { by: 1 }));
    const both = spawn(world, Harms(ship, { by: 1 }), Harms(station, { by: 2 }));

    expect(matchesOf(world, Harms(ship))).toEqual([one, both]);
    expect(matchesOf(world, Harms(station))).toEqual([both]);
  });

  it("nothing for a pair that no entity has", () => {
    const world = createWorld();
    const ship = spawn(world, Position);

    expect(matchesOf(world, Likes(ship))).toEqual([]);
    expect(matchesOf(world, not(Likes(ship)))).toEqual([ship]);
  });

  it("nothing for two parents at once", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    spawn(world, ChildOf(ship));
    spawn(world, ChildOf(station));

    expect(matchesOf(world, ChildOf(ship), ChildOf(station))).toEqual([]);
  });
});

describe("a query starts", () => {
  /** A ship with few children of each kind, and a crowd that likes it. */
  function manyChildren(): { world: World; ship: Entity; buoy: Entity; few: Entity[] } {
    const world = createWorld();
    const [ship, buoy, home] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const few = [
      spawn(world, ChildOf(ship), Likes(buoy), Position),
      spawn(world, Parent(ship), Likes(buoy), Position),
    ];
    for (const parent of spawnMany(world, 50)) spawn(world, ChildOf(parent), Likes(buoy), Position);
    spawnMany(world, 1000, Parent(home), Likes(buoy), Position);
    return { world, ship, buoy, few };
  }

  it.each<[title: string, termsFor: (ship: Entity, buoy: Entity) => QueryTerm[]]>([
    ["first", (ship, buoy) => [ChildOf(ship), Likes(buoy), Position]],
    ["last", (ship, buoy) => [Position, Likes(buoy), ChildOf(ship)]],
    ["between", (ship, buoy) => [Any(buoy), ChildOf(ship), Likes(buoy)]],
  ])("with the rarest pair, which is %s", (_, termsFor) => {
    const { world, ship, buoy, few } = manyChildren();
    vi.mocked(addSubjects).mockClear();

    const found = entities(query(world, ...termsFor(ship, buoy)));

    expect(sorted(found)).toEqual(few);
    expect(vi.mocked(addSubjects).mock.calls.map(([, , definition]) => definition)).toEqual([ChildOf]);
  });

  it("with the archetypes if they have fewer rows than the pair has subjects", () => {
    const { world, buoy } = manyChildren();
    const rare = spawn(world, Likes(buoy), Frozen);
    vi.mocked(addSubjects).mockClear();

    const found = matchesOf(world, Likes(buoy), Frozen);

    expect(found).toEqual([rare]);
    expect(addSubjects).not.toHaveBeenCalled();
  });

  it("and does not read the rows of a long table to find few children by value among them", () => {
    const { world, ship, buoy, few } = manyChildren();
    vi.mocked(hasAt).mockClear();

    const found = matchesOf(world, Likes(buoy), Position, not(ChildOf(ship)));

    expect(found.length).toBe(1050);
    expect(found).not.toContain(few[1]);
    expect(hasAt).not.toHaveBeenCalled();
  });
});

describe("a target that is destroyed", () => {
  it("matches nothing, and excludes nothing", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const crew = spawn(world, Likes(ship), Likes(station));
    destroy(world, station);

    expect(matchesOf(world, Likes(station))).toEqual([]);
    expect(matchesOf(world, not(Likes(station)))).toEqual([ship, crew]);
  });

  it("ends the matches of a query that was made before", () => {
    const world = createWorld();
    const ship = spawn(world);
    spawn(world, Likes(ship));
    const tested = query(world, Likes(ship));
    destroy(world, ship);

    expect(iterated(tested)).toEqual([]);
  });

  it("is not confused with the entity that has its index now", () => {
    const world = createWorld();
    const ship = spawn(world);
    destroy(world, ship);
    let reused = spawn(world);
    while (reused % 2 ** 24 !== ship % 2 ** 24) {
      destroy(world, reused);
      reused = spawn(world);
    }
    const crew = spawn(world, Likes(reused));

    expect(matchesOf(world, Likes(ship))).toEqual([]);
    expect(matchesOf(world, Likes(reused))).toEqual([crew]);
  });
});

describe("a targeted query follows", () => {
  it("reparents, there and back", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const [one, other] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];

    add(world, one, ChildOf(station));
    const away = matchesOf(world, ChildOf(ship));
    add(world, one, ChildOf(ship));

    expect([away, matchesOf(world, ChildOf(ship))]).toEqual([[other], [one, other]]);
  });

  it("an exclusive pair to its new target", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const buoy = spawn(world, DockedTo(ship));

    add(world, buoy, DockedTo(station));

    expect([matchesOf(world, DockedTo(ship)), matchesOf(world, DockedTo(station))]).toEqual([[], [buoy]]);
  });

  it("a table that was emptied and filled again", () => {
    const world = createWorld();
    const ship = spawn(world);
    const crew = spawn(world, Likes(ship));
    const tested = query(world, Likes(ship));
    remove(world, crew, Likes(ship));
    const between = iterated(tested);
    add(world, crew, Likes(ship));

    expect([between, matchesOf(world, Likes(ship))]).toEqual([[], [crew]]);
  });

  it("rows that a pack moved", () => {
    const world = createWorld();
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const crew = Array.from({ length: 40 }, (_, at) => spawn(world, ChildOf(at % 2 === 0 ? ship : station)));
    const tested = query(world, not(ChildOf(ship)));
    destroy(world, crew[4]!);

    pack(world);

    expect(sorted(iterated(tested))).toEqual([ship, station, ...crew.filter((_, at) => at % 2 === 1)]);
  });
});

describe("row intervals of a targeted query", () => {
  it("are not empty, ascend within an archetype and do not overlap", () => {
    const world = createWorld();
    const parents = spawnMany(world, 20);
    for (const parent of parents) spawnMany(world, 3, ChildOf(parent));
    const [first, , third] = parents as [Entity, Entity, Entity];

    const { intervals, rowsByInterval: found } = listedFor(
      query(world, not(ChildOf(first)), not(ChildOf(third))),
    );

    expect(found.flat().length).toBe(20 + 18 * 3);
    expect(found.every(({ length }) => length > 0)).toBe(true);
    for (let at = intervals.stride; at < intervals.length; at += intervals.stride) {
      const [last, end] = [
        intervals.numbers[at - intervals.stride]!,
        intervals.numbers[at - intervals.stride + 2]!,
      ];
      expect(intervals.numbers[at] !== last || intervals.numbers[at + 1]! > end).toBe(true);
    }
  });

  it("are as many for one pair as tables have it, whatever else there is", () => {
    const world = createWorld();
    const ship = spawn(world);
    spawnMany(world, 3, ChildOf(ship));
    spawnMany(world, 3, ChildOf(ship), Position);
    for (const parent of spawnMany(world, 50)) spawn(world, ChildOf(parent));

    expect(matchesByRun(query(world, ChildOf(ship))).length).toBe(2);
  });
});

describe("in a random world", () => {
  it.each(seeds(1, 4))("targeted queries find the entities that a naive search finds, seed %i", (seed) => {
    const twin = createTwin(seed, { most: 60, pair: 0.45, pack: 0.02 });
    const { world, living } = twin;
    const wrong: string[] = [];

    for (let at = 0; at < 600; at++) {
      step(twin);
      if (living.size === 0) continue;
      const description = randomTwinQuery(twin, 1 + twin.dice.below(3));
      const expected = sorted(matchesIn(twin, description));

      const tested = query(world, ...description.terms);
      const found: Entity[] = [];
      each(tested, (...row: unknown[]) => {
        const entity = row.at(-1) as Entity;
        found.push(entity);
        const [mark] = row as [{ of: number }];
        if (mark.of !== entity) wrong.push(`mark of ${entity} in step ${at}`);
        const harms = row.filter((one) => typeof one === "object" && "to" in (one as object));
        description.harmed.forEach((target, place) => {
          const harm = harms[place] as { by: number; to: number };
          if (harm.by !== entity || harm.to !== target) wrong.push(`harm by ${entity} in step ${at}`);
        });
      });
      if (String(sorted(found)) !== String(expected)) {
        wrong.push(`each of ${description.text} in step ${at}`);
      }

      const listed = entities(tested);
      if (String(listed) !== String(found)) wrong.push(`lists of ${description.text} in step ${at}`);

      let rows = 0;
      eachRun(tested, (run) => {
        const { of } = run.columns(Mark);
        for (let row = run.first; row < run.end; row++) {
          if (of[row] === run.entityAt(row) && description.holds(living.get(run.entityAt(row))!)) rows++;
          else wrong.push(`row ${row} of ${description.text} in step ${at}`);
        }
      });
      if (rows !== expected.length) wrong.push(`eachRun of ${description.text} in step ${at}`);
    }

    expect(wrong.slice(0, 5)).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});
