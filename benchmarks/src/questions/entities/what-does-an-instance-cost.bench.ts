import { prefabs } from "../../comparison/contestants/treeline/own.ts";
import { WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { STORAGES } from "../../fixtures/storages.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { keepResults, resultOf } from "../../measure/results.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 2, warmUp: 4 };
const given = WORKLOADS.prefabs.cells[0]!;
const count = WORKLOADS.prefabs.pieces(given);

const players = STORAGES.map(({ name, below }) => ({ row: name, subject: prefabs(below, given) }));
proveEqual(
  players.map(({ row, subject }) => ({
    name: row,
    checksum: () => {
      subject.before?.();
      subject.run();
      return subject.checksum();
    },
  })),
);

const timings = interleave(
  players.map(
    ({ row, subject }): Contestant => ({
      name: row,
      before: () => {
        subject.before?.();
      },
      run: () => {
        subject.run();
      },
    }),
  ),
  PACE,
);

printTable(
  "1,000 deep clones of a template of 13 parts with names, Position and Velocity, each time in a fresh world, by code that is warm. Ratios " +
    "against ChildOf. The first clones of a process are rows of `how-fast-is-a-fresh-process`, copies without names are W14 of the contest.",
  players.map(
    ({ row }, at): Row => ({
      row,
      measured: nanosecondsAndLow(timings[at]!, count, "entity"),
      ratio: ratioOf(timings[at]!, timings[0]!),
      goal: atMost(300, "ns", (timings[at]!.median * 1e6) / count),
    }),
  ),
);
keepResults("prefabs", {
  prefabs: players.map(({ row }, at) =>
    resultOf(row, timings[at]!, count, ratioOf(timings[at]!, timings[0]!)),
  ),
});
