import { beforeEach, describe, expect, it } from "vitest";
import { pairCursor } from "../../src/cursor/pairs.ts";
import { ValueCursor } from "../../src/cursor/rows.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, ChildOf, type Entity, Parent, release, spawn, tag } from "../../src/index.ts";
import { setShip, ship, world } from "../fixture.ts";

const Tag = tag("Tag");

beforeEach(setShip);

function cursorOf(parent: Entity): ValueCursor {
  const children = new ValueCursor(world);
  children.ofPair(pairCursor(world).find(Parent, indexOf(parent)));
  return children;
}

/** By next: the indexes. */
function indexesOf(children: ValueCursor): number[] {
  const found: number[] = [];
  while (children.next()) found.push(children.index);
  return found;
}

/** By nextRows: lists of the indexes in adjacent rows. */
function rowsOf(children: ValueCursor): number[][] {
  const found: number[][] = [];
  while (children.nextRows())
    found.push([...children.archetype.lanes.i32.subarray(children.first, children.end)]);
  return found;
}

describe("a cursor over children whose parent is stored by value", () => {
  it("iterates over them in sibling order, and skips children that have the parent in their type", () => {
    const one = spawn(world, Parent(ship));
    spawn(world, ChildOf(ship));
    const two = spawn(world, Tag, Parent(ship));
    const three = spawn(world, Parent(ship));

    expect(indexesOf(cursorOf(ship))).toEqual([one, two, three].map((child) => indexOf(child)));
  });

  it("returns as many at once as are adjacent in sibling order, and none of another parent", () => {
    const other = spawn(world);
    const [a, b, c] = [spawn(world, Parent(ship)), spawn(world, Parent(ship)), spawn(world, Parent(other))];
    const [d, e] = [spawn(world, Parent(ship)), spawn(world, Parent(ship))];

    expect(rowsOf(cursorOf(ship))).toEqual([
      [indexOf(a), indexOf(b)],
      [indexOf(d), indexOf(e)],
    ]);
    expect(rowsOf(cursorOf(other))).toEqual([[indexOf(c)]]);
  });

  it("finds none where no entity has the parent as a value", () => {
    const child = spawn(world, ChildOf(ship));

    expect(indexesOf(cursorOf(ship))).toEqual([]);
    add(world, child, Parent(ship));
    expect(indexesOf(cursorOf(ship))).toEqual([indexOf(child)]);
  });

  it("continues when the current child is destroyed", () => {
    const spawned = [1, 2, 3].map(() => spawn(world, Parent(ship)));
    const children = cursorOf(ship);

    children.next();
    release(world, spawned[0]!);

    expect(indexesOf(children)).toEqual([indexOf(spawned[1]!), indexOf(spawned[2]!)]);
  });
});
