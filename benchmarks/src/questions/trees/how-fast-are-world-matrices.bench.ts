import { plainMemory } from "@treeline/core";
import { Object3D } from "three";
import { createHandScaffold, createScaffold, type HandScaffold, weighed } from "../../fixtures/matrices.ts";
import { type TreeName, treeOf } from "../../fixtures/trees.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atLeast, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

/** The binary tree first: if the wide one comes first, the engine permanently compiles the product twice as slow. */
const TREES: readonly (readonly [name: TreeName, words: string])[] = [
  ["b", "binary"],
  ["a", "10-ary"],
  ["c2", "chains of 100"],
];
const TIMES_FASTER = 3;

/**
 * The same tree of three.js objects, each with the same local matrix as the others: a translation by (1, 2, 3).
 *
 * @param composes whether local matrices are made of position, rotation and scale at every update, as three.js does by default.
 */
function createObjects(tree: Int32Array, composes: boolean): HandScaffold {
  const objects = Array.from(tree, () => new Object3D());
  const roots: Object3D[] = [];
  objects.forEach((object, node) => {
    object.position.set(1, 2, 3);
    object.updateMatrix();
    object.matrixAutoUpdate = composes;
    if (tree[node]! < 0) roots.push(object);
    else objects[tree[node]!]!.add(object);
  });
  return {
    place: () => {
      for (const root of roots) root.updateMatrixWorld(true);
    },
    checksum: () => checksumOf(objects.length, (node) => weighed(objects[node]!.matrixWorld.elements)),
  };
}

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
