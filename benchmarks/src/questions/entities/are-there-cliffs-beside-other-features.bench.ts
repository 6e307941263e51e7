// Whether a reparent (`reparent`) or a short life (`churn`) gets slower in a world that uses one more feature (`LIMITS`).
import { beside } from "../../comparison/contestants/treeline/own.ts";
import type { BesideWork } from "../../comparison/workloads/own-workloads.ts";
import { type Given, WORKLOADS } from "../../comparison/workloads/workloads.ts";
import { interleave, ratioOf, type Timing } from "../../measure/interleave.ts";
import { atMost, nanosecondsAndLow, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { keepResults, type Result, resultOf } from "../../measure/results.ts";
import { fullOrQuick } from "../../measure/settings.ts";
import { contestantOf, proveSubjects } from "../../measure/subjects.ts";

printQuestion(import.meta.url);

const { cells, pieces } = WORKLOADS.beside;
/** Short turns, and many: worlds differ by chance by a few percent, which is the order of the effects that we look for. */
const PACE = { rounds: fullOrQuick(160, 40), time: 4, warmUp: 4 };
/** Runs before measuring: until then slices of the tables reach their sizes. */
const WARM_RUNS = 100;
const LIMITS = { reparent: 1.05, churn: 1.08 } as const;
/** For a reparent that is observed, and for one of a child with a name. */
const LIMIT_OBSERVED = 2.5;

const WORDS: { readonly [Neighbour in Given<"beside">["beside"]]: string } = {
  nothing: "nothing else in the world",
  "nothing again": "the same once more",
  "a Parent child": "beside one child by Parent",
  "a DisabledTree": "beside one DisabledTree",
  "an observer": "beside one observer of another tag",
  "an entityOf": "beside one entityOf",
  "two targets": "beside one entity with two targets of another relation",
  observed: "one observer of added: ChildOf",
  named: "the children have names",
};

/** All worlds exist before the first is measured, as in a program with several. */
const players = cells.map((given) => ({ row: given.beside, given, subject: beside(given) }));

function limitOf({ work, beside: what }: Given<"beside">): number | undefined {
  if (what === "nothing" || what === "nothing again") return undefined;
  return what === "observed" || what === "named" ? LIMIT_OBSERVED : LIMITS[work];
}

/** The mean of two equal worlds, so that the chance of neither counts. */
function middleOf(one: Timing, other: Timing): Timing {
  return { ...one, medians: one.medians.map((median, round) => Math.sqrt(median * other.medians[round]!)) };
}

function compete(work: BesideWork, piece: string, note: string): readonly Result[] {
  const inTurn = players.filter(({ given }) => given.work === work);
  proveSubjects(inTurn, WARM_RUNS);
  const timings = interleave(inTurn.map(contestantOf), PACE);
  const base = middleOf(
    timings[0]!,
    timings[inTurn.findIndex(({ given }) => given.beside === "nothing again")]!,
  );
  const count = pieces(inTurn[0]!.given);
  printTable(
    note,
    inTurn.map(({ given }, at): Row => {
      const ratio = ratioOf(timings[at]!, base);
      const limit = limitOf(given);
      return {
        row: WORDS[given.beside],
        measured: nanosecondsAndLow(timings[at]!, count, piece),
        ratio,
        ...(limit === undefined ? {} : { goal: atMost(limit, "x", ratio) }),
      };
    }),
  );
  return inTurn.map(({ given }, at) => {
    return resultOf(given.beside, timings[at]!, count, ratioOf(timings[at]!, base));
  });
}

const reparent = compete(
  "reparent",
  "move",
  "One of 10,000 children with Position and Velocity goes below another of 100 parents, by ChildOf, in worlds in which one " +
    "more thing is used; in all but the last two, somewhere else. Ratios against both worlds without it.",
);
const churn = compete(
  "churn",
  "cycle",
  "In the same worlds a parent is created, and a child with Position below it, and the parent is destroyed. Ratios against both " +
    "worlds without it.",
);
keepResults("cliffs", { reparent, churn });
