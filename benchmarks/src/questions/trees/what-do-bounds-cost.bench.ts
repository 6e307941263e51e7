// Boxes of subtrees of three `TREES` (`createBoxes`): all, some, nothing moved; beside a hand-written loop (`boxAll`).
import { add, ChildOf, type Entity, get, pack, set, spawn, type World } from "@treeline/core";
import { destroy, eachRun, query } from "@treeline/query";
import { Bounds3D, Local3D, propagate, updateBounds, World3D, WorldBounds3D } from "@treeline/transform/3d";
import { diceOf } from "../../fixtures/dice.ts";
import { createMovers } from "../../fixtures/transforms.ts";
import { levelOrder, type TreeName, treeOf } from "../../fixtures/trees.ts";
import { interleave, ratioOf } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

const TREES: readonly TreeName[] = ["a", "b", "d"];
const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 1, warmUp: 3 };
const IDLE_CALLS = 1_000;
const SIDE = 0.5;

printQuestion(import.meta.url);
for (const name of TREES) measure(name);

/** A tree whose leaves are cubes, and whose inner nodes have boxes. */
function createBoxes(tree: Int32Array): { world: World; nodes: readonly Entity[]; inner: number[] } {
  const { world, nodes } = createMovers(tree, false);
  const isInner = new Uint8Array(tree.length);
  for (const parent of tree) if (parent >= 0) isInner[parent] = 1;
  const cube = Bounds3D({ min: [-SIDE, -SIDE, -SIDE], max: [SIDE, SIDE, SIDE] });
  nodes.forEach((node, at) => {
    add(world, node, isInner[at] === 1 ? WorldBounds3D : cube);
  });
  pack(world);
  propagate(world);
  updateBounds(world);
  return { world, nodes, inner: [...tree.keys()].filter((node) => isInner[node] === 1) };
}

/** All boxes, from matrices in the order of the tree, level by level: the lower bound. */
function createHandBoxes(tree: Int32Array, matrices: Float32Array, inner: readonly number[]) {
  const { length } = tree;
  const isInner = new Uint8Array(length);
  for (const node of inner) isInner[node] = 1;
  const locals = {
    min: new Float32Array(length * 3).fill(-SIDE),
    max: new Float32Array(length * 3).fill(SIDE),
  };
  const boxes = { min: new Float32Array(length * 3), max: new Float32Array(length * 3) };
  return { run: () => boxAll(tree, isInner, matrices, locals, boxes), boxes };
}

interface Corners {
  readonly min: Float32Array;
  readonly max: Float32Array;
}

function boxAll(
  tree: Int32Array,
  isInner: Uint8Array,
  matrices: Float32Array,
  locals: Corners,
  { min, max }: Corners,
): void {
  min.fill(Number.POSITIVE_INFINITY);
  max.fill(Number.NEGATIVE_INFINITY);
  for (let node = tree.length - 1; node >= 0; node--) {
    const b = node * 3;
    if (isInner[node] === 0) {
      const m = node * 16;
      const x = (locals.min[b]! + locals.max[b]!) / 2;
      const y = (locals.min[b + 1]! + locals.max[b + 1]!) / 2;
      const z = (locals.min[b + 2]! + locals.max[b + 2]!) / 2;
      const width = locals.max[b]! - x;
      const height = locals.max[b + 1]! - y;
      const depth = locals.max[b + 2]! - z;
      for (let axis = 0; axis < 3; axis++) {
        const a = matrices[m + axis]!;
        const c = matrices[m + axis + 4]!;
        const e = matrices[m + axis + 8]!;
        const centre = a * x + c * y + e * z + matrices[m + axis + 12]!;
        const reach = Math.abs(a) * width + Math.abs(c) * height + Math.abs(e) * depth;
        min[b + axis] = centre - reach;
        max[b + axis] = centre + reach;
      }
    }
    const parent = tree[node]!;
    if (parent < 0) continue;
    const to = parent * 3;
    for (let axis = 0; axis < 3; axis++) {
      if (min[b + axis]! < min[to + axis]!) min[to + axis] = min[b + axis]!;
      if (max[b + axis]! > max[to + axis]!) max[to + axis] = max[b + axis]!;
    }
  }
}

