import { Any, add, ChildOf, Parent, pack, remove, set, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { archetypeViewAt, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../../src/index.ts";
import type { RowLists } from "../../../src/query/batches/chunks.ts";
import { currentBatches } from "../../current-batches.ts";
import { layers, place, sourcesInBatches, wrongSources } from "../../random/cascades.ts";
import { along } from "../../random/path-world.ts";
import { Local, Mark, Placed } from "../../random/twin.ts";
import { setWorld, world } from "../../test-world.ts";

beforeEach(setWorld);

describe("rows with parents are filed", () => {
  it("by depth, shallow first, whatever the order of spawning (I12)", () => {
    const [buoy, station] = [place(world, undefined, Placed), place(world, undefined, Placed)];
    const ship = place(world, station, Placed);
    const cockpit = place(world, ship, Placed);
    add(world, station, ChildOf(buoy));

    expect(sourcesInBatches(world, Placed)).toEqual([
      [buoy, undefined],
      [station, buoy],
      [ship, station],
      [cockpit, ship],
    ]);
  });

  it("together at each depth, when many parents have one child each; those of one that has many for themselves", () => {
    const parents = Array.from({ length: 1000 }, () => place(world, undefined, Placed));
    for (const parent of parents) place(world, place(world, parent, Placed));
    const ship = place(world, undefined, Placed);
    const crew = spawnMany(world, 4_000, ChildOf(ship), Mark, Placed);

    expect(layers(world)).toEqual([
      [1, 1000],
      [1, crew.length],
      [2, 1000],
    ]);
  });

  it("in as few batches, after most of them have gone", () => {
    const parents = Array.from({ length: 1000 }, () => place(world, undefined, Placed));
    const ships = parents.map((parent) => place(world, parent, Placed));
    const before = layers(world);

    ships.forEach((ship, at) => {
      if (at % 100 !== 0) remove(world, ship, ChildOf(Any));
    });
    for (const parent of parents.slice(0, 50)) spawn(world, Placed, Mark, Parent(parent));

    expect([before, layers(world)]).toEqual([
      [[1, 1000]],
      [
        [1, 10],
        [1, 50],
      ],
    ]);
    expect(verify(world)).toEqual([]);
  });

  it("separately for each archetype, and for each archetype of the source", () => {
    const one = place(world, undefined, Placed);
    const other = place(world, undefined, Placed, Local);
    for (const parent of [one, other]) {
      place(world, parent);
      place(world, parent, Local);
    }

    expect(layers(world)).toEqual([
      [1, 1],
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
    expect(wrongSources(world, Placed)).toEqual([]);
  });
});

describe("batches are right again", () => {
  it("after parent and child change places", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station, Placed);
    const cockpit = place(world, ship, Placed);
    wrongSources(world, Placed);

    add(world, cockpit, ChildOf(station));
    add(world, ship, ChildOf(cockpit));

    expect(sourcesInBatches(world, Placed)).toEqual([
      [station, undefined],
      [cockpit, station],
      [ship, cockpit],
    ]);
  });

  it("after destructions, of leaves and of whole branches", () => {
    const station = place(world, undefined, Placed);
    const ships = Array.from({ length: 10 }, () => place(world, station, Placed));
    const seats = ships.map((ship) => place(world, ship, Placed));
    wrongSources(world, Placed);

    destroy(world, seats[3]!);
    destroy(world, ships[5]!);
    destroy(world, ships[9]!);

    expect(wrongSources(world, Placed)).toEqual([]);
  });

  it("after a whole world was cleared and another was spawned in it", () => {
    for (let round = 0; round < 5; round++) {
      const roots = Array.from({ length: 20 }, () => place(world, undefined, Placed));
      for (const root of roots) place(world, place(world, root, Local), Placed);
      expect(wrongSources(world, Placed)).toEqual([]);

      for (const root of roots) destroy(world, root);
      expect(sourcesInBatches(world, Placed)).toEqual([]);
    }
  });

  it("after a table's number was given to a table of another archetype", () => {
    const station = place(world, undefined, Placed);
    const ship = place(world, station, Placed);
    place(world, ship, Placed);
    wrongSources(world, Placed);

    destroy(world, ship);
    const root = place(world, undefined, Local);
    place(world, place(world, root, Local, Placed), Local);
    place(world, station, Local);

    expect(wrongSources(world, Placed)).toEqual([]);
  });

  it("after columns of sources grew and sources got other rows", () => {
    const roots = Array.from({ length: 8 }, () => place(world, undefined, Placed));
    const ships = roots.map((root) => place(world, root, Placed));
    for (const ship of ships) place(world, ship, Placed);
    wrongSources(world, Placed);
    const rowsOf = (): number[] => ships.slice(1).map((ship) => world.entities.row[indexOf(ship)]!);
    const { lanes } = archetypeViewAt(world, indexOf(ships[0]!));
    const before = [lanes.i32.length, rowsOf()] as const;

    for (const root of roots) for (let more = 0; more < 200; more++) place(world, root, Placed);
    destroy(world, ships[0]!);
    for (const ship of ships.slice(1, 4)) add(world, ship, Local);
    for (const ship of ships.slice(1, 4)) remove(world, ship, Local);

    expect(wrongSources(world, Placed)).toEqual([]);
    expect(lanes.i32.length).toBeGreaterThan(before[0]);
    expect(rowsOf()).not.toEqual(before[1]);
  });

  it("after holes were closed between two iterations", () => {
    const roots = Array.from({ length: 400 }, () => place(world, undefined, Placed));
    for (const root of roots) for (let more = 0; more < 5; more++) place(world, root, Placed);
    wrongSources(world, Placed);

    for (const root of roots.slice(0, 390)) destroy(world, root);
    for (const root of roots.slice(390)) for (let more = 0; more < 200; more++) place(world, root, Placed);

    expect(wrongSources(world, Placed)).toEqual([]);
  });

  it("after a pack between two iterations", () => {
    const roots = Array.from({ length: 30 }, () => place(world, undefined, Placed));
    for (let round = 0; round < 3; round++)
      for (const root of roots) place(world, place(world, root, Placed));
    for (const root of roots.slice(5, 20)) destroy(world, root);
    wrongSources(world, Placed);

    pack(world);

    expect(wrongSources(world, Placed)).toEqual([]);
  });

  it("after more changes between two iterations than are listed", () => {
    const roots = Array.from({ length: 40 }, () => place(world, undefined, Placed));
    const ships = roots.map((root) => place(world, root, Placed));
    for (const ship of ships) place(world, ship);
    wrongSources(world, Placed);
    const { journal } = world.graph;

    for (let at = 0; at < 70_000; at++)
      add(world, ships[at % 40]!, ChildOf(roots[(at * 7 + Math.floor(at / 40)) % 40]!));

    expect(journal.cursors.some(({ lost }) => lost)).toBe(true);
    expect(wrongSources(world, Placed)).toEqual([]);
  });
});

describe("room of a chunk", () => {
  it("grows with its tables, without losing a row", () => {
    const roots = Array.from({ length: 10 }, () => place(world, undefined, Placed));
    const counts: number[] = [];

    for (let round = 0; round < 12; round++) {
      for (const root of roots) spawnMany(world, 2 ** round, ChildOf(root));
      counts.push(layers(world).reduce((sum, [, rows]) => sum + rows, 0));
    }

    expect(counts).toEqual(counts.map((_, round) => 10 * (2 ** (round + 1) - 1)));
  });

  it("does not grow without limit while tables come and go", () => {
    const roots = Array.from({ length: 600 }, () => place(world, undefined, Placed));
    const ships = roots.map((root) => place(world, root, Placed));
    layers(world);
    let most = 0;

    for (let round = 0; round < 300; round++) {
      const far = spawnMany(world, 50, Mark, ChildOf(roots[round]!));
      layers(world);
      for (const one of far) destroy(world, one);
      add(world, ships[round]!, ChildOf(roots[599 - round]!));
      most = Math.max(most, currentBatches(world, [along(world, ChildOf, Placed)]).rowLists.rows.length);
    }

    expect(most).toBeLessThan(8 * 650);
    expect(wrongSources(world, Placed)).toEqual([]);
  });
});

describe("batches of two components side by side", () => {
  it("each follow the changes since they were last iterated", () => {
    const root = place(world, undefined, Placed, Local);
    const ship = place(world, root, Placed);
    const cockpit = place(world, ship, Local);
    const seat = place(world, cockpit);
    const received = (what: typeof Local | typeof Placed): number | undefined =>
      sourcesInBatches(world, what).find(([one]) => one === seat)![1];
    const before = [received(Placed), received(Local)];

    remove(world, ship, Placed);
    const between = received(Placed);
    remove(world, cockpit, Local);
    set(world, ship, Local, { of: ship });

    expect([before, between]).toEqual([[ship, cockpit], root]);
    expect([received(Local), received(Placed)]).toEqual([ship, root]);
  });

  it("both are filed again when one has read all changes and the other has not", () => {
    const roots = Array.from({ length: 40 }, () => place(world, undefined, Placed, Local));
    const ships = roots.map((parent) => place(world, parent));
    wrongSources(world, Placed);
    wrongSources(world, Local);

    for (let at = 0; at < 80_000; at++) {
      add(world, ships[at % 40]!, ChildOf(roots[(at * 7 + Math.floor(at / 40)) % 40]!));
      if (at % 1000 === 0) sourcesInBatches(world, Placed);
    }

    expect([...wrongSources(world, Placed), ...wrongSources(world, Local)]).toEqual([]);
  });
});

describe("verify", () => {
  it.each<[title: string, spoil: (rowLists: RowLists) => void]>([
    ["the source's row of an entity is wrong", ({ sourceRows }) => sourceRows[0]![0]!++],
    [
      "a row is listed twice and another not at all",
      ({ rows, chunks: { start, rows: many } }) => {
        const chunk = many.indexOf(2);
        rows[start[chunk]!] = rows[start[chunk]! + 1]!;
      },
    ],
    ["a chunk has a row too few", ({ chunks }) => chunks.rows[1]!--],
    ["a chunk has a wrong depth", ({ chunks }) => chunks.depth[1]!++],
    ["a chunk has a wrong archetype of sources", ({ chunks }) => chunks.source[1]!--],
  ])("reports when %s (I12)", (_, spoil) => {
    const root = place(world, undefined, Placed);
    place(world, place(world, root, Placed), Placed);
    spawn(world, ChildOf(root), Mark, Placed);
    const { rowLists } = currentBatches(world, [along(world, ChildOf, Placed)]);
    const before = verify(world);

    spoil(rowLists);

    expect([before, verify(world).some((text) => text.startsWith("I12"))]).toEqual([[], true]);
  });

  it.each<[title: string, spoil: (rowLists: RowLists) => void]>([
    ["the source's row is wrong", ({ sourceRows }) => sourceRows[0]![0]!++],
    ["one is missing", ({ chunks }) => chunks.rows[1]!--],
    ["one is listed twice and another not at all", ({ rows }) => rows.copyWithin(0, 1, 2)],
  ])("reports rows whose parents are stored by value when %s (I12)", (_, spoil) => {
    const root = place(world, undefined, Placed);
    spawnMany(world, 3, Parent(root), Mark, Placed);
    const { rowLists } = currentBatches(world, [along(world, ChildOf, Placed)]);
    const before = verify(world);

    spoil(rowLists);

    expect([before, verify(world).some((text) => text.startsWith("I12"))]).toEqual([[], true]);
  });
});
