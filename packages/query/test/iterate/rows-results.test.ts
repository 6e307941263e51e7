import { add, type Entity, get, remove, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { dispose, each, query, rows } from "../../src/index.ts";
import { ChildOf } from "../public/builtins.ts";
import { component } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { changed, maybe } from "../public/filters.ts";
import { cascade } from "../public/terms.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

const A = component("A", { v: f32 });
const B = component("B", { v: f32 });

beforeEach(setWorld);

/** Spawns entities with A, whose values are 0, 1, 2, ... */
function plant(count: number): Entity[] {
  return Array.from({ length: count }, (_, at) => spawn(world, A({ v: at })));
}

/** Values of A, row by row. */
function valuesOf(tested: Iterable<readonly [{ readonly v: number }, ...unknown[]]>): number[] {
  const values: number[] = [];
  for (const [a] of tested) values.push(a.v);
  return values;
}

describe("the iterator of rows", () => {
  it("that has ended stays at its end while another one iterates the same query", () => {
    plant(3);
    const tested = query(world, A);
    const ended = rows(tested);
    expect(valuesOf(ended)).toEqual([0, 1, 2]);
    const open = rows(tested);
    open.next();

    const after = [ended.next(), ended.next()];

    expect(after).toEqual([
      { done: true, value: undefined },
      { done: true, value: undefined },
    ]);
    expect(valuesOf(open)).toEqual([1, 2]);
  });

  it("ended inside its loop ends the loop, even if another one is open then", () => {
    plant(3);
    const tested = query(world, A);
    const outer = rows(tested);
    const others = [];
    let bodies = 0;

    for (const _ of outer) {
      bodies++;
      outer.return();
      const other = rows(tested);
      other.next();
      others.push(other);
    }

    expect([bodies, others.map(valuesOf)]).toEqual([1, [[1, 2]]]);
    expect(isIterating(world)).toBe(false);
  });

  it("returns undefined as value at the end, and after it", () => {
    plant(1);
    const iterator = rows(query(world, A));
    iterator.next();

    const end = iterator.next();

    expect([end.done, end.value, iterator.next().value]).toEqual([true, undefined, undefined]);
  });

  it("begins at the first row in each loop, whichever way the one before was left", () => {
    plant(3);
    const tested = query(world, A);
    const found: number[][] = [];

    for (const _ of rows(tested)) break;
    found.push(valuesOf(rows(tested)));
    expect(() => {
      for (const _ of rows(tested)) throw new Error("stop");
    }).toThrow("stop");
    found.push(valuesOf(rows(tested)));
    const left = rows(tested);
    left.next();
    left.return();
    found.push(valuesOf(rows(tested)));

    expect(found).toEqual([
      [0, 1, 2],
      [0, 1, 2],
      [0, 1, 2],
    ]);
  });

  it("goes through more loops inside each other than there are archetypes and queries", () => {
    plant(2);
    const tested = query(world, A);
    const met: number[] = [];

    for (const [a] of rows(tested))
      for (const [b] of rows(tested))
        for (const [c] of rows(tested))
          for (const [d] of rows(tested)) met.push(a.v * 8 + b.v * 4 + c.v * 2 + d.v);

    expect(met).toEqual(Array.from({ length: 16 }, (_, at) => at));
  });

  it("passes components that some archetypes do not have, in turns", () => {
    const [one, other] = plant(2);
    add(world, other!, B({ v: 10 }));
    const tested = query(world, A, maybe(B));
    const read = (): unknown[] => {
      const found: unknown[] = [];
      for (const [a, b, entity] of rows(tested)) found.push([a.v, b?.v, entity]);
      return found;
    };

    const found = [read(), read()];
    remove(world, other!, B);
    add(world, one!, B({ v: 20 }));
    found.push(read());

    expect(found).toEqual([
      [
        [0, undefined, one],
        [1, 10, other],
      ],
      [
        [0, undefined, one],
        [1, 10, other],
      ],
      [
        [1, undefined, other],
        [0, 20, one],
      ],
    ]);
  });

  it("passes what parents have, before and after entities move", () => {
    const [root, child, leaf] = plant(3);
    add(world, child!, ChildOf(root!));
    add(world, leaf!, ChildOf(child!));
    const tested = query(world, A, cascade(A));
    const read = (): unknown[] => {
      const found: unknown[] = [];
      for (const [a, above] of rows(tested)) found.push([a.v, above?.v]);
      return found;
    };

    const before = read();
    add(world, leaf!, ChildOf(root!));

    expect([before, read()]).toEqual([
      [
        [0, undefined],
        [1, 0],
        [2, 1],
      ],
      [
        [0, undefined],
        [1, 0],
        [2, 0],
      ],
    ]);
  });

  it("shows entities that were spawned after an earlier loop, in columns that have grown", () => {
    plant(1);
    const tested = query(world, A);
    expect(valuesOf(rows(tested))).toEqual([0]);

    const more = spawnMany(world, 5_000, A({ v: 7 }));

    let last: unknown;
    for (const [a, entity] of rows(tested)) last = [a.v, entity];
    expect(last).toEqual([7, more.at(-1)]);
  });

  it("writes through the row views, and marks what it writes", () => {
    const spawned = plant(3);
    const tested = query(world, A);
    const written = query(world, A, changed(A));
    expect(valuesOf(rows(written))).toEqual([0, 1, 2]);

    for (const [a] of rows(tested)) if (a.v === 1) a.v = 5;

    expect(spawned.map((entity) => get(world, entity, A)!.v)).toEqual([0, 5, 2]);
    expect(valuesOf(rows(written))).toEqual([5]);
  });

  it("works for many queries at once, with a disposed one among them", () => {
    const kinds = Array.from({ length: 80 }, (_, at) => component(`Kind ${at}`, { v: f32 }));
    const queries = kinds.map((one, at) => {
      spawn(world, one({ v: at }), A({ v: at }));
      return query(world, one, A);
    });
    const read = (): number[] => queries.flatMap((one) => valuesOf(rows(one as never) as never));
    const first = read();
    dispose(queries.shift()!);

    expect([first.length, read()]).toEqual([80, first.slice(1)]);
  });

  it("reads the same as each, inside and outside of it", () => {
    plant(4);
    const tested = query(world, A);
    const pairs: [number, number[]][] = [];

    each(tested, (a) => {
      const { v } = a;
      pairs.push([v, valuesOf(rows(tested))]);
      expect(a.v).toBe(v);
    });

    expect(pairs).toEqual([0, 1, 2, 3].map((v) => [v, [0, 1, 2, 3]]));
  });

  it("shows a value that is set between two rows", () => {
    const spawned = plant(3);
    const found: number[] = [];

    for (const [a, entity] of rows(query(world, A))) {
      const next = spawned[spawned.indexOf(entity) + 1];
      if (next !== undefined) set(world, next, A, { v: a.v + 10 });
      found.push(a.v);
    }

    expect(found).toEqual([0, 10, 20]);
  });
});
