// A query for changed rows when 1 % are `MOVED`, against iterating all rows and against a hand-written list (`iterateListed`).
import { createWorld, type Entity, get, set, spawn, type World } from "@treeline/core";
import { changed, each, type Query, query } from "@treeline/query";
import { Position } from "../../fixtures/components.ts";
import { diceOf, shuffled } from "../../fixtures/dice.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

const ROWS = 100_000;
/** One in a hundred. */
const MOVED = 1_000;

type Arrangement = "side by side" | "scattered";

interface Plane {
  readonly x: number;
  readonly y: number;
}

/** The sums of the callbacks, so that they need no closure. */
const total = { rows: 0, sum: 0 };

function addUp(position: Plane): void {
  total.rows++;
  total.sum += position.x + 3 * position.y;
}

interface Field {
  readonly world: World;
  readonly moved: readonly Entity[];
  readonly all: Query<readonly [typeof Position]>;
  readonly changedRows: Query<readonly [typeof Position, ReturnType<typeof changed>]> | undefined;
}

function lay(arrangement: Arrangement, isWatched: boolean): Field {
  const world = createWorld();
  const entities = Array.from({ length: ROWS }, (_, at) => spawn(world, Position({ x: at % 1024, y: 1 })));
  const order =
    arrangement === "scattered" ? shuffled(ROWS, diceOf(5)) : Int32Array.from(entities, (_, at) => at);
  const changedRows = isWatched ? query(world, Position, changed(Position)) : undefined;
  return {
    world,
    moved: Array.from(order.subarray(0, MOVED), (at) => entities[at]!),
    all: query(world, Position),
    changedRows,
  };
}

const next = { x: 0 };

function move({ world, moved }: Field, by: number): void {
  for (let at = 0; at < moved.length; at++) {
    next.x = (at + by) % 1024;
    set(world, moved[at]!, Position, next);
  }
}

function callAll({ all }: Field): void {
  each(all, addUp);
}

function iterateChanged({ changedRows }: Field): void {
  each(changedRows!, addUp);
}

/** Hand-written: code that writes a position also adds the entity to a list. */
function iterateListed({ world, moved }: Field): void {
  for (let at = 0; at < moved.length; at++) addUp(get(world, moved[at]!, Position)!);
}

function sumOf(iterate: () => void): number {
  total.rows = 0;
  total.sum = 0;
  iterate();
  return total.sum + total.rows * 7;
}

function prove(watched: Field): void {
  iterateChanged(watched); // the first read sees everything
  for (const by of [1, 2]) {
    move(watched, by);
    proveEqual([
      { name: "the list", checksum: () => sumOf(() => iterateListed(watched)) },
      { name: "changed", checksum: () => sumOf(() => iterateChanged(watched)) },
    ]);
  }
  proveEqual([
    { name: "nothing", checksum: () => 0 },
    { name: "changed, without changes", checksum: () => sumOf(() => iterateChanged(watched)) },
  ]);
}

function compare(arrangement: Arrangement): Row[] {
  const plain = lay(arrangement, false);
  const watched = lay(arrangement, true);
  prove(watched);
  proveEqual(
    [plain, watched].map((field, at) => ({
      name: `field ${at}`,
      checksum: () => {
        move(field, 3);
        return checksumOf(MOVED, (child) => get(field.world, field.moved[child]!, Position)!.x);
      },
    })),
  );
  iterateChanged(watched);

  let frame = 0;
  const [all, setPlain, setWatched, changedOnly, quiet] = interleave([
    { name: "each over all", run: () => callAll(plain) },
    { name: "set, unwatched", run: () => move(plain, frame++) },
    { name: "set, watched", run: () => move(watched, frame++) },
    { name: "changed", before: () => move(watched, frame++), run: () => iterateChanged(watched) },
    {
      name: "changed, without changes",
      before: () => iterateChanged(watched),
      run: () => iterateChanged(watched),
    },
  ]);
  const rowOf = (row: string, timing: Timing): Row => ({
    row: `${arrangement}: ${row}`,
    measured: `${(timing.median * 1e3).toLocaleString("en", { maximumSignificantDigits: 3 })} µs a frame`,
    ratio: ratioOf(timing, all),
  });
  return [
    rowOf("each over all rows", all),
    rowOf("1,000 set, no query reads changes", setPlain),
    rowOf("1,000 set, one query reads changes", setWatched),
    rowOf("each over changed(Position) after it", changedOnly),
    rowOf("each over changed(Position), nothing changed", quiet),
  ];
}

printTable(
  "1 % of 100,000 rows is changed by `set`, then iterated by a query for changes. Ratios against iterating all rows. " +
    "Scattered, the changed rows are in about half of all blocks of 64 rows.",
  [...compare("side by side"), ...compare("scattered")],
);
