import {
  add,
  array,
  ChildOf,
  component,
  type Entity,
  f32,
  get,
  has,
  set,
  spawn,
  spawnMany,
} from "@treeline/core";
import { verify } from "@treeline/core/debug";
import { beforeEach, describe, expect, it } from "vitest";
import {
  all,
  type query as ask,
  bind,
  cascade,
  changed,
  destroy,
  dispose,
  each,
  maybe,
  not,
  or,
  type QueryTerm,
  query,
  rows,
  up,
  variable,
} from "../../src/index.ts";
import { codeOf } from "../code-of.ts";
import { Damage, Frozen } from "../definitions.ts";
import { setWorld, world } from "../stage.ts";

const A = component("A", { v: f32 });
const B = component("B", { v: f32, list: array(f32, 2) });
const Mesh = component<{ name: string }>("Mesh");
const MANY = ["C", "D", "E", "F", "G", "H"].map((name) => component(name, { v: f32 }));

type TermPattern = ReturnType<typeof ask>;

beforeEach(setWorld);

/** What is handed over for each row, as values that can be kept. */
function seenBy(loop: (take: (...row: readonly unknown[]) => void) => void): unknown[][] {
  const seen: unknown[][] = [];
  loop((...row) => {
    seen.push(row.map((one) => (typeof one === "object" && one !== null ? flat(one) : one)));
  });
  return seen;
}

function flat(given: object): object {
  const values: { [name: string]: unknown } = {};
  for (const name in given) {
    const value = (given as { readonly [name: string]: unknown })[name];
    values[name] = ArrayBuffer.isView(value) ? [...(value as Float32Array)] : value;
  }
  return values;
}

function byRows(asked: TermPattern): unknown[][] {
  return seenBy((take) => {
    for (const row of rows(asked)) take(...(row as readonly unknown[]));
  });
}

function byEach(asked: TermPattern): unknown[][] {
  return seenBy((take) => each(asked, take));
}

