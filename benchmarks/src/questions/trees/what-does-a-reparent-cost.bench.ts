// W6: `MOVES` of children to random parents, without queries and with 50, against sibling links (`createSiblingLinks`).
import { add, ChildOf, type Entity, parentOf } from "@treeline/core";
import { CHILDREN, type Crowd, gather } from "../../fixtures/crowd.ts";
import { diceOf } from "../../fixtures/dice.ts";
import { makeFiftyQueries } from "../../fixtures/fifty-queries.ts";
import { moverOf, planMoves } from "../../fixtures/moves.ts";
import { createSiblingLinks, distribute, moveChild } from "../../fixtures/sibling-links.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { checksumOf, proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const PARENTS = 1_000;
/** Moves in one sample, some tenths of a millisecond. */
const MOVES = 2_000;
/** Moves before measuring: until then slices of the tables reach their sizes. */
const WARM_MOVES = 300_000;

const moves = planMoves(CHILDREN, PARENTS, diceOf(11));

/** A program that moves children between parents. */
interface Mover {
  readonly name: string;
  readonly move: (count: number) => void;
  /** Child -> number of its parent. */
  readonly parentAt: (child: number) => number;
}

function moverIn(name: string, { world, parents, children }: Crowd): Mover {
  const numbers = new Map<Entity | undefined, number>(parents.map((parent, number) => [parent, number]));
  const inOrder = Array.from(moves.children, (child) => children[child]!);
  return {
    name,
    move: moverOf(moves, (at, parent) => add(world, inOrder[at]!, ChildOf(parents[parent]!))),
    parentAt: (child) => numbers.get(parentOf(world, children[child]!)) ?? -1,
  };
}

const quiet = gather(PARENTS, "block");
const queried = gather(PARENTS, "block");
makeFiftyQueries(queried.world);
const links = createSiblingLinks(PARENTS, CHILDREN);
distribute(links, PARENTS);

const movers = [
  {
    name: "links",
    move: moverOf(moves, (at, parent) => moveChild(links, moves.children[at]!, parent)),
    parentAt: (child: number) => links.parent[child]!,
  },
  moverIn("no queries", quiet),
  moverIn("50 queries", queried),
] as const satisfies readonly Mover[];

proveEqual(
  movers.map(({ name, move, parentAt }) => ({
    name,
    checksum: () => {
      move(WARM_MOVES);
      return checksumOf(CHILDREN, parentAt);
    },
  })),
);

const [handWritten, none, fifty] = interleave(
  [
    { name: "links", run: () => movers[0].move(MOVES) },
    { name: "no queries", run: () => movers[1].move(MOVES) },
    { name: "50 queries", run: () => movers[2].move(MOVES) },
  ],
  { rounds: fullOrQuick(60, 12) },
);

const rowOf = (row: string, timing: Timing): Row => ({
  row,
  measured: nanosecondsAndLow(timing, MOVES, "move"),
  ratio: ratioOf(timing, none),
});
const rowWithTarget200 = (row: string, timing: Timing): Row => ({
  ...rowOf(row, timing),
  goal: atMost(200, "ns", (timing.median * 1e6) / MOVES),
});
printTable(
  "W6: one of 100,000 children, in shuffled order, goes below a random one of 1,000 parents that have children. " +
    "Ratios against no queries.",
  [
    rowOf("hand-written sibling links in arrays: no rows, no checks", handWritten),
    rowWithTarget200("no queries", none),
    rowWithTarget200("50 queries", fifty),
  ],
);
