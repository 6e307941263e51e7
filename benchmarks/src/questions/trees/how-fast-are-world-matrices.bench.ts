// World matrices of three trees (`TREES`), against hand-written code and three.js (`TIMES_FASTER`).
import { plainMemory } from "@treeline/core";
import { createHandScaffold, createScaffold } from "../../fixtures/matrices.ts";
import { createObjects } from "../../fixtures/objects.ts";
import { type TreeName, treeOf } from "../../fixtures/trees.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atLeast, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

/** The binary tree first: if the wide one comes first, the engine permanently compiles the product twice as slow. */
const TREES: readonly (readonly [name: TreeName, words: string])[] = [
  ["b", "binary"],
  ["a", "10-ary"],
  ["c2", "chains of 100"],
];
const TIMES_FASTER = 3;

function compare([name, words]: (typeof TREES)[number]): Row[] {
  const tree = treeOf(name);
  const batches = createScaffold(tree, "matrix", plainMemory());
  const packed = createScaffold(tree, "matrix", plainMemory(), true);
  const hand = createHandScaffold(tree);
  const objects = createObjects(tree, false);
  const composing = createObjects(tree, true);
  const contestants = [
    { name: "hand", ...hand },
    { name: "eachBatch", ...batches },
    { name: "eachBatch, packed", ...packed },
    { name: "three.js", ...objects },
    { name: "three.js, composing", ...composing },
  ] as const;
  proveEqual(
    contestants.map(({ name, place, checksum }) => ({
      name,
      checksum: () => {
        place();
        return checksum();
      },
    })),
  );

  const [handTime, own, ownPacked, others, composed] = interleave([
    { name: "hand", run: hand.place },
    { name: "eachBatch", run: batches.place },
    { name: "eachBatch, packed", run: packed.place },
    { name: "three.js", run: objects.place },
    { name: "three.js, composing", run: composing.place },
  ]);
  const rowOf = (row: string, timing: Timing): Row => ({
    row: `${name}: ${row}`,
    measured: nanoseconds(timing, tree.length, "node"),
    ratio: ratioOf(timing, own),
  });
  const faster = ratioOf(others, own);
  return [
    rowOf(`${words}, hand-written loop over two arrays`, handTime),
    rowOf("eachBatch, array(f32, 16), created in order", own),
    rowOf("eachBatch, array(f32, 16), packed", ownPacked),
    {
      ...rowOf("three.js updateMatrixWorld(true), local matrices as they are", others),
      goal: atLeast(TIMES_FASTER, "x", faster),
    },
    rowOf("three.js updateMatrixWorld(true), composing local matrices", composed),
  ];
}

printTable(
  "`world = parent's world * local` for 4 x 4 matrices, parents before children. Ratios against eachBatch, created in order. three.js 0.187.",
  TREES.flatMap(compare),
);
