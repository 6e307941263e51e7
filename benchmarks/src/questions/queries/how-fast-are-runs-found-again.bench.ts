// What `eachRun` over 50,000 tables costs after one spawn (`spawnOne`), compared with iterating again without.
import { ChildOf, type Entity, locate, pack, spawn } from "@treeline/core";
import { eachRun, type Run } from "@treeline/query";
import { Position, Velocity } from "../../fixtures/components.ts";
import { type Crowd, gather, type Order } from "../../fixtures/crowd.ts";
import { type Dice, diceOf } from "../../fixtures/dice.ts";
import { wallClock } from "../../measure/clock.ts";
import { differenceOf, interleave } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const PARENTS = 50_000;

/** Folds bounds and number of runs into one number. */
function fold(sum: number, first: number, end: number): number {
  return (sum * 31 + first * 7 + end) % 1_000_000_007;
}

/** A long first run may be split: adjacent pieces count as one. */
function runsFound({ moving }: Crowd): number {
  const runs: { first: number; end: number }[] = [];
  eachRun(moving, ({ first, end }) => {
    const last = runs.at(-1);
    if (last?.end === first) last.end = end;
    else runs.push({ first, end });
  });
  return runs.reduce((sum, { first, end }) => fold(sum, first, end), 0);
}

/** The same from the rows of all entities, one by one. */
function runsHandWritten({ world, children }: Crowd): number {
  const rows = Int32Array.from(children, (child) => locate(world, child, Position)?.row ?? -1).sort();
  let sum = 0;
  let first = rows[0]!;
  rows.forEach((row, at) => {
    if (rows[at + 1] === row + 1) return;
    sum = fold(sum, first, row + 1);
    first = rows[at + 1]!;
  });
  return sum;
}

function spawnOne({ world, parents }: Crowd, dice: Dice): Entity {
  return spawn(world, Position(), Velocity(), ChildOf(parents[dice(PARENTS)]!));
}

function ignore(_run: Run): void {}

function measure(order: Order, limit: number): Row[] {
  const dice = diceOf(order.length);
  const crowd = gather(PARENTS, order);
  const spawned = spawnOne(crowd, dice);
  const grown = { ...crowd, children: [...crowd.children, spawned] };
  proveEqual([
    { name: "eachRun", checksum: () => runsFound(grown) },
    { name: "sorted rows", checksum: () => runsHandWritten(grown) },
  ]);

  const iterate = (): void => eachRun(crowd.moving, ignore);
  const [after, again] = interleave(
    [
      { name: "after one spawn", before: () => void spawnOne(crowd, dice), run: iterate },
      { name: "again", run: iterate },
    ],
    {
      rounds: fullOrQuick(60, 20),
      warmUp: 20,
      clock: wallClock, // microseconds: too short for any other
      time: 0,
      calls: 10,
      // Every spawn unpacks the rows a little: pack again before there are many.
      beforeRound: () => order === "packed" && pack(crowd.world),
    },
  );
  const found = differenceOf(after, again) * 1e3;
  const microseconds = (value: number): string => `${value.toFixed(1)} µs`;
  return [
    { row: `${order}: empty iteration, nothing changed`, measured: microseconds(again.median * 1e3) },
    { row: `${order}: empty iteration after one spawn`, measured: microseconds(after.median * 1e3) },
    { row: `${order}: runs found again`, measured: microseconds(found), goal: atMost(limit, "µs", found) },
  ];
}

printTable(
  "100,000 children in 50,000 tables. `eachRun` with an empty callback, after one spawn and again without: " +
    "the difference is the cost of finding the runs again. In wall time.",
  [...measure("packed", 20), ...measure("random", 300)],
);
