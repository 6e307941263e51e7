import { add, type Entity, get, has, set, spawn, spawnMany } from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import type { query as createQuery, QueryTerm } from "../../src/index.ts";
import { destroy, dispose, each, query, rows } from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Frozen } from "../definitions.ts";
import { ChildOf } from "../public/builtins.ts";
import { component } from "../public/define.ts";
import { array, f32 } from "../public/fields.ts";
import { all, changed, maybe, not, or } from "../public/filters.ts";
import { bind } from "../public/parts.ts";
import { cascade, up, variable } from "../public/terms.ts";
import { setWorld, world } from "../test-world.ts";
import { isIterating } from "../world-state.ts";

const A = component("A", { v: f32 });
const B = component("B", { v: f32, list: array(f32, 2) });
const Mesh = component<{ name: string }>("Mesh");
const MANY = ["C", "D", "E", "F", "G", "H"].map((name) => component(name, { v: f32 }));

type AnyQuery = ReturnType<typeof createQuery>;

beforeEach(setWorld);

/** What is handed over for each row, as values that can be kept. */
function receivedBy(loop: (take: (...row: readonly unknown[]) => void) => void): unknown[][] {
  const received: unknown[][] = [];
  loop((...row) => {
    received.push(row.map((one) => (typeof one === "object" && one !== null ? flat(one) : one)));
  });
  return received;
}

function flat(given: object): object {
  const values: { [name: string]: unknown } = {};
  for (const name in given) {
    const value = (given as { readonly [name: string]: unknown })[name];
    values[name] = ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value;
  }
  return values;
}

function byRows(tested: AnyQuery): unknown[][] {
  return receivedBy((take) => {
    for (const row of rows(tested)) take(...(row as readonly unknown[]));
  });
}

function byEach(tested: AnyQuery): unknown[][] {
  return receivedBy((take) => each(tested, take));
}

describe("rows", () => {
  it("yields one row after the other: what the terms pass, and the entity", () => {
    const [one, other] = [spawn(world, A({ v: 1 }), B({ v: 2 })), spawn(world, A({ v: 3 }), B, Frozen)];
    const received: unknown[] = [];

    for (const [b, a, entity] of rows(query(world, B, A))) received.push([b.v, a.v, entity]);

    expect(received).toEqual([
      [2, 1, one],
      [0, 3, other],
    ]);
  });

  it("writes through the views", () => {
    const spawned = spawnMany(world, 3, A);

    let next = 0;
    for (const [a] of rows(query(world, A))) a.v = ++next;

    expect(spawned.map((entity) => get(world, entity, A)!.v)).toEqual([1, 2, 3]);
  });

  it("yields only the entity if no term has values", () => {
    const one = spawn(world, Frozen);

    expect([...rows(query(world, Frozen, not(A)))]).toEqual([[one]]);
  });

  it("yields nothing if no entity matches, and leaves nothing locked", () => {
    expect(byRows(query(world, A))).toEqual([]);
    expect(isIterating(world)).toBe(false);
  });

  const parent = variable("parent");
  it.each<[title: string, terms: () => readonly QueryTerm[]]>([
    ["components over several archetypes and tables", () => [A]],
    ["values of one kind and the other", () => [Mesh, A]],
    ["what may be there", () => [A, maybe(B), maybe(Frozen), maybe(Mesh)]],
    ["the first alternative that holds", () => [or(B, Mesh, Frozen), A]],
    ["parents first, with the value above", () => [A, cascade(A)]],
    ["children first", () => [A, cascade(A, { desc: true })]],
    ["only those below", () => [maybe(A), up(B)]],
    ["a target", () => [A, ChildOf(parentIn())]],
    ["values of pairs", () => [Damage(parentIn()), A]],
    ["targets that are found", () => [A, ChildOf(parent), parent]],
    ["groups of terms", () => [A, not(all(B, Mesh))]],
    ["eight components", () => [A, B, ...MANY]],
    ["nine components, more than each spells out", () => [A, B, ...MANY, Mesh]],
  ])("yields what each passes: %s", (_, terms) => {
    plant();
    const tested = query(world, ...terms());

    const given = byRows(tested);

    expect(given).toEqual(byEach(tested));
    expect(given.length).toBeGreaterThan(0);
  });

  let root: Entity;
  function parentIn(): Entity {
    return root;
  }
  /** Two levels, three archetypes, several tables. */
  function plant(): void {
    root = spawn(world, A({ v: 1 }), B({ v: 2, list: [3, 4] }));
    const ships = [
      spawn(world, ChildOf(root), A({ v: 5 }), Frozen, Damage(root, { amount: 6 })),
      spawn(world, ChildOf(root), A({ v: 7 }), Mesh({ name: "hull" }), Damage(root, { amount: 8 })),
    ];
    for (const ship of ships) {
      spawn(world, ChildOf(ship), A({ v: 9 }));
      spawn(world, ChildOf(ship), A, B({ v: 10 }), Mesh({ name: "deck" }));
    }
    spawn(world, A, B, ...MANY, Mesh({ name: "all" }));
  }

  it("yields a new list each time, also for terms that are read row by row", () => {
    const spawned = spawnMany(world, 2, A, Mesh({ name: "hull" }));

    const lists = [
      [...rows(query(world, A))],
      [...rows(query(world, Mesh))],
      [...rows(query(world, A, ...MANY.map(maybe)))],
    ];

    for (const [first, second] of lists) expect(first).not.toBe(second);
    expect(lists.map((list) => list.map((row) => (row as readonly unknown[]).at(-1)))).toEqual(
      lists.map(() => spawned),
    );
  });

  it("yields another list to every loop", () => {
    const [one, other] = spawnMany(world, 2, A);
    const tested = query(world, A);
    const received: unknown[] = [];

    for (const outer of rows(tested)) for (const inner of rows(tested)) received.push([outer[1], inner[1]]);

    expect(received).toEqual([
      [one, one],
      [one, other],
      [other, one],
      [other, other],
    ]);
  });

  it("shows the same row after an inner loop over the same query, and after each", () => {
    spawnMany(world, 3, A).forEach((entity, at) => {
      set(world, entity, A, { v: at });
    });
    const tested = query(world, A);
    const received: number[] = [];

    for (const [a] of rows(tested)) {
      for (const [inner] of rows(tested)) inner.v += 10;
      each(tested, (inner) => {
        inner.v += 100;
      });
      received.push(a.v);
    }

    expect(received).toEqual([110, 221, 332]);
  });
});

