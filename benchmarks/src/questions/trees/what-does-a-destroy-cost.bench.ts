// W7: destroying whole trees (`TREES`), by growth order, queries and storage (`WAYS`), against hand-written (`destroyHandWritten`).
import { type Entity, isAlive } from "@treeline/core";
import { destroy, dispose } from "@treeline/query";
import { Local } from "../../fixtures/components.ts";
import { diceOf } from "../../fixtures/dice.ts";
import { makeFiftyQueries } from "../../fixtures/fifty-queries.ts";
import { type Grove, type Growth, plant } from "../../fixtures/grove.ts";
import { append, createSiblingLinks, type SiblingLinks, unlink } from "../../fixtures/sibling-links.ts";
import { STORAGES, type Storage } from "../../fixtures/storages.ts";
import { type TreeName, treeOf } from "../../fixtures/trees.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { checksumOf, proveEqual, type Witness } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const TREES: readonly (readonly [name: TreeName, words: string, limit: number])[] = [
  ["a", "10-ary", 120],
  ["b", "binary", 120],
  ["c", "chains of 1,000", 65],
  ["c2", "chains of 100", 150],
  ["d", "100,000 under one", 20],
];
const RANDOM_LIMIT = 900;
const PACE = { rounds: fullOrQuick(7, 2), time: 0, calls: 1, warmUp: 1 };
/** For the proof: this many nodes are destroyed with what is below them. */
const VICTIMS = 20;

const GROWTHS = ["in order", "in random order"] as const satisfies readonly Growth[];
const QUERIES = [0, 50] as const;

/** One way to create the tree that will be destroyed. */
interface Way {
  readonly growth: Growth;
  readonly queries: (typeof QUERIES)[number];
  readonly storage: Storage;
}

const WAYS = STORAGES.flatMap((storage) =>
  GROWTHS.flatMap((growth) => QUERIES.map((queries): Way => ({ growth, queries, storage }))),
);

function grow(tree: Int32Array, { growth, queries, storage }: Way): Grove {
  const grove = plant(tree, growth, storage.below);
  dispose(grove.placing); // the only query
  if (queries === 50) makeFiftyQueries(grove.world, Local);
  return grove;
}

function rootsOf(tree: Int32Array): number[] {
  return [...tree.keys()].filter((node) => tree[node]! < 0);
}

/** Nodes as numbers with lists of siblings and generations; destroyed nodes are added to a free list. */
interface HandGrove {
  readonly links: SiblingLinks;
  readonly generations: Int32Array;
  readonly free: Int32Array;
  freed: number;
}

function growHandWritten(tree: Int32Array): HandGrove {
  const { length } = tree;
  const links = createSiblingLinks(length, length);
  tree.forEach((parent, node) => {
    if (parent >= 0) append(links, node, parent);
  });
  return { links, generations: new Int32Array(length), free: new Int32Array(length), freed: 0 };
}

/** The lower bound: nodes that were destroyed before are skipped. */
function destroyHandWritten(grove: HandGrove, victim: number): void {
  const { links, generations, free } = grove;
  if (generations[victim] !== 0) return;
  if (links.parent[victim]! >= 0) unlink(links, victim);
  const { last, before } = links;
  let { freed } = grove;
  /** The free list is also the queue: the children of its nodes are read later. */
  let next = freed;
  free[freed++] = victim;
  while (next < freed) {
    const node = free[next++]!;
    generations[node]!++;
    for (let child = last[node]!; child >= 0; child = before[child]!) free[freed++] = child;
  }
  grove.freed = freed;
}

/** Destroys a few nodes in the middle of the tree, and sums up the remaining ones. */
function proofs(tree: Int32Array): Witness[] {
  const dice = diceOf(tree.length);
  const victims = Array.from({ length: VICTIMS }, () => dice(tree.length));
  const handWritten = (): number => {
    const grove = growHandWritten(tree);
    for (const victim of victims) destroyHandWritten(grove, victim);
    return checksumOf(tree.length, (node) => (grove.generations[node] === 0 ? node : 0));
  };
  const here = (way: Way): number => {
    const { world, nodes } = grow(tree, way);
    for (const victim of victims) destroy(world, nodes[victim]!);
    return checksumOf(tree.length, (node) => (isAlive(world, nodes[node]!) ? node : 0));
  };
  return [
    { name: "hand-written", checksum: handWritten },
    ...WAYS.map((way, at) => ({ name: `way ${at}`, checksum: () => here(way) })),
  ];
}

function measure([name, words, limit]: (typeof TREES)[number]): Row[] {
  const tree = treeOf(name);
  const roots = rootsOf(tree);
  proveEqual(proofs(tree));

  let hand: HandGrove;
  const contestants = WAYS.map((way, at): Contestant => {
    let grove: Grove;
    let doomed: Entity[];
    return {
      name: `way ${at}`,
      before: () => {
        grove = grow(tree, way);
        doomed = roots.map((root) => grove.nodes[root]!);
      },
      run: () => {
        for (const root of doomed) destroy(grove.world, root);
      },
    };
  });
  const [handWritten, ...timings] = interleave(
    [
      {
        name: "hand-written",
        before: () => {
          hand = growHandWritten(tree);
        },
        run: () => {
          for (const root of roots) destroyHandWritten(hand, root);
        },
      },
      ...contestants,
    ],
    PACE,
  );
  const base = timings[0]!;
  return [
    {
      row: `${name}: ${words}, hand-written: sibling links and generations`,
      measured: nanosecondsAndLow(handWritten!, tree.length, "node"),
      ratio: ratioOf(handWritten!, base),
    },
    ...WAYS.map(({ growth, queries, storage }, at): Row => {
      const timing = timings[at]!;
      const most = growth === "in order" ? limit : RANDOM_LIMIT;
      const row: Row = {
        row: `${name}: ${storage.name}, created ${growth}, ${queries === 0 ? "no" : queries} queries`,
        measured: nanosecondsAndLow(timing, tree.length, "node"),
        ratio: ratioOf(timing, base),
      };
      if (storage.name !== "ChildOf") return row;
      return { ...row, goal: atMost(most, "ns", (timing.median * 1e6) / tree.length) };
    }),
  ];
}

printTable(
  "W7: destroys the roots of the trees of W4, each time in a fresh world. Ratios against ChildOf, created in order, no " +
    "queries. Flecs 4.1.6 in C, created in order: 197, 1,876, 1,821, 1,883 and 10.1 ns a node; with one query 239, " +
    "2,163, 2,271, 2,273 and 10.4.",
  TREES.flatMap(measure),
);
