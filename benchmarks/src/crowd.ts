import { add, ChildOf, createWorld, type Entity, locate, pack, spawn, type World } from "@treeline/core";
import { eachRun, type Query, query, type Run } from "@treeline/query";
import { Position, Velocity } from "./components.ts";
import { diceOf } from "./dice.ts";
import { checksumOf } from "./proof.ts";
import type { Storage } from "./storages.ts";

export const CHILDREN = 100_000;

/** Children with Position and Velocity under bare parents. */
export interface Crowd {
  readonly world: World;
  readonly parents: readonly Entity[];
  /** In order of birth. */
  readonly children: readonly Entity[];
  readonly moving: Query;
}

/**
 * How children come to their parents: all of parent 0 first, then all of parent 1 ("block"), or each to a random one.
 * "packed" is random, with the world packed afterwards; "frayed" is packed, with 1,000 random reparents since.
 */
export type Order = "block" | "random" | "packed" | "frayed";

const REPARENTS_SINCE_PACK = 1_000;

export function gather(
  parentCount: number,
  order: Order,
  childCount: number = CHILDREN,
  below: Storage["below"] = ChildOf,
): Crowd {
  const world = createWorld();
  const dice = diceOf(parentCount);
  const parents = Array.from({ length: parentCount }, () => spawn(world));
  const children = Array.from({ length: childCount }, (_, at) => {
    const parent = order === "block" ? Math.floor((at * parentCount) / childCount) : dice(parentCount);
    return spawn(
      world,
      Position({ x: at % 1024, y: 0 }),
      Velocity({ x: 1, y: 1 + (at % 3) }),
      below(parents[parent]!),
    );
  });
  if (order === "packed" || order === "frayed") pack(world);
  if (order === "frayed") {
    for (let count = 0; count < REPARENTS_SINCE_PACK; count++) {
      add(world, children[dice(childCount)]!, below(parents[dice(parentCount)]!));
    }
  }
  return { world, parents, children, moving: query(world, Position, Velocity) };
}

/** Written as in the README. */
function moveRun(run: Run): void {
  const { x: px, y: py } = run.columns(Position);
  const { x: vx, y: vy } = run.columns(Velocity);
  const { first, end } = run;
  for (let row = first; row < end; row++) {
    px[row]! += vx[row]!;
    py[row]! += vy[row]!;
  }
}

export function moveByRuns({ moving }: Crowd): void {
  eachRun(moving, moveRun);
}

/** Position x and y, Velocity x and y, and the rows that count. */
export interface Columns {
  readonly columns: readonly Float32Array[];
  readonly first: number;
  readonly end: number;
}

/** What somebody would write who needs nothing else: the floor. The compiler does not know the arrays beforehand. */
export function moveByHand({ columns, first, end }: Columns): void {
  const [px, py, vx, vy] = columns;
  moveRows(px!, py!, vx!, vy!, first, end);
}

function moveRows(
  px: Float32Array,
  py: Float32Array,
  vx: Float32Array,
  vy: Float32Array,
  first: number,
  end: number,
): void {
  for (let row = first; row < end; row++) {
    px[row]! += vx[row]!;
    py[row]! += vy[row]!;
  }
}

/** The columns of a crowd whose children lie side by side; a long run may come in pieces. */
export function onlyRunOf({ moving }: Crowd): Columns {
  const found: Columns[] = [];
  eachRun(moving, (run) => {
    const { x: px, y: py } = run.columns(Position);
    const { x: vx, y: vy } = run.columns(Velocity);
    found.push({ columns: [px, py, vx, vy], first: run.first, end: run.end });
  });
  const [first] = found;
  const isOne = found.every((run, at) => at === 0 || run.first === found[at - 1]!.end);
  if (first === undefined || !isOne) throw new Error("the rows were wanted side by side");
  return { ...first, end: found.at(-1)!.end };
}

/** How many runs the children lie in; pieces of one count once. */
export function runsOf({ moving }: Crowd): number {
  let runs = 0;
  let end = -1;
  eachRun(moving, (run) => {
    if (run.first !== end) runs++;
    end = run.end;
  });
  return runs;
}

/** Over all positions, in order of birth. */
export function checksumOfPositions({ world, children }: Crowd): number {
  return checksumOf(children.length, (at) => {
    const place = locate(world, children[at]!, Position);
    if (place === undefined) throw new Error("a child has lost its position");
    const { columns, row } = place;
    return columns.x[row]! + 3 * columns.y[row]!;
  });
}
