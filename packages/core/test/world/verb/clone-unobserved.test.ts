import { beforeEach, describe, expect, it } from "vitest";
import {
  add,
  clone,
  type Memory,
  observe,
  plainMemory,
  release,
  remove,
  set,
  TreelineError,
} from "../../../src/index.ts";
import { array, bool, component, entity, f32, f64, i16 } from "../../defining.ts";
import { Any, ChildOf, DisabledTree, Frozen, Likes, Parent } from "../../definitions.ts";
import { createDice } from "../../dice.ts";
import { createWorld, type Entity, setWorld, spawn, spawnMany, type World, world } from "../../fixture.ts";
import { moveTo } from "../../internal.ts";
import {
  codeOf,
  get,
  has,
  isAlive,
  isDisabled,
  parentOf,
  subjectsOf,
  targetOf,
  verify,
} from "../../reading.ts";

const Position = component("Position", { x: f32, y: f32 });
const Odd = component("Odd", { long: f64, short: i16, flag: bool, cells: array(f32, 3) });
const Held = component<object>("Held");
const Aim = component("Aim", { at: entity, x: f32 });

/** All descendants of an entity, siblings in order, as text. */
function drawing(world: World, top: Entity): string {
  const lines: string[] = [];
  const todo: [Entity, string][] = [[top, ""]];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [one, indent] = next;
    const values = [Position, Odd, Held, Frozen].map((what) =>
      what === Frozen ? has(world, one, what) : get(world, one, what as typeof Position),
    );
    const storage = one !== top && has(world, one, Parent(parentOf(world, one)!)) ? "Parent" : "ChildOf";
    lines.push(`${indent}${storage} ${JSON.stringify(values)}`);
    for (const child of subjectsOf(world, one, ChildOf).reverse()) todo.push([child, `${indent}  `]);
  }
  return lines.join("\n");
}

/** A tree that has grown, lost entities and been put in other orders. @returns its root. */
function grow(world: World, seed: number, storages: readonly (typeof ChildOf)[]): Entity {
  const dice = createDice(seed);
  const root = spawn(world, Position({ x: -1 }));
  const nodes = [root];
  for (let step = 0; step < 60; step++) {
    const node = spawn(world, dice.pick(storages)(dice.pick(nodes)), Position({ x: step, y: 1 }));
    if (dice.chance(0.3)) add(world, node, Frozen);
    if (dice.chance(0.3)) add(world, node, Odd({ long: 0.1, short: step, flag: true, cells: [1, 2, step] }));
    if (dice.chance(0.2)) add(world, node, Held({ step }));
    nodes.push(node);
    const other = dice.pick(nodes.slice(1));
    if (dice.chance(0.1)) add(world, node, dice.pick(storages)(root));
    if (dice.chance(0.2) && subjectsOf(world, other, ChildOf).length === 0) {
      release(world, other);
      nodes.splice(nodes.indexOf(other), 1);
    }
  }
  return root;
}

beforeEach(setWorld);

