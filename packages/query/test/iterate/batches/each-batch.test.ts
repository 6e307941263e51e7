import type { World } from "@treeline/core";
import { add, get, locate, remove, set, spawn, spawnMany, webAssemblyMemory } from "@treeline/core";
import { beforeEach, describe, expect, it } from "vitest";
import { type Batch, destroy, eachBatch, query } from "../../../src/index.ts";
import { codeOf } from "../../code-of.ts";
import { Mesh } from "../../definitions.ts";
import { ChildOf } from "../../public/builtins.ts";
import { component, createWorld } from "../../public/define.ts";
import { array, f32 } from "../../public/fields.ts";
import { maybe, not } from "../../public/filters.ts";
import { cascade } from "../../public/terms.ts";
import { place } from "../../random/cascades.ts";
import { Frozen, Local, Mark, Placed } from "../../random/twin.ts";

const Offset = component("Offset", { x: f32 });
const Place = component("Place", { x: f32, axes: array(f32, 2) });

let world: World;

beforeEach(() => {
  world = createWorld();
});

describe("eachBatch", () => {
  it.each([
    ["plain", () => createWorld()],
    ["WebAssembly", () => createWorld({ memory: webAssemblyMemory() })],
  ])("carries values down a tree in one linear loop, %s memory", (_, create) => {
    world = create();
    const root = spawn(world, Offset({ x: 1 }), Place);
    let level = [root];
    const all = [root];
    const depths = [1];
    for (let depth = 0; depth < 5; depth++) {
      level = level.flatMap((parent) => spawnMany(world, 3, ChildOf(parent), Offset({ x: 1 }), Place));
      all.push(...level);
      depths.push(...level.map(() => depth + 2));
    }

    eachBatch(query(world, Offset, Place, cascade(Place)), (batch) => {
      const { x: offset } = batch.columns(Offset);
      const { x: own, axes } = batch.columns(Place);
      const above = batch.hasParents ? batch.parentColumns(Place) : undefined;
      for (let at = batch.from; at < batch.to; at++) {
        const row = batch.rows[at]!;
        const parent = above && batch.parentRows[at]!;
        own[row] = offset[row]! + (above?.x[parent!] ?? 0);
        axes[row * 2 + 1] = 1 + (above?.axes[parent! * 2 + 1] ?? 0);
      }
    });

    expect(all.map((one) => get(world, one, Place)!.x)).toEqual(depths);
    expect(all.map((one) => get(world, one, Place)!.axes[1])).toEqual(depths);
  });

  it("iterates rows without such an ancestor first: roots", () => {
    const roots = [place(world, undefined, Placed), place(world, undefined, Placed)];
    for (const root of roots) place(world, root, Placed);
    const received: unknown[] = [];

    eachBatch(query(world, Placed, cascade(Placed)), ({ depth, hasParents, from, to }) => {
      received.push([depth, hasParents, to - from]);
    });

    expect(received).toEqual([
      [0, false, 2],
      [1, true, 2],
    ]);
  });

  it("passes rows with a parent but without a source their depth and no parents", () => {
    const root = place(world, undefined);
    const ship = place(world, root, Placed);
    const seat = place(world, ship);
    const received: unknown[] = [];

    eachBatch(query(world, Mark, cascade(Placed)), (batch) => {
      const { depth, hasParents, rows, from } = batch;
      received.push([batch.entityAt(rows[from]!), depth, hasParents]);
    });

    expect(received).toEqual([
      [root, 0, false],
      [ship, 1, false],
      [seat, 2, true],
    ]);
  });

  it("passes the depth in steps from the root, not in sources", () => {
    const root = place(world, undefined, Placed);
    const seat = place(world, place(world, place(world, root)), Local);
    const received: unknown[] = [];

    eachBatch(query(world, Local, cascade(Placed)), (batch) => {
      received.push([batch.entityAt(batch.rows[batch.from]!), batch.depth, batch.hasParents]);
    });

    expect(received).toEqual([[seat, 3, true]]);
  });

  it("iterates only rows that match the other terms", () => {
    const root = place(world, undefined, Placed);
    const local = place(world, root, Local);
    const frozen = place(world, root, Local);
    add(world, frozen, Frozen);
    place(world, root);
    const received: unknown[] = [];

    eachBatch(query(world, Local, not(Frozen), cascade(Placed)), (batch) => {
      for (let at = batch.from; at < batch.to; at++) received.push(batch.entityAt(batch.rows[at]!));
    });

    expect(received).toEqual([local]);
  });

  it("needs only cascade: then all rows are iterated", () => {
    const root = spawn(world);
    const ship = spawn(world, ChildOf(root), Placed);
    const received: unknown[] = [];

    eachBatch(query(world, cascade(Placed)), (batch) => {
      for (let at = batch.from; at < batch.to; at++) received.push(batch.entityAt(batch.rows[at]!));
    });

    expect(received).toEqual([root, ship]);
  });

  it("iterates nothing in an empty world, or if no entity matches", () => {
    let calls = 0;
    eachBatch(query(world, cascade(Placed)), () => calls++);
    place(world, place(world, undefined, Placed), Placed);
    eachBatch(query(world, Frozen, cascade(Placed)), () => calls++);

    expect(calls).toBe(0);
  });

  it("refuses a query without cascade as bad-query", () => {
    expect(codeOf(() => eachBatch(query(world, Placed), () => {}))).toBe("bad-query");
    expect(codeOf(() => spawn(world))).toBe(undefined);
  });

  it("passes one object, which the next iteration uses again", () => {
    place(world, place(world, undefined, Placed), Placed);
    const tested = query(world, Placed, cascade(Placed));
    const batches = new Set<Batch>();

    for (let frame = 0; frame < 3; frame++) eachBatch(tested, (batch) => batches.add(batch));

    expect(batches.size).toBe(1);
  });

  it("follows changes from one iteration to the next", () => {
    const tested = query(world, Placed, cascade(Placed));
    const count = (): number => {
      let rows = 0;
      eachBatch(tested, ({ from, to }) => {
        rows += to - from;
      });
      return rows;
    };
    const root = place(world, undefined, Placed);
    const ship = place(world, root, Placed);
    const counts = [count()];

    spawnMany(world, 10, Placed, ChildOf(ship));
    counts.push(count());
    remove(world, ship, Placed);
    counts.push(count());
    destroy(world, ship);
    counts.push(count());

    expect(counts).toEqual([2, 12, 11, 1]);
  });
});

