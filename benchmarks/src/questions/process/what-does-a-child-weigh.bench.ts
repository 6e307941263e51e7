// W10: bytes per child, all buffers and indexes included, below one parent and below 50,000 (`measure`).
import { setTimeout } from "node:timers/promises";
import { ChildOf, createWorld, type Entity, spawn, type World } from "@treeline/core";
import { stats } from "@treeline/core/debug";
import { cascade, children, eachBatch, eachRun, query } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import { medianOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const CHILDREN = 100_000;

/** Bytes, all of them per world. */
interface Weight {
  /** The growth of the process: objects, and typed arrays outside the heap. */
  readonly held: number;
  /** The memory that `stats` counts. */
  readonly counted: number;
  /** The same after an iteration of a query. */
  readonly iterated: number;
  /** And after an iteration of a cascade query. */
  readonly cascaded: number;
}

/** Handles are stored in an array that existed before. */
function populate(world: World, parents: Float64Array, childCount: number): void {
  for (let at = 0; at < parents.length; at++) parents[at] = spawn(world);
  for (let at = 0; at < childCount; at++) {
    const parent = parents[Math.floor((at * parents.length) / childCount)] as Entity;
    spawn(world, Position({ x: at }), Velocity({ x: 1 }), ChildOf(parent));
  }
}

async function bytesHeld(): Promise<number> {
  for (let pass = 0; pass < 4; pass++) {
    globalThis.gc?.();
    await setTimeout(20); // array buffers are freed concurrently
  }
  const { heapUsed, external } = process.memoryUsage(); // `external` includes the array buffers
  return heapUsed + external;
}

/** Counts every child once through its parent, in sibling order: no entity may be missing. */
function provePopulation(world: World, parents: Float64Array): void {
  const moving = query(world, Position, Velocity);
  proveEqual([
    { name: "expected", checksum: () => CHILDREN },
    {
      name: "children",
      checksum: () => parents.reduce((sum, parent) => sum + children(world, parent as Entity).length, 0),
    },
    {
      name: "rows",
      checksum: () => {
        let rows = 0;
        eachRun(moving, ({ first, end }) => {
          rows += end - first;
        });
        return rows;
      },
    },
  ]);
}

/** In a separate process, started with --expose-gc. */
async function weigh(parentCount: number): Promise<Weight> {
  if (globalThis.gc === undefined) throw new Error("needs --expose-gc");
  // A small world first, so that the code itself is not measured.
  populate(createWorld(), new Float64Array(50), 1_000);
  const parents = new Float64Array(parentCount);

  const before = await bytesHeld();
  const world = createWorld();
  populate(world, parents, CHILDREN);
  const held = (await bytesHeld()) - before;
  const counted = stats(world).bytes;

  provePopulation(world, parents);
  const iterated = (await bytesHeld()) - before;
  eachBatch(query(world, Position, cascade(Position)), () => {});
  const cascaded = (await bytesHeld()) - before;
  if (stats(world).entities !== CHILDREN + parentCount) throw new Error("an entity is missing");
  return { held, counted, iterated, cascaded };
}

function measure(parentCount: number, limit: number): Row[] {
  const weights = Array.from({ length: fullOrQuick(3, 1) }, () => {
    return runElsewhere(import.meta.url, [String(parentCount)], ["--expose-gc"]) as Weight;
  });
  const perChild = (part: keyof Weight): number => medianOf(weights.map((weight) => weight[part])) / CHILDREN;
  const words = parentCount === 1 ? "1 parent" : `${parentCount.toLocaleString("en")} parents`;
  const rowOf = (row: string, part: keyof Weight): Row => ({
    row: `${words}: ${row}`,
    measured: `${perChild(part).toFixed(1)} bytes a child`,
  });
  return [
    { ...rowOf("held by the process", "held"), goal: atMost(limit, "bytes", perChild("held")) },
    rowOf("counted by stats", "counted"),
    rowOf("held after a query was iterated and all siblings listed", "iterated"),
    rowOf("held after a cascade query was iterated", "cascaded"),
  ];
}

const task = taskHere();
if (task !== undefined) {
  answer(await weigh(Number(task)));
} else {
  printQuestion(import.meta.url);
  printTable(
    "W10: 100,000 children with Position and Velocity in block order; parents, tables, sibling order and all indexes " +
      "are divided by the number of children, names are not used. Heap and array buffers after collecting garbage, before and after. " +
      "(Flecs 4.1.6 in C: 59 bytes under one parent, 1,295 under 50,000.)",
    [...measure(1, 75), ...measure(50_000, 180)],
  );
}
