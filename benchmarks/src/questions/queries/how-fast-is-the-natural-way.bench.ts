// Loops as people write them (`RACES`): warm alone, after other loops, in a fresh process.
import { CHILDREN } from "../../fixtures/crowd.ts";
import {
  bitecsMoves,
  byBoundBatches,
  byBoundEach,
  byBoundRuns,
  byBoundRunsLocally,
  byCascade,
  byChildren,
  byEach,
  byForEachChild,
  byRows,
  byRuns,
  furnishWith,
  handWrittenCallbacks,
  handWrittenCascade,
  handWrittenFamilies,
  handWrittenHandleCallbacks,
  handWrittenHandles,
  handWrittenIterations,
  handWrittenMoves,
  ITERATIONS,
  oneByEach,
  oneByRows,
  oneByRuns,
  piecsMoves,
  TREE,
  type Way,
} from "../../fixtures/natural-ways.ts";
import { createOtherLoops } from "../../fixtures/other-loops.ts";
import { STORAGES } from "../../fixtures/storages.ts";
import { treeOf } from "../../fixtures/trees.ts";
import { wallClock } from "../../measure/clock.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import { interleave, medianOf, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { keepResults, resultOf } from "../../measure/results.ts";
import { fullOrQuick } from "../../measure/settings.ts";

/** Processes for each figure: what compilers decide in one differs from what they decide in the next. */
const PROCESSES = fullOrQuick(5, 2);
const FRESH_PROCESSES = fullOrQuick(9, 3);
const ROUNDS = fullOrQuick(20, 8);
/** How often the other loops run before a row is measured; once more before each round. */
const OTHER_ROUNDS = fullOrQuick(200, 100);

interface Race {
  readonly note: string;
  readonly pieces: number;
  readonly piece: string;
  /** All ways, which make what they need when they are called. In a fresh process, only one of them is. */
  readonly ways: readonly (() => Way)[];
}

// ---- all rows ------------------------------------------------------------------------------------------------------

const RACES: { readonly [name: string]: Race } = {
  each: {
    note: "`position += velocity` over 100,000 rows, by `each`",
    pieces: CHILDREN,
    piece: "row",
    ways: [handWrittenMoves, bitecsMoves, piecsMoves, byRuns, byEach],
  },
  rows: {
    note: "`position += velocity` over 100,000 rows, by `for...of rows`",
    pieces: CHILDREN,
    piece: "row",
    ways: [handWrittenMoves, bitecsMoves, byRows],
  },
  cascade: {
    note: "world = parent's world + local for the 111,111 nodes of a 10-ary tree, parents first, by `each`",
    pieces: treeOf(TREE).length,
    piece: "node",
    ways: [handWrittenCascade, byCascade],
  },
  ...Object.fromEntries(
    STORAGES.flatMap((storage): [string, Race][] => {
      const limit = storage.name === "Parent" ? 8 : 1.5;
      const order = storage.name === "Parent" ? "spawned in turns" : "spawned one after another";
      const families = `1,000 parents of 100 children each, ${order}, in a shuffled order`;
      return [
        [
          `bind ${storage.name}`,
          {
            note: `Sums \`Position.x\` over the children of one parent, stored by ${storage.name}, for ${families}`,
            pieces: CHILDREN,
            piece: "child",
            ways: [
              () => handWrittenFamilies(storage),
              () => handWrittenCallbacks(storage),
              () => byBoundRuns(storage, limit),
              () => byBoundRunsLocally(storage, limit),
              () => byBoundBatches(storage, limit),
              () => byBoundEach(storage, limit),
            ],
          },
        ],
        [
          `handles ${storage.name}`,
          {
            note: `Sums the handles of the children of one parent, stored by ${storage.name}, for ${families}`,
            pieces: CHILDREN,
            piece: "child",
            ways: [
              () => handWrittenHandles(storage),
              () => handWrittenHandleCallbacks(storage),
              () => byForEachChild(storage),
              () => byChildren(storage),
            ],
          },
        ],
      ];
    }),
  ),
  "one match": {
    note: "One iteration of a query with one match, for 1,000 iterations",
    pieces: ITERATIONS,
    piece: "iteration",
    ways: [handWrittenIterations, oneByEach, oneByRuns, oneByRows],
  },
};

