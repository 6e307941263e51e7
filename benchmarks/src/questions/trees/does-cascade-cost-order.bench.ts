// W4: positions from parents to children by `eachBatch` and `each`, in several growth orders, packed, and after `REPARENTS`.
import { type Dice, diceOf } from "../../fixtures/dice.ts";
import {
  checksumHandWritten,
  checksumOfGrove,
  type Grove,
  type Growth,
  placeByBatches,
  placeByRows,
  placeHandWritten,
  plant,
  plantHandWritten,
  reparentSome,
} from "../../fixtures/grove.ts";
import { depthsOf, type TreeName, treeOf } from "../../fixtures/trees.ts";
import { answer, runElsewhere, taskHere } from "../../measure/elsewhere.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const TREES: readonly (readonly [name: TreeName, words: string, limit: number])[] = [
  ["a", "10-ary", 2.5],
  ["b", "binary", 4],
  ["c", "chains of 1,000", 4],
  ["c2", "chains of 100", 4],
  ["d", "100,000 under one", 2.5],
];
const PACKED_LIMIT = 1.6;
const REPARENTS = 10;
/** Random reparents change the structure of a tree: after this many rounds it is created again. */
const ROUNDS_A_TREE = 10;

function proveGrove(grove: Grove): void {
  const hand = plantHandWritten(grove.parents);
  placeHandWritten(hand);
  placeByBatches(grove);
  proveEqual([
    { name: "loop", checksum: () => checksumHandWritten(hand) },
    { name: "eachBatch", checksum: () => checksumOfGrove(grove) },
  ]);
}

function compareWithLoop([name, words, limit]: (typeof TREES)[number]): Row[] {
  const tree = treeOf(name);
  const hand = plantHandWritten(tree);
  const ordered = plant(tree, "in order");
  const random = plant(tree, "in random order");
  const packed = plant(tree, "packed");
  for (const grove of [ordered, random, packed]) proveGrove(grove);

  const [loop, ...others] = interleave([
    { name: "loop", run: () => placeHandWritten(hand) },
    { name: "in order", run: () => placeByBatches(ordered) },
    { name: "in random order", run: () => placeByBatches(random) },
    { name: "packed", run: () => placeByBatches(packed) },
  ]);
  const costOf = (timing: Timing): string => nanoseconds(timing, tree.length, "node");
  const rowOf = (growth: Growth, timing: Timing, most: number): Row => {
    const ratio = ratioOf(timing, loop);
    return {
      row: `${name}: eachBatch, ${wordsOf(growth)}`,
      measured: costOf(timing),
      ratio,
      goal: atMost(most, "x", ratio),
    };
  };
  return [
    { row: `${name}: ${words}, hand-written loop`, measured: costOf(loop), ratio: 1 },
    rowOf("in order", others[0], limit),
    rowOf("in random order", others[1], limit),
    rowOf("packed", others[2], PACKED_LIMIT),
  ];
}

function wordsOf(growth: Growth): string {
  return growth === "packed" ? "packed" : `created ${growth}`;
}

function compareWithReparents(name: TreeName, growth: Growth, limit: number): Row {
  const tree = treeOf(name);
  const dice = diceOf(tree.length);
  const grow = (): Grove => {
    const grove = plant(tree, growth);
    placeByBatches(grove);
    return grove;
  };
  let grove = grow();
  reparentSome(grove, REPARENTS, dice);
  proveGrove(grove);

  const [moved, again] = interleave(
    [
      {
        name: "after reparents",
        before: () => reparentSome(grove, REPARENTS, dice),
        run: () => placeByBatches(grove),
      },
      { name: "again", run: () => placeByBatches(grove) },
    ],
    {
      rounds: fullOrQuick(4, 1) * ROUNDS_A_TREE,
      warmUp: 5,
      time: 0,
      calls: 1,
      beforeRound: (round) => {
        if (round % ROUNDS_A_TREE === 0) grove = grow();
      },
    },
  );
  const ratio = ratioOf(moved, again);
  const shifted = depthChanges(grow(), dice).toLocaleString("en", { maximumFractionDigits: 0 });
  return {
    row: `${name}: ${wordsOf(growth)} (${shifted} nodes change depth)`,
    measured: nanoseconds(moved, tree.length, "node"),
    ratio,
    goal: atMost(limit, "x", ratio),
  };
}

/** How many nodes change depth by 10 reparents: the mean over as many rounds as a tree is used. */
function depthChanges(grove: Grove, dice: Dice): number {
  let changes = 0;
  for (let round = 0; round < ROUNDS_A_TREE; round++) {
    const before = depthsOf(grove.parents);
    reparentSome(grove, REPARENTS, dice);
    depthsOf(grove.parents).forEach((depth, node) => {
      if (depth !== before[node]) changes++;
    });
  }
  return changes / ROUNDS_A_TREE;
}

/** With a row view per term instead, in a separate process: the compiler learns about callbacks for the whole process. */
function measureEachHere(name: TreeName): Timing[] {
  const tree = treeOf(name);
  const hand = plantHandWritten(tree);
  const grove = plant(tree, "in order");
  placeHandWritten(hand);
  placeByRows(grove);
  proveEqual([
    { name: "loop", checksum: () => checksumHandWritten(hand) },
    { name: "each", checksum: () => checksumOfGrove(grove) },
  ]);
  return interleave([
    { name: "loop", run: () => placeHandWritten(hand) },
    { name: "each", run: () => placeByRows(grove) },
    { name: "eachBatch", run: () => placeByBatches(grove) },
  ]);
}

function compareWithEach([name]: (typeof TREES)[number]): Row[] {
  const { length } = treeOf(name);
  const [loop, rows, batches] = runElsewhere(import.meta.url, [name]) as Timing[];
  const rowOf = (row: string, timing: Timing): Row => ({
    row: `${name}: ${row}, created in order`,
    measured: nanoseconds(timing, length, "node"),
    ratio: ratioOf(timing, loop!),
  });
  return [rowOf("eachBatch", batches!), rowOf("each", rows!)];
}

function printAll(): void {
  printQuestion(import.meta.url);
  printTable(
    "W4: `world = parent's world + local` for x and y, parents before children. Ratios against a loop over arrays " +
      "that are sorted level by level, with the parent's position beside each node.",
    TREES.flatMap(compareWithLoop),
  );
  printTable(
    "The same iterations after 10 random reparents each (outside the clock). Ratios against iterating the same tree again " +
      "without.",
    TREES.flatMap(([name]) => [
      compareWithReparents(name, "in order", 1.5),
      compareWithReparents(name, "in random order", 2),
      compareWithReparents(name, "packed", 1.5),
    ]),
  );
  printTable(
    "The same by `each` with row views, in a separate process for each tree. Ratios against the hand-written loop.",
    TREES.flatMap(compareWithEach),
  );
}

const task = taskHere();
if (task === undefined) printAll();
else answer(measureEachHere(task as TreeName));
