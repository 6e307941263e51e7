import { ChildOf, Parent } from "@treeline/core";
import { manyIn } from "../../comparison/contestants/treeline/many.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { piecesOf, WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { printQuestion } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { measureSubjects, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const STORAGES = [
  { name: "ChildOf", below: ChildOf },
  { name: "Parent", below: Parent },
];
const PACE = { rounds: fullOrQuick(9, 3), time: 0, calls: 1, warmUp: 2 };

/** The limits: nanoseconds with ChildOf and with Parent. */
const QUESTIONS = [
  { name: "spawnRows", given: { parents: 1_000 }, limits: [20, 20] },
  { name: "nameMany", given: { children: "spawned" }, limits: [120, 120] },
  { name: "nameMany", given: { children: "existing" }, limits: [150, 150] },
  { name: "reparentMany", given: { order: "few" }, limits: [60, 30] },
  { name: "destroyMany", given: { tree: "leaves" }, limits: [40, 40] },
] as const;

for (const { name, given, limits } of QUESTIONS) {
  const { number, does, piece } = WORKLOADS[name];
  const words = name === "nameMany" ? `, ${given.children}` : "";
  const players = STORAGES.map(({ name: storage, below }, at) => {
    const make = manyIn(below)[name] as (given: unknown) => Subject;
    return { row: `${name}${words}, ${storage}`, subject: make(given), limit: limits[at]! };
  });
  proveSubjects(players);
  measureSubjects(players, {
    key: `many-${name}${words.replace(", ", "-")}`,
    note: `${number}: ${does}. Ratios against the first row.`,
    pieces: piecesOf(name, given),
    piece,
    pace: name === "reparentMany" ? { ...PACE, rounds: fullOrQuick(50, 5), warmUp: 40 } : PACE,
  });
}
