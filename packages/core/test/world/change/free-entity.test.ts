import { beforeEach, describe, expect, it } from "vitest";
import { add, defer, entityOf, observe, release, spawn } from "../../../src/index.ts";
import { component, withHooks } from "../../defining.ts";
import { ChildOf, Frozen, Likes, OrderedChildren, Parent, Position } from "../../definitions.ts";
import { createWorld, type Entity, type World } from "../../fixture.ts";
import { codeOf, dump, isAlive, parentOf, subjectsOf, targetsOf, verify } from "../../reading.ts";
import { destroy } from "../destroy.ts";

const Refused = withHooks(component<string>("Refused"), {
  check: () => {
    throw new Error("no");
  },
});
const Hooked = withHooks(component<string>("Hooked"), { onRemove: (_, __, value) => calls.push(value) });
let calls: string[] = [];
let world: World;
let ship: Entity;

beforeEach(() => {
  calls = [];
  world = createWorld();
  ship = spawn(world, Hooked("ship"));
});

/** Gives ship a parent whose spawn is refused when the deferred changes are made. */
function addRefusedParent(storage: typeof ChildOf): unknown {
  try {
    defer(world, () => add(world, ship, storage(spawn(world, Refused("")))));
  } catch (error) {
    return error;
  }
  return undefined;
}

describe("an entity whose new parent could not be spawned", () => {
  it.each<[string, typeof ChildOf, () => void]>([
    ["nothing has been destroyed before", ChildOf, () => undefined],
    ["nothing has been destroyed before, with Parent", Parent, () => undefined],
    ["something has been destroyed before", ChildOf, () => release(world, spawn(world))],
  ])("is destroyed with everything below it, children first, where %s", (_, storage, prepare) => {
    prepare();
    const deck = spawn(world, ChildOf(ship), Hooked("deck"));
    const lamp = spawn(world, Parent(deck), Hooked("lamp"));
    const hold = spawn(world, Parent(ship), Hooked("hold"), Frozen);
    const seen: [Entity, Entity | undefined][] = [];
    observe(world, { removed: Frozen }, ({ entity }) => seen.push([entity, parentOf(world, entity)]));

    expect(String(addRefusedParent(storage))).toBe("Error: no");

    expect([ship, deck, lamp, hold].map((one) => isAlive(world, one))).toEqual([false, false, false, false]);
    expect([calls, seen]).toEqual([["lamp", "deck", "hold", "ship"], [[hold, ship]]]);
    expect([world.entities.alive, verify(world)]).toEqual([0, []]);
  });

  it("stays as it was if other pairs point there and nothing has installed the code for them", () => {
    const deck = spawn(world, ChildOf(ship));
    const fan = spawn(world, Likes(deck));
    const before = dump(world);

    addRefusedParent(ChildOf);

    expect([dump(world), calls, targetsOf(world, fan, Likes), verify(world)]).toEqual([
      before,
      [],
      [deck],
      [],
    ]);
  });
});

describe("the data that a world stores for entities outside of their rows", () => {
  it("is freed with them, one by one and with whole tables, and stays for all others", () => {
    const [a, b, c] = [spawn(world), spawn(world), spawn(world)];
    spawn(world, Likes(a), Likes(b), Likes(c)); // now their pairs have numbers in another order
    const parents = [spawn(world), spawn(world, OrderedChildren)];
    const children: Entity[] = [];
    for (const parent of [...parents, ...parents]) {
      const one = spawn(world, ChildOf(parent), Frozen);
      add(world, one, Likes(c));
      add(world, one, Likes(b));
      add(world, one, Likes(a));
      children.push(one, spawn(world, Parent(parent)));
    }
    const lone = spawn(world, Likes(c));
    add(world, lone, Likes(a));
    const componentEntity = entityOf(world, Frozen);

    destroy(world, parents[0]!);
    destroy(world, lone);
    const left = children.filter((one) => isAlive(world, one));

    expect(subjectsOf(world, parents[1]!, ChildOf)).toEqual(left);
    expect(left.map((one) => targetsOf(world, one, Likes))).toEqual([[c, b, a], [], [c, b, a], []]);
    expect(world.orders.size).toBe(2);
    destroy(world, parents[1]!);
    destroy(world, componentEntity);
    expect([
      world.orders.size,
      world.componentEntities.size,
      world.definitionsByEntity.size,
      verify(world),
    ]).toEqual([0, 0, 0, []]);
  });
});

describe("a spare table", () => {
  it("is used by the next children also in a world with lists, but not below a parent that keeps its children in order", () => {
    const ordered = spawn(world, OrderedChildren);
    const listed = spawn(world, Parent(ship));
    const founded: number[] = [];
    for (let round = 0; round < 3; round++) {
      const parent = spawn(world);
      const child = spawn(world, Position({ x: round }), ChildOf(parent));
      founded.push(world.entities.table[child & 0xffffff]!);
      expect(destroy(world, parent)).toBe(2);
      expect(verify(world)).toEqual([]);
    }

    const first = spawn(world, Position({ x: 7 }), ChildOf(ordered));
    const second = spawn(world, ChildOf(ordered));

    expect(new Set(founded).size).toBe(1);
    expect([subjectsOf(world, ordered, ChildOf), parentOf(world, listed)]).toEqual([[first, second], ship]);
    expect([verify(world), codeOf(() => release(world, ordered))]).toEqual([[], "still-a-target"]);
  });
});
