import { beforeEach, describe, expect, it } from "vitest";
import { add, plainMemory, release, remove, spawn, spawnMany } from "../../../../src/index.ts";
import { component, f32 } from "../../../defining.ts";
import { Any, ChildOf, Frozen } from "../../../definitions.ts";
import { createDice, seeds } from "../../../dice.ts";
import { drawing, plant } from "../../../drawn-tree.ts";
import { createWorld, type Entity, setWorld, type World, world } from "../../../fixture.ts";
import { depthOf, indexOf } from "../../../handles.ts";
import { get, parentOf } from "../../../reading.ts";
import { counting } from "../../../storage/memory/memories.ts";
import { snapshot } from "../../snapshot.ts";

const Position = component("Position", { x: f32, y: f32 });

/** Sorted by the number that attaching writes. */
function inOrder(world: World, entities: readonly Entity[]): Entity[] {
  const { order } = world.entities;
  return entities.toSorted((one, other) => order[indexOf(one)]! - order[indexOf(other)]!);
}

beforeEach(setWorld);

describe("a reparent", () => {
  it.each([
    ["alone", []],
    ["together with a tag", [Frozen]],
  ])("replaces the parent and keeps all values, %s", (_, terms) => {
    const [ship, station] = [spawn(world), spawn(world)];
    const one = spawn(world, ChildOf(ship), Position({ x: 1, y: 2 }));

    add(world, one, ChildOf(station), ...terms);

    expect([parentOf(world, one), get(world, one, Position)]).toEqual([station, { x: 1, y: 2 }]);
  });

  it("lets the old parent be released afterwards", () => {
    const [ship, station] = [spawn(world), spawn(world)];
    const one = spawn(world, ChildOf(ship));

    add(world, one, ChildOf(station));
    release(world, ship);

    expect(parentOf(world, one)).toBe(station);
  });

  it("moves no row, whatever is below", () => {
    const [ship, station] = [spawn(world), spawn(world)];
    const cockpit = spawn(world, ChildOf(ship));
    const seats = spawnMany(world, 100, ChildOf(cockpit));
    const { table, row } = world.entities;
    const places = () => [cockpit, ...seats].map((one) => [table[indexOf(one)], row[indexOf(one)]]);
    const before = places();

    add(world, cockpit, ChildOf(station));

    expect(places()).toEqual(before);
    expect(seats.every((seat) => parentOf(world, seat) === cockpit)).toBe(true);
  });

  it("allocates no arrays when the new parent's children have a known archetype", () => {
    const memory = counting(plainMemory());
    const world = createWorld({ memory });
    const parents = spawnMany(world, 30);
    const one = spawn(world, ChildOf(parents[0]!), Position);
    spawn(world, ChildOf(parents[1]!), Position);
    const { allocations } = memory;

    for (const parent of parents) add(world, one, ChildOf(parent));

    expect(memory.allocations).toBe(allocations);
  });

  it("puts the child behind its new siblings", () => {
    const [ship, station] = [spawn(world), spawn(world)];
    const one = spawn(world, ChildOf(ship));
    const others = spawnMany(world, 3, ChildOf(station));

    add(world, one, ChildOf(station));

    expect(inOrder(world, [one, ...others])).toEqual([...others, one]);
  });

  it("there and back puts the child behind its siblings", () => {
    const [ship, station] = [spawn(world), spawn(world)];
    const [one, other] = spawnMany(world, 2, ChildOf(ship)) as [Entity, Entity];

    add(world, one, ChildOf(station));
    add(world, one, ChildOf(ship));

    expect(inOrder(world, [one, other])).toEqual([other, one]);
  });

  it("keeps the order of siblings when the numbers for it run out", () => {
    const ship = spawn(world);
    const children = spawnMany(world, 5, ChildOf(ship));
    world.entities.lastOrder = 2 ** 32 - 1;

    const last = spawn(world, ChildOf(ship));

    expect(inOrder(world, [last, ...children])).toEqual([...children, last]);
  });
});

