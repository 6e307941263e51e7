import { add, ChildOf, createWorld, type Entity, spawn, spawnMany, type World } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, destroy, eachBatch, not, type QueryTerm, query } from "../../../src/index.ts";
import { place } from "../../cascades.ts";
import { matchesIn, randomQuestion } from "../../parsed-term.ts";
import { createTwin, depthIn, Harms, holderIn, Likes, Mark, Placed, step } from "../../twin.ts";

let world: World;

beforeEach(() => {
  world = createWorld();
});

/** [entity, holder] in the order of the visit. */
function seenBy(...terms: QueryTerm[]): [Entity, number | undefined][] {
  const seen: [Entity, number | undefined][] = [];
  eachBatch(query(world, ...terms, cascade(Placed)), (batch) => {
    for (let at = batch.from; at < batch.to; at++) {
      const above = batch.hasParents ? batch.parentColumns(Mark).of[batch.parentRows[at]!] : undefined;
      seen.push([batch.entityAt(batch.rows[at]!), above]);
    }
  });
  return seen;
}

describe("a cascade query that names a target visits", () => {
  it("the children of one parent, with their holder", () => {
    const [ship, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const children = [place(world, ship), place(world, ship), place(world, ship, Placed)];
    place(world, station);

    expect(new Map(seenBy(ChildOf(ship)))).toEqual(new Map(children.map((child) => [child, ship])));
  });

  it("everybody but the children of one parent, roots first", () => {
    const [ship, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const cockpit = place(world, ship, Placed);
    const dock = place(world, station, Placed);
    const seat = place(world, cockpit, Placed);

    expect(seenBy(not(ChildOf(ship)))).toEqual([
      [ship, undefined],
      [station, undefined],
      [dock, station],
      [seat, cockpit],
    ]);
  });

  it("sources of a pair at all depths, shallow first, roots included", () => {
    const root = place(world, undefined, Placed);
    const ship = place(world, root, Placed);
    const seat = place(world, ship, Placed);
    const buoy = place(world, undefined, Placed);
    for (const one of [seat, buoy, ship]) add(world, one, Likes(root));

    expect(seenBy(Likes(root))).toEqual([
      [buoy, undefined],
      [ship, root],
      [seat, ship],
    ]);
  });

  it("nobody once the target is dead, and everybody for not", () => {
    const [ship, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    add(world, ship, Likes(station));
    destroy(world, station);

    expect([seenBy(Likes(station)), seenBy(not(Likes(station)))]).toEqual([[], [[ship, undefined]]]);
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
    const seen: [Entity, number][] = [];

    eachBatch(query(world, harm, cascade(Placed)), (batch) => {
      const { by } = batch.columns(harm);
      for (let at = batch.from; at < batch.to; at++) {
        seen.push([batch.entityAt(batch.rows[at]!), by[batch.rows[at]!]!]);
      }
    });

    expect(new Map(seen)).toEqual(
      new Map<Entity, number>([...one.map((e) => [e, 2] as const), ...other.map((e) => [e, 20] as const)]),
    );
  });

  it("tables of one archetype together when no values of pairs are asked for", () => {
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
    const seen: number[] = [];

    eachBatch(query(world, Harms(second), cascade(Placed)), (batch) => {
      const { by } = batch.columns(Harms(second));
      for (let at = batch.from; at < batch.to; at++) seen.push(by[batch.rows[at]!]!);
    });

    expect(seen.toSorted((a, b) => a - b)).toEqual([2, 20]);
  });

  it.each([1, 2, 3])("whom a look at everybody finds, in a random world, seed %i", (seed) => {
    const twin = createTwin(seed, { most: 60, pair: 0.4 });
    world = twin.world;
    const wrong: string[] = [];

    for (let at = 0; at < 700; at++) {
      step(twin);
      if (twin.living.size === 0) continue;
      const question = randomQuestion(twin, 1 + twin.dice.below(2));
      const seen: Entity[] = [];
      let depth = 0;

      eachBatch(query(world, ...question.terms, cascade(Placed)), (batch) => {
        if (batch.depth < depth) wrong.push(`${at}: depth ${batch.depth} after ${depth}`);
        depth = batch.depth;
        const harms = question.harmed.map((target) => batch.columns(Harms(target)));
        for (let place = batch.from; place < batch.to; place++) {
          const row = batch.rows[place]!;
          const entity = batch.entityAt(row);
          seen.push(entity);
          if (depthIn(twin, entity) !== depth) wrong.push(`${at}: depth of ${entity}`);
          const above = batch.hasParents ? batch.parentRows[place]! : -1;
          const source = above < 0 ? undefined : batch.parentColumns(Placed).of[above];
          if (source !== holderIn(twin, entity, Placed)) wrong.push(`${at}: holder of ${entity}`);
          harms.forEach(({ by, to }, which) => {
            if (by[row] !== entity || to[row] !== question.harmed[which])
              wrong.push(`${at}: harm by ${entity}`);
          });
        }
      });

      const expected = matchesIn(twin, question).toSorted((one, other) => one - other);
      if (String(seen.toSorted((one, other) => one - other)) !== String(expected)) {
        wrong.push(`${at}: ${question.text}`);
      }
    }

    expect(wrong.slice(0, 5)).toEqual([]);
  });
});
