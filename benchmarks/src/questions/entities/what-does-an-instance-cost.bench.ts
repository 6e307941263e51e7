// Deep clones of a template with names, in both storages (`prefabs`), by warm code.
import { prefabs } from "../../comparison/contestants/treeline/own.ts";
import { WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { STORAGES } from "../../fixtures/storages.ts";
import { printQuestion } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { measureSubjects, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const { cells, pieces, piece } = WORKLOADS.prefabs;
const given = cells[0]!;
const players = STORAGES.map(({ name, below }) => ({ row: name, subject: prefabs(below, given) }));

proveSubjects(players);
measureSubjects(players, {
  key: "prefabs",
  note:
    "1,000 deep clones of a template of 13 parts with names, Position and Velocity, each time in a fresh world, by warm code. Ratios " +
    "against ChildOf. The first clones of a process are rows of `how-fast-is-a-fresh-process`, copies without names are W14 of the comparison.",
  pieces: pieces(given),
  piece,
  limit: 300,
  pace: { rounds: fullOrQuick(15, 4), time: 0, calls: 2, warmUp: 4 },
});
