import { add, ChildOf, component, type Entity, f32, get, set, spawn, spawnMany } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { cascade, destroy, each, maybe, not, query } from "../../src/index.ts";
import { sorted, visited } from "../asked.ts";
import { Damage, Frozen } from "../definitions.ts";
import { setWorld, world } from "../stage.ts";

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
    const born = [...spawnMany(world, 3, A), ...spawnMany(world, 2, A, B)];
    spawn(world, B);

    expect(visited(query(world, A))).toEqual(born);
  });

  it.each([
    [1, [A], [1]],
    [2, [B, A], [2, 1]],
    [3, [A, C, B], [1, 3, 2]],
    [4, [D, A, C, B], [4, 1, 3, 2]],
    [5, [E, D, C, B, A], [5, 4, 3, 2, 1]],
    [6, [A, B, C, D, E, F], [1, 2, 3, 4, 5, 6]],
  ])("hands over %i components in the order of the terms, the entity last", (_, terms, values) => {
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
    const born = spawnMany(world, 5, ...terms);

    each(query(world, ...terms), (...row: unknown[]) => {
      (row.slice(0, -1) as { v: number }[]).forEach((view, at) => {
        view.v = at + 1;
      });
    });

    for (const one of born) {
      expect(terms.map((what) => get(world, one, what)!.v)).toEqual(terms.map((_, at) => at + 1));
    }
  });

  it("hands over only the entity when no term has values", () => {
    const one = spawn(world, Frozen);
    const calls: unknown[][] = [];

    each(query(world, Frozen, not(A)), (...row) => {
      calls.push(row);
    });

    expect(calls).toEqual([[one]]);
  });

  it("reads and writes over many tables and runs of one archetype", () => {
    const parents = spawnMany(world, 50);
    const born = parents.flatMap((parent) => spawnMany(world, 3, ChildOf(parent), A));
    born.forEach((one, at) => {
      set(world, one, A, { v: at });
    });
    for (const parent of parents.filter((_, at) => at % 3 === 0)) destroy(world, parent);
    const seen: Entity[] = [];

    each(query(world, A), (a, one) => {
      if (born[a.v] === one) seen.push(one);
      a.v = -1;
    });

    const left = born.filter((_, at) => Math.floor(at / 3) % 3 !== 0);
    expect(sorted(seen)).toEqual(left);
    expect(left.every((one) => get(world, one, A)!.v === -1)).toBe(true);
  });

  it("hands over JavaScript values themselves", () => {
    const mesh = { name: "hull" };
    spawn(world, Mesh(mesh));
    const seen: unknown[] = [];

    each(query(world, Mesh), (value) => {
      seen.push(value);
    });

    expect(seen[0]).toBe(mesh);
  });

  it("hands over the values of a pair with data, table by table", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const one = spawn(world, Damage(first, { amount: 1 }), Damage(second, { amount: 2 }));
    const other = spawn(world, Damage(second, { amount: 20 }), Damage(third, { amount: 30 }));
    const seen: [Entity, number][] = [];

    each(query(world, Damage(second)), (damage, entity) => {
      seen.push([entity, damage.amount]);
      damage.amount++;
    });

    expect(new Map(seen)).toEqual(
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

  it("hands over two pairs of one relation, each its own", () => {
    const [first, second] = spawnMany(world, 2) as [Entity, Entity];
    spawn(world, Damage(second, { amount: 2 }), Damage(first, { amount: 1 }));
    const seen: number[] = [];

    each(query(world, Damage(first), Damage(second)), (one, other) => {
      seen.push(one.amount, other.amount);
    });

    expect(seen).toEqual([1, 2]);
  });

  it("may be called inside itself, for the same query: views stay apart", () => {
    [1, 2, 3].map((v) => spawn(world, A({ v })));
    const asked = query(world, A);
    each(asked, () => {});
    const products: number[] = [];

    each(asked, (outer) => {
      each(asked, (inner) => {
        products.push(outer.v * inner.v);
      });
    });

    expect(products).toEqual([1, 2, 3, 2, 4, 6, 3, 6, 9]);
  });

  it("works again after an error in the visitor", () => {
    spawnMany(world, 3, A({ v: 1 }));
    const asked = query(world, A);
    let sum = 0;

    expect(() =>
      each(asked, () => {
        throw new Error("enough");
      }),
    ).toThrow("enough");
    each(asked, (a) => {
      sum += a.v;
    });

    expect([sum, world.deferDepth]).toEqual([3, 0]);
  });
});

describe("each under cascade", () => {
  it("visits parents before children, whatever the order of birth (L12)", () => {
    const [ship, station] = spawnMany(world, 2, A) as [Entity, Entity];
    const cockpit = spawn(world, A, ChildOf(ship));
    const seat = spawn(world, A, ChildOf(cockpit));
    add(world, ship, ChildOf(station));

    expect(visited(query(world, A, cascade(A)))).toEqual([station, ship, cockpit, seat]);
  });

  it("hands over what the parent was just given, so that one visit carries values down", () => {
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

  it("hands over undefined where no ancestor has the component, and the nearest one's otherwise", () => {
    const root = spawn(world, B);
    const ship = spawn(world, ChildOf(root), A({ v: 7 }), B);
    const cockpit = spawn(world, ChildOf(ship), B);
    const seat = spawn(world, ChildOf(cockpit), A({ v: 9 }), B);
    const seen = new Map<Entity, number | undefined>();

    each(query(world, B, cascade(A)), (_, above, entity) => {
      seen.set(entity, above?.v);
    });

    expect(seen).toEqual(
      new Map<Entity, number | undefined>([
        [root, undefined],
        [ship, undefined],
        [cockpit, 7],
        [seat, 7],
      ]),
    );
  });

  it("hands over JavaScript values of ancestors", () => {
    const ship = spawn(world, Mesh({ name: "hull" }));
    spawn(world, ChildOf(ship));
    const seen: (string | undefined)[] = [];

    each(query(world, cascade(Mesh)), (mesh) => {
      seen.push(mesh?.name);
    });

    expect(seen).toEqual([undefined, "hull"]);
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

  it("hands over the values of a pair with data, wherever its column lies in the table", () => {
    const [first, second, third] = spawnMany(world, 3) as [Entity, Entity, Entity];
    const [one, other] = spawnMany(world, 2, A) as [Entity, Entity];
    spawn(world, ChildOf(one), Damage(first, { amount: 1 }), Damage(second, { amount: 2 }));
    spawn(world, ChildOf(other), Damage(second, { amount: 20 }), Damage(third, { amount: 30 }));
    const seen: number[] = [];

    each(query(world, Damage(second), cascade(A)), (damage) => {
      seen.push(damage.amount);
    });

    expect(seen).toEqual([2, 20]);
  });
});
