// The first work of `PROCESSES` new processes, against piecs (`BASE`, `LIMITS`); counts its functions and calls (`countRows`).
import { fileURLToPath } from "node:url";
import { type CountedName, counted, perUnit } from "../../comparison/play/counted.ts";
import { countFresh, type FreshOutcome, playFresh, timingOf } from "../../comparison/play/fresh.ts";
import { titleOf } from "../../comparison/play/table.ts";
import type { CallCount } from "../../comparison/processes/count-calls.ts";
import { nodeHost } from "../../comparison/processes/node-host.ts";
import {
  cellsOf,
  piecesOf,
  WORKLOADS,
  type WorkloadName,
  workloadsOf,
} from "../../comparison/workloads/workloads.ts";
import { ratioOf } from "../../measure/interleave.ts";
import { atMost, type Goal, nanoseconds, printQuestion, printTable, type Row } from "../../measure/report.ts";
import { keepResults, resultOf } from "../../measure/results.ts";
import { fullOrQuick } from "../../measure/settings.ts";

printQuestion(import.meta.url);

const PROCESSES = fullOrQuick(15, 5);
/** The base of the ratios: the fastest library with a hand-written child list. */
const BASE = "piecs";
/** The contestant that has targets. */
const TARGETED = "treeline-child-of";
const only = process.argv
  .find((word) => word.startsWith("--only="))
  ?.slice("--only=".length)
  .split(",");

/** Times as long as the base, and nanoseconds per piece: both must be reached. */
interface Limit {
  readonly times?: number;
  readonly time?: number;
}

const LIMITS: { readonly [Name in WorkloadName]?: Limit } = {
  firstWorld: { time: 500_000 },
  chain: { times: 4, time: 5_000 },
  firstCascade: { times: 2, time: 2_500 },
  firstChurn: { times: 1.6 },
  firstSpawns: { times: 2.4 },
  firstParents: { times: 2.5 },
  firstPrefabs: { time: 4_000 },
};

const host = nodeHost(
  `Node ${process.versions.node}`,
  process.execPath,
  fileURLToPath(new URL("./comparison/node-cell.js", import.meta.url)),
);

function goalOf(
  workload: WorkloadName,
  contestant: string,
  taken: number,
  ratio: number | undefined,
): Goal | undefined {
  if (contestant !== TARGETED) return undefined;
  const { times, time } = LIMITS[workload] ?? {};
  const goals = [
    ...(times === undefined || ratio === undefined ? [] : [atMost(times, "x", ratio)]),
    ...(time === undefined ? [] : [atMost(time, "ns", taken)]),
  ];
  if (goals.length === 0) return undefined;
  return {
    text: goals.map(({ text }, at) => (at === 0 ? text : text.replace("at most ", ""))).join(" and "),
    isReached: goals.every(({ isReached }) => isReached),
  };
}

async function measure(workload: WorkloadName): Promise<readonly object[]> {
  const { does, piece } = WORKLOADS[workload];
  const pieces = piecesOf(workload, cellsOf(workload)[0]!);
  console.error(`fresh processes: ${workload}`);
  const outcomes = await playFresh(host, workload, PROCESSES, only);
  const base = outcomes.find(({ contestant, failure }) => contestant === BASE && failure === undefined);
  const ratioTo = (outcome: FreshOutcome): number | undefined =>
    base === undefined ? undefined : ratioOf(timingOf(outcome), timingOf(base));
  const against = base === undefined ? "" : ` Ratios against ${titleOf(BASE)}.`;
  printTable(
    `First work of a process: ${does}.${against}`,
    outcomes.map((outcome): Row => {
      const { contestant, failure } = outcome;
      if (failure !== undefined) return { row: titleOf(contestant), measured: failure };
      const timing = timingOf(outcome);
      const ratio = ratioTo(outcome);
      const goal = goalOf(workload, contestant, (timing.median * 1e6) / pieces, ratio);
      return {
        row: titleOf(contestant),
        measured: `${nanoseconds(timing, pieces, piece)}, least ${leastOf(timing.low, pieces)}`,
        ...(ratio === undefined ? {} : { ratio }),
        ...(goal === undefined ? {} : { goal }),
      };
    }),
  );
  return outcomes.map((outcome) => {
    const { contestant, failure, samples } = outcome;
    if (failure !== undefined) return { row: contestant, failure };
    return { ...resultOf(contestant, timingOf(outcome), pieces, ratioTo(outcome)), samples };
  });
}

function leastOf(milliseconds: number, pieces: number): string {
  return ((milliseconds * 1e6) / pieces).toLocaleString("en", { maximumSignificantDigits: 4 });
}

const WORDS: { readonly [Name in CountedName]: string } = {
  firstWorld: "createWorld",
  chain: "chain of 1,000",
  firstCascade: "first cascade over it",
  firstChurn: "20,000 times parent, child, destroy",
};

interface Counted {
  readonly workload: CountedName;
  readonly contestant: string;
  readonly count: CallCount;
}

async function countAll(): Promise<readonly Counted[]> {
  const all: Counted[] = [];
  for (const workload of Object.keys(counted) as CountedName[]) {
    for (const contestant of [TARGETED, "treeline-parent", BASE]) {
      if (workload === "firstWorld" && contestant === "treeline-parent") continue;
      all.push({ workload, contestant, count: await countFresh(host, workload, contestant) });
    }
  }
  return all;
}

function countRows({ workload, contestant, count }: Counted): readonly Row[] {
  const words = `${WORDS[workload]}, ${titleOf(contestant)}`;
  const goals = contestant === TARGETED ? counted[workload] : undefined;
  const { piece } = WORKLOADS[workload];
  const calls = perUnit(workload, count.calls);
  return [
    {
      row: `${words}: functions`,
      measured: `${count.functions}, and ${count.callbacks} callbacks`,
      ...(goals?.functions === undefined
        ? {}
        : { goal: atMost(goals.functions, "functions", count.functions) }),
    },
    {
      row: `${words}: calls`,
      measured: `${calls.toLocaleString("en", { maximumFractionDigits: 1 })} a ${piece}`,
      ...(goals?.calls === undefined ? {} : { goal: atMost(goals.calls, `calls a ${piece}`, calls) }),
    },
  ];
}

console.log(
  `Each sample is a separate process: it loads one library, prepares what the row says exists before, and times one single ` +
    `run, by wall time minus its waits for a processor. ${PROCESSES} processes each, in turns; "measured" is their median.\n`,
);
const times: Record<string, readonly object[]> = {};
for (const workload of workloadsOf("fresh")) times[workload] = await measure(workload);
const counts = await countAll();
printTable(
  "Library code that runs in these first runs: different functions, also callbacks without a name, and calls. Counted by the " +
    "engine, and exact.",
  counts.flatMap(countRows),
);
keepResults("fresh", { processes: PROCESSES, times, counts });