describe("rows", () => {
  it("gives one row after the other: what the terms hand over, and the entity", () => {
    const [one, other] = [spawn(world, A({ v: 1 }), B({ v: 2 })), spawn(world, A({ v: 3 }), B, Frozen)];
    const seen: unknown[] = [];

    for (const [b, a, entity] of rows(query(world, B, A))) seen.push([b.v, a.v, entity]);

    expect(seen).toEqual([
      [2, 1, one],
      [0, 3, other],
    ]);
  });

  it("writes through the views", () => {
    const born = spawnMany(world, 3, A);

    let next = 0;
    for (const [a] of rows(query(world, A))) a.v = ++next;

    expect(born.map((entity) => get(world, entity, A)!.v)).toEqual([1, 2, 3]);
  });

  it("gives the entity alone when no term has values", () => {
    const one = spawn(world, Frozen);

    expect([...rows(query(world, Frozen, not(A)))]).toEqual([[one]]);
  });

  it("gives nothing if nobody answers, and leaves nothing locked", () => {
    expect(byRows(query(world, A))).toEqual([]);
    expect(world.deferDepth).toBe(0);
  });

  const parent = variable("parent");
  it.each<[story: string, terms: () => readonly QueryTerm[]]>([
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
  ])("gives what each hands over: %s", (_, terms) => {
    plant();
    const asked = query(world, ...terms());

    const given = byRows(asked);

    expect(given).toEqual(byEach(asked));
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

  it("gives one and the same list again and again: it is to be taken apart at once", () => {
    spawnMany(world, 2, A);

    const [first, second] = [...rows(query(world, A))];

    expect(first).toBe(second);
  });

  it("gives another list to every loop", () => {
    const [one, other] = spawnMany(world, 2, A);
    const asked = query(world, A);
    const seen: unknown[] = [];

    for (const outer of rows(asked)) for (const inner of rows(asked)) seen.push([outer[1], inner[1]]);

    expect(seen).toEqual([
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
    const asked = query(world, A);
    const seen: number[] = [];

    for (const [a] of rows(asked)) {
      for (const [inner] of rows(asked)) inner.v += 10;
      each(asked, (inner) => {
        inner.v += 100;
      });
      seen.push(a.v);
    }

    expect(seen).toEqual([110, 221, 332]);
  });
});

describe("the loop", () => {
  let born: Entity[];

  beforeEach(() => {
    born = spawnMany(world, 3, A);
  });

  it("makes structural changes wait until it ends", () => {
    const during: boolean[] = [];

    for (const [, entity] of rows(query(world, A))) {
      add(world, entity, Frozen);
      during.push(has(world, entity, Frozen));
    }

    expect(during).toEqual([false, false, false]);
    expect(born.every((entity) => has(world, entity, Frozen))).toBe(true);
    expect(verify(world)).toEqual([]);
  });

  it("does not meet who is spawned in it, and meets who is destroyed in it", () => {
    let met = 0;

    for (const [, entity] of rows(query(world, A))) {
      met++;
      spawn(world, A);
      destroy(world, entity);
    }

    expect([met, byRows(query(world, A)).length]).toEqual([3, 3]);
  });

  it("left by break unlocks the world, and makes what waited", () => {
    for (const [, entity] of rows(query(world, A))) {
      add(world, entity, Frozen);
      break;
    }

    expect([world.deferDepth, born.map((entity) => has(world, entity, Frozen))]).toEqual([
      0,
      [true, false, false],
    ]);
  });

  it("left by return unlocks the world", () => {
    function findFirst(): Entity | undefined {
      for (const [, entity] of rows(query(world, A))) return entity;
      return undefined;
    }

    expect([findFirst(), world.deferDepth]).toEqual([born[0], 0]);
  });

  it("left by an error unlocks the world, makes what waited, and the error comes out as it is", () => {
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

    expect([caught, world.deferDepth, has(world, born[0]!, Frozen)]).toEqual([error, 0, true]);
  });

  it.each<[story: string, leave: boolean]>([
    ["gone through", false],
    ["left by break", true],
  ])("%s throws the first error of a change that waited", (_, leave) => {
    const code = codeOf(() => {
      for (const [, entity] of rows(query(world, A))) {
        add(world, entity, ChildOf(entity));
        if (leave) break;
      }
    });

    expect([code, world.deferDepth]).toEqual(["cycle", 0]);
  });

  it("begins at the first row: one that is never gone through locks nothing", () => {
    const visit = rows(query(world, A));
    const iterations = [world.deferDepth];

    visit.next();
    iterations.push(world.deferDepth);
    visit.return();

    expect([...iterations, world.deferDepth]).toEqual([0, 1, 0]);
  });

  it("lists its rows at the first one, not when it is asked for", () => {
    const visit = rows(query(world, A));
    spawn(world, A);

    expect([...visit]).toHaveLength(4);
  });

  it("is gone through once", () => {
    const visit = rows(query(world, A));

    expect([[...visit].length, [...visit].length, world.deferDepth]).toEqual([3, 0, 0]);
  });

  it("broken off stays over", () => {
    const visit = rows(query(world, A));
    for (const _ of visit) break;

    expect(visit.next()).toEqual({ done: true, value: undefined });
    expect(world.deferDepth).toBe(0);
  });

  it("can be ended before it begins, and twice", () => {
    const visit = rows(query(world, A));

    const ends = [visit.return(), visit.return(), visit.next()];

    expect(ends).toEqual(ends.map(() => ({ done: true, value: undefined })));
    expect(world.deferDepth).toBe(0);
  });

  it("is ended by throw, with what is thrown, though a change that waited fails", () => {
    const visit = rows(query(world, A));
    visit.next();
    add(world, born[0]!, ChildOf(born[0]!));
    const error = new Error("enough");

    expect(() => visit.throw!(error)).toThrow(error);
    expect([world.deferDepth, visit.next().done]).toEqual([0, true]);
  });

  it("is not disturbed by others that end before it, or begin after that", () => {
    born.forEach((entity, at) => {
      set(world, entity, A, { v: at });
    });
    const asked = query(world, A);
    const [one, other, third] = [rows(asked), rows(asked), rows(asked)];
    one.next();
    const [a] = other.next().value!;
    one.return();
    const [b] = third.next().value!;
    third.next();

    const shown = [a.v, b.v];
    other.return();
    third.return();

    expect([shown, world.deferDepth]).toEqual([[0, 1], 0]);
  });

  it("goes on inside each, and each inside it", () => {
    const asked = query(world, A);
    const seen: [Entity, Entity][] = [];

    each(asked, (_, outer) => {
      for (const [, inner] of rows(asked)) if (inner !== outer) seen.push([outer, inner]);
    });

    expect(seen).toHaveLength(6);
  });

  it("can be gone through while its variable is set anew", () => {
    const ship = variable("ship");
    const [deck, bow] = [born[0]!, born[1]!];
    const [below, ahead] = [spawn(world, ChildOf(deck)), spawn(world, ChildOf(bow))];
    const asked = query(world, ChildOf(ship), ship);
    const seen: unknown[] = [];

    for (const [of, entity] of rows(bind(asked, ship, deck))) {
      bind(asked, ship, bow);
      seen.push([of, entity]);
    }

    expect([seen, byRows(asked)]).toEqual([[[deck, below]], [[bow, ahead]]]);
  });

  it("is a look: what it wrote itself, and what was new, is not news to the next one", () => {
    const asked = query(world, A, changed(A));
    const lengths: number[] = [];

    for (const [a] of rows(asked)) a.v = 1;
    lengths.push(byRows(asked).length);
    set(world, born[1]!, A, { v: 2 });
    lengths.push(byRows(asked).length, byRows(asked).length);

    expect(lengths).toEqual([0, 1, 0]);
  });
});

describe("rows of what cannot be visited", () => {
  it("are refused at the first row: of a disposed query", () => {
    const asked = query(world, A);
    dispose(asked);
    const visit = rows(asked);

    expect([codeOf(() => visit.next()), world.deferDepth]).toEqual(["disposed", 0]);
  });

  it.each([
    ["a component", A],
    ["undefined", undefined],
  ])("are refused at the first row: of %s", (_, what) => {
    expect(codeOf(() => [...rows(what as never)])).toBe("bad-query");
  });
});
