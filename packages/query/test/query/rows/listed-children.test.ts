import { add, Disabled, type Entity, isAlive, parentOf, remove, type SpawnTerm, spawn } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import {
  collect,
  count,
  destroy,
  each,
  eachBatch,
  eachRun,
  entities,
  explain,
  first,
  moveBefore,
  type Query,
  query,
  rows,
} from "../../../src/index.ts";
import { OWN_LIST } from "../../../src/query/lists/row-intervals.ts";
import { Frozen, Position, Tag, Velocity } from "../../definitions.ts";
import { listedFor } from "../../listed-rows.ts";
import { matchesByRun } from "../../matches.ts";
import { ChildOf, Parent } from "../../public/builtins.ts";
import { changed } from "../../public/filters.ts";
import { bind, page, shard } from "../../public/parts.ts";
import { variable } from "../../public/terms.ts";
import { setShipAndStation, ship, station, verifyWorld, world } from "../../test-world.ts";

const parent = variable("parent of listed children");

beforeEach(setShipAndStation);

/** Spawns children of both parents in turns, so that no two children of one parent are in adjacent rows. */
function spawnInTurns(each: number, termsAt: (at: number) => SpawnTerm[] = () => []): Entity[][] {
  const all: Entity[][] = [[], []];
  for (let at = 0; at < each; at++)
    for (const [place, above] of [ship, station].entries())
      all[place]!.push(spawn(world, Position({ x: at + 100 * place }), Parent(above), ...termsAt(at)));
  return all;
}

const childrenOf = (): Query => query(world, Position, ChildOf(parent)) as unknown as Query;

const ofShip = (): Query => bind(childrenOf(), parent, ship) as unknown as Query;

/** All ways to iterate, each as the entities that it passes. */
const WAYS: readonly (readonly [string, (tested: Query) => Entity[]])[] = [
  [
    "each",
    (tested) => {
      const found: Entity[] = [];
      each(tested as never, ((_: unknown, entity: Entity) => found.push(entity)) as never);
      return found;
    },
  ],
  ["rows", (tested) => Array.from(rows(tested), (row) => (row as unknown[]).at(-1) as Entity)],
  ["collect", (tested) => collect(tested).map((row) => (row as unknown[]).at(-1) as Entity)],
  ["entities", entities],
  ["eachRun", (tested) => matchesByRun(tested).flat()],
  [
    "eachBatch",
    (tested) => {
      const found: Entity[] = [];
      eachBatch(tested, (batch) => {
        for (let at = batch.from; at < batch.to; at++) found.push(batch.entityAt(batch.rows[at]!));
      });
      return found;
    },
  ],
];

describe.each(WAYS)("%s of the children of one parent", (_, passedBy) => {
  it("passes children in rows apart", () => {
    const [own, others] = spawnInTurns(20);

    expect(passedBy(ofShip())).toEqual(own);
    expect(passedBy(bind(childrenOf(), parent, station) as unknown as Query)).toEqual(others);
  });

  it("passes children in adjacent rows", () => {
    const own = Array.from({ length: 9 }, () => spawn(world, Position, Parent(ship)));

    expect(passedBy(ofShip())).toEqual(own);
  });

  it("passes them in the order of siblings, in whatever rows they are; so do pages and shards", () => {
    const [own] = spawnInTurns(12);
    for (const at of [11, 5, 8]) moveBefore(world, own![at]!, own![0]!);
    const order = [11, 5, 8, 0, 1, 2, 3, 4, 6, 7, 9, 10].map((at) => own![at]!);

    expect(passedBy(ofShip())).toEqual(order);
    expect([0, 5, 10].map((first) => passedBy(page(ofShip(), first, 5)))).toEqual([
      order.slice(0, 5),
      order.slice(5, 10),
      order.slice(10),
    ]);
    expect([0, 1, 2].flatMap((number) => passedBy(shard(ofShip(), number, 3)))).toEqual(order);
    add(world, own![5]!, Disabled);
    add(world, own![0]!, Disabled);
    expect(passedBy(ofShip())).toEqual(order.filter((one) => one !== own![5] && one !== own![0]));
  });

  it("passes children of several archetypes, each archetype in the order of siblings", () => {
    const [own] = spawnInTurns(12, (at) => (at % 3 === 0 ? [Tag] : at % 3 === 1 ? [Velocity] : []));
    const byKind = [0, 1, 2].map((kind) => own!.filter((_one, at) => at % 3 === kind));
    const before = passedBy(ofShip());

    for (const kind of byKind) moveBefore(world, kind[3]!, own![0]!);
    add(world, byKind[1]![1]!, Disabled);

    const after = byKind.flatMap(([one, other, third, last]) => [last, one, other, third]);
    expect([before, passedBy(ofShip())]).toEqual([
      byKind.flat(),
      after.filter((one) => one !== byKind[1]![1]),
    ]);
    expect(passedBy(page(ofShip(), 3, 6))).toEqual(passedBy(ofShip()).slice(3, 9));
  });

  it("leaves out those that lack what is required, and disabled ones", () => {
    const [own] = spawnInTurns(12);
    add(world, own![3]!, Disabled);
    remove(world, own![5]!, Position);

    const passed = passedBy(ofShip());
    expect(new Set(passed)).toEqual(new Set(own!.filter((_one, at) => at !== 3 && at !== 5)));
    remove(world, own![3]!, Disabled);
    expect(passedBy(ofShip())).toContain(own![3]);
  });

  it("passes none if the archetype of all of them does not match", () => {
    for (const one of spawnInTurns(8).flat()) remove(world, one, Position);

    expect(passedBy(ofShip())).toEqual([]);
  });

  it("passes children of both storages", () => {
    const [own] = spawnInTurns(8);
    const more = [spawn(world, Position, ChildOf(ship)), spawn(world, Position, ChildOf(ship))];

    expect(new Set(passedBy(ofShip()))).toEqual(new Set([...own!, ...more]));
  });

  it("passes none of a parent without children, and of one that is not alive", () => {
    expect(passedBy(ofShip())).toEqual([]);
    destroy(world, ship);

    expect(passedBy(ofShip())).toEqual([]);
  });
});

