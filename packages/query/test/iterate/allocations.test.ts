import { type Entity, set, spawn, spawnMany, type World } from "@treeline/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Query } from "../../src/index.ts";
import { count, each, eachBatch, eachRun, entities, first, isEmpty, query, rows } from "../../src/index.ts";
import { type CountingMemory, countingMemory } from "../counting-memory.ts";
import { ChildOf, Parent } from "../public/builtins.ts";
import { createWorld } from "../public/define.ts";
import { changed, maybe, not } from "../public/filters.ts";
import { bind } from "../public/parts.ts";
import { cascade, selfOrUp, up, variable } from "../public/terms.ts";
import { Frozen, Local, Mark, Placed } from "../random/twin.ts";

const FRAMES = 2_000;
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

function readRuns(tested: Query): number {
  let sum = 0;
  eachRun(tested, (run) => {
    const { of } = run.columns(Mark);
    for (let row = run.first; row < run.end; row++) sum += of[row]! + 1;
  });
  return sum;
}

function readBatches(tested: Query): number {
  let sum = 0;
  eachBatch(tested, (batch) => {
    const { of } = batch.columns(Mark);
    const above = batch.hasParents ? batch.parentColumns(Placed).of : undefined;
    for (let at = batch.from; at < batch.to; at++) {
      sum += of[batch.rows[at]!]! + 1 + (above === undefined ? 0 : above[batch.parentRows[at]!]!);
    }
  });
  return sum;
}

function readRows(tested: Query): number {
  let rows = 0;
  each(tested, () => rows++);
  return rows;
}

function loopOverRows(tested: Query): number {
  let count = 0;
  for (const _ of rows(tested)) count++;
  return count;
}

function peekAll(tested: Query): number {
  return first(tested)! + count(tested) + (isEmpty(tested) ? 1 : 0);
}

function passDown(tested: Query): number {
  let sum = 0;
  each(tested as Query<[typeof Mark, ReturnType<typeof cascade<{ of: number }>>]>, (mark, above) => {
    sum += mark.of + 1 + (above === undefined ? 0 : above.of);
  });
  return sum;
}

const parents = new WeakMap<World, Entity[]>();

/** The children of roots and ships, parent by parent, with one query. */
function readChildren(tested: Query): number {
  const { world } = tested;
  const known = parents.get(world) ?? entities(query(world, Mark)).slice(0, 12);
  parents.set(world, known);
  let sum = 0;
  for (const one of known) sum += readRuns(bind(tested, parent, one));
  return sum;
}

/** The first read matches all entities; it is before the frames. */
function readChanges(tested: Query): number {
  let rows = 0;
  eachRun(tested, (run) => {
    rows += run.end - run.first;
  });
  each(tested, () => rows++);
  return rows + 1;
}

/** Writes a value, and reads which entities were written. */
function readWritten(tested: Query): number {
  const { world } = tested;
  const known = parents.get(world) ?? entities(query(world, Placed));
  parents.set(world, known);
  set(world, known[3]!, Placed, VALUE);
  return readRows(tested);
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

const iterations: [title: string, make: (world: World) => Query, iterate: (tested: Query) => number][] = [
  ["eachRun", (world) => query(world, Mark, not(Frozen)), readRuns],
  ["eachRun under cascade", (world) => query(world, Mark, maybe(Local), cascade(Placed)), readRuns],
  ["eachBatch", (world) => query(world, Mark, cascade(Placed)), readBatches],
  ["each", (world) => query(world, Mark, maybe(Local)), readRows],
  ["rows", (world) => query(world, Mark, maybe(Local)), loopOverRows],
  ["rows under cascade", (world) => query(world, Mark, cascade(Placed)), loopOverRows],
  ["first, count and isEmpty", (world) => query(world, Mark, up(Placed)), peekAll],
  ["each under cascade", (world) => query(world, Mark, cascade(Placed)), readRows],
  ["each under a cascade that passes values down", (world) => query(world, Mark, cascade(Placed)), passDown],
  ["each of ancestors", (world) => query(world, Mark, up(Placed)), passDown],
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
    readChildren,
  ],
  ["eachRun of changes, of which there are none", (world) => query(world, Mark, changed(Mark)), readChanges],
  [
    "each of changes above, of which there are none",
    (world) => query(world, Mark, changed(up(Placed))),
    readChanges,
  ],
  ["each of what others changed", (world) => query(world, Mark, changed(Placed)), readWritten],
];

describe.each(iterations)("2,000 frames of %s over an unchanged world", (_, make, iterate) => {
  it("allocate no columns and no typed arrays, and retain no bytes", () => {
    const memory = countingMemory();
    const tested = make(plantedWorld(memory));
    for (let frame = 0; frame < 10; frame++) iterate(tested);
    const first = iterate(tested);
    const { allocations, bytes } = memory;
    const { arrayBuffers } = process.memoryUsage();
    const count = countNewArrays();

    let last = 0;
    for (let frame = 0; frame < FRAMES; frame++) last = iterate(tested);

    expect(process.memoryUsage().arrayBuffers).toBeLessThanOrEqual(arrayBuffers);
    expect([count.made, memory.allocations, memory.bytes]).toEqual([0, allocations, bytes]);
    expect([last, first > 0]).toEqual([first, true]);
  });
});

describe("the counting of new arrays", () => {
  it("counts those of a first iteration, which proves that the tests above can fail", () => {
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
    const tested = query(world, Mark, cascade(Placed));
    const entities: Entity[] = [];
    each(query(world, Mark), (mark, entity) => {
      entities.push(entity);
      mark.of = entity;
    });
    readBatches(tested);
    const { allocations } = memory;
    const count = countNewArrays();

    for (let frame = 0; frame < 100; frame++) {
      for (const entity of entities) set(world, entity, Mark, { of: frame });
      readBatches(tested);
    }

    expect([count.made, memory.allocations]).toEqual([0, allocations]);
  });
});
