// Transforms of four `TREES`: all, some, nothing moved; beside a hand-written loop and three.js; `reparentInPlace`.
import { add, ChildOf, type Entity, set, spawn } from "@treeline/core";
import { Local3D, propagate, reparentInPlace, World3D, worldOf } from "@treeline/transform/3d";
import { diceOf } from "../../fixtures/dice.ts";
import { createObjects } from "../../fixtures/objects.ts";
import { createHandMovers, createMovers, type Movers } from "../../fixtures/transforms.ts";
import { levelOrder, type TreeName, treeOf } from "../../fixtures/trees.ts";
import { interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atLeast, atMost, nanosecondsAndLow, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

/** With how many times as fast as three.js all is to be computed. */
const TREES: readonly (readonly [name: TreeName, timesFaster: number])[] = [
  ["a", 7],
  ["b", 12],
  ["c", 12],
  ["d", 5],
];
const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 1, warmUp: 3 };
const IDLE_CALLS = 1_000;
/** What may be taken in addition to the nodes that must be computed: half as long, and a hundredth of the whole. */
const EXTRA = { factor: 1.5, share: 0.01 };

printQuestion(import.meta.url);
for (const [name, timesFaster] of TREES) measure(name, timesFaster);
measureMoves();

/** The same tree, with nodes numbered level by level. */
function byLevels(tree: Int32Array): Int32Array {
  const order = levelOrder(tree);
  const places = new Int32Array(tree.length);
  order.forEach((node, place) => {
    places[node] = place;
  });
  return order.map((node) => (tree[node]! < 0 ? -1 : places[tree[node]!]!));
}

function measure(name: TreeName, timesFaster: number): void {
  const created = treeOf(name);
  const tree = byLevels(created);
  const { length } = tree;
  const hand = createHandMovers(tree);
  const packed = createMovers(tree, true);
  const asCreated = createMovers(created, false);
  const objects = createObjects(created, true);
  hand.run();
  objects.place();
  proveEqual([
    { name: "hand-written", checksum: hand.checksum },
    { name: "packed", checksum: packed.checksum },
  ]);
  proveEqual([
    { name: "as created", checksum: asCreated.checksum },
    { name: "three.js", checksum: objects.checksum },
  ]);

  const isInner = new Uint8Array(length);
  for (const parent of tree) if (parent >= 0) isInner[parent] = 1;
  const leaves = [...tree.keys()].filter((node) => isInner[node] === 0);
  const dice = diceOf(length);
  const some = (count: number, node: () => number) => (): void => {
    for (let at = 0; at < count; at++) packed.move(node());
  };
  const run =
    ({ world }: Movers) =>
    (): void => {
      propagate(world);
    };
  const moves: readonly [string, () => void][] = [
    ["a random 1 % moved", some(length / 100, () => dice(length))],
    ["1 % of the leaves moved", some(leaves.length / 100, () => leaves[dice(leaves.length)]!)],
    ["the first root moved", () => packed.move(0)],
  ];
  const timings = interleave(
    [
      { name: "hand-written, sorted by level", run: hand.run },
      { name: "all moved, packed", run: run(packed), before: packed.moveAll },
      { name: "three.js", run: objects.place },
      { name: "all moved, as created", run: run(asCreated), before: asCreated.moveAll },
      ...moves.map(([what, before]) => ({ name: what, run: run(packed), before })),
      {
        name: "nothing moved",
        run: () => {
          for (let call = 0; call < IDLE_CALLS; call++) propagate(packed.world);
        },
      },
    ],
    PACE,
  );
  const [base, whole, others, unpacked, ...rest] = timings;
  const idle = rest.pop()!;
  // How many nodes such moves make the package compute; a naive count would be the same, see its tests.
  const shares = moves.map(([, before]) => {
    before();
    return propagate(packed.world) / length;
  });
  const faster = ratioOf(others!, whole!);
  const most = (share: number): number => EXTRA.factor * share + EXTRA.share;
  printTable(
    `Tree ${name}, ${length.toLocaleString("en")} nodes. Ratios against the hand-written loop, and below the line of the packed tree against that.`,
    [
      { row: "hand-written, sorted by level", measured: nanosecondsAndLow(base!, length, "node") },
      {
        row: "all moved, packed",
        measured: nanosecondsAndLow(whole!, length, "node"),
        ratio: ratioOf(whole!, base!),
        goal: atMost(1.3, "x", ratioOf(whole!, base!)),
      },
      {
        row: "three.js updateMatrixWorld(true), against packed",
        measured: nanosecondsAndLow(others!, length, "node"),
        ratio: faster,
        goal: atLeast(timesFaster, "x", faster),
      },
      {
        row: "all moved, as created",
        measured: nanosecondsAndLow(unpacked!, length, "node"),
        ratio: ratioOf(unpacked!, base!),
      },
      ...moves.map(([what], at) => ({
        row: `${what}: ${(shares[at]! * 100).toFixed(1)} % to compute`,
        measured: nanosecondsAndLow(rest[at]!, length, "node"),
        ratio: ratioOf(rest[at]!, whole!),
        goal: atMost(Number(most(shares[at]!).toFixed(3)), "x", ratioOf(rest[at]!, whole!)),
      })),
      {
        row: "nothing moved",
        measured: nanosecondsAndLow(idle, IDLE_CALLS, "call"),
        goal: atMost(1_000, "ns", (idle.median * 1e6) / IDLE_CALLS),
      },
    ],
  );
}

/** Entities that go to and fro between two parents, at depth 4; beside what this consists of. */
function measureMoves(): void {
  const COUNT = 1_000;
  const { world, nodes } = createMovers(treeOf("small"), true);
  const parents = [nodes[200]!, nodes[900]!];
  const moved = Array.from({ length: COUNT }, () => spawn(world, Local3D, World3D, ChildOf(parents[0]!)));
  const matrix = new Float64Array(16);
  const position = [1, 2, 3];
  let side = 0;
  const forEach =
    (call: (entity: Entity, parent: Entity) => void): (() => void) =>
    () => {
      side = 1 - side;
      for (const entity of moved) call(entity, parents[side]!);
    };
  const contestants = [
    { name: "reparentInPlace", run: forEach((entity, parent) => reparentInPlace(world, entity, parent)) },
    { name: "the move alone", run: forEach((entity, parent) => add(world, entity, ChildOf(parent))) },
    { name: "worldOf alone", run: forEach((entity) => worldOf(world, entity, matrix)) },
    { name: "set alone", run: forEach((entity) => set(world, entity, Local3D, { position })) },
  ];
  const timings = interleave(contestants, { ...PACE, calls: 4 });
  printTable(
    "Entities that keep their place at depth 4, without observers. Ratios against the move alone.",
    contestants.map(({ name }, at) => ({
      row: name,
      measured: nanosecondsAndLow(timings[at]!, COUNT, "entity"),
      ratio: ratioOf(timings[at]!, timings[1]!),
      ...(at === 0 && { goal: atMost(600, "ns", (timings[at]!.median * 1e6) / COUNT) }),
    })),
  );
}