describe("an unobserved clone", () => {
  it.each([
    ["ChildOf", [ChildOf]],
    ["Parent", [Parent]],
    ["both storages", [ChildOf, Parent, Parent]],
  ])("is like an observed one, below %s", (_, storages) => {
    for (let seed = 1; seed <= 12; seed++) {
      const [unobserved, observed] = [createWorld(), createWorld()];
      observe(observed, { added: Any, set: Any }, () => undefined);
      const [original, twin] = [grow(unobserved, seed, storages), grow(observed, seed, storages)];

      for (let round = 0; round < 3; round++) {
        const copy = clone(unobserved, original, { deep: true });
        const copyOfTwin = clone(observed, twin, { deep: true });

        expect(drawing(unobserved, copy)).toBe(drawing(observed, copyOfTwin));
        expect(drawing(unobserved, copy)).toBe(drawing(unobserved, original));
        expect(unobserved.entities.alive).toBe(observed.entities.alive);
        expect(verify(unobserved)).toEqual([]);
      }
    }
  });

  it("keeps the order of siblings that were moved among each other", () => {
    const ship = spawn(world);
    const seats = [0, 1, 2, 3].map((x) => spawn(world, ChildOf(ship), Position({ x })));
    moveTo(world, seats[3]!, ship, 0);

    const copy = clone(world, ship, { deep: true });

    expect(subjectsOf(world, copy, ChildOf).map((one) => get(world, one, Position)!.x)).toEqual([3, 0, 1, 2]);
    expect(verify(world)).toEqual([]);
  });

  it("points inside where its original does, outside where that does, and at none instead of destroyed entities", () => {
    const [ship, dock, destroyed] = [spawn(world), spawn(world), spawn(world)];
    const deck = spawn(world, ChildOf(ship), Aim({ at: ship }));
    for (const at of [deck, dock, destroyed]) spawn(world, ChildOf(deck), Aim({ at, x: 1 }));
    add(world, ship, Aim({ at: deck }));
    release(world, destroyed);

    const copy = clone(world, ship, { deep: true });

    const [deck2] = subjectsOf(world, copy, ChildOf);
    expect([get(world, copy, Aim)!.at, get(world, deck2!, Aim)!.at]).toEqual([deck2, copy]);
    expect(subjectsOf(world, deck2!, ChildOf).map((one) => get(world, one, Aim))).toEqual([
      { at: deck2, x: 1 },
      { at: dock, x: 1 },
      { at: undefined, x: 1 },
    ]);
  });

  it("is what is added to it, wherever that puts it", () => {
    const [ship, dock] = [spawn(world, Position({ x: 1 }), Aim), spawn(world)];
    const deck = spawn(world, ChildOf(ship), Position({ x: 2 }));

    const [docked, byValue, aimed, inside] = [
      clone(world, ship, { deep: true, with: [ChildOf(dock), Position({ x: 3 }), Frozen] }),
      clone(world, ship, { deep: true, with: [Parent(dock), Likes(deck)] }),
      clone(world, ship, { deep: true, with: [Aim({ at: deck })] }),
      clone(world, ship, { deep: true, with: [ChildOf(ship), Position({ x: 2 })] }),
    ] as const;

    expect([docked, byValue, aimed, inside].map((one) => subjectsOf(world, one, ChildOf).length)).toEqual([
      1, 1, 1, 1,
    ]);
    expect([get(world, docked, Position)!.x, parentOf(world, docked), has(world, docked, Frozen)]).toEqual([
      3,
      dock,
      true,
    ]);
    expect([has(world, byValue, Parent(dock)), targetOf(world, byValue, Likes)]).toEqual([true, deck]);
    expect(get(world, aimed, Aim)!.at).toBe(deck);
    expect(subjectsOf(world, ship, ChildOf)).toEqual([deck, inside]);
    expect(verify(world)).toEqual([]);
  });

  it("is the last of its siblings, in both storages", () => {
    const [ship, dock] = [spawn(world), spawn(world)];
    const [first, second] = [spawn(world, ChildOf(ship)), spawn(world, Parent(dock))];
    const others = [spawn(world, ChildOf(ship)), spawn(world, Parent(dock))];

    const copies = [clone(world, first), clone(world, second)];

    expect(subjectsOf(world, ship, ChildOf)).toEqual([first, others[0], copies[0]]);
    expect(subjectsOf(world, dock, ChildOf)).toEqual([second, others[1], copies[1]]);
    expect(verify(world)).toEqual([]);
  });

  it("notifies observers of anything that one of its entities has, and no others", () => {
    const ship = spawn(world);
    spawn(world, ChildOf(ship), Position({ x: 1 }));
    spawn(world, Parent(ship), Odd);
    const calls: string[] = [];
    const calls2 = (event: { kind: string }): number => calls.push(event.kind);
    const stop = observe(world, { added: Frozen, set: Frozen }, calls2);

    clone(world, ship, { deep: true });
    observe(world, { set: Position, removed: Odd }, calls2);
    clone(world, ship, { deep: true });
    stop();
    remove(world, subjectsOf(world, ship, ChildOf)[1]!, Odd);
    clone(world, ship, { deep: true });

    expect(calls).toEqual(["set", "removed", "set"]);
  });

  it("has values of its own", () => {
    const ship = spawn(world);
    spawnMany(world, 3, ChildOf(ship), Position);

    const copy = clone(world, ship, { deep: true });
    set(world, subjectsOf(world, copy, ChildOf)[2]!, Position, { x: 7 });

    expect(subjectsOf(world, ship, ChildOf).map((one) => get(world, one, Position)!.x)).toEqual([0, 0, 0]);
  });

  it("is disabled when it is added below a disabled entity or gets such a tag", () => {
    const ship = spawn(world);
    spawn(world, ChildOf(ship));

    const copy = clone(world, ship, { deep: true, with: [DisabledTree] });
    const copyOfCopy = clone(world, copy, { deep: true });

    const below = [ship, copy, copyOfCopy].map((one) => subjectsOf(world, one, ChildOf)[0]!);
    expect(below.map((one) => isDisabled(world, one))).toEqual([false, true, true]);
    expect(verify(world)).toEqual([]);
  });

  it.each([ChildOf, Parent])("leaves nothing behind when memory runs out, below %o", (storage) => {
    for (let blocks = 0; blocks < 8; blocks++) {
      const plain = plainMemory();
      let left = Number.POSITIVE_INFINITY;
      const memory: Memory = {
        ...plain,
        allocate: (bytes, moved) => {
          if (--left < 0) throw new TreelineError("capacity", "no more blocks");
          return plain.allocate(bytes, moved);
        },
      };
      const world = createWorld({ memory });
      const ship = spawn(world, Frozen);
      for (let x = 0; x < 5; x++) spawn(world, Position({ x }), storage(ship));
      spawn(world, Odd, storage(spawn(world, Frozen, Position, ChildOf(ship))));
      left = blocks;

      let before = 0;
      let code: string | undefined;
      while (code === undefined) {
        before = world.entities.alive;
        code = codeOf(() => clone(world, ship, { deep: true }));
      }

      expect([code, world.entities.alive]).toEqual(["capacity", before]);
      expect(verify(world)).toEqual([]);
    }
  });

  it("is not mixed up with another one that a getter of a given value makes", () => {
    const [ship, dock] = [spawn(world, Position), spawn(world, Position({ x: 7 }))];
    spawn(world, Position({ x: 1 }), ChildOf(ship));
    for (const x of [2, 3]) spawn(world, Position({ x }), ChildOf(dock));
    const given = {
      get x(): number {
        clone(world, dock, { deep: true });
        return 5;
      },
    };

    const copy = clone(world, ship, { deep: true, with: [Position(given)] });

    const below = subjectsOf(world, copy, ChildOf);
    expect([copy, ...below].map((one) => get(world, one, Position)?.x)).toEqual([5, 1]);
    expect(verify(world)).toEqual([]);
  });

  it("is refused if a getter of a given value destroys what is copied", () => {
    const ship = spawn(world, Position);
    const given = {
      get x(): number {
        if (isAlive(world, ship)) release(world, ship);
        return 5;
      },
    };

    expect(codeOf(() => clone(world, ship, { with: [Position(given)] }))).toBe("dead-entity");
    expect(world.entities.alive).toBe(0);
    expect(verify(world)).toEqual([]);
  });
});
