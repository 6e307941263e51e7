import { Any, add, ChildOf, type Entity, Parent, remove, spawn, spawnMany } from "@treeline/core";
import { Changes, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { CHUNK, fitUnits, notesAt, refreshOrder } from "../../../src/query/batches/chunks.ts";
import { endRound, fileTable, settle } from "../../../src/query/batches/filing.ts";
import { Local, Placed } from "../../random/twin.ts";
import { files, rowLists, setFilingWorld, ship, station, world } from "./filing-world.ts";

beforeEach(setFilingWorld);

function tableOf(entity: Entity): number {
  return world.entities.table[indexOf(entity)]!;
}

/** Files tables; holes stay until `close`, with which the preparations of an iteration end. */
function file(...tables: number[]): void {
  new Changes(world).settleDepths();
  fitUnits(rowLists.chunks, world.graph.tables.length, world.entities.length);
  endRound(files);
  for (const table of tables) fileTable(world, files, table);
}

/** The end of the preparations of an iteration. @returns how many chunks had holes. */
function close(): number {
  const { chunks } = rowLists;
  const holed = chunks.holed.reduce((sum, one) => sum + one, 0);
  refreshOrder(chunks);
  settle(world, files);
  return holed;
}

/** [row's entity, source's entity] by position, of the chunk in which a table is. */
function pairsIn(table: number): [Entity, Entity][] {
  const { chunks, rows, sourceRows } = rowLists;
  const { archetypes } = world.graph;
  const chunk = chunks.tables[notesAt(table) + CHUNK]!;
  const start = chunks.start[chunk]!;
  const own = archetypes[chunks.archetype[chunk]!]!.lanes.i32;
  const above = archetypes[chunks.source[chunk]!]!.lanes.i32;
  return Array.from({ length: chunks.rows[chunk]! }, (_, at) => [
    own[rows[start + at]!]! as Entity,
    above[sourceRows[0]![start + at]!]! as Entity,
  ]);
}

const known = (...pairs: [Entity, Entity][]): number[][] => pairs.map((pair) => pair.map(indexOf));

describe("a table is filed", () => {
  it("with its rows, beside the row of their source", () => {
    const crew = spawnMany(world, 3, ChildOf(ship), Local);
    const guests = spawnMany(world, 2, ChildOf(station), Local);

    file(tableOf(crew[0]!), tableOf(guests[0]!));
    close();

    expect(pairsIn(tableOf(crew[0]!))).toEqual(
      known(
        ...crew.map((one): [Entity, Entity] => [one, ship]),
        ...guests.map((one): [Entity, Entity] => [one, station]),
      ),
    );
  });

  it("not if its entities have no parent, or none that the table records", () => {
    const byValue = spawn(world, Parent(ship), Local);

    file(tableOf(ship), tableOf(byValue));

    expect([
      rowLists.chunks.tables[notesAt(tableOf(ship)) + CHUNK],
      rowLists.chunks.tables[notesAt(tableOf(byValue)) + CHUNK],
    ]).toEqual([0, 0]);
  });

  it("in place, if it has as many rows as before", () => {
    const crew = spawnMany(world, 3, ChildOf(ship), Local);
    file(tableOf(crew[0]!));
    close();
    add(world, ship, Local);

    file(tableOf(crew[0]!));

    expect(close()).toBe(0);
    expect(pairsIn(tableOf(crew[0]!))).toEqual(known(...crew.map((one): [Entity, Entity] => [one, ship])));
  });

  it("at the end of its chunk, if it has another number of rows and no other table needs its place", () => {
    const crew = spawnMany(world, 3, ChildOf(ship), Local);
    const guests = spawnMany(world, 3, ChildOf(station), Local);
    file(tableOf(crew[0]!), tableOf(guests[0]!));
    close();
    remove(world, guests.pop()!, Local);

    file(tableOf(guests[0]!));

    expect(close()).toBe(0);
    expect(new Set(pairsIn(tableOf(guests[0]!)).map(String))).toEqual(
      new Set(
        known(
          ...crew.map((one): [Entity, Entity] => [one, ship]),
          ...guests.map((one): [Entity, Entity] => [one, station]),
        ).map(String),
      ),
    );
  });

  it("with more rows than its chunk has room for", () => {
    const crew = spawnMany(world, 100, ChildOf(ship), Local);
    file(tableOf(crew[0]!));
    close();
    spawnMany(world, 1000, ChildOf(ship), Local);

    file(tableOf(crew[0]!));

    expect([close(), pairsIn(tableOf(crew[0]!)).length]).toEqual([0, 1100]);
  });

  it("out of its chunk when it has no rows any more", () => {
    const crew = spawnMany(world, 2, ChildOf(ship), Local);
    const table = tableOf(crew[0]!);
    file(table);
    close();
    for (const one of crew) add(world, one, ChildOf(station));

    file(table, tableOf(crew[0]!));
    close();

    expect([rowLists.chunks.tables[notesAt(table) + CHUNK], pairsIn(tableOf(crew[0]!)).length]).toEqual([
      0, 2,
    ]);
  });
});

describe("the place of a table that leaves its chunk", () => {
  let crews: Entity[][];

  /** Children below as many parents, each group with a table of its own, filed in this order. */
  function crewsOf(...sizes: number[]): void {
    crews = sizes.map((size) => spawnMany(world, size, ChildOf(spawn(world, Placed)), Local));
    file(...crews.map(([first]) => tableOf(first!)));
    close();
  }

  /** @returns how many chunks had holes, and the entities in the chunk, parent by parent. */
  function without(place: number): [holed: number, order: number[]] {
    const table = tableOf(crews[place]![0]!);
    for (const member of crews[place]!) remove(world, member, ChildOf(Any));
    file(table);
    const holed = close();
    const rest = crews.findIndex((_, at) => at !== place);
    const places = pairsIn(tableOf(crews[rest]![0]!)).map(([index]) =>
      crews.findIndex((crew) => crew.some((member) => indexOf(member) === index)),
    );
    return [holed, places];
  }

  it.each<[title: string, sizes: number[], leaves: number, order: number[]]>([
    ["is filled by the last table if that is as long", [2, 1, 2], 0, [2, 2, 1]],
    [
      "is filled by another that is as long, and those behind it move up",
      [1, 3, 1, 2],
      0,
      [2, 1, 1, 1, 3, 3],
    ],
    ["is filled by the last ones if they are as long together", [3, 4, 1, 2], 0, [2, 3, 3, 1, 1, 1, 1]],
    ["is closed by those behind it, if they are few", [3, 2, 1], 1, [0, 0, 0, 2]],
    ["does not remain if it was the last", [3, 2], 1, [0, 0, 0]],
  ])("%s", (_, sizes, leaves, order) => {
    crewsOf(...sizes);

    expect(without(leaves)).toEqual([0, order]);
  });

  it("is a hole, closed at the end, if too many rows come after it", () => {
    crewsOf(1, 100);

    const [holed, order] = without(0);

    expect([holed, order.length, new Set(order)]).toEqual([1, 100, new Set([1])]);
  });
});