describe("the same parent again", () => {
  it.each([
    ["alone", []],
    ["beside a tag that is there", [Frozen]],
  ])("changes nothing: neither table nor row nor sibling order, %s", (_, terms) => {
    const ship = spawn(world);
    const children = spawnMany(world, 3, ChildOf(ship), Frozen);
    const before = snapshot(world);

    add(world, children[0]!, ChildOf(ship), ...terms);

    expect(snapshot(world)).toEqual(before);
  });

  it("beside a new tag does not change the sibling order", () => {
    const ship = spawn(world);
    const children = spawnMany(world, 3, ChildOf(ship));

    add(world, children[0]!, ChildOf(ship), Frozen);

    expect(inOrder(world, children)).toEqual(children);
  });
});

describe("depth", () => {
  it("is 0 for roots and one more for each step down (I8)", () => {
    const { ship, cockpit, seat } = plant(world, "ship\n  cockpit\n    seat");

    expect([ship, cockpit, seat].map((one) => depthOf(world, one))).toEqual([0, 1, 2]);
  });

  it("follows a reparent all the way down (I8)", () => {
    const planted = plant(world, "ship\n  cockpit\n    seat\n      belt\nstation\n  dock");
    const { ship, cockpit, seat, belt, dock } = planted;

    add(world, ship, ChildOf(dock));

    expect(drawing(world, planted)).toBe(
      "station\n  dock\n    ship\n      cockpit\n        seat\n          belt",
    );
    expect([ship, cockpit, seat, belt].map((one) => depthOf(world, one))).toEqual([2, 3, 4, 5]);
  });

  it("starts at 0 below an entity that becomes a root (I8)", () => {
    const { cockpit, seat } = plant(world, "ship\n  cockpit\n    seat");

    remove(world, cockpit, ChildOf(Any));

    expect([cockpit, seat].map((one) => depthOf(world, one))).toEqual([0, 1]);
  });

  it("is right when two entities swap places", () => {
    const { ship, upper, lower } = plant(world, "ship\n  upper\n    lower");

    add(world, lower, ChildOf(ship));
    add(world, upper, ChildOf(lower));

    expect([ship, lower, upper].map((one) => depthOf(world, one))).toEqual([0, 1, 2]);
  });

  it.each(seeds(1, 3))(
    "is the number of steps to the root under random reparents, seed %i (I7, I8)",
    (seed) => {
      const dice = createDice(seed);
      const all = Array.from({ length: 120 }, () => spawn(world, Position));
      const parents = new Map<Entity, Entity>();
      const plainDepth = (one: Entity): number => {
        const parent = parents.get(one);
        return parent === undefined ? 0 : plainDepth(parent) + 1;
      };
      const isAbove = (one: Entity, other: Entity | undefined): boolean =>
        other !== undefined && (one === other || isAbove(one, parents.get(other)));
      const wrong: string[] = [];

      for (let step = 0; step < 4000; step++) {
        const one = dice.pick(all);
        const parent = dice.chance(0.1) ? undefined : dice.pick(all);
        if (parent === undefined) {
          remove(world, one, ChildOf(Any));
          parents.delete(one);
        } else if (!isAbove(one, parent)) {
          add(world, one, ChildOf(parent));
          parents.set(one, parent);
        }
        const child = dice.pick(all);
        if (parentOf(world, child) !== parents.get(child)) wrong.push(`parent in step ${step}`);
        if (dice.chance(0.2) && depthOf(world, child) !== plainDepth(child))
          wrong.push(`depth in step ${step}`);
      }

      expect(wrong.slice(0, 5)).toEqual([]);
      expect(all.map((one) => depthOf(world, one))).toEqual(all.map(plainDepth));
    },
  );

  it("of a chain of 100,000 that was built bottom-up is right, and quickly so", () => {
    const chain = spawnMany(world, 100_000);

    for (let at = chain.length - 1; at > 0; at--) add(world, chain[at]!, ChildOf(chain[at - 1]!));

    expect(depthOf(world, chain.at(-1)!)).toBe(99_999);
    expect(depthOf(world, chain[500]!)).toBe(500);
  });
});
