import { beforeEach, describe, expect, it } from "vitest";
import { dump } from "../../src/debug/dump.ts";
import {
  isDying,
  isReached,
  type Reach,
  reachFrom,
  survivorsOf,
  takeWholeTables,
} from "../../src/destroy/deletion-set.ts";
import { indexOf } from "../../src/id/entity.ts";
import {
  ChildOf,
  createWorld,
  type Entity,
  entityOf,
  Parent,
  spawn,
  spawnMany,
  tag,
  type World,
  withPolicy,
} from "../../src/index.ts";
import { Holds, Likes, Owns } from "./deadly.ts";

const Frozen = tag("Frozen");
const Burning = withPolicy(tag("Burning"), { onDeath: "delete" });

let world: World;
let ship: Entity;

beforeEach(() => {
  world = createWorld();
  ship = spawn(world);
});

function reachOf(...roots: Entity[]): Reach {
  return reachFrom(world, roots.map(indexOf));
}

/** Indexes of everybody in the reached tables, table by table. */
function reachedBy(...roots: Entity[]): number[][] {
  const { tables, length } = reachOf(...roots);
  const { graph } = world;
  return [...tables.subarray(0, length)].map((table) => {
    const first = graph.tables.first[table]!;
    const { i32 } = graph.shapes[graph.tables.shape[table]!]!.lanes;
    return [...i32.subarray(first, first + graph.tables.count[table]!)];
  });
}

/** Everybody who dies, whichever way it is written down. */
function dyingWith(...roots: Entity[]): number[] {
  const reach = reachOf(...roots);
  const all = Array.from({ length: world.entities.length - 1 }, (_, at) => at + 1);
  return all.filter((index) => world.entities.table[index] !== 0 && isDying(world, reach, index));
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("reach", () => {
  it("is nothing beside the entity for one that nothing points at", () => {
    spawn(world);

    expect([reachedBy(ship), dyingWith(ship)]).toEqual([[], indexes(ship)]);
  });

  it("is the tables below, level by level", () => {
    const cockpits = spawnMany(world, 2, ChildOf(ship));
    const seat = spawn(world, ChildOf(cockpits[1]!));
    const lamp = spawn(world, ChildOf(seat));

    expect(reachedBy(ship)).toEqual([indexes(...cockpits), indexes(seat), indexes(lamp)]);
  });

  it.each([
    ["ChildOf", [ChildOf, ChildOf]],
    ["Parent", [Parent, Parent]],
    ["ChildOf, then Parent", [ChildOf, Parent]],
    ["Parent, then ChildOf", [Parent, ChildOf]],
  ] as const)("is everybody below, and nobody of other parents: %s", (_, [upper, lower]) => {
    const station = spawn(world);
    const cockpits = [spawn(world, upper(ship)), spawn(world, upper(ship), Frozen)];
    const docks = [spawn(world, upper(station)), spawn(world, upper(station), Frozen)];
    const seats = cockpits.map((cockpit) => spawn(world, lower(cockpit)));
    const buoys = docks.map((dock) => spawn(world, lower(dock)));

    expect(dyingWith(ship)).toEqual(indexes(ship, ...cockpits, ...seats));
    expect(dyingWith(docks[0]!, cockpits[1]!)).toEqual(
      indexes(cockpits[1]!, docks[0]!, seats[1]!, buoys[0]!),
    );
  });

  it("takes a table as a whole once all of its loose children turn out to die", () => {
    const children = spawnMany(world, 8, Parent(ship), Frozen);

    const whole = reachOf(ship);
    takeWholeTables(world, whole);
    const taken = whole.length;
    spawn(world, Parent(spawn(world)), Frozen);
    const partly = reachOf(ship);
    takeWholeTables(world, partly);

    expect([taken, partly.length]).toEqual([1, 0]);
    expect(dyingWith(ship)).toEqual(indexes(ship, ...children));
  });

  it("holds each table once, also in cycles and diamonds", () => {
    const both = spawn(world, ChildOf(ship), Owns(ship));
    const owner = spawn(world, Owns(both), Owns(ship));

    const found = reachedBy(ship);

    expect(found.flat().toSorted()).toEqual(indexes(both, owner).toSorted());
    expect(found.length).toBe(2);
  });

  it("does not follow relations that remove or refuse, but lists them", () => {
    spawn(world, Likes(ship));
    spawn(world, Holds(ship));

    expect([reachedBy(ship), reachOf(ship).foreign.length]).toEqual([[], 2]);
  });

  it("leaves out tables that are empty", () => {
    const child = spawn(world, ChildOf(ship), Frozen);
    const other = spawn(world, ChildOf(ship));
    reachedBy(ship);

    expect(reachedBy(ship).flat().toSorted()).toEqual(indexes(child, other).toSorted());
    expect(reachedBy(child)).toEqual([]);
  });

  it("starts anew each time: what was reached before is not reached now", () => {
    const station = spawn(world);
    const dock = spawn(world, ChildOf(station));
    spawn(world, ChildOf(ship));
    reachOf(station);
    const table = world.entities.table[indexOf(dock)]!;

    const reach = reachOf(ship);

    expect([isReached(reach, table), reach.length, reach.targetCount]).toEqual([false, 1, 1]);
  });

  it("of several entities is that of all of them", () => {
    const station = spawn(world);
    const [cockpit, dock] = [spawn(world, ChildOf(ship)), spawn(world, Parent(station))];
    const other = spawn(world);

    expect(dyingWith(ship, station)).toEqual(indexes(ship, station, cockpit, dock));
    expect(dyingWith(ship, cockpit, ship, other)).toEqual(indexes(ship, cockpit, other));
  });

  it("of an entity that stands for a definition: those who have it, if its policy deletes", () => {
    const burning = spawn(world, Burning);
    const below = spawn(world, ChildOf(burning));
    spawn(world, Frozen);
    const [fire, ice] = [entityOf(world, Burning), entityOf(world, Frozen)];

    expect(dyingWith(fire)).toEqual(indexes(burning, below, fire));
    expect(dyingWith(ice)).toEqual(indexes(ice));
    expect(reachOf(ice).definitions).toEqual([Frozen]);
  });

  it("tells survivors from the dying", () => {
    const [dying, other] = [spawn(world, ChildOf(ship)), spawn(world)];

    const reach = reachOf(ship);

    expect(survivorsOf(world, reach, indexes(ship, dying, other))).toEqual(indexes(other));
  });

  it("changes nothing", () => {
    spawn(world, ChildOf(ship), Likes(ship));
    spawn(world, Parent(ship), Likes(ship));
    const before = dump(world);

    reachOf(ship);

    expect(dump(world)).toBe(before);
  });
});