describe("columns of a batch", () => {
  it("are the ones that locate returns", () => {
    const ship = place(world, place(world, undefined, Placed), Placed);
    set(world, ship, Mesh, "hull");

    eachBatch(query(world, Placed, Mesh, cascade(Placed)), (batch) => {
      expect(batch.columns(Placed)).toBe(locate(world, ship, Placed)!.columns);
      expect(batch.columns(Mesh)[batch.rows[batch.from]!]).toBe("hull");
      expect(batch.columns(Mark).of[batch.rows[batch.from]!]).toBe(ship);
    });
    expect.assertions(3);
  });

  it("are those of each batch's own archetype", () => {
    const root = place(world, undefined, Placed);
    const children = [place(world, root), place(world, root, Local), place(world, root, Placed)];
    const received: number[] = [];

    eachBatch(query(world, Mark, cascade(Placed)), (batch) => {
      received.push(batch.columns(Mark).of[batch.rows[batch.from]!]!);
    });

    expect(new Set(received)).toEqual(new Set([root, ...children]));
  });

  it("are undefined from columnsIf where the rows do not have the component", () => {
    const root = place(world, undefined, Placed, Local);
    const ship = place(world, root, Placed);
    const cockpit = place(world, ship, Placed, Local);
    const received: (number | undefined)[] = [];

    eachBatch(query(world, Placed, maybe(Local), cascade(Placed)), (batch) => {
      received.push(batch.columnsIf(Local)?.of[batch.rows[batch.from]!]);
    });

    expect(received).toEqual([root, undefined, cockpit]);
  });

  it.each<[title: string, use: (batch: Batch) => unknown]>([
    ["columns", (batch) => batch.columns(Placed)],
    ["columnsIf", (batch) => batch.columnsIf(Placed)],
    ["parentColumns", (batch) => batch.parentColumns(Placed)],
    ["entityAt", (batch) => batch.entityAt(0)],
  ])("are stale outside the iteration: %s", (_, use) => {
    place(world, undefined, Placed);
    let kept: Batch | undefined;
    eachBatch(query(world, Placed, cascade(Placed)), (batch) => {
      batch.columns(Placed);
      kept = batch;
    });

    expect(codeOf(() => use(kept!))).toBe("stale-run");
  });
});

