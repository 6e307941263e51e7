import { describe, expect, it } from "vitest";
import { add, type Memory, observe, plainMemory, spawn, TreelineError } from "../../src/index.ts";
import { component, f32, withHooks } from "../defining.ts";
import { Any, ChildOf, Frozen, Likes, OrderedChildren, Parent, Position } from "../definitions.ts";
import { createDice } from "../dice.ts";
import { createWorld, type Entity, type World } from "../fixture.ts";
import { depthOf, indexOf } from "../handles.ts";
import { destroyAll } from "../internal.ts";
import { codeOf, get, isAlive, subjectsOf, verify } from "../reading.ts";

function destroy(world: World, entity: Entity): number {
  return destroyAll(world, [indexOf(entity)]);
}

describe("parents that are destroyed and spawned again with their children", () => {
  it("leave room for others of the same kind, wherever those are", () => {
    const world = createWorld();
    const ship = spawn(world, ChildOf(spawn(world)));
    for (let round = 0; round < 4; round++) {
      const first = spawn(world);
      spawn(world, Position({ x: round }), ChildOf(first));
      expect(destroy(world, first)).toBe(2);
      expect(verify(world)).toEqual([]);

      const deep = spawn(world, ChildOf(ship));
      const child = spawn(world, Position({ x: round }), ChildOf(deep));
      expect([depthOf(world, child), get(world, child, Position)!.x]).toEqual([3, round]);
      const below = spawn(world, Position({ x: 7 }), ChildOf(child));
      expect([subjectsOf(world, deep, ChildOf), subjectsOf(world, child, ChildOf)]).toEqual([
        [child],
        [below],
      ]);
      expect(verify(world)).toEqual([]);
      expect(destroy(world, deep)).toBe(3);
      expect(verify(world)).toEqual([]);
    }
  });

  it("behave the same where children are in lists, or are targets of something else", () => {
    const world = createWorld();
    const gone = spawn(world);
    spawn(world, Position, ChildOf(gone));
    destroy(world, gone);

    const liked = spawn(world);
    const friend = spawn(world, Likes(liked));
    const child = spawn(world, Position, ChildOf(liked));
    const ordered = spawn(world, OrderedChildren);
    const listed = [spawn(world, Position, ChildOf(ordered)), spawn(world, Position, Parent(ordered))];

    expect([subjectsOf(world, liked, ChildOf), subjectsOf(world, liked, Likes)]).toEqual([[child], [friend]]);
    expect(subjectsOf(world, ordered, ChildOf)).toEqual(listed);
    expect(verify(world)).toEqual([]);
    expect(destroy(world, liked)).toBe(2);
    expect([isAlive(world, friend), verify(world)]).toEqual([true, []]);
  });

  it("are reported like others", () => {
    const world = createWorld();
    const calls: unknown[] = [];
    const Hooked = withHooks(component("Hooked", { x: f32 }), {
      onRemove: (_, __, { x }) => calls.push(x),
    });
    const [first, second, third] = [spawn(world), spawn(world, Hooked({ x: 1 })), spawn(world)];
    spawn(world, Hooked({ x: 2 }), ChildOf(first));
    spawn(world, Position, ChildOf(second));
    spawn(world, Position({ x: 3 }), ChildOf(third));

    destroy(world, first);
    destroy(world, second);
    observe(world, { removed: Any }, ({ definition }) => calls.push(definition.name));
    destroy(world, third);

    expect(calls).toEqual([2, 1, "Position", "ChildOf"]);
  });

  it("leave the world unchanged if there is no memory for the next child", () => {
    const plain = plainMemory();
    let isOver = false;
    const memory: Memory = {
      ...plain,
      allocate: (bytes, moved) => {
        if (isOver) throw new TreelineError("capacity", "no more blocks");
        return plain.allocate(bytes, moved);
      },
    };
    const world = createWorld({ memory });
    const gone = spawn(world);
    spawn(world, Position, ChildOf(gone));
    const parents = Array.from({ length: 100 }, () => spawn(world, Frozen));
    const movers = Array.from({ length: 99 }, () => spawn(world, Position));
    destroy(world, gone);
    isOver = true;

    const full = movers.map((mover, at) => codeOf(() => add(world, mover, ChildOf(parents[at]!))));
    const code = codeOf(() => spawn(world, Position, ChildOf(parents.at(-1)!)));
    isOver = false;

    expect([full.at(-1), code]).toEqual(["capacity", "capacity"]);
    expect(verify(world)).toEqual([]);
    spawn(world, Position, ChildOf(parents.at(-1)!));
    expect(verify(world)).toEqual([]);
  });

  it("are spawned and destroyed in any order", () => {
    for (let seed = 1; seed <= 10; seed++) {
      const [dice, world, living] = [createDice(seed), createWorld(), [] as Entity[]];
      for (let step = 0; step < 150; step++) {
        const above = living.length > 0 && dice.chance(0.7) ? dice.pick(living) : undefined;
        const terms = [
          ...(dice.chance(0.5) ? [Position({ x: step })] : []),
          ...(dice.chance(0.2) ? [Frozen] : []),
        ];
        living.push(spawn(world, ...terms, ...(above === undefined ? [] : [ChildOf(above)])));
        if (dice.chance(0.2)) add(world, dice.pick(living), Frozen);
        if (dice.chance(0.25)) destroy(world, dice.pick(living));
        living.splice(0, living.length, ...living.filter((one) => isAlive(world, one)));
        expect(verify(world)).toEqual([]);
      }
      expect(world.entities.alive).toBe(living.length);
    }
  });
});
