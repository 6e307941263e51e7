import { beforeEach, describe, expect, it } from "vitest";
import { verify } from "../../src/debug.ts";
import { shapeWith } from "../../src/graph/edges.ts";
import { pairFor, tableFor } from "../../src/graph/table-graph.ts";
import { type Definition, nextNumber } from "../../src/id/definition.ts";
import { indexOf } from "../../src/id/entity.ts";
import { dropPair, findPair } from "../../src/id/pair-book.ts";
import {
  Any,
  add,
  array,
  ChildOf,
  component,
  createWorld,
  type Entity,
  f32,
  f64,
  pack,
  plainMemory,
  relation,
  release,
  remove,
  spawn,
  spawnMany,
  tag,
  type World,
} from "../../src/index.ts";
import { giveIndex } from "../../src/records/entity-index.ts";
import { createShape, type Shape } from "../../src/storage/shape.ts";
import { appendEmpty } from "../../src/storage/table-lists.ts";
import { markUnused, markUsed } from "../../src/storage/used-bits.ts";
import { moveEntity } from "../../src/world/move-entity.ts";
import { createDice } from "../dice.ts";
import { memories } from "../storage/memories.ts";

const Position = component("Position", { x: f32, y: f64, list: array(f32, 3) });
const Label = component<string>("Label");
const Frozen = tag("Frozen");
const Likes = relation("Likes");
const DockedTo = relation("DockedTo", { exclusive: true });
const Follows = relation("Follows", { acyclic: true });
const Damage = relation("Damage", { fields: { amount: f32 } });

let world: World;
let ship: Entity;
let cockpit: Entity;
let seat: Entity;
let crew: Entity[];

/** A healthy world; every test below breaks one thing in it by hand. */
beforeEach(() => {
  world = createWorld();
  ship = spawn(world, Label("Ship"));
  cockpit = spawn(world, ChildOf(ship), Position);
  seat = spawn(world, ChildOf(cockpit), Position);
  crew = spawnMany(world, 4, ChildOf(cockpit), Likes(ship), Likes(seat));
  spawn(world, Damage(ship, { amount: 1 }), Damage(seat, { amount: 2 }));
  spawn(world, ChildOf(seat), Follows(ship), DockedTo(cockpit));
  release(world, spawn(world, ChildOf(ship), Frozen));
});

function tableOf(entity: Entity): number {
  return world.entities.table[indexOf(entity)]!;
}

function shapeOf(entity: Entity): Shape {
  return world.graph.shapes[world.graph.tables.shape[tableOf(entity)]!]!;
}

function pairOf(definition: Definition, target: Entity): number {
  return findPair(world.graph.pairs, definition.id, indexOf(target));
}

/** Puts an entity into the table with exactly these pairs, asking nobody. */
function force(entity: Entity, ...pairs: (readonly [Definition, Entity])[]): void {
  const { graph } = world;
  const shape = pairs.reduce((so, [definition]) => shapeWith(graph, so, definition), graph.root);
  const numbers = pairs.map(([definition, target]) => pairFor(graph, definition, indexOf(target)));
  graph.wanted.set(numbers.sort((one, other) => one - other));
  moveEntity(world, indexOf(entity), tableFor(graph, shape, numbers.length));
}

/** The laws that verify names, each once. */
function brokenLaws(): string[] {
  return [...new Set(verify(world).map((line) => line.split(":")[0]!))];
}

