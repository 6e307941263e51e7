import { disabling } from "../../comparison/contestants/treeline/own.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { type Given, WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { STORAGES } from "../../fixtures/storages.ts";
import { type Contestant, interleave, ratioOf } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { keepResults, resultOf } from "../../measure/results.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const { cells, pieces } = WORKLOADS.disable;
const PACE = { rounds: fullOrQuick(15, 4), time: 0, calls: 2, warmUp: 2 };

interface Player {
  readonly row: string;
  readonly given: Given<"disable">;
  readonly subject: Subject;
}

const players = STORAGES.flatMap(({ name, below }) =>
  cells.map((given): Player => ({ row: `${name}, ${given.step}`, given, subject: disabling(below, given) })),
);

for (const { step } of cells) {
  proveEqual(
    players
      .filter(({ given }) => given.step === step)
      .map(({ row, subject }) => ({
        name: row,
        checksum: () => {
          subject.before?.();
          subject.run();
          return subject.checksum();
        },
      })),
  );
}

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
const count = pieces(cells[0]!);

printTable(
  "1,000 families of a parent and 100 children below one root, which gets DisabledTree or loses it. Ratios against the first row.",
  players.map(
    ({ row }, at): Row => ({
      row,
      measured: nanosecondsAndLow(timings[at]!, count, "row"),
      ratio: ratioOf(timings[at]!, timings[0]!),
      goal: atMost(3, "ns", (timings[at]!.median * 1e6) / count),
    }),
  ),
);
keepResults("disable", {
  disable: players.map(({ row }, at) =>
    resultOf(row, timings[at]!, count, ratioOf(timings[at]!, timings[0]!)),
  ),
});
