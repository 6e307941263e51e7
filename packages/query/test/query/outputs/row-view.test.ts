import type { Component, Entity, Numbers, Schema, SchemaComponent, World } from "@treeline/core";
import { bool as flag, get, locate, pack, release, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { each, query } from "../../../src/index.ts";
import { component, createWorld } from "../../public/define.ts";
import { array, entity, f32, f64, i8, i16, i32, u8, u16, u32 } from "../../public/fields.ts";
import { maybe } from "../../public/filters.ts";
import { setWorld, world } from "../../test-world.ts";

/** Calls `inspect` with the view of the only row of a component. */
function withView<Row>(world: World, what: Component<Row>, inspect: (view: Row) => void): void {
  let rows = 0;
  each(query(world, what as Component), (view) => {
    rows++;
    inspect(view as Row);
  });
  expect(rows).toBe(1);
}

/** A component with one field, at the given place behind others of other kinds. */
function behind<const S extends Schema>(places: number, own: S): SchemaComponent<S> {
  const before = Object.fromEntries(
    Array.from({ length: places }, (_, at) => [`before${at}`, at % 2 ? f64 : u8]),
  );
  return component("Behind", { ...before, ...own }) as unknown as SchemaComponent<S>;
}

const plainKinds = [
  ["f32", f32, 0.5, -3],
  ["f64", f64, 0.1, -1e300],
  ["i8", i8, -128, 127],
  ["u8", u8, 255, 1],
  ["i16", i16, -32768, 32767],
  ["u16", u16, 65535, 1],
  ["i32", i32, -(2 ** 31), 7],
  ["u32", u32, 2 ** 32 - 1, 7],
] as const;

beforeEach(setWorld);

describe.each([0, 3, 5, 6, 7, 20])("a field at place %i", (places) => {
  it.each(plainKinds)("of kind %s reads and writes its column", (_, kind, first, second) => {
    const What = behind(places, { own: kind });
    const one = spawn(world, What({ own: first }));
    let received: number | undefined;

    withView(world, What, (view) => {
      received = view.own;
      view.own = second;
    });

    expect([received, get(world, one, What)!.own]).toEqual([first, second]);
  });

  it("of kind bool reads and writes true and false", () => {
    const What = behind(places, { own: flag });
    const one = spawn(world, What({ own: true }));
    const received: boolean[] = [];

    withView(world, What, (view) => {
      received.push(view.own);
      view.own = false;
      received.push(view.own);
    });

    expect([received, get(world, one, What)!.own]).toEqual([[true, false], false]);
  });

  it("of kind entity reads and writes a handle or undefined", () => {
    const What = behind(places, { own: entity });
    const [ship, station] = spawnMany(world, 2) as [Entity, Entity];
    const one = spawn(world, What({ own: ship }));
    const received: (Entity | undefined)[] = [];

    withView(world, What, (view) => {
      received.push(view.own);
      view.own = undefined;
      received.push(view.own, locate(world, one, What)!.columns.own[0] as Entity);
      view.own = station;
    });

    expect([received, get(world, one, What)!.own]).toEqual([[ship, undefined, 0], station]);
  });

  it("of kind entity reads undefined once that entity is destroyed", () => {
    const What = behind(places, { own: entity });
    const ship = spawn(world);
    spawn(world, What({ own: ship }));
    release(world, ship);

    withView(world, What, (view) => {
      expect(view.own).toBe(undefined);
    });
  });

  it("of kind array reads a list that writes through, and accepts a whole list", () => {
    const What = behind(places, { own: array(i16, 3) });
    const one = spawn(world, What({ own: [1, 2, 3] }));
    let received: number[] = [];

    withView(world, What, (view) => {
      received = [...view.own];
      view.own[1] = 20;
    });
    const between = [...get(world, one, What)!.own];
    withView(world, What, (view) => {
      view.own = Int16Array.of(7, 8, 9);
    });

    expect([received, between, [...get(world, one, What)!.own]]).toEqual([
      [1, 2, 3],
      [1, 20, 3],
      [7, 8, 9],
    ]);
  });

  it("of kind array of one number is a list of one", () => {
    const What = behind(places, { own: array(u8, 1) });
    const one = spawn(world, What({ own: [5] }));
    let received: ArrayLike<number> | undefined;

    withView(world, What, (view) => {
      received = [...view.own];
      view.own[0] = 6;
    });

    expect([received, get(world, one, What)!.own]).toEqual([[5], Uint8Array.of(6)]);
  });
});

describe("fields may be", () => {
  const names = [
    "row",
    "c0",
    "c1",
    "c5",
    "more",
    "archetype",
    "world",
    "entity",
    "length",
    "constructor",
    "toString",
  ];

  it.each(names)("of any name: %s", (name) => {
    const What = component("What", { other: f32, [name]: f32 }) as unknown as SchemaComponent<{
      [name: string]: typeof f32;
    }>;
    spawn(world);
    const [one, two] = [spawn(world, What({ [name]: 7 })), spawn(world, What({ [name]: 8 }))];
    const received: unknown[] = [];

    each(query(world, What), (view) => {
      received.push(view[name]);
      view[name]! += 10;
    });

    expect(received).toEqual([7, 8]);
    expect([one, two].map((each) => get(world, each, What)![name])).toEqual([17, 18]);
  });

  it("more than six, of all kinds together", () => {
    const What = component("What", {
      a: f32,
      b: u8,
      c: flag,
      d: f64,
      e: array(f32, 2),
      f: i16,
      g: entity,
      h: i8,
      i: flag,
      j: array(u16, 3),
      k: u32,
    });
    const ship = spawn(world);
    const first = {
      a: 1,
      b: 2,
      c: true,
      d: 3,
      e: [4, 5],
      f: 6,
      g: ship,
      h: 7,
      i: false,
      j: [8, 9, 10],
      k: 11,
    };
    const second = {
      a: 2,
      b: 3,
      c: false,
      d: 4,
      e: [5, 6],
      f: 7,
      g: undefined,
      h: 8,
      i: true,
      j: [9, 10, 11],
      k: 12,
    };
    const entities = [spawn(world, What(first)), spawn(world, What(second))];
    const plain = (row: object): unknown =>
      Object.fromEntries(
        Object.keys(first).map((name) => {
          const value = (row as { [name: string]: unknown })[name];
          return [name, ArrayBuffer.isView(value) ? [...(value as Numbers)] : value];
        }),
      );
    const received: unknown[] = [];

    each(query(world, What), (view) => {
      received.push(plain(view));
    });

    expect(received).toEqual([first, second]);
    expect(entities.map((one) => plain(get(world, one, What)!))).toEqual([first, second]);
  });
});

describe("a view of more than six fields", () => {
  const Wide = component("Wide", { a: f32, b: f32, c: f32, d: f32, e: f32, f: f32, g: f32, h: u8 });

  it("follows from archetype to archetype, and to columns that grew", () => {
    const tested = query(world, Wide);
    const Other = component("Other", { x: f64 });
    const received: number[][] = [];
    const inspect = (): void =>
      each(tested, ({ a, g, h }) => {
        if (a !== 0) received.push([a, g, h]);
      });
    spawn(world, Wide({ a: 1, g: 2, h: 3 }));
    spawn(world, Wide({ a: 4, g: 5, h: 6 }), Other);

    inspect();
    spawnMany(world, 2000, Wide);
    spawnMany(world, 2000, Wide, Other);
    inspect();

    expect(received).toEqual([
      [1, 2, 3],
      [4, 5, 6],
      [1, 2, 3],
      [4, 5, 6],
    ]);
  });
});

/** Guards of one view have one class; views have one each. */
function unguarded(view: object): object {
  return Object.getPrototypeOf(view) as object;
}

describe("a view", () => {
  const Position = component("Position", { x: f32, y: f32 });
  const Other = component("Other", { x: f64 });

  it("is one object, moved from row to row, behind a guard for each row in development builds", () => {
    spawnMany(world, 3, Position);
    const views = new Set<object>();

    for (let frame = 0; frame < 2; frame++)
      each(query(world, Position), (view) => views.add(unguarded(view)));

    expect(views.size).toBe(1);
  });

  it("is the same one in all queries of the world, one after the other", () => {
    spawn(world, Position, Other);
    const views = new Set<object>();

    each(query(world, Position), (view) => views.add(unguarded(view)));
    each(query(world, Other, Position), (_, view) => views.add(unguarded(view)));
    each(query(world, maybe(Position)), (view) => views.add(unguarded(view!)));

    expect(views.size).toBe(1);
  });

  it("is another one in an iteration inside the iteration, the same in all of those", () => {
    spawn(world, Position);
    const views = new Set<object>();

    each(query(world, Position), (outer) => {
      each(query(world, Position), (inner) => {
        expect(unguarded(inner)).not.toBe(unguarded(outer));
        views.add(unguarded(inner));
      });
      each(query(world, maybe(Position)), (inner) => views.add(unguarded(inner!)));
    });

    expect(views.size).toBe(1);
  });

  it("is one for each term of a query that names the component", () => {
    spawn(world, Position);

    each(query(world, Position, Position), (one, other) => {
      expect(unguarded(one)).not.toBe(unguarded(other));
      one.x = 1;
      expect(other.x).toBe(1);
    });
  });

  it("lists its fields to a for-in loop, in the order of the schema", () => {
    spawn(world, Position);

    withView(world, Position, (view) => {
      const names: string[] = [];
      for (const name in view) names.push(name);
      expect(names).toEqual(["x", "y"]);
    });
  });

  it("stores numbers as their kind does", () => {
    const Small = component("Small", { a: u8, b: i8, c: f32 });
    const one = spawn(world, Small);

    withView(world, Small, (view) => {
      view.a = 255;
      view.b = -128;
      view.c = 0.1;
    });

    expect(get(world, one, Small)).toEqual({ a: 255, b: -128, c: Math.fround(0.1) });
  });

  it("of one world checks in that world whether a handle is alive", () => {
    const Aim = component("Aim", { at: entity });
    const [one, other] = [createWorld(), createWorld()];
    const [ship, buoy] = [spawn(one), spawn(other)];
    spawn(one, Aim({ at: ship }));
    spawn(other, Aim({ at: buoy }));
    const received: (Entity | undefined)[] = [];

    for (const world of [one, other]) withView(world, Aim, (view) => received.push(view.at));

    expect(received).toEqual([ship, buoy]);
  });

  it("reads the right columns after they grew, and after a pack", () => {
    const tested = query(world, Position);
    const first = spawn(world, Position({ x: 1 }));
    each(tested, () => {});
    const spawned = spawnMany(world, 3000, Position({ x: 2 }));
    let sum = 0;
    each(tested, (position) => {
      sum += position.x;
    });
    for (const one of spawned.slice(0, 2000)) release(world, one);

    pack(world);

    each(tested, (position, one) => {
      sum += one === first ? position.x * 10 : position.x;
    });
    expect(sum).toBe(1 + 6000 + 10 + 2000);
  });
});
