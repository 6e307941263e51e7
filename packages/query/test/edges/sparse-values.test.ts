import { add, createWorld, get, has, observe, remove, set, sparse, spawn, value } from "@treeline/core";
import { onWarning, verify } from "@treeline/core/debug";
import { afterEach, describe, expect, it } from "vitest";
import { collect, each, eachBatch, eachRun, entities, query, rows } from "../../src/index.ts";
import { ChildOf } from "../public/builtins.ts";
import { component } from "../public/define.ts";
import { f32 } from "../public/fields.ts";
import { changed, maybe } from "../public/filters.ts";
import { orderBy } from "../public/parts.ts";
import { cascade, up } from "../public/terms.ts";

const Position = component("Position", { x: f32 });
const Target = component("Target", { x: f32, y: f32 }, { storage: sparse });
const Goal = component("Goal", { n: f32 }, { storage: sparse });
const Third = component("Third", { n: f32 }, { storage: sparse });
const Note = component("Note", value("none"), { storage: sparse });

const refusal = expect.objectContaining({
  code: "bad-query",
  message: expect.stringContaining("Target is sparse: its values are stored by entity"),
});

afterEach(() => onWarning(undefined));

describe("a query with a sparse component", () => {
  it("passes the values of each entity, whatever the order in which they got them", () => {
    const world = createWorld();
    const list = Array.from({ length: 40 }, (_, n) => spawn(world, Position({ x: n })));
    for (const [n, one] of [...list.entries()].reverse()) add(world, one, Target({ x: n, y: n * 10 }));
    for (const one of list.slice(5, 15)) remove(world, one, Target);

    const seen: number[][] = [];
    each(query(world, Position, Target), ({ x }, target) => {
      seen.push([x, target.x, target.y]);
    });

    const left = [...list.keys()].filter((n) => n < 5 || n >= 15);
    expect(seen).toEqual(left.map((n) => [n, n, n * 10]));
  });

  it("passes one or two arguments at their places, of two stores with other orders", () => {
    const world = createWorld();
    const list = Array.from({ length: 2000 }, (_, n) => spawn(world, Position({ x: n })));
    for (const [n, one] of list.entries()) if (n % 3 > 0) add(world, one, Target({ x: n }));
    for (const [n, one] of [...list.entries()].reverse()) if (n % 2 > 0) add(world, one, Goal({ n }));
    const seen: string[] = [];

    each(query(world, Goal), ({ n }, entity) => seen.push(`goal ${n} ${list.indexOf(entity)}`));
    each(query(world, Target, Position), (target, { x }) => seen.push(`target ${target.x} ${x}`));
    each(query(world, Goal, Target), ({ n }, { x }, entity) =>
      seen.push(`${n} ${x} ${list.indexOf(entity)}`),
    );
    each(query(world, Goal, maybe(Target)), ({ n }, target) => seen.push(`${n} ${target?.x}`));

    const numbers = [...list.keys()];
    const odd = numbers.filter((n) => n % 2 > 0);
    expect(seen).toEqual([
      ...odd.map((n) => `goal ${n} ${n}`),
      ...numbers.filter((n) => n % 3 > 0).map((n) => `target ${n} ${n}`),
      ...odd.filter((n) => n % 3 > 0).map((n) => `${n} ${n} ${n}`),
      ...odd.map((n) => `${n} ${n % 3 > 0 ? n : undefined}`),
    ]);
  });

  it("passes several of them, with values of other kinds between them", () => {
    const world = createWorld();
    for (let n = 0; n < 3; n++)
      spawn(world, Goal({ n }), Position({ x: n }), Target({ x: -n }), Note(`${n}`), Third({ n: n + 10 }));

    const all = query(world, Goal, Position, Target, Note, Third);

    expect(collect(all).map(([goal, , target, note, third]) => [goal.n, target.x, note, third.n])).toEqual([
      [0, -0, "0", 10],
      [1, -1, "1", 11],
      [2, -2, "2", 12],
    ]);
    const seen: unknown[] = [];
    each(all, (goal, _position, target, note, third) => {
      seen.push(goal.n, target.x, note, third.n);
    });
    expect(seen).toEqual([0, -0, "0", 10, 1, -1, "1", 11, 2, -2, "2", 12]);
  });

  it("passes undefined where an entity lacks an optional one", () => {
    const world = createWorld();
    spawn(world, Position, Target({ x: 1 }));
    spawn(world, Position, Goal({ n: 2 }));
    spawn(world, Position);

    const seen: unknown[] = [];
    each(query(world, maybe(Target), maybe(Goal), Position), (target, goal) => {
      seen.push([target?.x, goal?.n]);
    });

    expect(seen).toEqual([
      [1, undefined],
      [undefined, 2],
      [undefined, undefined],
    ]);
  });

  it("writes through row views, which queries for changes see", () => {
    const world = createWorld();
    const [one, other] = [1, 2].map((x) => spawn(world, Position, Target({ x }))) as [never, never];
    const moved = query(world, changed(Target));
    expect(entities(moved)).toEqual([one, other]);

    each(query(world, Target), (target) => {
      if (target.x === 2) target.y = 7;
    });

    expect(get(world, other, Target)).toEqual({ x: 2, y: 7 });
    expect(entities(moved)).toEqual([other]);
    for (const [target] of rows(query(world, Target))) target.x += 1;
    expect(entities(moved)).toEqual([one, other]);
    expect(entities(moved)).toEqual([]);
  });

  it("defers what callbacks add and remove", () => {
    const world = createWorld();
    const list = [1, 2, 3].map((x) => spawn(world, Position, Target({ x })));
    const late = spawn(world, Position);

    const seen: number[] = [];
    each(query(world, Target), (target, entity) => {
      seen.push(target.x);
      remove(world, entity, Target);
      set(world, late, Goal, { n: target.x });
      seen.push(target.x);
    });

    expect(seen).toEqual([1, 1, 2, 2, 3, 3]);
    expect(list.map((one) => has(world, one, Target))).toEqual([false, false, false]);
    expect(get(world, late, Goal)).toEqual({ n: 3 });
    expect(verify(world)).toEqual([]);
  });

  it("reads one above, which cannot be written", () => {
    const world = createWorld();
    const ship = spawn(world, Target({ x: 5 }));
    spawn(world, Position, ChildOf(spawn(world, ChildOf(ship))));

    each(query(world, Position, up(Target)), (_position, target) => {
      expect(target.x).toBe(5);
      expect(() => {
        (target as { x: number }).x = 6;
      }).toThrow(TypeError);
    });

    expect(get(world, ship, Target)!.x).toBe(5);
  });

  it("orders by it, also after entities have lost it where they are", () => {
    const world = createWorld();
    const list = [3, 1, 2].map((x) => spawn(world, Position, Target({ x })));
    const sorted = query(world, Position, orderBy(Target, "x"));
    const [three, one, two] = list as [never, never, never];
    expect(entities(sorted)).toEqual([one, two, three]);

    remove(world, one, Target);
    expect(entities(sorted)).toEqual([two, three, one]);
    add(world, one, Target({ x: 9 }));
    expect(entities(sorted)).toEqual([two, three, one]);
    set(world, two, Target, { x: 10 });
    expect(entities(sorted)).toEqual([three, one, two]);
  });

  it("has no columns of it in runs and batches", () => {
    const world = createWorld();
    spawn(world, Position, Target, ChildOf(spawn(world, Position, Target)));

    expect(() => eachRun(query(world, Target), (run) => run.columns(Target))).toThrow(refusal);
    expect(() =>
      eachBatch(query(world, Position, cascade(Target)), (batch) => {
        if (batch.hasParents) batch.parentColumns(Target);
      }),
    ).toThrow(refusal);
  });

  it("refuses a row view after its row, in development builds", () => {
    const world = createWorld();
    spawn(world, Target({ x: 1 }));
    let kept: { x: number } | undefined;
    each(query(world, Target), (target) => {
      kept = target;
    });

    expect(() => kept!.x).toThrow(expect.objectContaining({ code: "stale-view" }));
  });

  it("warns of row views that write what observers of set miss, in development builds", () => {
    const world = createWorld();
    spawn(world, Target({ x: 1 }));
    observe(world, { set: Target }, () => {});
    const warnings: string[] = [];
    onWarning((text) => warnings.push(text));

    each(query(world, Target), (target) => {
      target.x = 2;
    });

    expect(warnings).toEqual([expect.stringContaining("a row view has written Target")]);
  });

  it("goes through the rows that have it only, by their bits", () => {
    const world = createWorld();
    const list = Array.from({ length: 1000 }, () => spawn(world, Position));
    for (const one of [list[3]!, list[500]!]) add(world, one, Target);
    const bounds: number[] = [];

    eachRun(query(world, Position, Target), ({ first, end }) => bounds.push(first, end));

    expect(bounds).toEqual([3, 4, 500, 501]);
  });
});
