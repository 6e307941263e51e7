import { add, ChildOf, component, type Entity, f32, get, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, destroy, each, maybe, not, query } from "../../src/index.ts";
import { Damage, Frozen } from "../definitions.ts";
import { iterated, sorted } from "../matches.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

const A = component("A", { v: f32 });
const B = component("B", { v: f32 });
const C = component("C", { v: f32 });
const D = component("D", { v: f32 });
const E = component("E", { v: f32 });
const F = component("F", { v: f32 });
const Mesh = component<{ name: string }>("Mesh");

beforeEach(setWorld);

describe("each", () => {
  it("calls once per row, with the entity", () => {
    const spawned = [...spawnMany(world, 3, A), ...spawnMany(world, 2, A, B)];
    spawn(world, B);

    expect(iterated(query(world, A))).toEqual(spawned);
  });

  it.each([
    [1, [A], [1]],
    [2, [B, A], [2, 1]],
    [3, [A, C, B], [1, 3, 2]],
    [4, [D, A, C, B], [4, 1, 3, 2]],
    [5, [E, D, C, B, A], [5, 4, 3, 2, 1]],
    [6, [A, B, C, D, E, F], [1, 2, 3, 4, 5, 6]],
  ])("passes %i components in the order of the terms, the entity last", (_, terms, values) => {
    const filled = [A({ v: 1 }), B({ v: 2 }), C({ v: 3 }), D({ v: 4 }), E({ v: 5 }), F({ v: 6 })];
    const first = spawn(world, ...filled);
    const second = spawn(world, ...filled, Frozen);
    const rows: unknown[][] = [];

    each(query(world, ...terms), (...row: unknown[]) => {
      rows.push(row.map((one) => (typeof one === "object" ? (one as { v: number }).v : one)));
    });

    expect(rows).toEqual([
      [...values, first],
      [...values, second],
    ]);
  });

  it.each([1, 2, 3, 4, 5, 6])("writes through %i views at once", (count) => {
    const terms = [A, B, C, D, E, F].slice(0, count);
    const spawned = spawnMany(world, 5, ...terms);

    each(query(world, ...terms), (...row: unknown[]) => {
      (row.slice(0, -1) as { v: number }[]).forEach((view, at) => {
        view.v = at + 1;
      });
    });

    for (const one of spawned) {
      expect(terms.map((what) => get(world, one, what)!.v)).toEqual(terms.map((_, at) => at + 1));
    }
  });

  it("passes only the entity if no term has values", () => {
    const one = spawn(world, Frozen);
    const calls: unknown[][] = [];

    each(query(world, Frozen, not(A)), (...row) => {
      calls.push(row);
    });

    expect(calls).toEqual([[one]]);
  });

  it("reads and writes over many tables and runs of one archetype", () => {
    const parents = spawnMany(world, 50);
    const spawned = parents.flatMap((parent) => spawnMany(world, 3, ChildOf(parent), A));
    spawned.forEach((one, at) => {
      set(world, one, A, { v: at });
    });
    for (const parent of parents.filter((_, at) => at % 3 === 0)) destroy(world, parent);
    const received: Entity[] = [];

    each(query(world, A), (a, one) => {
      if (spawned[a.v] === one) received.push(one);
      a.v = -1;
    });

    const left = spawned.filter((_, at) => Math.floor(at / 3) % 3 !== 0);
    expect(sorted(received)).toEqual(left);
    expect(left.every((one) => get(world, one, A)!.v === -1)).toBe(true);
  });

  it("passes JavaScript values themselves", () => {
    const mesh = { name: "hull" };
    spawn(world, Mesh(mesh));
    const received: unknown[] = [];

    each(query(world, Mesh), (value) => {
      received.push(value);
    });

    expect(received[0]).toBe(mesh);
  });

  it("passes the values of a pair with data, table by table", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const one = spawn(world, Damage(first, { amount: 1 }), Damage(second, { amount: 2 }));
    const other = spawn(world, Damage(second, { amount: 20 }), Damage(third, { amount: 30 }));
    const received: [Entity, number][] = [];

    each(query(world, Damage(second)), (damage, entity) => {
      received.push([entity, damage.amount]);
      damage.amount++;
    });

    expect(new Map(received)).toEqual(
      new Map([
        [one, 2],
        [other, 20],
      ]),
    );
    expect([one, other].map((entity) => get(world, entity, Damage(second))!.amount)).toEqual([3, 21]);
    expect([get(world, one, Damage(first))!.amount, get(world, other, Damage(third))!.amount]).toEqual([
      1, 30,
    ]);
  });

  it("passes two pairs of one relation, each its own", () => {
    const [first, second] = spawnMany(world, 2) as [Entity, Entity];
    spawn(world, Damage(second, { amount: 2 }), Damage(first, { amount: 1 }));
    const received: number[] = [];

    each(query(world, Damage(first), Damage(second)), (one, other) => {
      received.push(one.amount, other.amount);
    });

    expect(received).toEqual([1, 2]);
  });

  it("may be called inside itself, for the same query: views stay separate", () => {
    [1, 2, 3].map((v) => spawn(world, A({ v })));
    const tested = query(world, A);
    each(tested, () => {});
    const products: number[] = [];

    each(tested, (outer) => {
      each(tested, (inner) => {
        products.push(outer.v * inner.v);
      });
    });

    expect(products).toEqual([1, 2, 3, 2, 4, 6, 3, 6, 9]);
  });

  it("works again after an error in the callback", () => {
    spawnMany(world, 3, A({ v: 1 }));
    const tested = query(world, A);
    let sum = 0;

    expect(() =>
      each(tested, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");
    each(tested, (a) => {
      sum += a.v;
    });

    expect([sum, isIterating(world)]).toEqual([3, false]);
  });
});

describe("each under cascade", () => {
  it("iterates parents before children, whatever the order of spawning (I12)", () => {
    const [ship, station] = spawnMany(world, 2, A) as [Entity, Entity];
    const cockpit = spawn(world, A, ChildOf(ship));
    const seat = spawn(world, A, ChildOf(cockpit));
    add(world, ship, ChildOf(station));

    expect(iterated(query(world, A, cascade(A)))).toEqual([station, ship, cockpit, seat]);
  });

  it("passes what the parent was just given, so that one iteration carries values down", () => {
    const root = spawn(world, A({ v: 1 }), B);
    let parent = root;
    const chain = Array.from({ length: 20 }, () => {
      parent = spawn(world, A({ v: 1 }), B, ChildOf(parent));
      return parent;
    });

    each(query(world, A, B, cascade(B)), (own, sum, above) => {
      sum.v = own.v + (above?.v ?? 0);
    });

    expect(chain.map((one) => get(world, one, B)!.v)).toEqual(chain.map((_, at) => at + 2));
  });

  it("passes undefined where no ancestor has the component, and the nearest one's otherwise", () => {
    const root = spawn(world, B);
    const ship = spawn(world, ChildOf(root), A({ v: 7 }), B);
    const cockpit = spawn(world, ChildOf(ship), B);
    const seat = spawn(world, ChildOf(cockpit), A({ v: 9 }), B);
    const received = new Map<Entity, number | undefined>();

    each(query(world, B, cascade(A)), (_, above, entity) => {
      received.set(entity, above?.v);
    });

    expect(received).toEqual(
      new Map<Entity, number | undefined>([
        [root, undefined],
        [ship, undefined],
        [cockpit, 7],
        [seat, 7],
      ]),
    );
  });

  it("passes JavaScript values of ancestors", () => {
    const ship = spawn(world, Mesh({ name: "hull" }));
    spawn(world, ChildOf(ship));
    const received: (string | undefined)[] = [];

    each(query(world, cascade(Mesh)), (mesh) => {
      received.push(mesh?.name);
    });

    expect(received).toEqual([undefined, "hull"]);
  });

  it("mixes with maybe, tags, not and six arguments", () => {
    const ship = spawn(world, A({ v: 1 }), B({ v: 2 }));
    const cockpit = spawn(world, ChildOf(ship), A({ v: 3 }), C({ v: 4 }), Frozen, Mesh({ name: "glass" }));
    spawn(world, ChildOf(ship), A({ v: 5 }), D);
    const rows: unknown[][] = [];

    each(
      query(world, cascade(A), Frozen, A, maybe(C), not(D), Mesh, maybe(B), C),
      (above, own, maybeC, mesh, maybeB, c, entity) => {
        rows.push([above?.v, own.v, maybeC?.v, mesh.name, maybeB, c.v, entity]);
      },
    );

    expect(rows).toEqual([[1, 3, 4, "glass", undefined, 4, cockpit]]);
  });

  it("passes the values of a pair with data, wherever its column is in the table", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const [one, other] = spawnMany(world, 2, A) as [Entity, Entity];
    spawn(world, ChildOf(one), Damage(first, { amount: 1 }), Damage(second, { amount: 2 }));
    spawn(world, ChildOf(other), Damage(second, { amount: 20 }), Damage(third, { amount: 30 }));
    const received: number[] = [];

    each(query(world, Damage(second), cascade(A)), (damage) => {
      received.push(damage.amount);
    });

    expect(received).toEqual([2, 20]);
  });
});
