// W1: `eachRun` over 100,000 rows against a loop over the same columns (`moveHandWritten`).
import {
  CHILDREN,
  checksumOfPositions,
  gather,
  moveByRuns,
  moveHandWritten,
  onlyRunOf,
} from "../../fixtures/crowd.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanoseconds, printQuestion, printTable } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

proveEqual([
  {
    name: "eachRun",
    checksum: () => {
      const crowd = gather(1, "block");
      moveByRuns(crowd);
      return checksumOfPositions(crowd);
    },
  },
  {
    name: "loop",
    checksum: () => {
      const crowd = gather(1, "block");
      moveHandWritten(onlyRunOf(crowd));
      return checksumOfPositions(crowd);
    },
  },
]);

const crowd = gather(1, "block");
const shared = onlyRunOf(crowd);
const own = { columns: shared.columns.map((column) => column.slice()), first: shared.first, end: shared.end };

const [loop, runs, ownLoop] = interleave(
  [
    { name: "loop over the same columns", run: () => moveHandWritten(shared) },
    { name: "eachRun", run: () => moveByRuns(crowd) },
    { name: "loop over separate arrays", run: () => moveHandWritten(own) },
  ],
  { rounds: fullOrQuick(80, 20) },
);

const costOf = (timing: Timing): string => nanoseconds(timing, CHILDREN, "row");
const ratio = ratioOf(runs, loop);
printTable("W1: `position += velocity` over 100,000 rows. Ratios against the loop over the same columns.", [
  { row: "hand-written loop over the same columns", measured: costOf(loop), ratio: 1 },
  { row: "eachRun, as in the README", measured: costOf(runs), ratio, goal: atMost(1.1, "x", ratio) },
  {
    row: "hand-written loop over separate arrays",
    measured: costOf(ownLoop),
    ratio: ratioOf(ownLoop, loop),
  },
]);
