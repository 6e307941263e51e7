import { beforeEach, describe, expect, it } from "vitest";
import { tableAt } from "../../src/cursor/archetype.ts";
import { Changes } from "../../src/cursor/changes.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, ChildOf, createWorld, Parent, spawn, tag, type World } from "../../src/index.ts";

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

  it("list the tables that got rows, and repeat them until the reader has caught up", () => {
    changes.catchUp();
    const entity = spawn(world, Tag);

    expect(changes.areNone).toBe(false);
    expect(all()).toContainEqual(["table", tableAt(world, indexOf(entity))]);
    expect(all()).toContainEqual(["table", tableAt(world, indexOf(entity))]);
    changes.catchUp();
    expect(all()).toEqual([]);
  });

  it("list targets that move, and entities whose parent is stored by value", () => {
    const ship = spawn(world);
    const child = spawn(world, Parent(ship));
    spawn(world, ChildOf(ship));
    changes.catchUp();

    add(world, ship, Tag);
    add(world, child, Tag);

    expect(all()).toContainEqual(["target", indexOf(ship)]);
    expect(all()).toContainEqual(["value", indexOf(child)]);
  });

  it("list tables whose depth changed once depths are settled", () => {
    const ship = spawn(world);
    const deck = spawn(world, ChildOf(ship));
    const seat = spawn(world, Tag, ChildOf(deck));
    add(world, ship, ChildOf(spawn(world)));
    changes.catchUp();
    expect(changes.areNone).toBe(true);

    changes.settleDepths();

    expect(all()).toContainEqual(["table", tableAt(world, indexOf(seat))]);
  });

  it("are not recorded for a reader that is closed", () => {
    changes.catchUp();
    changes.close();

    spawn(world, Tag);

    expect(world.graph.journal.length).toBe(0);
  });
});
