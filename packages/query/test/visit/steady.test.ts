import { ChildOf, createWorld, type Entity, Parent, set, spawn, spawnMany, type World } from "@treeline/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { query } from "../../src/query/query.ts";
import type { Query } from "../../src/query/query-state.ts";
import { cascade, maybe, not, up } from "../../src/term/operators.ts";
import { count, first, isEmpty } from "../../src/visit/collect.ts";
import { each } from "../../src/visit/each.ts";
import { eachRun } from "../../src/visit/each-run.ts";
import { eachStretch } from "../../src/visit/each-stretch.ts";
import { rows } from "../../src/visit/rows.ts";
import { type CountingMemory, countingMemory } from "../counting.ts";
import { Frozen, Local, Mark, Placed } from "../twin.ts";

const FRAMES = 10_000;
const TYPED_ARRAYS = ["Float32Array", "Float64Array", "Int8Array", "Uint8Array", "Int32Array", "Uint32Array"];

/** A few shapes, tables and depths, parents in both storages, and a hole. */
function plantedWorld(memory: CountingMemory): World {
  const world = createWorld({ memory });
  const roots = spawnMany(world, 4, Mark, Placed);
  const ships = roots.flatMap((root) => [
    spawn(world, ChildOf(root), Mark, Placed, Local),
    spawn(world, ChildOf(root), Mark),
  ]);
  for (const ship of ships) spawnMany(world, 2, ChildOf(ship), Mark, Placed);
  for (const ship of ships) {
    const deck = spawn(world, Parent(ship), Mark, Placed);
    spawnMany(world, 2, Parent(deck), Mark);
    spawn(world, ChildOf(deck), Mark);
  }
  spawn(world, Mark, Frozen);
  return world;
}

function readRuns(asked: Query): number {
  let sum = 0;
  eachRun(asked, (run) => {
    const { of } = run.columns(Mark);
    for (let row = run.first; row < run.end; row++) sum += of[row]! + 1;
  });
  return sum;
}

function readStretches(asked: Query): number {
  let sum = 0;
  eachStretch(asked, (stretch) => {
    const { of } = stretch.columns(Mark);
    const above = stretch.hasParents ? stretch.parentColumns(Placed).of : undefined;
    for (let at = stretch.from; at < stretch.to; at++) {
      sum += of[stretch.rows[at]!]! + 1 + (above === undefined ? 0 : above[stretch.parentRows[at]!]!);
    }
  });
  return sum;
}

function readRows(asked: Query): number {
  let rows = 0;
  each(asked, () => rows++);
  return rows;
}

function loopOverRows(asked: Query): number {
  let count = 0;
  for (const _ of rows(asked)) count++;
  return count;
}

function peekAll(asked: Query): number {
  return first(asked)! + count(asked) + (isEmpty(asked) ? 1 : 0);
}

/** Counts `new` of typed arrays and array buffers from now on. */
function countNewArrays(): { made: number } {
  const count = { made: 0 };
  for (const name of [...TYPED_ARRAYS, "ArrayBuffer"]) {
    const Kind = (globalThis as unknown as { [name: string]: new (...given: unknown[]) => object })[name]!;
    const construct = (target: typeof Kind, given: unknown[]): object => {
      count.made++;
      return new target(...given);
    };
    vi.stubGlobal(name, new Proxy(Kind, { construct }));
  }
  return count;
}

afterEach(() => {
  vi.unstubAllGlobals();
});

const visits: [story: string, ask: (world: World) => Query, visit: (asked: Query) => number][] = [
  ["eachRun", (world) => query(world, Mark, not(Frozen)), readRuns],
  ["eachRun under cascade", (world) => query(world, Mark, maybe(Local), cascade(Placed)), readRuns],
  ["eachStretch", (world) => query(world, Mark, cascade(Placed)), readStretches],
  ["each", (world) => query(world, Mark, maybe(Local)), readRows],
  ["rows", (world) => query(world, Mark, maybe(Local)), loopOverRows],
  ["rows under cascade", (world) => query(world, Mark, cascade(Placed)), loopOverRows],
  ["first, count and isEmpty", (world) => query(world, Mark, up(Placed)), peekAll],
  ["each under cascade", (world) => query(world, Mark, cascade(Placed)), readRows],
];

describe.each(visits)("10,000 frames of %s over an unchanged world", (_, ask, visit) => {
  it("allocate no columns and no typed arrays, and keep no bytes", () => {
    const memory = countingMemory();
    const asked = ask(plantedWorld(memory));
    const first = visit(asked);
    for (let frame = 0; frame < 10; frame++) visit(asked);
    const { allocations, bytes } = memory;
    const { arrayBuffers } = process.memoryUsage();
    const count = countNewArrays();

    let last = 0;
    for (let frame = 0; frame < FRAMES; frame++) last = visit(asked);

    expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(arrayBuffers);
    expect([count.made, memory.allocations, memory.bytes]).toEqual([0, allocations, bytes]);
    expect([last, first > 0]).toEqual([first, true]);
  });
});

describe("the counting of new arrays", () => {
  it("sees those of a first visit, so that the tests above prove something", () => {
    const world = plantedWorld(countingMemory());
    const count = countNewArrays();

    readStretches(query(world, Mark, cascade(Placed)));

    expect(count.made).toBeGreaterThan(0);
  });
});

describe("frames that write values", () => {
  it("allocate nothing either", () => {
    const memory = countingMemory();
    const world = plantedWorld(memory);
    const asked = query(world, Mark, cascade(Placed));
    const entities: Entity[] = [];
    each(query(world, Mark), (mark, entity) => {
      entities.push(entity);
      mark.of = entity;
    });
    readStretches(asked);
    const { allocations } = memory;
    const count = countNewArrays();

    for (let frame = 0; frame < 100; frame++) {
      for (const entity of entities) set(world, entity, Mark, { of: frame });
      readStretches(asked);
    }

    expect([count.made, memory.allocations]).toEqual([0, allocations]);
  });
});
