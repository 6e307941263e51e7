import { beforeEach, describe, expect, it } from "vitest";
import {
  ANY_ORDER,
  type DeletionSet,
  deletionSetOf,
  IN_ORDER,
  isDestroyed,
  remainingOf,
  UNOBSERVED,
} from "../../src/destroy/deletion-set.ts";
import { add, bits, type Entity, entityOf, observe, spawn, spawnMany } from "../../src/index.ts";
import { component, tag, withHooks, withPolicy } from "../defining.ts";
import { ChildOf, Disabled, Frozen, Parent } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";
import { indexOf, pairOf } from "../handles.ts";
import { destroyAll, moveTo } from "../internal.ts";
import { dump, parentOf } from "../reading.ts";
import { Holds, Likes, Owns } from "./target-policies.ts";

const Hooked = withHooks(component<string>("Hooked"), { onRemove: () => undefined });
const AnyOrder = withHooks(component<string>("AnyOrder"), { onRemove: () => undefined, anyOrder: true });
const Burning = withPolicy(tag("Burning"), { onDestroy: "delete" });
const Marked = withPolicy(tag("Marked", { storage: bits }), { onDestroy: "delete" });

beforeEach(setShip);

function setOf(...roots: Entity[]): DeletionSet {
  return deletionSetOf(world, roots.map(indexOf));
}

/** All that is destroyed together, in the order in which it is found. */
function foundWith(...roots: Entity[]): number[] {
  const { work, length } = setOf(...roots);
  return [...work.subarray(0, length)];
}

/** The same, ascending; the set must say so of each entity. */
function destroyedWith(...roots: Entity[]): number[] {
  const set = setOf(...roots);
  const all = Array.from({ length: world.entities.length - 1 }, (_, at) => at + 1);
  const found = all.filter((index) => world.entities.table[index] !== 0 && isDestroyed(world, set, index));
  expect([...set.work.subarray(0, set.length)].toSorted((one, other) => one - other)).toEqual(found);
  return found;
}

function indexes(...entities: Entity[]): number[] {
  return entities.map(indexOf);
}

