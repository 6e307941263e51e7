import { beforeEach, describe, expect, it } from "vitest";
import {
  allArchetypes,
  archetypesOfDefinition,
  archetypeViewAt,
  columnsOf,
  rowAt,
  runsOf,
  tableAt,
} from "../../src/cursor/archetype.ts";
import { pairCursor } from "../../src/cursor/pairs.ts";
import { TableCursor } from "../../src/cursor/rows.ts";
import { Life } from "../../src/id/builtins.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, ChildOf, component, defer, Parent, release, spawn, tag } from "../../src/index.ts";
import { Position } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";

const Note = component<string>("Note");
const Tag = tag("Tag");

beforeEach(setShip);

/** The indexes of all entities in the remaining tables. */
function indexesIn(tables: TableCursor): number[] {
  const found: number[] = [];
  while (tables.next()) {
    for (let row = tables.first; row < tables.end; row++) found.push(tables.archetype.lanes.i32[row]!);
  }
  return found;
}

describe("a table cursor", () => {
  it("iterates over the tables of a pair, whatever else their entities have", () => {
    const spawned = [
      spawn(world, ChildOf(ship)),
      spawn(world, Position, ChildOf(ship)),
      spawn(world, Tag, ChildOf(ship)),
    ];
    spawn(world, Position);
    const tables = new TableCursor(world);

    tables.ofPair(pairCursor(world).find(ChildOf, indexOf(ship)));

    expect(indexesIn(tables).sort()).toEqual(spawned.map((one) => indexOf(one)).sort());
    expect(tables.next()).toBe(false);
  });

  it("iterates over the tables of an archetype in order of their first rows, without empty ones", () => {
    const other = spawn(world);
    const gone = spawn(world, Position, ChildOf(other));
    const spawned = [spawn(world, Position, ChildOf(ship)), spawn(world, Position, ChildOf(gone))];
    const archetype = archetypeViewAt(world, indexOf(spawned[0]!));
    release(world, spawned.pop()!);
    const tables = new TableCursor(world);

    tables.ofArchetype(archetype);

    expect(indexesIn(tables)).toEqual([indexOf(gone), indexOf(spawned[0]!)]);
  });

  it("shows a single table, with the pair of its parent", () => {
    const child = spawn(world, Position, ChildOf(ship));
    const root = spawn(world, Position);
    const tables = new TableCursor(world);

    expect(tables.turnTo(tableAt(world, indexOf(child)))).toBe(true);
    expect([tables.first, tables.end]).toEqual([
      rowAt(world, indexOf(child)),
      rowAt(world, indexOf(child)) + 1,
    ]);
    expect(tables.parentPair).toBe(pairCursor(world).find(ChildOf, indexOf(ship)));
    tables.turnTo(tableAt(world, indexOf(root)));
    expect(tables.parentPair).toBe(0);
  });

  it("does not turn to a table that no longer exists", () => {
    const child = spawn(world, ChildOf(ship));
    const table = tableAt(world, indexOf(child));
    release(world, child);
    release(world, ship);
    const tables = new TableCursor(world);

    expect([world.graph.tables.archetype[table], tables.turnTo(table), tables.table]).toEqual([-1, false, 0]);
  });
});

describe("the location of an entity", () => {
  it("has no table before the end of the iteration in which the entity was spawned", () => {
    const [inside, spawned] = defer(world, () => {
      const todo = spawn(world, Position);
      return [tableAt(world, indexOf(todo)), todo] as const;
    });

    expect(inside).toBe(0);
    expect(tableAt(world, indexOf(spawned))).not.toBe(0);
  });
});

describe("archetypes", () => {
  it("are listed by number, by component, and all together, in order of their first rows", () => {
    const one = archetypeViewAt(world, indexOf(spawn(world, Position)));
    const other = archetypeViewAt(world, indexOf(spawn(world, Position, Tag)));

    expect(allArchetypes(world)[other.number]).toBe(other);
    expect(archetypesOfDefinition(world, Position)).toEqual([one, other]);
    expect(archetypesOfDefinition(world, Note)).toEqual([]);
    expect(archetypesOfDefinition(world, Life)[other.place]).toBe(other);
  });

  it("return the columns of components with values, the same object until the columns change", () => {
    const entity = spawn(world, Position({ x: 3 }), Note("n"), Tag);
    const archetype = archetypeViewAt(world, indexOf(entity));
    const { version } = archetype.lanes;
    const columns = columnsOf(archetype, Position) as { readonly x: Float32Array };

    expect(columns.x[rowAt(world, indexOf(entity))]).toBe(3);
    expect((columnsOf(archetype, Note) as string[])[rowAt(world, indexOf(entity))]).toBe("n");
    expect(columnsOf(archetype, Tag)).toBeUndefined();
    expect(columnsOf(archetype, Position)).toBe(columns);
    for (let more = 0; more < 1000; more++) spawn(world, Position, Note("m"), Tag);
    expect(archetype.lanes.version).toBeGreaterThan(version);
    expect(columnsOf(archetype, Position) === columns).toBe(false);
  });

  it("return the present runs of their used rows", () => {
    const first = spawn(world, Position);
    const archetype = archetypeViewAt(world, indexOf(first));
    const row = rowAt(world, indexOf(first));
    const before = runsOf(archetype);
    expect([...before.bounds.subarray(0, before.length)]).toEqual([row, row + 1]);

    add(world, first, Tag);

    expect(runsOf(archetype).length).toBe(0);
  });

  it("know whether parents are stored as values", () => {
    expect(archetypeViewAt(world, indexOf(spawn(world, Parent(ship)))).hasValueParent).toBe(true);
    expect(archetypeViewAt(world, indexOf(spawn(world, ChildOf(ship)))).hasValueParent).toBe(false);
  });
});
