import { beforeEach, describe, expect, it } from "vitest";
import { add, entityOf, release, remove, type SpawnTerm, spawn, spawnMany } from "../../src/index.ts";
import { relation } from "../defining.ts";
import { Any, ChildOf, Damage, Frozen, Label, Likes, Owns, Parent, Position } from "../definitions.ts";
import { createWorld, type Entity, setWorld, world } from "../fixture.ts";
import { indexOf } from "../handles.ts";
import { codeOf, definitionAt, get, has, isAlive, parentOf, subjectsOf, verify } from "../reading.ts";
import { snapshot } from "../world/snapshot.ts";

const Guards = relation("Guards", { onTargetDestroy: "refuse" });

beforeEach(setWorld);

describe("release", () => {
  it("destroys one entity", () => {
    const [one, other] = [spawn(world, Position), spawn(world, Position)];

    release(world, one);

    expect([isAlive(world, one), isAlive(world, other)]).toEqual([false, true]);
    expect(world.entities.alive).toBe(1);
  });

  it("keeps the values of all other entities, whichever row was removed", () => {
    for (let gone = 0; gone < 5; gone++) {
      const world = createWorld();
      const crowd = Array.from({ length: 5 }, (_, at) => spawn(world, Position({ x: at }), Label(`${at}`)));

      release(world, crowd[gone]!);

      const left = crowd.filter((_, at) => at !== gone);
      expect(left.map((one) => [get(world, one, Position)!.x, get(world, one, Label)])).toEqual(
        crowd.flatMap((_, at) => (at === gone ? [] : [[at, `${at}`]])),
      );
    }
  });

  it("ignores an entity that is not alive", () => {
    const one = spawn(world);
    release(world, one);
    const before = snapshot(world);

    release(world, one);

    expect(snapshot(world)).toEqual(before);
  });

  it.each([0, -1, 1.5, Number.NaN, "x", undefined])(
    "refuses %s, which can be no handle, as dead-entity",
    (odd) => {
      const world = createWorld();

      expect(codeOf(() => release(world, odd as Entity))).toBe("dead-entity");
    },
  );

  it("removes the pairs of the entity, so that their targets can be released then", () => {
    const [ship, friend] = [spawn(world), spawn(world)];
    const one = spawn(world, ChildOf(ship), Likes(friend), Damage(friend, { amount: 1 }));

    release(world, one);
    release(world, ship);
    release(world, friend);

    expect([world.entities.alive, world.graph.pairs.alive]).toEqual([0, 0]);
  });

  it("frees the entity's own pairs, and the empty tables that named it (I5, I10)", () => {
    const ship = spawn(world, Position);
    const fans = spawnMany(world, 3, Likes(ship));
    for (const fan of fans) release(world, fan);
    expect(world.graph.pairs.alive).toBe(1);

    release(world, ship);

    expect(world.graph.pairs.alive).toBe(0);
    expect(verify(world)).toEqual([]);
  });

  it("frees the pair of a parent with its last child", () => {
    const ship = spawn(world, Position);
    const children = [spawn(world, ChildOf(ship)), spawn(world, Parent(ship), Frozen)];
    const alive = children.map((child) => {
      release(world, child);
      return world.graph.pairs.alive;
    });

    expect(alive).toEqual([1, 0]);
    expect(verify(world)).toEqual([]);
  });

  it.each([
    ["ChildOf", ChildOf],
    ["a relation that lets go", Likes],
    ["a relation that deletes", Owns],
    ["a relation that refuses", Guards],
    ["a relation with data", Damage],
  ])("refuses the target of %s as still-a-target, and changes nothing", (_, Relation) => {
    const ship = spawn(world, Position({ x: 1 }));
    spawn(world, Relation(ship), Frozen);
    const before = snapshot(world);

    expect(codeOf(() => release(world, ship))).toBe("still-a-target");

    expect(snapshot(world)).toEqual(before);
  });

  it.each<[string, (one: Entity, ship: Entity) => SpawnTerm[]]>([
    ["alone", (one) => [Likes(one)]],
    ["beside a parent", (one, ship) => [Likes(one), ChildOf(ship)]],
    [
      "by several relations",
      (one, ship) => [Likes(one), Damage(one, { amount: 1 }), Guards(one), Likes(ship)],
    ],
  ])("is allowed for an entity that only points at itself, %s", (_, termsFor) => {
    const ship = spawn(world);
    const one = spawn(world);
    add(world, one, ...termsFor(one, ship));

    release(world, one);

    expect(isAlive(world, one)).toBe(false);
    expect(verify(world)).toEqual([]);
  });

  it("refuses an entity that points at itself and that others point at", () => {
    const one = spawn(world);
    add(world, one, Likes(one));
    spawn(world, Likes(one));

    expect(codeOf(() => release(world, one))).toBe("still-a-target");
  });

  it("is allowed once all sources are gone", () => {
    const [ship, station] = [spawn(world), spawn(world)];
    const [one, other] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];

    add(world, one, ChildOf(station));
    remove(world, other, ChildOf(ship));
    release(world, ship);

    expect([isAlive(world, ship), parentOf(world, one), parentOf(world, other)]).toEqual([
      false,
      station,
      undefined,
    ]);
  });
});

