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
import { Life } from "../../src/id/builtins.ts";
import { indexOf } from "../../src/id/entity.ts";
import { add, ChildOf, component, defer, Parent, release, spawn, spawnMany, tag } from "../../src/index.ts";
import { Position } from "../definitions.ts";
import { setShip, ship, world } from "../fixture.ts";

const Note = component<string>("Note");
const Tag = tag("Tag");

beforeEach(setShip);

describe("the location of an entity", () => {
  it("has no table before the end of the iteration in which the entity was spawned", () => {
    const [inside, spawned] = defer(world, () => {
      const todo = spawn(world, Position);
      return [tableAt(world, indexOf(todo)), todo] as const;
    });

    expect(inside).toBe(0);
    expect(tableAt(world, indexOf(spawned))).not.toBe(0);
  });

  it("is a row of its archetype, whatever its parent", () => {
    const [dock, a] = [spawn(world), spawn(world, Position, ChildOf(ship))];
    const [b, c] = [spawn(world, Position, ChildOf(dock)), spawn(world, Position, ChildOf(a))];

    expect([a, b, c].map((one) => rowAt(world, indexOf(one)))).toEqual([0, 1, 2]);
    expect(new Set([a, b, c].map((one) => archetypeViewAt(world, indexOf(one)))).size).toBe(1);
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

  it("return all their rows as one run, or none", () => {
    const [first, ...others] = spawnMany(world, 5, Position);
    const archetype = archetypeViewAt(world, indexOf(first!));
    const runs = (): number[] => {
      const { bounds, length } = runsOf(archetype);
      return [...bounds.subarray(0, length)];
    };
    expect(runs()).toEqual([0, 5]);

    add(world, first!, Tag);
    expect(runs()).toEqual([0, 4]);
    for (const one of others) release(world, one);

    expect(runs()).toEqual([]);
  });

  it("know whether parents are stored as values", () => {
    expect(archetypeViewAt(world, indexOf(spawn(world, Parent(ship)))).hasValueParent).toBe(true);
    expect(archetypeViewAt(world, indexOf(spawn(world, ChildOf(ship)))).hasValueParent).toBe(false);
  });
});