describe("rows of one parent's children", () => {
  it("are one list if they are apart, and runs if they are adjacent", () => {
    spawnInTurns(10);
    expect(listedFor(ofShip()).intervals.numbers[3]).toBe(OWN_LIST);

    const more = [0, 1, 2].map(() => spawn(world));
    for (const above of more) for (let at = 0; at < 10; at++) spawn(world, Position, Parent(above));

    const { intervals, rowsByInterval } = listedFor(bind(childrenOf(), parent, more[1]!) as unknown as Query);
    expect([rowsByInterval.length, intervals.numbers[3]]).toEqual([1, 0]);
  });

  it("are one batch if they are apart", () => {
    const [own] = spawnInTurns(10);
    const sizes: number[] = [];
    let sum = 0;

    eachBatch(ofShip(), (batch) => {
      const { x } = batch.columns(Position);
      sizes.push(batch.to - batch.from);
      for (let at = batch.from; at < batch.to; at++) sum += x[batch.rows[at]!]!;
    });

    expect([sizes, sum]).toEqual([[own!.length], 45]);
  });

  it("that are adjacent form a run among others", () => {
    const own: Entity[] = [];
    for (const above of [ship, station, ship, ship, station, ship])
      if (above === ship) own.push(spawn(world, Position, Parent(ship)));
      else spawn(world, Position, Parent(station));

    expect(matchesByRun(ofShip())).toEqual([[own[0]], [own[1], own[2]], [own[3]]]);
  });

  it("are found by Parent and by a named target too", () => {
    const [own] = spawnInTurns(6);
    const mixed = spawn(world, Position, ChildOf(ship));

    expect(entities(query(world, Position, Parent(ship)))).toEqual(own);
    expect(new Set(entities(query(world, Position, ChildOf(ship))))).toEqual(new Set([...own!, mixed]));
    expect(entities(query(world, Position, Parent(station))).length).toBe(6);
  });

  it("are counted, explained, and the first one is found", () => {
    const [own] = spawnInTurns(7);

    expect([count(ofShip()), first(ofShip())]).toEqual([7, own![0]]);
    expect(explain(ofShip())).toContain("matches: 7");
  });

  it("are passed with the parent where the variable is a term", () => {
    const [own] = spawnInTurns(5);
    const found: unknown[] = [];

    each(bind(query(world, Position, ChildOf(parent), parent), parent, ship), (position, above, entity) => {
      found.push([position.x, above, entity]);
    });

    expect(found).toEqual(own!.map((one, at) => [at, ship, one]));
  });
});

describe("changes while the children of one parent are iterated", () => {
  it("are deferred: each child is passed once, also those that are destroyed or moved", () => {
    const [own] = spawnInTurns(10);
    const seen: Entity[] = [];

    each(
      ofShip() as never,
      ((_: unknown, child: Entity) => {
        seen.push(child);
        destroy(world, own![9]!);
        if (child === own![0]) {
          destroy(world, child);
          add(world, own![1]!, Parent(station));
          add(world, own![2]!, Frozen);
          spawn(world, Position, Parent(ship));
        }
      }) as never,
    );

    expect(seen).toEqual(own);
    expect([isAlive(world, own![9]!), parentOf(world, own![1]!)]).toEqual([false, station]);
    expect(count(ofShip())).toBe(8);
    verifyWorld();
  });

  it("by an iteration inside, of another parent, do not touch the list outside", () => {
    const [own, others] = spawnInTurns(10);
    const seen: Entity[] = [];

    each(
      ofShip() as never,
      ((_: unknown, child: Entity) => {
        seen.push(child);
        expect(entities(bind(childrenOf(), parent, station) as unknown as Query)).toEqual(others);
      }) as never,
    );

    expect(seen).toEqual(own);
  });

  it("to values are seen by queries for changes, of these rows only", () => {
    const [own] = spawnInTurns(10);
    const written = query(world, changed(Position));
    entities(written);
    each(
      ofShip() as never,
      ((position: { x: number }) => {
        position.x++;
      }) as never,
    );
    expect(entities(written)).toEqual(own);

    eachRun(ofShip(), (run) => void (run.columns(Position).x[run.first]! += 1), { writes: [Position] });
    expect(entities(written)).toEqual(own);

    eachBatch(ofShip(), () => {}, { writes: [Position] });
    expect(entities(written)).toEqual(own);
  });
});