describe("verify finds nothing", () => {
  it("in the healthy world below", () => {
    expect(verify(world)).toEqual([]);
  });

  it("in an empty world", () => {
    expect(verify(createWorld())).toEqual([]);
  });

  it("in a world that was just packed", () => {
    pack(world);

    expect(verify(world)).toEqual([]);
  });

  it.each(memories)("in a world of random steps on %s memory", (_, createMemory) => {
    world = createWorld({ memory: createMemory() });
    const dice = createDice(99);
    const all: Entity[] = spawnMany(world, 40);
    const broken: string[] = [];
    const deed = (one: Entity, other: Entity, choice: number): void => {
      if (choice === 0) add(world, one, ChildOf(other));
      else if (choice === 1) add(world, one, Likes(other), Frozen);
      else if (choice === 2) add(world, one, Damage(other, { amount: 1 }), DockedTo(other));
      else if (choice === 3) add(world, one, Follows(other), Position);
      else if (choice === 4) remove(world, one, dice.pick([ChildOf, Likes, Damage, DockedTo, Follows])(Any));
      else if (choice === 5) remove(world, one, dice.pick([Frozen, Position]));
      else if (choice === 6) all.push(spawn(world, ChildOf(other), Position, Label("a")));
      else if (dice.chance(0.05)) pack(world);
      else {
        release(world, one);
        all.splice(all.indexOf(one), 1);
      }
    };

    for (let step = 0; step < 1500; step++) {
      try {
        deed(dice.pick(all), dice.pick(all), dice.below(8));
      } catch {
        // Refused: a circle, or still a target. That too must leave the world healthy.
      }
      if (step % 10 === 0 && broken.length === 0) broken.push(...verify(world));
    }

    expect(broken).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("verify says L1", () => {
  it("when two entities claim one row", () => {
    const { row } = world.entities;

    row[indexOf(crew[0]!)] = row[indexOf(crew[1]!)]!;

    expect(brokenLaws()).toContain("L1");
  });

  it("when a record names a table that the entity is not in", () => {
    world.entities.table[indexOf(cockpit)] = tableOf(seat);
    world.entities.row[indexOf(cockpit)] = 0;

    expect(brokenLaws()).toContain("L1");
  });

  it("when a record names a row that its table does not have", () => {
    world.entities.row[indexOf(cockpit)] = 7;

    expect(brokenLaws()).toContain("L1");
  });

  it("when a row has no entity", () => {
    giveIndex(world.entities, indexOf(crew[3]!));

    expect(brokenLaws()).toContain("L1");
  });

  it("when entities are miscounted", () => {
    world.entities.alive++;

    expect(brokenLaws()).toContain("L1");
  });
});

describe("verify says L2", () => {
  it("when two slices overlap", () => {
    const { tables } = world.graph;
    const other = spawn(world, ChildOf(ship), Likes(ship));

    tables.first[tableOf(other)] = tables.first[tableOf(crew[0]!)]! + 1;

    expect(brokenLaws()).toContain("L2");
  });

  it("when a slice ends behind the end", () => {
    shapeOf(crew[0]!).end = 2;

    expect(brokenLaws()).toContain("L2");
  });

  it("when the end lies behind the columns", () => {
    const shape = shapeOf(cockpit);
    shape.end = shape.lanes.capacity + 1;

    expect(brokenLaws()).toContain("L2");
  });

  it("when a hole lies in a slice", () => {
    const shape = shapeOf(crew[0]!);
    shape.holes[0] = world.graph.tables.first[tableOf(crew[0]!)]!;
    shape.holeClasses |= 1;

    expect(brokenLaws()).toContain("L2");
  });

  it("when lanes are shorter than the columns", () => {
    const { lanes } = shapeOf(cockpit);
    lanes.i32 = lanes.i32.subarray(0, lanes.capacity);

    expect(brokenLaws()).toContain("L2");
  });
});

describe("verify says L3", () => {
  it("when the pairs of a type are not sorted", () => {
    const { tables, records } = world.graph;
    const first = tables.nodes[tableOf(crew[0]!)]!;
    const pairs = records.nodePair;
    [pairs[first], pairs[first + 1]] = [pairs[first + 1]!, pairs[first]!];

    expect(brokenLaws()).toContain("L3");
  });

  it("when a type repeats a pair", () => {
    const { tables, records } = world.graph;
    const first = tables.nodes[tableOf(crew[0]!)]!;
    records.nodePair[first + 1] = records.nodePair[first]!;

    expect(brokenLaws()).toContain("L3");
  });

  it("when two tables share a type", () => {
    const { tables, records } = world.graph;
    const nodeOf = (entity: Entity): number => tables.nodes[tableOf(entity)]!;
    records.nodePair[nodeOf(cockpit)] = records.nodePair[nodeOf(seat)]!;

    expect(brokenLaws()).toContain("L3");
  });

  it("when two shapes share a type", () => {
    const { graph } = world;
    graph.shapes.push(createShape(graph.shapes.length, shapeOf(cockpit).definitions, plainMemory()));

    expect(brokenLaws()).toContain("L3");
  });
});

describe("verify says L4", () => {
  it("when a pair miscounts its tables", () => {
    world.graph.records.tables[pairOf(ChildOf, cockpit)]!++;

    expect(brokenLaws()).toContain("L4");
  });

  it("when a pair does not list a table that has it", () => {
    const pair = pairOf(ChildOf, cockpit);
    const { records } = world.graph;
    records.firstNode[pair] = records.nodeNext[records.firstNode[pair]!]!;

    expect(brokenLaws()).toContain("L4");
  });

  it("when a component does not list a shape that has it", () => {
    world.graph.shapesWith.get(Position.id)!.pop();

    expect(brokenLaws()).toContain("L4");
  });

  it("when a table is wrong about its parent", () => {
    world.graph.tables.parentPair[tableOf(cockpit)] = pairOf(ChildOf, cockpit);

    expect(brokenLaws()).toContain("L4");
  });
});

describe("verify says L5", () => {
  it("when the target of a pair is dead", () => {
    const { entities } = world;
    giveIndex(entities, indexOf(ship));

    expect(brokenLaws()).toContain("L5");
  });
});

describe("verify says L6", () => {
  it.each([
    ["parents", ChildOf],
    ["targets of an exclusive relation", DockedTo],
  ])("when a type has two %s", (_, Relation) => {
    force(seat, [Relation, ship], [Relation, cockpit]);

    expect(brokenLaws()).toContain("L6");
  });
});

describe("verify says L7", () => {
  it("when an entity is its own parent", () => {
    const one = spawn(world);

    force(one, [ChildOf, one]);

    expect(brokenLaws()).toContain("L7");
  });

  it("when parents go round in a circle", () => {
    force(ship, [ChildOf, seat]);

    expect(brokenLaws()).toContain("L7");
  });

  it("when another acyclic relation does", () => {
    const [one, other] = [spawn(world), spawn(world)];

    force(one, [Follows, other]);
    force(other, [Follows, one]);

    expect(brokenLaws()).toContain("L7");
  });
});

describe("verify says L8", () => {
  it("when a depth is not one more than the depth above", () => {
    world.graph.records.depth[pairOf(ChildOf, cockpit)] = 7;

    expect(brokenLaws()).toContain("L8");
  });

  it("when a record hangs below another than its target's own", () => {
    const { records } = world.graph;
    records.above[pairOf(ChildOf, seat)] = pairOf(ChildOf, ship);

    expect(brokenLaws()).toContain("L8");
  });
});

describe("verify says L9", () => {
  it("when an edge leads to a shape that differs by more", () => {
    shapeOf(ship).withId.set(Frozen.id, shapeOf(crew[0]!));

    expect(brokenLaws()).toContain("L9");
  });

  it("when an edge leads to a shape that differs by something else", () => {
    const { graph } = world;
    graph.root.withId.set(Frozen.id, shapeWith(graph, graph.root, Position));

    expect(brokenLaws()).toContain("L9");
  });

  it("when an edge says that something is there which is not", () => {
    world.graph.root.withId.set(Frozen.id, world.graph.root);

    expect(brokenLaws()).toContain("L9");
  });
});

describe("verify says L10", () => {
  it("when a pair was taken back that a table still has", () => {
    dropPair(world.graph.pairs, pairOf(Likes, ship));

    expect(brokenLaws()).toContain("L10");
  });

  it("when a pair is kept that no table has", () => {
    pairFor(world.graph, Likes, indexOf(cockpit));

    expect(brokenLaws()).toContain("L10");
  });
});

describe("verify says L13", () => {
  it("when the bit of a used row is clear", () => {
    markUnused(shapeOf(cockpit).used, world.graph.tables.first[tableOf(cockpit)]!);

    expect(brokenLaws()).toContain("L13");
  });

  it("when the bit of a free row is set", () => {
    const shape = shapeOf(cockpit);
    markUsed(shape.used, shape.lanes.capacity - 1);

    expect(brokenLaws()).toContain("L13");
  });

  it("when a shape miscounts its rows", () => {
    shapeOf(cockpit).rows++;

    expect(brokenLaws()).toContain("L13");
  });
});

describe("verify says L14", () => {
  it("when a table without rows owns a slice", () => {
    const { graph } = world;
    const shape = graph.shapes.find(({ firstEmpty }) => firstEmpty !== 0)!;
    graph.tables.capacity[shape.firstEmpty] = 4;

    expect(brokenLaws()).toContain("L14");
  });

  it("when a shape has more empty tables than the rule allows", () => {
    const { graph } = world;
    const shape = shapeWith(graph, graph.root, Likes);

    for (const target of spawnMany(world, 70)) {
      graph.wanted[0] = pairFor(graph, Likes, indexOf(target));
      const table = tableFor(graph, shape, 1);
      graph.tables.first[table] = -1;
      appendEmpty(graph.tables, shape, table);
    }

    expect(brokenLaws()).toContain("L14");
  });
});

describe("the laws of upper packages", () => {
  it("are asked too, and their findings told with the others", () => {
    world.laws.push((asked) => [`L15: number ${nextNumber() > 0 && asked === world}`]);

    expect(verify(world)).toEqual(["L15: number true"]);
  });
});