function measure(name: TreeName): void {
  const created = treeOf(name);
  const order = levelOrder(created);
  const places = new Int32Array(order.length);
  order.forEach((node, place) => {
    places[node] = place;
  });
  const tree = order.map((node) => (created[node]! < 0 ? -1 : places[created[node]!]!));
  const { length } = tree;
  const { world, nodes, inner } = createBoxes(tree);
  const matrices = new Float32Array(length * 16);
  nodes.forEach((node, at) => {
    matrices.set(get(world, node, World3D)!.matrix, at * 16);
  });
  const hand = createHandBoxes(tree, matrices, inner);
  hand.run();
  proveEqual([
    {
      name: "hand-written",
      checksum: () => checksumOf(inner.length, (at) => hand.boxes.max[inner[at]! * 3 + 1]!),
    },
    {
      name: "updateBounds",
      checksum: () =>
        checksumOf(inner.length, (at) => get(world, nodes[inner[at]!]!, WorldBounds3D)!.max[1]!),
    },
  ]);

  const dice = diceOf(length);
  const isInner = new Set(inner);
  const leaves = [...tree.keys()].filter((node) => !isInner.has(node));
  const moving = query(world, Local3D);
  const update = (): void => {
    updateBounds(world);
  };
  const moveAll = (): void => {
    const by = dice(9) - 4;
    eachRun(
      moving,
      (run) => {
        const { position } = run.columns(Local3D);
        for (let row = run.first; row < run.end; row++) position[row * 3] = by;
      },
      { writes: [Local3D] },
    );
    propagate(world);
  };
  const some = (list: ArrayLike<number>) => (): void => {
    for (let at = 0; at < list.length / 100; at++)
      set(world, nodes[list[dice(list.length)]!]!, Local3D, { position: [dice(9) - 4, 2, 3] });
    propagate(world);
  };
  const all = Int32Array.from(tree.keys());
  const spawned: Entity[] = [];
  const spawnOne = (): void => {
    const parent = nodes[inner[dice(inner.length)]!]!;
    spawned.push(spawn(world, Local3D, World3D, Bounds3D, ChildOf(parent)));
    propagate(world);
  };
  const destroyOne = (): void => {
    spawnOne();
    updateBounds(world);
    destroy(world, spawned.pop()!);
  };
  const contestants = [
    { name: "all, hand-written", run: hand.run },
    { name: "all moved", run: update, before: moveAll },
    { name: "a random 1 % moved, and what is below", run: update, before: some(all) },
    { name: "1 % of the leaves moved", run: update, before: some(leaves) },
    { name: "one spawned", run: update, before: spawnOne },
    { name: "one destroyed", run: update, before: destroyOne },
    {
      name: "nothing moved",
      run: () => {
        for (let call = 0; call < IDLE_CALLS; call++) updateBounds(world);
      },
    },
  ];
  const timings = interleave(contestants, PACE);
  const idle = timings.pop()!;
  printTable(
    `Tree ${name}, ${length.toLocaleString("en")} nodes, ${inner.length.toLocaleString("en")} of them with boxes, around cubes at the leaves. Without propagate. Ratios against the hand-written loop.`,
    [
      ...timings.map((timing, at) => ({
        row: contestants[at]!.name,
        measured: nanosecondsAndLow(timing, length, "node"),
        ratio: ratioOf(timing, timings[0]!),
      })),
      {
        row: "nothing moved",
        measured: nanosecondsAndLow(idle, IDLE_CALLS, "call"),
        goal: atMost(1_000, "ns", (idle.median * 1e6) / IDLE_CALLS),
      },
    ],
  );
}
