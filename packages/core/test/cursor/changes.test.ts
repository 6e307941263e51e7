import { beforeEach, describe, expect, it } from "vitest";
import { Changes } from "../../src/cursor/changes.ts";
import { indexOf } from "../../src/id/entity.ts";
import { findPair } from "../../src/id/pair-index.ts";
import {
  add,
  ChildOf,
  createWorld,
  Parent,
  release,
  remove,
  spawn,
  spawnMany,
  tag,
  type World,
} from "../../src/index.ts";
import { moveTo } from "../internal.ts";

const Tag = tag("Tag");

let world: World;
let changes: Changes;
beforeEach(() => {
  world = createWorld();
  changes = new Changes(world);
});

function all(): [string, number][] {
  const found: [string, number][] = [];
  for (changes.begin(); changes.next(); ) found.push([changes.kind, changes.number]);
  return found;
}

describe("changes", () => {
  it("are lost at first: the reader reads everything", () => {
    expect([changes.lost, changes.areNone]).toEqual([true, false]);
    changes.catchUp();
    expect([changes.lost, changes.areNone]).toEqual([false, true]);
  });

  it("list entities that are new, and repeat them until the reader has caught up", () => {
    changes.catchUp();
    const entity = spawn(world, Tag);

    expect(changes.areNone).toBe(false);
    expect(all()).toContainEqual(["entity", indexOf(entity)]);
    expect(all()).toContainEqual(["entity", indexOf(entity)]);
    changes.catchUp();
    expect(all()).toEqual([]);
  });

  it("list entities that get another type or parent, whichever way they store it, or are gone", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const [child, other] = [spawn(world, Parent(ship)), spawn(world, ChildOf(ship))];
    const found: [string, number][][] = [];
    for (const change of [
      () => add(world, ship, Tag),
      () => add(world, child, Tag),
      () => add(world, child, Parent(dock)),
      () => add(world, other, ChildOf(dock)),
      () => remove(world, other, ChildOf(dock)),
      () => release(world, other),
    ]) {
      changes.catchUp();
      change();
      found.push(all());
    }

    for (const [at, entity] of [ship, child, child, other, other, other].entries())
      expect(found[at]).toContainEqual(["entity", indexOf(entity)]);
  });

  it("list an entity whose row fills the gap of another one", () => {
    const [first, second, third] = spawnMany(world, 3, Tag);
    changes.catchUp();

    release(world, first!);
    release(world, second!);

    expect(all()).toContainEqual(["filled", indexOf(third!)]);
    expect(all()).not.toContainEqual(["entity", indexOf(third!)]);
    expect(all().filter(([kind]) => kind === "filled")).toHaveLength(1);
  });

  it("list parents whose children are reordered", () => {
    const ship = spawn(world);
    const [, last] = spawnMany(world, 2, ChildOf(ship));
    changes.catchUp();

    moveTo(world, last!, ship, 0);

    expect(all()).toEqual([["order", indexOf(ship)]]);
  });

  it("list pairs whose depth changed once depths are settled", () => {
    const ship = spawn(world);
    const deck = spawn(world, ChildOf(ship));
    spawn(world, Tag, ChildOf(deck));
    add(world, ship, ChildOf(spawn(world)));
    changes.catchUp();
    expect(changes.areNone).toBe(true);

    changes.settleDepths();

    const pairs = [ship, deck].map((one) => findPair(world.graph.pairs, ChildOf.id, indexOf(one)));
    expect(all()).toEqual(pairs.map((pair) => ["depth", pair]));
  });

  it("are not recorded for a reader that is closed", () => {
    changes.catchUp();
    changes.close();

    spawn(world, Tag);

    expect(world.graph.journal.length).toBe(0);
  });
});
