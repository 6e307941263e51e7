import { beforeEach, describe, expect, it } from "vitest";
import { pairCursor } from "../../src/cursor/pairs.ts";
import { SubjectCursor } from "../../src/cursor/rows.ts";
import type { Definition } from "../../src/id/definition.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, ChildOf, type Entity, Parent, relation, sparse, spawn, tag } from "../../src/index.ts";
import { Likes, Position } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";
import { moveTo } from "../internal.ts";

const Tag = tag("Tag");
const Sees = relation("Sees", { storage: sparse });

beforeEach(setShip);

/** @param definition of the pair, and what `ofPair` gets. */
function cursorOf(target: Entity, definition: Definition = ChildOf): SubjectCursor {
  const subjects = new SubjectCursor(world);
  subjects.ofPair(pairCursor(world).find(definition, indexOf(target)), definition);
  return subjects;
}

/** By next: the indexes. */
function indexesOf(subjects: SubjectCursor): number[] {
  const found: number[] = [];
  while (subjects.next()) found.push(subjects.index);
  return found;
}

/** By nextRows: lists of the indexes in adjacent rows. */
function rowsOf(subjects: SubjectCursor): number[][] {
  const found: number[][] = [];
  while (subjects.nextRows())
    found.push([...subjects.archetype.lanes.i32.subarray(subjects.first, subjects.end)]);
  return found;
}

function indexes(...entities: Entity[]): number[] {
  return entities.map((one) => indexOf(one));
}

describe("a cursor over children", () => {
  it("iterates over them in sibling order, whatever else they have and however they store their parent", () => {
    const [a, b, c] = [
      spawn(world, ChildOf(ship)),
      spawn(world, Position, ChildOf(ship)),
      spawn(world, Tag, Parent(ship)),
    ];
    spawn(world, Position);
    moveTo(world, c, ship, 0);

    expect(indexesOf(cursorOf(ship))).toEqual(indexes(c, a, b));
  });

  it("iterates only over those whose parent is stored by value, if asked for `Parent`", () => {
    const one = spawn(world, Parent(ship));
    spawn(world, ChildOf(ship));
    const two = spawn(world, Tag, Parent(ship));
    const three = spawn(world, Parent(ship));

    expect(indexesOf(cursorOf(ship, Parent))).toEqual(indexes(one, two, three));
    expect(rowsOf(cursorOf(ship, Parent))).toEqual([indexes(one), indexes(two), indexes(three)]);
  });

  it("finds none by value until a child stores its parent so", () => {
    const child = spawn(world, ChildOf(ship));

    expect(indexesOf(cursorOf(ship, Parent))).toEqual([]);
    add(world, child, Parent(ship));
    expect(indexesOf(cursorOf(ship, Parent))).toEqual([indexOf(child)]);
  });

  it("returns as many at once as are in adjacent rows in sibling order, and none of another parent", () => {
    const other = spawn(world);
    const [a, b, c] = [ship, ship, other].map((parent) => spawn(world, ChildOf(parent))) as [
      Entity,
      Entity,
      Entity,
    ];
    const [d, e, f] = [ship, ship, ship].map((parent) => spawn(world, ChildOf(parent))) as [
      Entity,
      Entity,
      Entity,
    ];
    moveTo(world, f, ship, 2);

    expect(rowsOf(cursorOf(ship))).toEqual([indexes(a, b), indexes(f), indexes(d, e)]);
    expect(rowsOf(cursorOf(other))).toEqual([indexes(c)]);
  });

  it("does not take rows behind the last one for children", () => {
    const children = Array.from({ length: 3 }, () => spawn(world, ChildOf(ship)));
    add(world, children[2]!, Tag);

    expect(rowsOf(cursorOf(ship))).toEqual([indexes(children[0]!, children[1]!), indexes(children[2]!)]);
  });

  it("skips places that children have left", () => {
    const dock = spawn(world);
    const children = Array.from({ length: 6 }, () => spawn(world, ChildOf(ship)));
    for (const at of [0, 3, 5]) add(world, children[at]!, ChildOf(dock));

    expect(indexesOf(cursorOf(ship))).toEqual(indexes(children[1]!, children[2]!, children[4]!));
    expect(cursorOf(dock).next()).toBe(true);
  });

  it("may start again, at another pair too", () => {
    const dock = spawn(world);
    const [a, b] = [spawn(world, ChildOf(ship)), spawn(world, ChildOf(dock))];
    const subjects = cursorOf(ship);
    subjects.next();

    subjects.ofPair(pairCursor(world).find(ChildOf, indexOf(dock)));

    expect(indexesOf(subjects)).toEqual([indexOf(b)]);
    expect(subjects.next()).toBe(false);
    subjects.ofPair(pairCursor(world).find(ChildOf, indexOf(ship)));
    expect(indexesOf(subjects)).toEqual([indexOf(a)]);
  });
});

describe("a cursor over the subjects of another relation", () => {
  it("iterates over those of all tables, and of no other pair", () => {
    const other = spawn(world);
    const subjects = [
      spawn(world, Likes(ship)),
      spawn(world, Likes(ship), Position),
      spawn(world, Likes(ship), Likes(other)),
      spawn(world, Likes(ship), ChildOf(other)),
    ];
    spawn(world, Likes(other));

    expect(indexesOf(cursorOf(ship, Likes)).toSorted()).toEqual(indexes(...subjects).toSorted());
    expect(rowsOf(cursorOf(ship, Likes)).flat().toSorted()).toEqual(indexes(...subjects).toSorted());
  });

  it("returns as many at once as are in adjacent rows", () => {
    const crew = Array.from({ length: 4 }, () => spawn(world, Likes(ship)));

    expect(rowsOf(cursorOf(ship, Likes))).toEqual([indexes(...crew)]);
  });

  it("of a sparse relation iterates over all that have the pair", () => {
    const seen = [spawn(world, Sees(ship)), spawn(world, Position, Sees(ship))];
    spawn(world, Sees(seen[0]!));

    expect(indexesOf(cursorOf(ship, Sees)).toSorted()).toEqual(indexes(...seen).toSorted());
    expect(rowsOf(cursorOf(ship, Sees))).toHaveLength(2);
  });
});
