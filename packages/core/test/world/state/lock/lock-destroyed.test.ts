import { describe, expect, it } from "vitest";
import { add, clear, clone, defer, release, remove, type SpawnTerm, set } from "../../../../src/index.ts";
import { Any, ChildOf, Damage, Frozen, Likes, Owns, Parent, Position } from "../../../definitions.ts";
import { createWorld, type Entity, spawn, spawnMany, type World } from "../../../fixture.ts";
import { asTag, get, has, isAlive, parentOf, targetsOf, verify } from "../../../reading.ts";
import { destroy } from "../../destroy.ts";
import { Refuser, start } from "./lock-fixture.ts";

type Act = (world: World, one: Entity, ship: Entity) => unknown;

describe("a deferred change of an entity that is destroyed meanwhile", () => {
  it.each<[string, Act]>([
    ["add", (world, one) => add(world, one, Frozen)],
    ["remove", (world, one) => remove(world, one, Position)],
    ["remove of the parent", (world, one) => remove(world, one, ChildOf(Any))],
    ["a set", (world, one) => set(world, one, Position, { x: 5 })],
    ["a set of what is not there", (world, one) => set(world, one, Refuser, "good")],
    ["clear", (world, one) => clear(world, one)],
    ["release", (world, one) => release(world, one)],
    ["a pair", (world, one, ship) => add(world, one, Likes(ship))],
  ])("is dropped: %s", (_, act) => {
    const { world, one, ship } = start();

    defer(world, () => {
      release(world, one);
      act(world, one, ship);
    });

    expect([isAlive(world, one), isAlive(world, ship), verify(world)]).toEqual([false, true, []]);
  });

  it("does not affect an entity spawned with the same index", () => {
    const { world } = start();
    for (const one of spawnMany(world, 5000)) release(world, one);
    const victims = spawnMany(world, 50);

    const spawned = defer(world, () => {
      for (const victim of victims) release(world, victim);
      const later = spawnMany(world, 900);
      for (const victim of victims) add(world, victim, Frozen);
      return later;
    });

    expect(spawned.some((one) => has(world, one, Frozen))).toBe(false);
  });

  it("is dropped for a clone too: it is not alive then", () => {
    const { world, one } = start();

    const copy = defer(world, () => {
      release(world, one);
      return clone(world, one);
    });

    expect([isAlive(world, copy), verify(world)]).toEqual([false, []]);
  });
});

/** Issues a change while the target of its pair is alive, and destroys the target before the change is made. */
function afterDestructionOf(world: World, target: Entity, issue: () => Entity[]): Entity[] {
  return defer(world, () => {
    release(world, target);
    return issue();
  });
}

describe("a pair whose target is destroyed before it is made", () => {
  const spawns: [string, (world: World, ...terms: SpawnTerm[]) => Entity[]][] = [
    ["spawn", (world, ...terms) => [spawn(world, ...terms)]],
    ["spawnMany", (world, ...terms) => spawnMany(world, 2, ...terms)],
    [
      "add",
      (world, ...terms) => {
        const one = spawn(world);
        add(world, one, ...terms);
        return [one];
      },
    ],
    ["clone", (world, ...terms) => [clone(world, spawn(world), { with: terms })]],
  ];

  it.each(spawns)("is skipped, and the rest is done: %s", (_, give) => {
    const { world } = start();
    const [destroyed, alive] = [spawn(world), spawn(world)];

    const made = afterDestructionOf(world, destroyed, () =>
      give(world, Frozen, Likes(destroyed), Likes(alive), Position({ x: 3 }), asTag(destroyed)),
    );

    for (const one of made) {
      expect([isAlive(world, one), has(world, one, Frozen), get(world, one, Position)]).toEqual([
        true,
        true,
        { x: 3 },
      ]);
      expect(targetsOf(world, one, Likes)).toEqual([alive]);
    }
    expect(verify(world)).toEqual([]);
  });

  it.each(spawns)("destroys the entity if its relation deletes: %s", (_, give) => {
    for (const Relation of [ChildOf, Parent, Owns]) {
      const { world, ship } = start();
      const destroyed = spawn(world);
      const { alive } = world.entities;

      const made = afterDestructionOf(world, destroyed, () => give(world, Frozen, Relation(destroyed)));

      expect(made.map((one) => isAlive(world, one))).toEqual(made.map(() => false));
      expect([isAlive(world, ship), verify(world)]).toEqual([true, []]);
      expect(world.entities.alive).toBeLessThanOrEqual(alive);
    }
  });

  it.each(spawns)("only is skipped in a world that drops destroyed parents: %s", (_, give) => {
    for (const Relation of [ChildOf, Parent, Owns]) {
      const world = createWorld({ ifParentDestroyed: "drop" });
      const destroyed = spawn(world);

      const made = afterDestructionOf(world, destroyed, () => give(world, Frozen, Relation(destroyed)));

      for (const one of made)
        expect([has(world, one, Frozen), has(world, one, Any(Any))]).toEqual([true, false]);
      expect(verify(world)).toEqual([]);
    }
  });

  it("destroys an entity with everything below it, when a reparent was deferred", () => {
    const { world, one, ship } = start();
    const below = spawn(world, Parent(one));
    const destroyed = spawn(world);

    afterDestructionOf(world, destroyed, () => {
      add(world, one, ChildOf(destroyed));
      return [];
    });

    expect([one, below, ship].map((entity) => isAlive(world, entity))).toEqual([false, false, true]);
  });

  it("leaves a child where it was, in a world that drops destroyed parents", () => {
    const world = createWorld({ ifParentDestroyed: "drop" });
    const [ship, destroyed] = [spawn(world), spawn(world)];
    const [typed, byValue] = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship))];

    afterDestructionOf(world, destroyed, () => {
      add(world, typed, ChildOf(destroyed));
      add(world, byValue, Parent(destroyed), Frozen);
      return [];
    });

    expect([parentOf(world, typed), parentOf(world, byValue), has(world, byValue, Frozen)]).toEqual([
      ship,
      ship,
      true,
    ]);
  });

  it("destroys the child with its parent when the child came first: both orders have the same result", () => {
    const { world } = start();
    const [first, second] = [spawn(world), spawn(world)];

    const [before, after] = defer(world, () => {
      const child = spawn(world, ChildOf(first));
      destroy(world, first);
      destroy(world, second);
      return [child, spawn(world, ChildOf(second))];
    }) as [Entity, Entity];

    expect([before, after].map((one) => isAlive(world, one))).toEqual([false, false]);
    expect(verify(world)).toEqual([]);
  });

  it("is not made by a deferred set", () => {
    const { world, one } = start();
    const destroyed = spawn(world);

    afterDestructionOf(world, destroyed, () => {
      set(world, one, Damage(destroyed), { amount: 1 });
      return [];
    });

    expect([has(world, one, Damage(Any)), isAlive(world, one)]).toEqual([false, true]);
  });

  it("counts as destroyed also if its index is reused", () => {
    const { world, one } = start();
    for (const old of spawnMany(world, 5000)) release(world, old);
    const destroyed = spawn(world);

    defer(world, () => {
      release(world, destroyed);
      const spawned = spawnMany(world, 5000);
      add(world, one, Likes(destroyed));
      return spawned;
    });

    expect(has(world, one, Likes(Any))).toBe(false);
  });
});
