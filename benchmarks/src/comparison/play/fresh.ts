/**
 * Plays workloads in the first moments of processes: each sample is a separate process, which loads one contestant, prepares, and
 * times one single run. Contestants take turns, forwards and backwards.
 */
import { medianOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { FIELD } from "../contestants/field.ts";
import type { CallCount } from "../processes/count-calls.ts";
import type { Host, Runner } from "../processes/host.ts";
import type { Reply } from "../processes/serve.ts";
import { isPlayedBy, type WorkloadName } from "../workloads/workloads.ts";

export interface FreshOutcome {
  /** Key of the field. */
  readonly contestant: string;
  /** Milliseconds, process by process; none if it failed. */
  readonly samples: readonly number[];
  readonly failure?: string;
}

/**
 * Plays all contestants that can do the workload.
 *
 * @param only keys of the field; all contestants, if there are none.
 * @throws Error if two of them have different results.
 */
export async function playFresh(
  host: Host,
  workload: WorkloadName,
  processes: number,
  only: readonly string[] = Object.keys(FIELD),
): Promise<readonly FreshOutcome[]> {
  const players = Object.keys(FIELD)
    .filter((contestant) => isPlayedBy(workload, contestant) && only.includes(contestant))
    .map((contestant) => ({ contestant, samples: [] as number[], sum: Number.NaN, end: "" }));
  for (let round = 0; round < processes; round++) {
    for (const player of round % 2 === 0 ? players : [...players].reverse()) {
      if (player.end !== "") continue;
      const reply = await sampleOf(host, workload, player.contestant);
      if (reply.kind !== "timed") player.end = reply.kind === "failed" ? reply.why : reply.kind;
      else {
        player.samples.push(reply.time);
        player.sum = reply.sum;
      }
    }
    if (round === 0) {
      const whole = players.filter(({ end }) => end === "");
      proveEqual(whole.map(({ contestant, sum }) => ({ name: contestant, checksum: () => sum })));
    }
  }
  return players
    .filter(({ end }) => end !== "cannot")
    .map(({ contestant, samples, end }) => ({
      contestant,
      samples,
      ...(end === "" ? {} : { failure: end }),
    }));
}

async function sampleOf(host: Host, workload: WorkloadName, contestant: string): Promise<Reply> {
  const runner = await host.start();
  try {
    const opened = await open(runner, workload, contestant);
    return opened.kind === "opened" ? await runner.send({ kind: "first", place: 0 }) : opened;
  } finally {
    runner.end();
  }
}

function open(runner: Runner, workload: WorkloadName, contestant: string): Promise<Reply> {
  return runner.send({ kind: "open", cell: { workload, contestant, place: 0 } });
}

/** Each process is one round; with so few rounds, the minimum is the estimate for an idle machine. */
export function timingOf({ samples }: FreshOutcome): Timing {
  return { median: medianOf(samples), low: Math.min(...samples), medians: samples };
}

/** Counts what runs of the library in the first run of a process: exact, whatever the load of the machine. */
export async function countFresh(host: Host, workload: WorkloadName, contestant: string): Promise<CallCount> {
  const runner = await host.start();
  try {
    const opened = await open(runner, workload, contestant);
    const counted = opened.kind === "opened" ? await runner.send({ kind: "count", place: 0 }) : opened;
    if (counted.kind === "counted") {
      const { functions, callbacks, calls } = counted;
      return { functions, callbacks, calls };
    }
    throw new Error(
      `${contestant} was not counted: ${counted.kind === "failed" ? counted.why : counted.kind}`,
    );
  } finally {
    runner.end();
  }
}