// ---- in processes of their own -----------------------------------------------------------------------------------------

/** The results of all runs; otherwise engines would leave out what is not read. */
let total = 0;

/** Warm. @param isAlone no other loops have run in the process. */
function measureHere(race: Race, isAlone: boolean): readonly Timing[] {
  const others: (() => void)[] = [];
  const runOthers = (): void => {
    for (const run of others) run();
  };
  if (!isAlone)
    furnishWith((world) => {
      if (others.length === 0) others.push(createOtherLoops(world)); // all loops of a program are in one world
    });
  const ways = race.ways.map((make) => make());
  for (let round = 0; round < OTHER_ROUNDS; round++) runOthers();
  const contestants = ways.map(({ name, run }) => ({
    name,
    run: () => {
      total += run();
    },
  }));
  return interleave(contestants, { rounds: ROUNDS, warmUp: 4, beforeRound: runOthers });
}

/** The first run of one way. @returns milliseconds. */
function measureFirst(race: Race, place: number): number {
  const { run } = race.ways[place]!();
  const begin = wallClock.now();
  total += run();
  return wallClock.now() - begin;
}

function prove(race: Race): void {
  proveEqual(
    race.ways.map((make) => make()).map(({ name, run }) => ({ name, checksum: () => run() + 2 * run() })),
  );
}

// ---- tables --------------------------------------------------------------------------------------------------------

function timingOf(samples: readonly number[]): Timing {
  return { median: medianOf(samples), low: Math.min(...samples), medians: samples };
}

/** Each way's timing in several processes, as one with a round for each process. */
function warm(name: string, task: string): readonly Timing[] {
  const found = Array.from(
    { length: PROCESSES },
    () => runElsewhere(import.meta.url, [task, name]) as Timing[],
  );
  return found[0]!.map((_, place) => {
    const medians = found.map((timings) => timings[place]!.median);
    return { median: medianOf(medians), low: medianOf(found.map((one) => one[place]!.low)), medians };
  });
}

function fresh(name: string): readonly Timing[] {
  const samples = RACES[name]!.ways.map((): number[] => []);
  for (let round = 0; round < FRESH_PROCESSES; round++)
    for (const [place, list] of samples.entries())
      list.push(runElsewhere(import.meta.url, ["first", name, `${place}`]) as number);
  return samples.map(timingOf);
}

const SETTINGS: { readonly [setting: string]: (name: string) => readonly Timing[] } = {
  "warm, alone": (name) => warm(name, "alone"),
  "after other loops": (name) => warm(name, "after"),
  "fresh process": fresh,
};

const results: { [name: string]: object } = {};

function compare(name: string): void {
  const { note, pieces, piece, ways } = RACES[name]!;
  const made = ways.map((make) => make());
  const found: Row[] = [];
  for (const [setting, measure] of Object.entries(SETTINGS)) {
    const timings = measure(name);
    results[`${name}, ${setting}`] = timings.map((timing, at) =>
      resultOf(made[at]!.name, timing, pieces, ratioOf(timing, timings[0]!)),
    );
    for (const [at, timing] of timings.entries()) {
      const { limit, name: way } = made[at]!;
      const hasGoal = limit !== undefined && setting === "after other loops";
      found.push({
        row: `${setting}: ${way}`,
        measured: nanosecondsAndLow(timing, pieces, piece),
        ratio: ratioOf(timing, timings[0]!),
        ...(hasGoal ? { goal: atMost(limit, "ns", (timing.median * 1e6) / pieces) } : {}),
      });
    }
  }
  printTable(`${note}. Ratios against the hand-written program in the same setting.`, found);
}

const task = taskHere();
const [named, place] = process.argv.slice(process.argv.indexOf("--task") + 2);
if (task === "prove") answer(Object.values(RACES).forEach(prove) ?? true);
else if (task === "alone" || task === "after") answer(measureHere(RACES[named!]!, task === "alone"));
else if (task === "first") answer(measureFirst(RACES[named!]!, Number(place)));
else {
  printQuestion(import.meta.url);
  runElsewhere(import.meta.url, ["prove"]);
  const only = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  for (const name of Object.keys(RACES)) if (only.length === 0 || only.includes(name)) compare(name);
  keepResults("natural", results);
}
if (Number.isNaN(total)) throw new Error("a sum is not a number");
