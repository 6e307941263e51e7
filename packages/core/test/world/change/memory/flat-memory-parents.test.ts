import { beforeEach, describe, expect, it } from "vitest";
import { add, clear, clone, defer, entityOf, observe, release, remove, set } from "../../../../src/index.ts";
import { component, f32 } from "../../../defining.ts";
import {
  Any,
  ChildOf,
  Damage,
  DisabledTree,
  Frozen,
  Knows,
  Likes,
  OrderedChildren,
  Parent,
} from "../../../definitions.ts";
import { type Entity, setWorld, spawn, spawnMany, type World, world } from "../../../fixture.ts";
import { asTag, stats, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";

const Position = component("Position", { x: f32, y: f32 });

/** All memory in a world that could grow. */
function sizes(world: World): unknown {
  const { graph, entities, orders, componentEntities, definitionsByEntity, events, commands } = world;
  const { families, records } = graph;
  const { runs: _, ...counted } = stats(world);
  return {
    ...counted,
    orders: orders.size,
    componentEntities: [componentEntities.size, definitionsByEntity.size],
    observers: [events.observers.length, events.byDefinition.size],
    commands: [commands.list.length, commands.errors.length, commands.touched.size],
    families: [families.end, families.pool.length, families.records.length],
    nodes: records.nodes,
    tables: graph.tables.length,
    entities: [entities.alive, entities.length],
  };
}

function expectFlat(world: World, early: number, late: number, cycle: (count: number) => void): void {
  for (let count = 0; count < early; count++) cycle(count);
  const before = sizes(world);
  for (let count = early; count < late; count++) cycle(count);
  expect(sizes(world)).toEqual(before);
  expect(verify(world)).toEqual([]);
}

beforeEach(setWorld);

describe("nothing grows", () => {
  it("by 100,000 parents with a child by value", () => {
    // By the third round parents have had the highest indexes.
    expectFlat(world, 3, 6, () => {
      const parents = spawnMany(world, 20_000);
      for (const parent of parents) spawn(world, Parent(parent));
      destroy(world, ...parents);
    });
    expect([world.entities.alive, world.graph.pairs.alive]).toEqual([0, 0]);
  });

  it("by parents and children of both storages that are spawned and destroyed one by one", () => {
    const stays = spawn(world, Position);

    expectFlat(world, 2000, 3500, (count) => {
      const parent = spawn(world, Position, ...(count % 5 ? [] : [OrderedChildren]));
      const child = spawn(world, Parent(parent), Frozen);
      spawn(world, ChildOf(child));
      add(world, child, count % 2 ? ChildOf(parent) : Parent(stays));
      if (count % 3 === 0) remove(world, child, ChildOf(Any));
      destroy(world, child, parent);
    });
  });

  it("by reparents of one set of entities", () => {
    const parents = spawnMany(world, 50);
    const crowd = spawnMany(world, 200, Parent(parents[0]!), Position);

    expectFlat(world, 3000, 6000, (count) => {
      add(world, crowd[(count * 7) % 200]!, (count % 3 ? Parent : ChildOf)(parents[(count * 11) % 50]!));
    });
  });

  it("by observers that start, are called and stop", () => {
    const one = spawn(world);

    expectFlat(world, 10, 1000, (count) => {
      const stops = [
        observe(world, { added: Frozen, removed: Frozen }, () => undefined),
        observe(world, { added: Any, set: Position }, () => undefined, { yieldExisting: count % 2 === 0 }),
        observe(world, { removed: ChildOf(one) }, () => undefined),
      ];
      add(world, one, Frozen, Position({ x: 1 }));
      clear(world, one);
      for (const stop of stops) stop();
    });
  });

  it("by orders of adding", () => {
    const targets = spawnMany(world, 10);
    spawn(world, ...targets.map((target) => Likes(target)));

    expectFlat(world, 2700, 3000, (count) => {
      const one = spawn(world);
      for (let at = 0; at < 4; at++) add(world, one, Likes(targets[(count * 3 + at * 7) % 10]!));
      if (count % 3 === 0) clear(world, one);
      if (count % 3 === 1) remove(world, one, Likes(Any));
      const copy = clone(world, one);
      destroy(world, one);
      release(world, copy);
    });
  });

  it("by component entities", () => {
    expectFlat(world, 2000, 3000, () => {
      const one = spawn(world, Frozen, Likes(entityOf(world, Position)));
      destroy(world, entityOf(world, Frozen));
      destroy(world, entityOf(world, Position), one);
    });
  });

  it("by deferred changes, some of them refused, and by pending spawns that are destroyed", () => {
    const ship = spawn(world);

    expectFlat(world, 2700, 3000, () => {
      let spawned: Entity | undefined;
      try {
        defer(world, () => {
          spawned = spawn(world, Parent(ship), Position);
          add(world, ship, ChildOf(spawned));
          destroy(world, spawn(world, ChildOf(spawned)));
          set(world, spawned, Position, { x: 1 });
        });
      } catch {}
      destroy(world, spawned!);
    });
  });

  it("by symmetric pairs, values of pairs and disabled trees", () => {
    const friends = spawnMany(world, 5);

    expectFlat(world, 2700, 3000, (count) => {
      const friend = friends[count % 5]!;
      const one = spawn(world, Knows(friend), Damage(friend, { amount: 1 }), DisabledTree);
      const child = spawn(world, Parent(one), Knows(one));
      remove(world, one, DisabledTree);
      add(world, child, Damage(one), asTag(one));
      destroy(world, one);
    });
  });

  it("by clones of a tree", () => {
    const ship = spawn(world, Position);
    for (let at = 0; at < 4; at++) {
      const deck = spawn(world, (at % 2 ? Parent : ChildOf)(ship), Position({ x: at }));
      spawn(world, Parent(deck), Likes(ship), Knows(deck));
    }

    expectFlat(world, 600, 900, () => destroy(world, clone(world, ship, { deep: true })));
  });
});