describe("the deletion set", () => {
  it("is only the entity itself if nothing points at it", () => {
    spawn(world);

    expect(foundWith(ship)).toEqual(indexes(ship));
  });

  it("consists of the entities below, level by level, siblings in order", () => {
    const cockpits = spawnMany(world, 2, ChildOf(ship));
    const seat = spawn(world, ChildOf(cockpits[1]!));
    const lamp = spawn(world, ChildOf(seat));
    moveTo(world, cockpits[1]!, ship, 0);

    expect(foundWith(ship)).toEqual(indexes(ship, ...cockpits.toReversed(), seat, lamp));
  });

  it.each([
    ["ChildOf", [ChildOf, ChildOf]],
    ["Parent", [Parent, Parent]],
    ["ChildOf, then Parent", [ChildOf, Parent]],
    ["Parent, then ChildOf", [Parent, ChildOf]],
  ] as const)("is everything below, and no child of other parents: %s", (_, [upper, lower]) => {
    const station = spawn(world);
    const cockpits = [spawn(world, upper(ship)), spawn(world, upper(ship), Frozen)];
    const docks = [spawn(world, upper(station)), spawn(world, upper(station), Frozen)];
    const seats = cockpits.map((cockpit) => spawn(world, lower(cockpit)));
    const buoys = docks.map((dock) => spawn(world, lower(dock)));

    expect(destroyedWith(ship)).toEqual(indexes(ship, ...cockpits, ...seats));
    expect(destroyedWith(docks[0]!, cockpits[1]!)).toEqual(
      indexes(cockpits[1]!, docks[0]!, seats[1]!, buoys[0]!),
    );
  });

  it("contains each entity once, also in cycles and diamonds", () => {
    const both = spawn(world, ChildOf(ship), Owns(ship));
    const owner = spawn(world, Owns(both), Owns(ship));
    spawn(world, Owns(spawn(world)));

    expect(foundWith(ship).toSorted()).toEqual(indexes(ship, both, owner).toSorted());
    expect(setOf(ship).leavesTree).toBe(true);
  });

  it("does not follow relations that remove or refuse, but lists them", () => {
    spawn(world, Likes(ship));
    spawn(world, Holds(ship));

    expect([foundWith(ship), setOf(ship).pairs.length]).toEqual([indexes(ship), 2]);
  });

  it("leaves out places that children have left", () => {
    const dock = spawn(world);
    const children = spawnMany(world, 5, ChildOf(ship));
    add(world, children[1]!, ChildOf(dock));
    destroyAll(world, [indexOf(children[4]!)]);

    expect(foundWith(ship)).toEqual(indexes(ship, children[0]!, children[2]!, children[3]!));
    expect(foundWith(children[0]!)).toEqual(indexes(children[0]!));
  });

  it("starts empty each time", () => {
    const station = spawn(world);
    spawn(world, ChildOf(station));
    const child = spawn(world, ChildOf(ship));
    setOf(station);

    expect(foundWith(ship)).toEqual(indexes(ship, child));
  });

  it("starts empty also when its marks have been used up", () => {
    const station = spawn(world);
    spawn(world, ChildOf(station));
    spawn(world, ChildOf(ship));
    setOf(station);
    setOf(ship).round = 0xfffe;
    setOf(station);

    const found = destroyedWith(ship);

    expect([found.length, found[0], setOf(ship).round]).toEqual([2, indexOf(ship), 2]);
  });

  it("reports whether there is an observer, and whether the order can be observed", () => {
    const observed = spawn(world, Hooked(""));
    const noted = spawn(world, ChildOf(spawn(world)), AnyOrder(""));
    const seen = spawn(world, Frozen);
    const stop = observe(world, { added: Frozen, removed: Burning }, () => undefined);
    const before = [ship, parentOf(world, noted)!, observed, seen].map((one) => setOf(one).announces);
    observe(world, { removed: Frozen }, () => undefined);
    stop();

    expect(before).toEqual([UNOBSERVED, ANY_ORDER, IN_ORDER, UNOBSERVED]);
    expect([ship, seen].map((one) => setOf(one).announces)).toEqual([UNOBSERVED, IN_ORDER]);
  });

  it("lists only the pairs that entities may have that stay alive", () => {
    const child = spawn(world, ChildOf(ship), Owns(ship));
    spawn(world, Parent(ship));
    const plain = setOf(ship);
    const { hasRemaining } = plain;
    const count = plain.pairs.length;
    add(world, child, Likes(ship));

    const liked = setOf(ship);

    expect([count, hasRemaining]).toEqual([0, false]);
    expect([liked.pairs, liked.hasRemaining]).toEqual([[pairOf(world, Likes, ship)], true]);
  });

  it("of several entities is the union of their sets", () => {
    const station = spawn(world);
    const [cockpit, dock] = [spawn(world, ChildOf(ship)), spawn(world, Parent(station))];
    const other = spawn(world);

    expect(destroyedWith(ship, station)).toEqual(indexes(ship, station, cockpit, dock));
    expect(destroyedWith(ship, cockpit, ship, other)).toEqual(indexes(ship, cockpit, other));
  });

  it("of a component entity: the entities that have its component, if its policy deletes", () => {
    const burning = spawn(world, Burning);
    const below = spawn(world, ChildOf(burning));
    spawn(world, Frozen);
    const [fire, ice] = [entityOf(world, Burning), entityOf(world, Frozen)];

    expect(destroyedWith(fire)).toEqual(indexes(burning, below, fire));
    expect(destroyedWith(ice)).toEqual(indexes(ice));
    expect(setOf(ice).definitions).toEqual([Frozen]);
  });

  it("of a component entity of a tag stored as bits: the entities that have the bit, if its policy deletes", () => {
    spawn(world, Disabled); // installs bit columns
    const marked = [spawn(world), spawn(world, ChildOf(ship), Frozen)];
    for (const one of marked) add(world, one, Marked);
    const below = spawn(world, ChildOf(marked[1]!));
    spawn(world, Frozen);

    expect(destroyedWith(entityOf(world, Marked))).toEqual(
      indexes(marked[0]!, marked[1]!, below, entityOf(world, Marked)),
    );
  });

  it("reports which entities are destroyed and which are not", () => {
    const [deleted, other] = [spawn(world, ChildOf(ship)), spawn(world)];

    const set = setOf(ship);

    expect(remainingOf(world, set, indexes(ship, deleted, other))).toEqual(indexes(other));
  });

  it("changes nothing", () => {
    spawn(world, ChildOf(ship), Likes(ship));
    spawn(world, Parent(ship), Likes(ship));
    const before = dump(world);

    setOf(ship);

    expect(dump(world)).toBe(before);
  });
});
