import { add, type Entity, has, isDisabled, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { eachBatch, type QueryTerm, query } from "../../../src/index.ts";
import { Any, ChildOf, Parent } from "../../public/builtins.ts";
import { not } from "../../public/filters.ts";
import { cascade } from "../../public/terms.ts";
import { seeds } from "../../random/dice.ts";
import { createMixed, type Mixed, stepMixed, wrongInBatches } from "../../random/mixed-storages.ts";
import { Frozen, Harms, Likes, Local, Mark, Placed } from "../../random/twin.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

/** Spawns an entity whose Mark contains its number. */
function mark(...terms: Parameters<typeof spawn>[1][]): Entity {
  const entity = spawn(world, Mark, ...terms);
  set(world, entity, Mark, { of: entity });
  return entity;
}

/** [depth, entity, source's Mark] in the order of iteration. */
function receivedBy(...terms: QueryTerm[]): [depth: number, entity: Entity, source: number | undefined][] {
  const received: [number, Entity, number | undefined][] = [];
  eachBatch(query(world, Mark, ...terms, cascade(Placed)), (batch) => {
    for (let at = batch.from; at < batch.to; at++) {
      const above = batch.hasParents ? batch.parentColumns(Mark).of[batch.parentRows[at]!] : undefined;
      received.push([batch.depth, batch.entityAt(batch.rows[at]!), above]);
    }
  });
  return received;
}

describe("eachBatch in a tree with parents in both storages", () => {
  //  station
  //    ship      value        cockpit   in its type    seat  value
  //    dock      in its type  crane     value
  it("comes by depth, beside sources in either storage", () => {
    const station = mark(Placed);
    const ship = mark(Parent(station), Placed);
    const dock = mark(ChildOf(station), Placed);
    const cockpit = mark(ChildOf(ship));
    const crane = mark(Parent(dock));
    const seat = mark(Parent(cockpit));

    const received = receivedBy();

    expect(received.map(([depth]) => depth)).toEqual([0, 1, 1, 2, 2, 3]);
    expect(new Map(received.map(([, entity, source]) => [entity, source]))).toEqual(
      new Map([
        [station, undefined],
        [ship, station],
        [dock, station],
        [cockpit, ship],
        [crane, dock],
        [seat, ship],
      ]),
    );
  });

  it("matches the same in a tree of pairs, one of values, and one of both", () => {
    const places = [ChildOf, Parent, undefined].map((storage) => {
      setWorld();
      const all = [spawn(world, Local({ of: 1 }), Placed)];
      for (let at = 1; at < 300; at++) {
        const below = storage ?? (at % 3 === 0 ? ChildOf : Parent);
        all.push(spawn(world, Local({ of: at }), Placed, below(all[Math.floor((at - 1) / 4)]!)));
      }
      eachBatch(query(world, Local, Placed, cascade(Placed)), (batch) => {
        const { of: own } = batch.columns(Local);
        const { of: placed } = batch.columns(Placed);
        const above = batch.hasParents ? batch.parentColumns(Placed).of : undefined;
        for (let at = batch.from; at < batch.to; at++) {
          const row = batch.rows[at]!;
          placed[row] = own[row]! + (above === undefined ? 0 : above[batch.parentRows[at]!]!);
        }
      });
      const found = new Map<number, number>();
      eachBatch(query(world, Local, Placed, cascade(Placed)), (batch) => {
        for (let at = batch.from; at < batch.to; at++) {
          const row = batch.rows[at]!;
          found.set(batch.columns(Local).of[row]!, batch.columns(Placed).of[row]!);
        }
      });
      return [...found].sort(([one], [other]) => one - other);
    });

    expect(places[1]).toEqual(places[0]);
    expect(places[2]).toEqual(places[0]);
  });

  it("tests an archetype once, and again archetypes that came later", () => {
    const station = mark(Placed);
    mark(Parent(station), Frozen);
    const ship = mark(Parent(station));
    const before = receivedBy(not(Frozen)).map(([, entity]) => entity);

    const dock = mark(ChildOf(station), Local);
    mark(ChildOf(ship), Frozen);
    for (let at = 0; at < 40; at++) mark(Parent(ship), Likes(station), ...(at % 2 ? [Local] : [Frozen]));

    expect(before).toEqual([station, ship]);
    expect(receivedBy(not(Frozen)).length).toBe(3 + 20);
    expect(receivedBy(not(Frozen))[2]![1]).toBe(dock);
  });
});

describe("a cascade query that names a target matches, of entities whose parents are values", () => {
  it("the children of one parent, in both storages", () => {
    const [ship, station] = [mark(Placed), mark(Placed)];
    const crew = [mark(Parent(ship)), mark(ChildOf(ship)), mark(Parent(ship), Placed)];
    mark(Parent(station));

    expect(new Map(receivedBy(ChildOf(ship)).map(([, entity, source]) => [entity, source]))).toEqual(
      new Map(crew.map((one) => [one, ship])),
    );
    expect(new Set(receivedBy(Parent(ship)).map(([, entity]) => entity))).toEqual(
      new Set([crew[0], crew[2]]),
    );
  });

  it("all entities except the children of one parent, roots first", () => {
    const [ship, station] = [mark(Placed), mark(Placed)];
    const cockpit = mark(Parent(ship), Placed);
    const dock = mark(Parent(station), Placed);
    const seat = mark(Parent(cockpit), Placed);

    expect(receivedBy(not(ChildOf(ship)))).toEqual([
      [0, ship, undefined],
      [0, station, undefined],
      [1, dock, station],
      [2, seat, cockpit],
    ]);
  });

  it("subjects of a pair at all depths, shallow first", () => {
    const root = mark(Placed);
    const ship = mark(Parent(root), Placed);
    const seat = mark(Parent(ship), Placed);
    const buoy = mark(Placed);
    for (const one of [seat, buoy, ship]) add(world, one, Likes(root));

    expect(receivedBy(Likes(root))).toEqual([
      [0, buoy, undefined],
      [1, ship, root],
      [2, seat, ship],
    ]);
  });

  it("each table of a pair with data apart, so that columns are right for all rows of a batch", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const sources = [mark(Placed), mark(Placed)] as const;
    const harm = Harms(second);
    const expected = new Map<Entity, number>();
    for (let at = 0; at < 6; at++) {
      const one = mark(Parent(sources[at % 2]!), Harms(first, { by: 1 }), Harms(second, { by: at }));
      const other = mark(Parent(sources[at % 2]!), Harms(second, { by: 10 * at }), Harms(third, { by: 30 }));
      expected.set(one, at).set(other, 10 * at);
    }
    const received = new Map<Entity, number>();

    eachBatch(query(world, harm, cascade(Placed)), (batch) => {
      const { by } = batch.columns(harm);
      for (let at = batch.from; at < batch.to; at++) {
        received.set(batch.entityAt(batch.rows[at]!), by[batch.rows[at]!]!);
      }
    });

    expect(received).toEqual(expected);
  });

  const terms: ((mixed: Mixed) => Parameters<typeof has>[2])[] = [
    ({ dice, living }) => ChildOf(dice.pick(living)),
    ({ dice, living }) => Parent(dice.pick(living)),
    ({ dice, living }) => Likes(dice.pick(living)),
    ({ dice, living }) => Harms(dice.pick(living)),
    () => ChildOf(Any),
    () => Parent(Any),
    () => Local,
  ];

  it.each(seeds(1, 3))("the entities that a naive search finds, in a random world, seed %i", (seed) => {
    const mixed = createMixed(seed, { most: 80 });
    const { dice } = mixed;
    const wrong: string[] = [];

    for (let at = 0; at < 500; at++) {
      stepMixed(mixed);
      if (mixed.living.length === 0) continue;
      const tested = [dice.pick(terms)(mixed), dice.pick(terms)(mixed)];
      const isNot = tested.map(() => dice.chance(0.4));
      const expected = mixed.living.filter(
        (one) =>
          !isDisabled(mixed.world, one) &&
          tested.every((what, place) => has(mixed.world, one, what) !== isNot[place]),
      );
      const given = tested.map((what, place) =>
        isNot[place] ? not(what as typeof Local) : what,
      ) as QueryTerm[];

      wrong.push(...wrongInBatches(mixed.world, expected, Placed, ...given).map((text) => `${at}: ${text}`));
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
