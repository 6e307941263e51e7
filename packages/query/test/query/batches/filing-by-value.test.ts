import { Any, add, ChildOf, type Entity, Parent, remove, spawn, spawnMany } from "@treeline/core";
import { Changes, indexOf } from "@treeline/core/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { destroy } from "../../../src/index.ts";
import { fitUnits, refreshOrder } from "../../../src/query/batches/chunks.ts";
import { endRound, fileEntity, settle } from "../../../src/query/batches/filing.ts";
import { Local, Placed } from "../../random/twin.ts";
import { files, rowLists, setFilingWorld, ship, station, world } from "./filing-world.ts";

beforeEach(setFilingWorld);

/** Files entities. */
function file(...entities: Entity[]): void {
  const { chunks } = rowLists;
  new Changes(world).settleDepths();
  fitUnits(chunks, world.graph.tables.length, world.entities.length);
  endRound(files);
  for (const entity of entities) fileEntity(world, files, indexOf(entity));
  refreshOrder(chunks);
  expect(chunks.holed.includes(1)).toBe(false); // the last one fills each place
  settle(world, files);
}

/** "index of the entity < index of the source" by position, for all chunks in order of depth. */
function filed(): string[] {
  const { chunks, rows, sourceRows } = rowLists;
  const { archetypes } = world.graph;
  return [...chunks.order.subarray(0, chunks.alive)].flatMap((chunk) => {
    const start = chunks.start[chunk]!;
    const own = archetypes[chunks.archetype[chunk]!]!.lanes.i32;
    const above = archetypes[chunks.source[chunk]!]?.lanes.i32;
    return Array.from(
      { length: chunks.rows[chunk]! },
      (_, at) => `${own[rows[start + at]!]} < ${above?.[sourceRows[0]![start + at]!]}`,
    );
  });
}

const below = (entities: readonly Entity[], source: Entity): string[] =>
  entities.map((one) => `${indexOf(one)} < ${indexOf(source)}`);

describe("an entity with a parent stored by value is filed", () => {
  it("beside the row of its source, with others of its kind, whatever their parents are", () => {
    const crew = spawnMany(world, 3, Parent(ship), Local);
    const guests = spawnMany(world, 2, Parent(station), Local);

    file(...crew, ...guests);

    expect([filed(), rowLists.chunks.alive]).toEqual([[...below(crew, ship), ...below(guests, station)], 1]);
  });

  it("once, however often it is read", () => {
    const seat = spawn(world, Parent(ship), Local);

    file(seat, seat);
    file(seat, seat);

    expect(filed()).toEqual(below([seat], ship));
  });

  it("in its place, if only its row or that of its source is another", () => {
    const crew = spawnMany(world, 3, Parent(ship), Local);
    file(...crew);
    destroy(world, crew[0]!);
    destroy(world, station);

    file(...crew);

    expect(filed().sort()).toEqual(below(crew.slice(1), ship).sort());
  });

  it("nowhere, if it has no parent", () => {
    file(ship, station);

    expect(filed()).toEqual([]);
  });

  it("at another depth after a reparent", () => {
    const [cockpit, deck] = spawnMany(world, 2, Parent(ship), Placed) as [Entity, Entity];
    const crew = spawnMany(world, 10, Parent(cockpit), Placed);
    file(cockpit, deck, ...crew);
    add(world, crew[4]!, Parent(ship));

    file(crew[4]!);

    expect(filed()).toEqual([
      ...below([cockpit, deck, crew[4]!], ship),
      ...below([...crew.slice(0, 4), crew[9]!, ...crew.slice(5, 9)], cockpit),
    ]);
  });

  it("without source, if no ancestor has the component", () => {
    const buoy = spawn(world);
    const light = spawn(world, Parent(buoy));

    file(light);

    expect(filed()).toEqual([`${indexOf(light)} < undefined`]);
  });

  it("below a source of either storage", () => {
    const cockpit = spawn(world, ChildOf(ship), Placed);
    const seat = spawn(world, Parent(cockpit), Placed);
    const belt = spawn(world, ChildOf(seat));
    const buckle = spawn(world, Parent(belt));

    file(cockpit, seat, belt, buckle);

    expect(filed()).toEqual([...below([seat], cockpit), ...below([buckle], seat)]);
  });
});

describe("an entity with a parent stored by value leaves its chunk", () => {
  it.each<[title: string, change: (seat: Entity) => void]>([
    ["when it gets its parent in its type", (seat) => add(world, seat, ChildOf(ship))],
    ["when it becomes a root", (seat) => remove(world, seat, ChildOf(Any))],
    ["when it is destroyed", (seat) => destroy(world, seat)],
  ])("%s, and the last one moves to its place", (_, change) => {
    const crew = spawnMany(world, 4, Parent(ship), Local);
    file(...crew);
    change(crew[1]!);

    file(...crew);

    expect(filed()).toEqual(below([crew[0]!, crew[3]!, crew[2]!], ship));
  });

  it("as the last one, and the chunk is freed", () => {
    const seat = spawn(world, Parent(ship), Local);
    file(seat);
    destroy(world, seat);

    file(seat);

    expect([filed(), rowLists.chunks.alive, rowLists.wasted]).toEqual([[], 0, rowLists.end]);
  });
});

describe("room", () => {
  it("is made for rows that enter, after those that are there", () => {
    const crew = spawnMany(world, 100, Parent(ship), Local);
    file(...crew);
    const more = spawnMany(world, 1000, Parent(station), Local);

    file(...more);

    expect(filed()).toEqual([...below(crew, ship), ...below(more, station)]);
  });
});