describe("columns of parents", () => {
  it("are those of the sources' archetype, for parentRows", () => {
    const sources = [place(world, undefined, Placed), place(world, undefined, Placed, Local)];
    for (const source of sources) place(world, place(world, source));
    const wrong: number[] = [];
    let rows = 0;

    eachBatch(query(world, Mark, cascade(Placed)), (batch) => {
      if (!batch.hasParents) return;
      for (let at = batch.from; at < batch.to; at++, rows++) {
        const source = batch.parentColumns(Mark).of[batch.parentRows[at]!]!;
        if (source !== batch.parentColumns(Placed).of[batch.parentRows[at]!]) wrong.push(source);
      }
    });

    expect([wrong, rows]).toEqual([[], 4]);
  });

  it("are the same arrays as the rows' own, when parents have the same archetype", () => {
    const ship = place(world, place(world, undefined, Placed), Placed);
    place(world, ship, Placed);
    const same: boolean[] = [];

    eachBatch(query(world, Placed, cascade(Placed)), (batch) => {
      if (batch.hasParents) same.push(batch.parentColumns(Placed).of === batch.columns(Placed).of);
    });

    expect(same).toEqual([false, true]);
  });

  it("are refused as bad-query where there are no parents", () => {
    place(world, undefined, Placed);
    const codes: unknown[] = [];

    eachBatch(query(world, Placed, cascade(Placed)), (batch) => {
      codes.push(codeOf(() => batch.parentColumns(Placed)));
    });

    expect(codes).toEqual(["bad-query"]);
  });

  it("are refused as bad-query where the parents do not have the component, at each call", () => {
    const sources = [place(world, undefined, Placed), place(world, undefined, Placed)];
    for (const source of sources) {
      place(world, source, Local);
      place(world, source, Local, Placed);
    }
    const codes: unknown[] = [];

    eachBatch(query(world, Local, cascade(Placed)), (batch) => {
      batch.parentColumns(Placed);
      codes.push(
        codeOf(() => batch.parentColumns(Local)),
        codeOf(() => batch.parentColumns(Local)),
      );
      expect(batch.parentColumns(Placed)).toBe(locate(world, sources[0]!, Placed)!.columns);
    });

    expect(codes).toEqual(["bad-query", "bad-query", "bad-query", "bad-query"]);
  });
});

describe("eachBatch inside itself", () => {
  it("has a batch of its own, for the same query and for another", () => {
    const root = place(world, undefined, Placed, Local);
    place(world, root, Placed);
    const tested = query(world, Mark, cascade(Placed));
    const other = query(world, Mark, cascade(Local));
    for (const one of [tested, other]) eachBatch(one, () => {});
    const received: number[][] = [];

    eachBatch(tested, (outer) => {
      for (const inside of [tested, other]) {
        eachBatch(inside, (inner) => {
          received.push([outer.depth, inner.depth]);
        });
      }
      expect(outer.columns(Mark).of[outer.rows[outer.from]!]).toBe(outer.entityAt(outer.rows[outer.from]!));
    });

    expect(received).toEqual([0, 1].flatMap((depth) => [0, 1, 0, 1].map((inner) => [depth, inner])));
  });
});
