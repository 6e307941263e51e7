// W17 to W20: rows by columns, names, moves and destructions of a list in one call (`QUESTIONS`), in both storages of parents.
import { ChildOf, Parent } from "@treeline/core";
import { changesIn } from "../../comparison/contestants/treeline/changes.ts";
import type { Below } from "../../comparison/contestants/treeline/loops.ts";
import { manyIn, namingIn } from "../../comparison/contestants/treeline/many.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { piecesOf, WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { printQuestion } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { measureSubjects, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const STORAGES: readonly { readonly name: string; readonly below: Below }[] = [
  { name: "ChildOf", below: ChildOf },
  { name: "Parent", below: Parent },
];
const PACE = { rounds: fullOrQuick(9, 3), time: 0, calls: 1, warmUp: 2 };
const SHORT = { ...PACE, rounds: fullOrQuick(50, 5), warmUp: 40 };

/** At once and one by one; the limits are nanoseconds with ChildOf and with Parent. None of these functions returns a promise. */
const QUESTIONS = [
  {
    name: "spawnRows",
    given: { parents: 1_000 },
    limits: [20, 20],
    oneByOne: (below: Below) => changesIn(below).spawn!({ parents: 1_000 }) as Subject,
    pace: PACE,
  },
  {
    name: "nameMany",
    given: { children: "spawned" },
    limits: [120, 120],
    oneByOne: (below: Below) => namingIn(below, { children: "spawned" }, true),
    pace: PACE,
  },
  {
    name: "nameMany",
    given: { children: "existing" },
    limits: [150, 150],
    oneByOne: (below: Below) => namingIn(below, { children: "existing" }, true),
    pace: PACE,
  },
  {
    name: "reparentMany",
    given: { order: "few" },
    limits: [60, 30],
    oneByOne: (below: Below) => changesIn(below).reparent!({ order: "few" }) as Subject,
    pace: SHORT,
  },
  {
    name: "destroyMany",
    given: { tree: "leaves" },
    limits: [40, 40],
    oneByOne: (below: Below) => changesIn(below).destroy!({ tree: "leaves" }) as Subject,
    pace: PACE,
  },
] as const;

for (const { name, given, limits, oneByOne, pace } of QUESTIONS) {
  const { number, does, piece } = WORKLOADS[name];
  const words = name === "nameMany" ? `, ${given.children}` : "";
  const players = STORAGES.flatMap(({ name: storage, below }, at) => {
    const make = manyIn(below)[name] as (given: unknown) => Subject;
    return [
      { row: `one by one${words}, ${storage}`, subject: oneByOne(below) },
      { row: `${name}${words}, ${storage}`, subject: make(given), limit: limits[at]! },
    ];
  });
  proveSubjects(players);
  measureSubjects(players, {
    key: `many-${name}${words.replace(", ", "-")}`,
    note: `${number}: ${does}. Ratios against the first row.`,
    pieces: piecesOf(name, given),
    piece,
    pace,
  });
}
