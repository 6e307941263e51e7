import { add, type Entity, pack, remove, set, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy, eachBatch, query } from "../../../src/index.ts";
import { currentBatches } from "../../current-batches.ts";
import { Any, ChildOf, OrderedChildren, Parent } from "../../public/builtins.ts";
import { cascade } from "../../public/terms.ts";
import { layers, place, sourcesInBatches, wrongSources } from "../../random/cascades.ts";
import { along } from "../../random/path-world.ts";
import { Likes, Local, Mark, Placed } from "../../random/twin.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

describe("rows whose parents are stored as values", () => {
  /** One station, ships in it, seats in each; all Placed, in the storage given. */
  function fleet(below: typeof ChildOf | typeof Parent, ships: number, seats: number): Entity[][] {
    const station = place(world, undefined, Placed);
    const docked = spawnMany(world, ships, Mark, Placed, below(station));
    const crew = docked.flatMap((ship) => spawnMany(world, seats, Mark, Placed, below(ship)));
    for (const one of [...docked, ...crew]) set(world, one, Placed, { of: one });
    return [[station], docked, crew];
  }

  it("are one batch for each depth, however many parents there are", () => {
    fleet(Parent, 1000, 3);

    expect(layers(world)).toEqual([
      [1, 1000],
      [2, 3000],
    ]);
    expect(wrongSources(world, Placed)).toEqual([]);
  });

  it("come at the same depths, beside the same sources, as if parents were pairs", () => {
    const byParent = new Map<string, number>();
    const count = (): void => {
      eachBatch(query(world, Placed, cascade(Placed)), ({ depth, hasParents, from, to }) => {
        const key = `${depth} ${hasParents}`;
        byParent.set(key, (byParent.get(key) ?? 0) + to - from);
      });
    };
    fleet(Parent, 20, 5);
    count();
    setWorld();
    fleet(ChildOf, 20, 5);
    const once = new Map(byParent);
    count();

    expect(byParent).toEqual(new Map([...once].map(([key, rows]) => [key, 2 * rows])));
  });

  it("are never among the roots", () => {
    const [[station], docked] = fleet(Parent, 2, 1) as [Entity[], Entity[], Entity[]];
    const roots: Entity[] = [];

    eachBatch(query(world, Placed, cascade(Placed)), (batch) => {
      for (let at = batch.from; at < batch.to; at++) {
        if (batch.depth === 0) roots.push(batch.entityAt(batch.rows[at]!));
      }
    });
    remove(world, docked![0]!, ChildOf(Any));
    const after = sourcesInBatches(world, Placed).filter(([, source]) => source === undefined);

    expect([roots, after]).toEqual([
      [station],
      [
        [station, undefined],
        [docked![0], undefined],
      ],
    ]);
  });

  it.each<[title: string, change: (fleet: Entity[][]) => void]>([
    [
      "one was reparented among others of its table",
      ([, ships]) => add(world, ships![3]!, Parent(ships![4]!)),
    ],
    ["one with children went deeper", ([, ships, crew]) => add(world, ships![0]!, Parent(crew!.at(-1)!))],
    ["one with children became a root", ([, ships]) => remove(world, ships![2]!, Parent(Any))],
    [
      "some changed storage",
      ([station, ships]) => {
        for (const one of ships!.slice(2, 7)) add(world, one, ChildOf(station![0]!));
      },
    ],
    [
      "all changed storage and back",
      ([station, ships]) => {
        for (const one of ships!) add(world, one, ChildOf(station![0]!));
        wrongSources(world, Placed);
        for (const one of ships!) add(world, one, Parent(station![0]!));
      },
    ],
    [
      "a tag came and went",
      ([, ships]) => {
        for (const one of ships!) add(world, one, Local);
        wrongSources(world, Placed);
        for (const one of ships!) remove(world, one, Local);
      },
    ],
    ["their parent moved to another table", ([station]) => add(world, station![0]!, Local)],
    [
      "parents lost the component",
      ([, ships]) => {
        for (const one of ships!) remove(world, one, Placed);
      },
    ],
    [
      "leaves were destroyed",
      ([, , crew]) => {
        for (const one of crew!.filter((_, at) => at % 3 === 0)) destroy(world, one);
      },
    ],
    [
      "branches were destroyed",
      ([, ships]) => {
        for (const one of ships!.slice(4)) destroy(world, one);
      },
    ],
    ["everything was destroyed", ([station]) => destroy(world, station![0]!)],
    [
      "everything was destroyed, and others got their places",
      ([station]) => {
        destroy(world, station![0]!);
        for (let at = 0; at < 6000; at++) destroy(world, spawn(world));
        fleet(Parent, 12, 3);
        fleet(ChildOf, 3, 12);
      },
    ],
    [
      "more were spawned than there was room",
      ([, ships]) => {
        for (const one of ships!) place(world, one, Placed);
      },
    ],
    [
      "their columns grew, also with other pairs in their tables",
      ([station, ships]) => {
        ships!.forEach((one, at) => {
          add(world, one, Likes(at % 2 === 0 ? station![0]! : ships![0]!));
        });
        for (let at = 0; at < 400; at++) {
          const one = spawn(world, Mark, Placed, Likes(ships![at % 3]!), Parent(ships![at % 12]!));
          set(world, one, Placed, { of: one });
        }
      },
    ],
    ["all was packed", () => pack(world)],
    [
      "parents began and ceased to keep lists",
      ([station, ships]) => {
        for (const one of [station![0]!, ...ships!]) add(world, one, OrderedChildren);
        wrongSources(world, Placed);
        for (const one of [station![0]!, ...ships!]) remove(world, one, OrderedChildren);
      },
    ],
    [
      "more changed than is listed",
      ([station, ships, crew]) => {
        for (let at = 0; at < 70_000; at++)
          add(world, crew![at % 60]!, Parent(at % 61 === 0 ? station![0]! : ships![at % 12]!));
      },
    ],
  ])("are right again after %s", (_, change) => {
    const all = fleet(Parent, 12, 5);
    const before = wrongSources(world, Placed);

    change(all);

    expect([before, wrongSources(world, Placed)]).toEqual([[], []]);
    expect(verify(world)).toEqual([]);
  });

  it("cost by what changed, not by what exists: 10 reparents among 20,000 write no others", () => {
    const [, docked, crew] = fleet(Parent, 100, 200) as [Entity[], Entity[], Entity[]];
    layers(world);
    const { rowLists } = currentBatches(world, [along(world, ChildOf, Placed)]);
    const { rows } = rowLists;
    const before = rows.slice(0, rowLists.end);

    for (let at = 0; at < 10; at++) add(world, crew[at * 7]!, Parent(docked[99]!));
    for (let at = 0; at < 10; at++) add(world, crew[at * 7]!, Parent(docked[98]!));
    layers(world);

    expect(rowLists.rows).toBe(rows);
    expect(rows.slice(0, rowLists.end).filter((row, at) => row !== before[at]).length).toBeLessThan(20);
    expect(wrongSources(world, Placed)).toEqual([]);
  });

  it("of a chain of 20,000 come one by one, each after its parent, whatever the storage", () => {
    let last = spawn(world, Placed({ of: 0 }));
    for (let at = 1; at < 20_000; at++)
      last = spawn(world, Placed, at % 1000 === 0 ? ChildOf(last) : Parent(last));
    const run = (): number => {
      let wrong = 0;
      let depth = 0;
      eachBatch(query(world, Placed, cascade(Placed)), (batch) => {
        const { of } = batch.columns(Placed);
        const above = batch.hasParents ? batch.parentColumns(Placed).of[batch.parentRows[batch.from]!]! : -1;
        of[batch.rows[batch.from]!] = above + 1;
        if (batch.depth !== depth || above + 1 !== depth || batch.to - batch.from !== 1) wrong++;
        depth++;
      });
      return depth === 20_000 ? wrong : -1;
    };
    const before = run();

    add(world, last, Local);

    expect([before, run()]).toEqual([0, 0]);
  });
});
