// W15: components on and off and values by handle (`LIMITS`), W16: a loop, each with sparse components and in tables.
import { storedIn } from "../../comparison/contestants/treeline/storages.ts";
import type { Subject } from "../../comparison/workloads/subject.ts";
import { type Given, piecesOf, WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { printQuestion } from "../../measure/report.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { measureSubjects, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const STORAGES = ["sparse", "table"] as const;
const WORDS = {
  pair: "component of two fields on and off",
  get: "read by field",
  put: "write by field",
} as const;
const ORDERS = { creation: "in order", shuffled: "at random" } as const;
const PACE = { rounds: fullOrQuick(25, 6), time: 0, calls: 2, warmUp: 3 };

/** Nanoseconds, in order and at random; tables are measured beside them. */
const LIMITS = {
  pair: { sparse: [16, undefined], table: [undefined, undefined] },
  get: { sparse: [6, 10], table: [9, undefined] },
  put: { sparse: [6, 10], table: [8, undefined] },
} as const;

type Player = Parameters<typeof measureSubjects>[0][number];

/** These functions return no promise. */
const made = (subject: unknown): Subject => subject as Subject;

for (const operation of ["pair", "get", "put"] as const) {
  const players = (["creation", "shuffled"] as const).flatMap((order, at) =>
    STORAGES.map((storage): Player => {
      const given: Given<"handles"> = { operation, order };
      const limit = LIMITS[operation][storage][at];
      return {
        row: `${WORDS[operation]}, ${ORDERS[order]}: ${storage}`,
        subject: made(storedIn(storage).handles!(given)),
        ...(limit === undefined ? {} : { limit }),
      };
    }),
  );
  for (const some of [players.slice(0, 2), players.slice(2)]) proveSubjects(some);
  measureSubjects(players, {
    key: `sparse-${operation}`,
    note: `W15: ${WORDS[operation]}, for 100,000 entities by their handles. Ratios against the first row.`,
    pieces: piecesOf("handles", { operation, order: "creation" }),
    piece: WORKLOADS.handles.piece,
    pace: PACE,
  });
}

const loops = STORAGES.map((storage): Player => {
  return {
    row: storage === "sparse" ? "each, two sparse components" : "a kernel of runs, two components in tables",
    subject: made(storedIn(storage).cut!({ without: "none" })),
    ...(storage === "sparse" ? { limit: 2 } : {}),
  };
});
proveSubjects(loops);
measureSubjects(loops, {
  key: "sparse-loop",
  note: "W16: position += velocity for 100,000 entities. Ratios against the first row.",
  pieces: piecesOf("cut", { without: "none" }),
  piece: WORKLOADS.cut.piece,
  pace: { ...PACE, warmUp: 40 },
});
