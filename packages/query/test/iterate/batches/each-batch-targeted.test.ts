import { add, ChildOf, createWorld, type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, destroy, eachBatch, not, type QueryTerm, query } from "../../../src/index.ts";
import { place } from "../../random/cascades.ts";
import { seeds } from "../../random/dice.ts";
import { createTwin, depthIn, Harms, Likes, Mark, Placed, sourceIn, step } from "../../random/twin.ts";
import { matchesIn, randomTwinQuery } from "../../random/twin-query.ts";

let world: World;

beforeEach(() => {
  world = createWorld();
});

/** [entity, source] in the order of iteration. */
function receivedBy(...terms: QueryTerm[]): [Entity, number | undefined][] {
  const received: [Entity, number | undefined][] = [];
  eachBatch(query(world, ...terms, cascade(Placed)), (batch) => {
    for (let at = batch.from; at < batch.to; at++) {
      const above = batch.hasParents ? batch.parentColumns(Mark).of[batch.parentRows[at]!] : undefined;
      received.push([batch.entityAt(batch.rows[at]!), above]);
    }
  });
  return received;
}

describe("a cascade query that names a target matches", () => {
  it("the children of one parent, with their source", () => {
    const [ship, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const children = [place(world, ship), place(world, ship), place(world, ship, Placed)];
    place(world, station);

    expect(new Map(receivedBy(ChildOf(ship)))).toEqual(new Map(children.map((child) => [child, ship])));
  });

  it("all entities except the children of one parent, roots first", () => {
    const [ship, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const cockpit = place(world, ship, Placed);
    const dock = place(world, station, Placed);
    const seat = place(world, cockpit, Placed);

    expect(receivedBy(not(ChildOf(ship)))).toEqual([
      [ship, undefined],
      [station, undefined],
      [dock, station],
      [seat, cockpit],
    ]);
  });

  it("subjects of a pair at all depths, shallow first, roots included", () => {
    const root = place(world, undefined, Placed);
    const ship = place(world, root, Placed);
    const seat = place(world, ship, Placed);
    const buoy = place(world, undefined, Placed);
    for (const one of [seat, buoy, ship]) add(world, one, Likes(root));

    expect(receivedBy(Likes(root))).toEqual([
      [buoy, undefined],
      [ship, root],
      [seat, ship],
    ]);
  });

  it("nothing once the target is destroyed, and everything for not", () => {
    const [ship, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    add(world, ship, Likes(station));
    destroy(world, station);

    expect([receivedBy(Likes(station)), receivedBy(not(Likes(station)))]).toEqual([[], [[ship, undefined]]]);
  });

  it("each table of a pair with data apart, so that columns are right for all rows of a batch", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const sources = [place(world, undefined, Placed), place(world, undefined, Placed)] as const;
    const one = spawnMany(world, 2, ChildOf(sources[0]), Harms(first, { by: 1 }), Harms(second, { by: 2 }));
    const other = spawnMany(
      world,
      2,
      ChildOf(sources[1]),
      Harms(second, { by: 20 }),
      Harms(third, { by: 30 }),
    );
    const harm = Harms(second);
    const received: [Entity, number][] = [];

    eachBatch(query(world, harm, cascade(Placed)), (batch) => {
      const { by } = batch.columns(harm);
      for (let at = batch.from; at < batch.to; at++) {
        received.push([batch.entityAt(batch.rows[at]!), by[batch.rows[at]!]!]);
      }
    });

    expect(new Map(received)).toEqual(
      new Map<Entity, number>([...one.map((e) => [e, 2] as const), ...other.map((e) => [e, 20] as const)]),
    );
  });

  it("tables of one archetype together if no values of pairs are required", () => {
    const parents = Array.from({ length: 10 }, () => place(world, undefined, Placed));
    for (const parent of parents) place(world, parent, Placed);
    const lengths: number[] = [];

    eachBatch(query(world, Placed, not(ChildOf(parents[0]!)), cascade(Placed)), ({ from, to }) => {
      lengths.push(to - from);
    });

    expect(lengths).toEqual([10, 9]);
  });

  it("roots of a pair with data, each with its own columns", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    spawn(world, Harms(first, { by: 1 }), Harms(second, { by: 2 }));
    spawn(world, Harms(second, { by: 20 }), Harms(third, { by: 30 }));
    const received: number[] = [];

    eachBatch(query(world, Harms(second), cascade(Placed)), (batch) => {
      const { by } = batch.columns(Harms(second));
      for (let at = batch.from; at < batch.to; at++) received.push(by[batch.rows[at]!]!);
    });

    expect(received.toSorted((a, b) => a - b)).toEqual([2, 20]);
  });

  it.each(seeds(1, 3))("the entities that a naive search finds, in a random world, seed %i", (seed) => {
    const twin = createTwin(seed, { most: 60, pair: 0.4 });
    world = twin.world;
    const wrong: string[] = [];

    for (let at = 0; at < 700; at++) {
      step(twin);
      if (twin.living.size === 0) continue;
      const description = randomTwinQuery(twin, 1 + twin.dice.below(2));
      const received: Entity[] = [];
      let depth = 0;

      eachBatch(query(world, ...description.terms, cascade(Placed)), (batch) => {
        if (batch.depth < depth) wrong.push(`${at}: depth ${batch.depth} after ${depth}`);
        depth = batch.depth;
        const harms = description.harmed.map((target) => batch.columns(Harms(target)));
        for (let place = batch.from; place < batch.to; place++) {
          const row = batch.rows[place]!;
          const entity = batch.entityAt(row);
          received.push(entity);
          if (depthIn(twin, entity) !== depth) wrong.push(`${at}: depth of ${entity}`);
          const above = batch.hasParents ? batch.parentRows[place]! : -1;
          const source = above < 0 ? undefined : batch.parentColumns(Placed).of[above];
          if (source !== sourceIn(twin, entity, Placed)) wrong.push(`${at}: source of ${entity}`);
          harms.forEach(({ by, to }, which) => {
            if (by[row] !== entity || to[row] !== description.harmed[which])
              wrong.push(`${at}: harm by ${entity}`);
          });
        }
      });

      const expected = matchesIn(twin, description).toSorted((one, other) => one - other);
      if (String(received.toSorted((one, other) => one - other)) !== String(expected)) {
        wrong.push(`${at}: ${description.text}`);
      }
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
