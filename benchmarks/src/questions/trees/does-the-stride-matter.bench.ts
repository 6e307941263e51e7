// Which layout of 4x4 matrices is fastest (`LAYOUTS`): reparents, tags and a cascade, by stride and number of lanes.
import {
  add,
  ChildOf,
  createWorld,
  type Entity,
  get,
  type Memory,
  parentOf,
  plainMemory,
  remove,
  spawn,
  tag,
} from "@treeline/core";
import { diceOf } from "../../fixtures/dice.ts";
import { createHandScaffold, createScaffold, LocalLanes, LocalMatrix } from "../../fixtures/matrices.ts";
import { moverOf, planMoves } from "../../fixtures/moves.ts";
import { treeOf } from "../../fixtures/trees.ts";
import { type Contestant, interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

const ROWS = 100_000;
const PARENTS = 1_000;
const MOVES = 5_000;
const Moved = tag("Moved");

const powerOf2 = (capacity: number): number => 2 ** Math.ceil(Math.log2(Math.max(capacity, 16)));

interface Layout {
  readonly name: string;
  readonly form: "lanes" | "matrix";
  readonly memory: () => Memory;
}

const LAYOUTS: readonly Layout[] = [
  { name: "16 lanes, stride as shipped", form: "lanes", memory: plainMemory },
  {
    name: "16 lanes, stride a power of two",
    form: "lanes",
    memory: () => ({ ...plainMemory(), strideOf: powerOf2 }),
  },
  {
    name: "16 lanes, stride a power of two plus 16",
    form: "lanes",
    memory: () => ({ ...plainMemory(), strideOf: (capacity) => powerOf2(capacity) + 16 }),
  },
  { name: "one lane of array(f32, 16)", form: "matrix", memory: plainMemory },
];

/** 100,000 rows of one matrix each under 1,000 parents, to be moved. */
interface Store {
  readonly reparent: () => void;
  /** Adds a tag to the next children and removes it: two copies per child, to other columns and back. */
  readonly tagAndUntag: () => void;
  readonly checksum: () => number;
}

const moves = planMoves(ROWS, PARENTS, diceOf(3));

function stock({ form, memory }: Layout): Store {
  const world = createWorld({ memory: memory() });
  const parents = Array.from({ length: PARENTS }, () => spawn(world));
  const numberOf = new Map(parents.map((parent, number) => [parent, number]));
  const children = Array.from({ length: ROWS }, (_, at) => {
    const matrix = form === "lanes" ? LocalLanes({ m0: at, m15: 1 }) : LocalMatrix({ m: sixteen(at) });
    return spawn(world, matrix, ChildOf(parents[at % PARENTS]!));
  });
  const numberAt = (child: Entity): number => {
    if (form === "matrix")
      return get(world, child, LocalMatrix)!.m[0]! + 3 * get(world, child, LocalMatrix)!.m[15]!;
    const { m0, m15 } = get(world, child, LocalLanes)!;
    return m0 + 3 * m15;
  };
  const inOrder = Array.from(moves.children, (child) => children[child]!);
  const reparent = moverOf(moves, (at, parent) => add(world, inOrder[at]!, ChildOf(parents[parent]!)));
  const mark = moverOf(moves, (at) => add(world, inOrder[at]!, Moved));
  const unmark = moverOf(moves, (at) => remove(world, inOrder[at]!, Moved));
  return {
    reparent: () => reparent(MOVES),
    tagAndUntag: () => {
      mark(MOVES);
      unmark(MOVES);
    },
    checksum: () =>
      checksumOf(ROWS, (at) => {
        const child = children[at]!;
        return numberAt(child) + 5 * numberOf.get(parentOf(world, child)!)!;
      }),
  };
}

/** The values of LocalLanes({ m0: first, m15: 1 }). */
function sixteen(first: number): number[] {
  return Array.from({ length: 16 }, (_, at) => (at === 0 ? first : at === 15 ? 1 : 0));
}

const stores = LAYOUTS.map((layout) => ({ ...layout, ...stock(layout) }));
proveEqual(
  stores.map(({ name, reparent, tagAndUntag, checksum }) => ({
    name,
    checksum: () => {
      reparent();
      tagAndUntag();
      return checksum();
    },
  })),
);
const reparents = interleave(stores.map(({ name, reparent }): Contestant => ({ name, run: reparent })));
const tags = interleave(stores.map(({ name, tagAndUntag }): Contestant => ({ name, run: tagAndUntag })));

const tree = treeOf("a");
const scaffolds = LAYOUTS.map(({ name, form, memory }) => ({
  name,
  ...createScaffold(tree, form, memory()),
}));
const hand = { name: "hand-written loop over one array of matrices", ...createHandScaffold(tree) };
proveEqual(
  [...scaffolds, hand].map(({ name, place, checksum }) => ({
    name,
    checksum: () => {
      place();
      return checksum();
    },
  })),
);
const places = interleave(
  [...scaffolds, hand].map(({ name, place }): Contestant => ({ name, run: place })),
  { calls: 4 },
);

/** The first layout is the base of the ratios. */
function rowsOf(work: string, timings: readonly Timing[], pieces: number, piece: string): Row[] {
  return timings.map((timing, at) => ({
    row: `${work}: ${(LAYOUTS[at] ?? hand).name}`,
    measured: nanoseconds(timing, pieces, piece),
    ratio: ratioOf(timing, timings[0]!),
  }));
}

printTable(
  "Rows of one 4 x 4 matrix copied inside one set of columns (reparents in random order) and between two (tag added " +
    "and removed), 100,000 rows; and the cascade of tree a with such matrices. Ratios against the shipped layout.",
  [
    ...rowsOf("reparent", reparents, MOVES, "row"),
    ...rowsOf("tag and untag", tags, 2 * MOVES, "row"),
    ...rowsOf("cascade", places, tree.length, "node"),
  ],
);
