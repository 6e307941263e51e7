import { describe, expect, it } from "vitest";
import { add, pack, release, spawn, spawnMany, webAssemblyMemory } from "../../src/index.ts";
import { array, component, f32, i32 } from "../defining.ts";
import { Damage, Frozen, Label } from "../definitions.ts";
import { createDice } from "../dice.ts";
import { createWorld, type Entity, type World } from "../fixture.ts";
import { codeOf, get, locate } from "../reading.ts";

const Position = component("Position", { x: f32, y: f32 });
const Matrix = component("Matrix", { cells: array(f32, 4), age: i32 });

function startDestroyed() {
  const world = createWorld();
  const [one, destroyed] = [spawn(world, Position({ x: 1 })), spawn(world, Position)];
  release(world, destroyed);
  return { world, one, destroyed };
}

describe("locate", () => {
  it("returns the columns and the absolute row of a value", () => {
    const world = createWorld();
    spawnMany(world, 5, Position({ x: 1 }));
    const one = spawn(world, Position({ x: 7, y: 8 }));

    const { columns, row } = locate(world, one, Position)!;

    expect([columns.x[row], columns.y[row]]).toEqual([7, 8]);
  });

  it("allows writing a value through its columns", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 7 }));

    const { columns, row } = locate(world, one, Position)!;
    columns.y[row] = 5;

    expect(get(world, one, Position)).toEqual({ x: 7, y: 5 });
  });

  it("stores lists row after row", () => {
    const world = createWorld();
    spawnMany(world, 3, Matrix({ cells: [0, 0, 0, 0] }));
    const one = spawn(world, Matrix({ cells: [1, 2, 3, 4] }));

    const { columns, row } = locate(world, one, Matrix)!;

    expect([...columns.cells.subarray(row * 4, row * 4 + 4)]).toEqual([1, 2, 3, 4]);
  });

  it("finds values without schema, and values of pairs", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Label("Seat"), Damage(ship, { amount: 3 }));

    const label = { ...locate(world, one, Label)! };
    const damage = { ...locate(world, one, Damage(ship))! };

    expect([label.columns[label.row], damage.columns.amount[damage.row]]).toEqual(["Seat", 3]);
  });

  it("is right whatever was located before: other archetypes, components, pairs, worlds, grown and packed columns", () => {
    const worlds = [createWorld(), createWorld({ memory: webAssemblyMemory() })];
    const Velocity = component("Velocity", { x: f32, y: f32 });
    const dice = createDice(8);
    const crowds = worlds.map((): Entity[] => []);
    const xOf = (world: World, one: Entity, what: typeof Position): number => {
      const { columns, row } = locate(world, one, what)!;
      return columns.x[row]!;
    };

    for (let step = 0; step < 4_000; step++) {
      const place = dice.below(2);
      const [world, crowd] = [worlds[place]!, crowds[place]!];
      const choice = dice.below(20);
      if (choice < 2 || crowd.length < 3) {
        const x = crowd.length;
        crowd.push(spawn(world, Position({ x }), Velocity({ x: -x })));
      } else if (choice === 2) add(world, dice.pick(crowd), Frozen);
      else if (choice === 3) add(world, dice.pick(crowd), Damage(dice.pick(crowd), { amount: step }));
      else if (choice === 4 && dice.chance(0.05)) pack(world);
      const at = dice.below(crowd.length);
      if (dice.chance(0.1)) locate(world, crowd[at]!, Damage(crowd[0]!));
      expect(xOf(world, crowd[at]!, Position)).toBe(at);
      if (dice.chance(0.5)) expect(xOf(world, crowd[at]!, Velocity) + at).toBe(0);
    }
  });

  it("returns the same object each time, and the same columns while nothing moves", () => {
    const world = createWorld();
    const [one, other] = spawnMany(world, 2, Position) as [Entity, Entity];
    const first = locate(world, one, Position)!;
    const { columns, row } = first;

    const second = locate(world, other, Position)!;

    expect(second).toBe(first);
    expect(second.columns).toBe(columns);
    expect(second.row).not.toBe(row);
  });

  it("is right again after rows have moved", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 7 }));
    locate(world, one, Position);

    spawnMany(world, 5000, Position({ x: 1 }));
    add(world, one, Frozen);
    pack(world);

    const { columns, row } = locate(world, one, Position)!;
    expect(columns.x[row]).toBe(7);
  });

  it("is right again after another archetype has moved a WebAssembly memory", () => {
    const world = createWorld({ memory: webAssemblyMemory({ bytes: 65_536 }) });
    const one = spawn(world, Position({ x: 7 }));
    const { columns: before } = locate(world, one, Position)!;

    spawnMany(world, 50_000, Matrix);

    const { columns, row } = locate(world, one, Position)!;
    expect([columns.x[row], columns === before]).toEqual([7, false]);
  });

  it("returns columns that read nothing once their buffers were replaced", () => {
    const world = createWorld();
    const one = spawn(world, Position({ x: 7 }));
    const { columns } = locate(world, one, Position)!;

    spawnMany(world, 5000, Position);

    expect(columns.x.length).toBe(0);
  });

  it("returns undefined for what the entity does not have", () => {
    const { world, one, destroyed } = startDestroyed();

    expect([
      locate(world, one, Matrix),
      locate(world, one, Damage(one)),
      locate(world, one, Damage(destroyed)),
    ]).toEqual([undefined, undefined, undefined]);
  });

  it("refuses an entity that is not alive as dead-entity", () => {
    const { world, destroyed } = startDestroyed();

    expect(codeOf(() => locate(world, destroyed, Position))).toBe("dead-entity");
  });
});
