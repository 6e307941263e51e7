// W2: iterating the rows of W1 as children of up to 50,000 parents, in several orders (`TARGETS`).
import {
  CHILDREN,
  type Crowd,
  checksumOfPositions,
  gather,
  moveByRuns,
  moveHandWritten,
  type Order,
  onlyRunOf,
  runsOf,
} from "../../fixtures/crowd.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";

printQuestion(import.meta.url);

/** Times the cost with one parent. In block order there is no target. */
const TARGETS: readonly (readonly [order: Order, limit: number | undefined])[] = [
  ["block", undefined],
  ["random", 2.2],
  ["packed", 1.2],
  ["frayed", 1.5],
];
const WORDS: Readonly<Record<Order, string>> = {
  block: "created parent by parent",
  random: "created in random order",
  packed: "packed",
  frayed: "1,000 random reparents after packing",
};

interface Field {
  readonly parents: number;
  readonly order: Order;
  readonly limit: number | undefined;
  readonly crowd: Crowd;
}

const single = gather(1, "block");
const fields = [1_000, 10_000, 50_000].flatMap((parents) =>
  TARGETS.map(([order, limit]): Field => ({ parents, order, limit, crowd: gather(parents, order) })),
);

proveEqual(
  [single, ...fields.map(({ crowd }) => crowd)].map((crowd, at) => ({
    name: `crowd ${at}`,
    checksum: () => {
      moveByRuns(crowd);
      return checksumOfPositions(crowd);
    },
  })),
);

const only = onlyRunOf(single);
const contestants: Contestant[] = [
  { name: "loop", run: () => moveHandWritten(only) },
  { name: "1 parent", run: () => moveByRuns(single) },
  ...fields.map(({ crowd }, at) => ({ name: `crowd ${at}`, run: () => moveByRuns(crowd) })),
];
const [loop, base, ...others] = interleave(contestants);

const rowOf = ({ parents, order, limit, crowd }: Field, at: number): Row => {
  const timing = others[at]!;
  const ratio = ratioOf(timing, base!);
  const runs = runsOf(crowd);
  const words = runs === 1 ? "1 run" : `${runs.toLocaleString("en")} runs`;
  return {
    row: `${parents.toLocaleString("en")} parents, ${WORDS[order]} (${words})`,
    measured: nanoseconds(timing, CHILDREN, "row"),
    ratio,
    ...(limit === undefined ? {} : { goal: atMost(limit, "x", ratio) }),
  };
};

printTable(
  "W2: the 100,000 rows of W1 as children of more and more parents. Ratios against one parent. " +
    "Flecs 4.1.6 in C: 225 x for 50,000 parents.",
  [
    {
      row: "hand-written loop, 1 parent",
      measured: nanoseconds(loop!, CHILDREN, "row"),
      ratio: ratioOf(loop!, base!),
    },
    { row: "1 parent (1 run)", measured: nanoseconds(base!, CHILDREN, "row"), ratio: 1 },
    ...fields.map(rowOf),
  ],
);
