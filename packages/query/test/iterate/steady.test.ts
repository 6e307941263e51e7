import { ChildOf, createWorld, type Entity, Parent, set, spawn, spawnMany, type World } from "@treeline/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  bind,
  cascade,
  changed,
  count,
  each,
  eachBatch,
  eachRun,
  entities,
  first,
  isEmpty,
  maybe,
  not,
  type Query,
  query,
  rows,
  selfOrUp,
  up,
  variable,
} from "../../src/index.ts";
import { type CountingMemory, countingMemory } from "../counting.ts";
import { Frozen, Local, Mark, Placed } from "../twin.ts";

const FRAMES = 10_000;
const VALUE = { of: 5 };
const parent = variable("parent");
const TYPED_ARRAYS = ["Float32Array", "Float64Array", "Int8Array", "Uint8Array", "Int32Array", "Uint32Array"];

/** A few archetypes, tables and depths, parents in both storages, and a hole. */
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

function readBatches(asked: Query): number {
  let sum = 0;
  eachBatch(asked, (batch) => {
    const { of } = batch.columns(Mark);
    const above = batch.hasParents ? batch.parentColumns(Placed).of : undefined;
    for (let at = batch.from; at < batch.to; at++) {
      sum += of[batch.rows[at]!]! + 1 + (above === undefined ? 0 : above[batch.parentRows[at]!]!);
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

function handDown(asked: Query): number {
  let sum = 0;
  each(asked as Query<[typeof Mark, ReturnType<typeof cascade<{ of: number }>>]>, (mark, above) => {
    sum += mark.of + 1 + (above === undefined ? 0 : above.of);
  });
  return sum;
}

const parents = new WeakMap<World, Entity[]>();

/** The children of roots and ships, family by family, with one query. */
function readFamilies(asked: Query): number {
  const { world } = asked;
  const known = parents.get(world) ?? entities(query(world, Mark)).slice(0, 12);
  parents.set(world, known);
  let sum = 0;
  for (const one of known) sum += readRuns(bind(asked, parent, one));
  return sum;
}

/** The first look sees everybody; it is none of the frames. */
function readNews(asked: Query): number {
  let rows = 0;
  eachRun(asked, (run) => {
    rows += run.end - run.first;
  });
  each(asked, () => rows++);
  return rows + 1;
}

/** Writes a value, and looks who was written. */
function readWritten(asked: Query): number {
  const { world } = asked;
  const known = parents.get(world) ?? entities(query(world, Placed));
  parents.set(world, known);
  set(world, known[3]!, Placed, VALUE);
  return readRows(asked);
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

const iterations: [story: string, ask: (world: World) => Query, visit: (asked: Query) => number][] = [
  ["eachRun", (world) => query(world, Mark, not(Frozen)), readRuns],
  ["eachRun under cascade", (world) => query(world, Mark, maybe(Local), cascade(Placed)), readRuns],
  ["eachBatch", (world) => query(world, Mark, cascade(Placed)), readBatches],
  ["each", (world) => query(world, Mark, maybe(Local)), readRows],
  ["rows", (world) => query(world, Mark, maybe(Local)), loopOverRows],
  ["rows under cascade", (world) => query(world, Mark, cascade(Placed)), loopOverRows],
  ["first, count and isEmpty", (world) => query(world, Mark, up(Placed)), peekAll],
  ["each under cascade", (world) => query(world, Mark, cascade(Placed)), readRows],
  ["each under a cascade that hands values down", (world) => query(world, Mark, cascade(Placed)), handDown],
  ["each of ancestors", (world) => query(world, Mark, up(Placed)), handDown],
  [
    "each of ancestors, or not",
    (world) => query(world, Mark, maybe(selfOrUp(Local)), not(up(Local))),
    readRows,
  ],
  ["eachBatch of ancestors", (world) => query(world, Mark, up(Placed)), readBatches],
  ["eachRun of ancestors", (world) => query(world, Mark, up(Placed)), readRuns],
  [
    "eachRun of the children of one after the other",
    (world) => query(world, Mark, ChildOf(parent)),
    readFamilies,
  ],
  ["eachRun of changes, of which there are none", (world) => query(world, Mark, changed(Mark)), readNews],
  [
    "each of changes above, of which there are none",
    (world) => query(world, Mark, changed(up(Placed))),
    readNews,
  ],
  ["each of what others changed", (world) => query(world, Mark, changed(Placed)), readWritten],
];

describe.each(iterations)("10,000 frames of %s over an unchanged world", (_, ask, visit) => {
  it("allocate no columns and no typed arrays, and keep no bytes", () => {
    const memory = countingMemory();
    const asked = ask(plantedWorld(memory));
    for (let frame = 0; frame < 10; frame++) visit(asked);
    const first = visit(asked);
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

    readBatches(query(world, Mark, cascade(Placed)));

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
    readBatches(asked);
    const { allocations } = memory;
    const count = countNewArrays();

    for (let frame = 0; frame < 100; frame++) {
      for (const entity of entities) set(world, entity, Mark, { of: frame });
      readBatches(asked);
    }

    expect([count.made, memory.allocations]).toEqual([0, allocations]);
  });
});
