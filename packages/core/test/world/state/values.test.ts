import { describe, expect, it } from "vitest";
import { add, createWorld, pack, release, set, spawn, spawnMany } from "../../../src/index.ts";
import {
  array,
  bool,
  component,
  entity,
  f32,
  f64,
  i8,
  i16,
  i32,
  relation,
  u8,
  u16,
  u32,
} from "../../defining.ts";
import { Frozen } from "../../definitions.ts";
import { codeOf, get, locate, read } from "../../reading.ts";
import { memories } from "../../storage/memory/memories.ts";

const Numbers = component("Numbers", { f32, f64, i8, u8, i16, u16, i32, u32 });
const Lists = component("Lists", {
  f32: array(f32, 3),
  f64: array(f64, 2),
  i8: array(i8, 5),
  u8: array(u8, 4),
  i16: array(i16, 3),
  u16: array(u16, 2),
  i32: array(i32, 2),
  u32: array(u32, 7),
});
const Aim = component("Aim", { at: entity, sure: bool });
const Damage = relation("Damage", { fields: { by: entity, marks: array(u8, 3) } });

describe.each(memories)("values on %s memory", (_, createMemory) => {
  it("of every number kind come back as they were written", () => {
    const world = createWorld({ memory: createMemory() });
    const lowest = {
      f32: -1.5,
      f64: -Math.PI,
      i8: -128,
      u8: 0,
      i16: -32_768,
      u16: 0,
      i32: -(2 ** 31),
      u32: 0,
    };
    const highest = {
      f32: Math.fround(3.1e38),
      f64: Number.MAX_VALUE,
      i8: 127,
      u8: 255,
      i16: 32_767,
      u16: 65_535,
      i32: 2 ** 31 - 1,
      u32: 2 ** 32 - 1,
    };

    const [low, high] = [spawn(world, Numbers(lowest)), spawn(world, Numbers(highest))];

    expect([get(world, low, Numbers), get(world, high, Numbers)]).toEqual([lowest, highest]);
  });

  it("are rounded as their kind does", () => {
    const world = createWorld({ memory: createMemory() });

    const one = spawn(world, Numbers({ f32: 0.1, f64: 0.1, i8: -0 }));

    expect(get(world, one, Numbers)).toMatchObject({ f32: Math.fround(0.1), f64: 0.1, i8: 0 });
  });

  it("of every list kind come back as typed arrays", () => {
    const world = createWorld({ memory: createMemory() });
    const values = {
      f32: Float32Array.of(1.5, 2.5, 3.5),
      f64: Float64Array.of(Math.PI, -1),
      i8: Int8Array.of(-1, -2, -3, 4, 5),
      u8: Uint8Array.of(255, 0, 1, 2),
      i16: Int16Array.of(-5, 6, 7),
      u16: Uint16Array.of(65_535, 1),
      i32: Int32Array.of(-(2 ** 31), 5),
      u32: Uint32Array.of(2 ** 32 - 1, 1, 2, 3, 4, 5, 6),
    };
    spawnMany(world, 3, Lists);

    const one = spawn(world, Lists(values));

    expect(get(world, one, Lists)).toEqual(values);
  });

  it("of a list of one come back as a typed array of one", () => {
    const world = createWorld({ memory: createMemory() });
    const Single = component("Single", { list: array(u8, 1) });

    const one = spawn(world, Single({ list: [255] }));

    expect(get(world, one, Single)).toEqual({ list: Uint8Array.of(255) });
  });

  it("of lists may be given as plain lists", () => {
    const world = createWorld({ memory: createMemory() });

    const one = spawn(world, Damage(spawn(world), { marks: [1, 2, 3] }));

    expect(codeOf(() => add(world, one, Lists({ f32: [1, 2, 3] })))).toBeUndefined();
    expect(get(world, one, Lists)!.f32).toEqual(Float32Array.of(1, 2, 3));
  });

  it("of bool fields are true and false, and 1 and 0 in the column", () => {
    const world = createWorld({ memory: createMemory() });

    const [yes, no] = [spawn(world, Aim({ sure: true })), spawn(world, Aim({ sure: false }))];

    expect([get(world, yes, Aim)!.sure, get(world, no, Aim)!.sure]).toEqual([true, false]);
    const { columns, row } = locate(world, yes, Aim)!;
    expect(columns.sure[row]).toBe(1);
  });

  it("move with their entity through tables, archetypes and packs", () => {
    const world = createWorld({ memory: createMemory() });
    const crowd = Array.from({ length: 100 }, (__, at) =>
      spawn(world, Numbers({ f64: at, i8: at, u16: at }), Lists({ u32: [at, 1, 2, 3, 4, 5, at] })),
    );

    crowd.forEach((one, at) => {
      if (at % 2 === 0) add(world, one, Frozen);
      if (at % 3 === 0) add(world, one, Aim);
    });
    pack(world);

    crowd.forEach((one, at) => {
      expect(get(world, one, Numbers)).toMatchObject({ f64: at, i8: at, u16: at });
      expect([...get(world, one, Lists)!.u32]).toEqual([at, 1, 2, 3, 4, 5, at]);
    });
  });
});

describe("an entity field", () => {
  it("holds a whole handle", () => {
    const world = createWorld();
    const ship = spawn(world);

    const one = spawn(world, Aim({ at: ship }));

    expect(get(world, one, Aim)!.at).toBe(ship);
  });

  it("reads as undefined while it is unset", () => {
    const world = createWorld();
    const one = spawn(world, Aim);
    const into = { at: one as typeof one | undefined, sure: true };

    read(world, one, Aim, into);

    expect([get(world, one, Aim)!.at, into.at]).toEqual([undefined, undefined]);
  });

  it("reads as undefined once its entity is destroyed, also after the index is reused", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Aim({ at: ship }), Damage(ship, { by: ship }));
    const other = spawn(world, Aim({ at: one }));
    const both = () => [get(world, other, Aim)!.at, locate(world, other, Aim) === undefined];

    expect(both()).toEqual([one, false]);
    release(world, one);
    expect(both()).toEqual([undefined, false]);
    for (const index of spawnMany(world, 5000)) release(world, index);
    spawnMany(world, 5000);

    expect(both()).toEqual([undefined, false]);
  });

  it("is unset by writing undefined", () => {
    const world = createWorld();
    const ship = spawn(world);
    const one = spawn(world, Aim({ at: ship, sure: true }));

    set(world, one, Aim, { at: undefined });

    expect(get(world, one, Aim)).toEqual({ at: undefined, sure: true });
  });

  it("of a pair does the same", () => {
    const world = createWorld();
    const [ship, gunner] = [spawn(world), spawn(world)];
    const one = spawn(world, Damage(ship, { by: gunner, marks: [1, 2, 3] }));
    const first = get(world, one, Damage(ship))!.by;

    release(world, gunner);

    expect([first, get(world, one, Damage(ship))!.by]).toEqual([gunner, undefined]);
  });
});
