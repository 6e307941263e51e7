import { describe, expect, it } from "vitest";
import { dropPair } from "../../src/id/pair-index.ts";
import { add, createWorld, type Entity, pack, release, remove, spawn, spawnMany } from "../../src/index.ts";
import { giveIndex } from "../../src/records/entity-index.ts";
import { Any, ChildOf } from "../definitions.ts";
import { createDice } from "../dice.ts";
import { pairFor } from "../graph/graph-fixture.ts";
import { indexOf, pairOf } from "../handles.ts";
import { verify } from "../reading.ts";
import { memories } from "../storage/memory/memories.ts";
import {
  brokenInvariants,
  Damage,
  DockedTo,
  Follows,
  Frozen,
  force,
  Label,
  Likes,
  Position,
  plantHealthy,
} from "./healthy.ts";

describe("verify finds nothing", () => {
  it("in a world that has something of everything", () => {
    const { world } = plantHealthy();

    expect(verify(world)).toEqual([]);
  });

  it("in an empty world", () => {
    expect(verify(createWorld())).toEqual([]);
  });

  it("in a world that was just packed", () => {
    const { world } = plantHealthy();

    pack(world);

    expect(verify(world)).toEqual([]);
  });

  it.each(memories)("in a world of random steps on %s memory", (_, createMemory) => {
    const world = createWorld({ memory: createMemory() });
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
        // Refused: the change would be cyclic, or the entity is still a target. The world must stay healthy.
      }
      if (step % 10 === 0 && broken.length === 0) broken.push(...verify(world));
    }

    expect(broken).toEqual([]);
    expect(verify(world)).toEqual([]);
  });
});

describe("verify reports I1", () => {
  it("when a row has no entity", () => {
    const { world, crew } = plantHealthy();
    giveIndex(world.entities, indexOf(crew[3]!));

    expect(brokenInvariants(world)).toContain("I1");
  });

  it("when entities are miscounted", () => {
    const { world } = plantHealthy();
    world.entities.alive++;

    expect(brokenInvariants(world)).toContain("I1");
  });
});

describe("verify reports I5", () => {
  it("when the target of a pair is not alive", () => {
    const { world, ship } = plantHealthy();
    const { entities } = world;
    giveIndex(entities, indexOf(ship));

    expect(brokenInvariants(world)).toContain("I5");
  });
});

describe("verify reports I7", () => {
  it("when an entity is its own parent", () => {
    const { world } = plantHealthy();
    const one = spawn(world);

    force(world, one, [ChildOf, one]);

    expect(brokenInvariants(world)).toContain("I7");
  });

  it("when parents are cyclic", () => {
    const { world, ship, seat } = plantHealthy();
    force(world, ship, [ChildOf, seat]);

    expect(brokenInvariants(world)).toContain("I7");
  });

  it("when another acyclic relation is cyclic", () => {
    const { world } = plantHealthy();
    const [one, other] = [spawn(world), spawn(world)];

    force(world, one, [Follows, other]);
    force(world, other, [Follows, one]);

    expect(brokenInvariants(world)).toContain("I7");
  });
});

describe("verify reports I8", () => {
  it("when a depth is not one more than the depth above", () => {
    const { world, cockpit } = plantHealthy();
    world.graph.records.depth[pairOf(world, ChildOf, cockpit)] = 7;

    expect(brokenInvariants(world)).toContain("I8");
  });

  it("when a record is not below that of its target's own pair", () => {
    const { world, ship, seat } = plantHealthy();
    const { records } = world.graph;
    records.above[pairOf(world, ChildOf, seat)] = pairOf(world, ChildOf, ship);

    expect(brokenInvariants(world)).toContain("I8");
  });

  it("when the record above does not list it", () => {
    const { world, ship } = plantHealthy();
    world.graph.records.firstBelow[pairOf(world, ChildOf, ship)] = 0;

    expect(brokenInvariants(world)).toContain("I8");
  });

  it("when a record still lists one that was freed", () => {
    const { world, seat } = plantHealthy();
    const { records } = world.graph;
    const gone = spawn(world);
    const below = spawn(world, ChildOf(gone));
    const pair = pairOf(world, ChildOf, gone);
    release(world, below);
    records.firstBelow[pairOf(world, ChildOf, seat)] = pair;

    expect(brokenInvariants(world)).toContain("I8");
  });
});

describe("verify reports I10", () => {
  it("when a pair was freed that a table still has", () => {
    const { world, ship } = plantHealthy();
    dropPair(world.graph.pairs, pairOf(world, Likes, ship));

    expect(brokenInvariants(world)).toContain("I10");
  });

  it("when a pair is kept that no table has", () => {
    const { world, cockpit } = plantHealthy();
    pairFor(world.graph, Likes, indexOf(cockpit));

    expect(brokenInvariants(world)).toContain("I10");
  });
});

describe("the invariants of upper packages", () => {
  it("are checked too, and their findings are reported with the others", () => {
    const { world } = plantHealthy();

    world.invariants.push((checked) => [`I15: ${checked === world}`]);

    expect(verify(world)).toEqual(["I15: true"]);
  });
});