describe("after a parent was destroyed", () => {
  it("an entity spawned with its index has none of its children", () => {
    const parents = spawnMany(world, 5000);
    const children = parents.map((parent) => spawn(world, ChildOf(parent)));
    for (const child of children) release(world, child);
    for (const parent of parents) release(world, parent);

    const respawned = spawnMany(world, 5900);
    const child = spawn(world, ChildOf(respawned[0]!));

    const indexes = new Set(parents.map(indexOf));
    expect(respawned.some((one) => indexes.has(indexOf(one)))).toBe(true);
    expect(parentOf(world, child)).toBe(respawned[0]);
    expect(respawned.slice(1, 50).some((one) => has(world, child, ChildOf(one)))).toBe(false);
    expect(has(world, child, ChildOf(parents[0]!))).toBe(false);
    expect(verify(world)).toEqual([]);
  });
});

describe("a parent whose children store it by value", () => {
  it("is refused as still-a-target, and nothing changes", () => {
    const ship = spawn(world, Position({ x: 1 }));
    spawnMany(world, 2, Parent(ship), Frozen);
    const before = snapshot(world);

    expect(codeOf(() => release(world, ship))).toBe("still-a-target");

    expect(snapshot(world)).toEqual(before);
  });

  it("is refused also when another child has it in its type", () => {
    const ship = spawn(world);
    const typed = spawn(world, ChildOf(ship));
    const byValue = spawn(world, Parent(ship));

    release(world, typed);
    const half = codeOf(() => release(world, ship));
    release(world, byValue);

    expect([half, codeOf(() => release(world, ship))]).toEqual(["still-a-target", undefined]);
    expect([world.entities.alive, world.graph.pairs.alive, verify(world)]).toEqual([0, 0, []]);
  });

  it("may be released once they have another parent, another storage or none", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const [a, b, c] = spawnMany(world, 3, Parent(ship)) as [Entity, Entity, Entity];

    add(world, a, Parent(dock));
    add(world, b, ChildOf(dock));
    remove(world, c, ChildOf(Any));
    release(world, ship);

    expect([a, b, c].map((one) => parentOf(world, one))).toEqual([dock, dock, undefined]);
    expect(verify(world)).toEqual([]);
  });

  it("removes one of them from its list, wherever it was", () => {
    for (let gone = 0; gone < 5; gone++) {
      const world = createWorld();
      const ship = spawn(world);
      const children = Array.from({ length: 5 }, (_, at) => spawn(world, (at % 2 ? ChildOf : Parent)(ship)));

      release(world, children[gone]!);

      expect(subjectsOf(world, ship, ChildOf)).toEqual(children.filter((_, at) => at !== gone));
      expect(verify(world)).toEqual([]);
    }
  });
});

describe("release of a component entity", () => {
  it("frees the definition for another entity", () => {
    const first = entityOf(world, Frozen);

    release(world, first);

    expect([definitionAt(world, first), entityOf(world, Frozen) === first]).toEqual([undefined, false]);
  });
});
