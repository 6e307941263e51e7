// Adding `DisabledTree` to the root of a large tree and removing it, in both storages (`disabling`).
import { disabling } from "../../comparison/contestants/treeline/own.ts";
import { WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { STORAGES } from "../../fixtures/storages.ts";
import { printQuestion } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { measureSubjects, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const { cells, pieces, piece } = WORKLOADS.disable;
const players = STORAGES.flatMap(({ name, below }) =>
  cells.map((given) => ({ row: `${name}, ${given.step}`, given, subject: disabling(below, given) })),
);

for (const { step } of cells) proveSubjects(players.filter(({ given }) => given.step === step));
measureSubjects(players, {
  key: "disable",
  note: "1,000 parents with 100 children each below one root, which gains or loses DisabledTree. Ratios against the first row.",
  pieces: pieces(cells[0]!),
  piece,
  limit: 3,
  pace: { rounds: fullOrQuick(15, 4), time: 0, calls: 2, warmUp: 2 },
});