describe("the loop", () => {
  let spawned: Entity[];

  beforeEach(() => {
    spawned = spawnMany(world, 3, A);
  });

  it("defers structural changes until it ends", () => {
    const during: boolean[] = [];

    for (const [, entity] of rows(query(world, A))) {
      add(world, entity, Frozen);
      during.push(has(world, entity, Frozen));
    }

    expect(during).toEqual([false, false, false]);
    expect(spawned.every((entity) => has(world, entity, Frozen))).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it("does not meet entities spawned in it, and meets entities destroyed in it", () => {
    let met = 0;

    for (const [, entity] of rows(query(world, A))) {
      met++;
      spawn(world, A);
      destroy(world, entity);
    }

    expect([met, byRows(query(world, A)).length]).toEqual([3, 3]);
  });

  it("left by break unlocks the world, and makes deferred changes", () => {
    for (const [, entity] of rows(query(world, A))) {
      add(world, entity, Frozen);
      break;
    }

    expect([isIterating(world), spawned.map((entity) => has(world, entity, Frozen))]).toEqual([
      false,
      [true, false, false],
    ]);
  });

  it("left by return unlocks the world", () => {
    function findFirst(): Entity | undefined {
      for (const [, entity] of rows(query(world, A))) return entity;
      return undefined;
    }

    expect([findFirst(), isIterating(world)]).toEqual([spawned[0], false]);
  });

  it("left by an error unlocks the world, makes deferred changes, and throws the error as it is", () => {
    const error = new Error("enough");
    let caught: unknown;

    try {
      for (const [, entity] of rows(query(world, A))) {
        add(world, entity, Frozen);
        add(world, entity, ChildOf(entity));
        throw error;
      }
    } catch (thrown) {
      caught = thrown;
    }

    expect([caught, isIterating(world), has(world, spawned[0]!, Frozen)]).toEqual([error, false, true]);
  });

  it.each<[title: string, leave: boolean]>([
    ["iterated to its end", false],
    ["left by break", true],
  ])("%s throws the first error of a deferred change", (_, leave) => {
    const code = codeOf(() => {
      for (const [, entity] of rows(query(world, A))) {
        add(world, entity, ChildOf(entity));
        if (leave) break;
      }
    });

    expect([code, isIterating(world)]).toEqual(["cycle", false]);
  });

  it("begins at the first row: one that is never started locks nothing", () => {
    const iterator = rows(query(world, A));
    const iterations = [isIterating(world)];

    iterator.next();
    iterations.push(isIterating(world));
    iterator.return();

    expect([...iterations, isIterating(world)]).toEqual([false, true, false]);
  });

  it("lists its rows at the first one, not when it is created", () => {
    const iterator = rows(query(world, A));
    spawn(world, A);

    expect([...iterator]).toHaveLength(4);
  });

  it("can be iterated once", () => {
    const iterator = rows(query(world, A));

    expect([[...iterator].length, [...iterator].length, isIterating(world)]).toEqual([3, 0, false]);
  });

  it("broken off stays finished", () => {
    const iterator = rows(query(world, A));
    for (const _ of iterator) break;

    expect(iterator.next()).toEqual({ done: true, value: undefined });
    expect(isIterating(world)).toBe(false);
  });

  it("can be ended before it begins, and twice", () => {
    const iterator = rows(query(world, A));

    const ends = [iterator.return(), iterator.return(), iterator.next()];

    expect(ends).toEqual(ends.map(() => ({ done: true, value: undefined })));
    expect(isIterating(world)).toBe(false);
  });

  it("is ended by throw, with what is thrown, even if a deferred change fails", () => {
    const iterator = rows(query(world, A));
    iterator.next();
    add(world, spawned[0]!, ChildOf(spawned[0]!));
    const error = new Error("enough");

    expect(() => iterator.throw!(error)).toThrow(error);
    expect([isIterating(world), iterator.next().done]).toEqual([false, true]);
  });

  it("is not disturbed by iterations that end before it, or begin after it", () => {
    spawned.forEach((entity, at) => {
      set(world, entity, A, { v: at });
    });
    const tested = query(world, A);
    const [one, other, third] = [rows(tested), rows(tested), rows(tested)];
    one.next();
    const [a] = other.next().value!;
    one.return();
    third.next();
    const [b] = third.next().value!;

    const shown = [a.v, b.v];
    other.return();
    third.return();

    expect([shown, isIterating(world)]).toEqual([[0, 1], false]);
  });

  it("continues inside each, and each inside it", () => {
    const tested = query(world, A);
    const received: [Entity, Entity][] = [];

    each(tested, (_, outer) => {
      for (const [, inner] of rows(tested)) if (inner !== outer) received.push([outer, inner]);
    });

    expect(received).toHaveLength(6);
  });

  it("can be iterated while its variable is set again", () => {
    const ship = variable("ship");
    const [deck, bow] = [spawned[0]!, spawned[1]!];
    const [below, ahead] = [spawn(world, ChildOf(deck)), spawn(world, ChildOf(bow))];
    const tested = query(world, ChildOf(ship), ship);
    const received: unknown[] = [];

    for (const [of, entity] of rows(bind(tested, ship, deck))) {
      bind(tested, ship, bow);
      received.push([of, entity]);
    }

    expect([received, byRows(tested)]).toEqual([[[deck, below]], [[bow, ahead]]]);
  });

  it("is a read: its own writes, and changes it has met, are not unread for the next one", () => {
    const tested = query(world, A, changed(A));
    const lengths: number[] = [];

    for (const [a] of rows(tested)) a.v = 1;
    lengths.push(byRows(tested).length);
    set(world, spawned[1]!, A, { v: 2 });
    lengths.push(byRows(tested).length, byRows(tested).length);

    expect(lengths).toEqual([0, 1, 0]);
  });
});

describe("rows of what cannot be iterated", () => {
  it("are refused at the first row: of a disposed query", () => {
    const tested = query(world, A);
    dispose(tested);
    const iterator = rows(tested);

    expect([codeOf(() => iterator.next()), isIterating(world)]).toEqual(["disposed", false]);
  });

  it.each([
    ["a component", A],
    ["undefined", undefined],
  ])("are refused at the first row: of %s", (_, what) => {
    expect(codeOf(() => [...rows(what as never)])).toBe("bad-query");
  });
});
