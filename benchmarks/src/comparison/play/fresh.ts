/**
 * Plays workloads in the first moments of processes: each sample is a process of its own, which loads one contestant, prepares, and is
 * timed inside for one single run. Contestants take turns, there and back.
 */
import { medianOf, type Timing } from "../../measure/interleave.ts";
import { proveEqual } from "../../measure/proof.ts";
import { FIELD } from "../contestants/field.ts";
import type { CallCount } from "../processes/count-calls.ts";
import type { Host, Room } from "../processes/host.ts";
import type { Match } from "../processes/serve.ts";
import { isPlayedBy, type WorkloadName } from "../workloads/workloads.ts";

export interface FreshOutcome {
  /** Key of the field. */
  readonly contestant: string;
  /** Milliseconds, process by process; none if it failed. */
  readonly samples: readonly number[];
  readonly failure?: string;
}

/**
 * All contestants that can do it.
 *
 * @param only keys of the field; everybody, if there are none.
 * @throws Error if what two of them have done differs.
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
      const answer = await sampleOf(host, workload, player.contestant);
      if (answer.kind !== "timed") player.end = answer.kind === "failed" ? answer.why : answer.kind;
      else {
        player.samples.push(answer.time);
        player.sum = answer.sum;
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

async function sampleOf(host: Host, workload: WorkloadName, contestant: string): Promise<Match> {
  const room = await host.start();
  try {
    const opened = await open(room, workload, contestant);
    return opened.kind === "opened" ? await room.ask({ kind: "first", place: 0 }) : opened;
  } finally {
    room.end();
  }
}

function open(room: Room, workload: WorkloadName, contestant: string): Promise<Match> {
  return room.ask({ kind: "open", cell: { workload, contestant, place: 0 } });
}

/** Each process is a round of its own; of so few, the shortest says what a quiet machine would show. */
export function timingOf({ samples }: FreshOutcome): Timing {
  return { median: medianOf(samples), low: Math.min(...samples), medians: samples };
}

/** What runs of the library in the first run of a process: exact, whatever the machine does meanwhile. */
export async function countFresh(host: Host, workload: WorkloadName, contestant: string): Promise<CallCount> {
  const room = await host.start();
  try {
    const opened = await open(room, workload, contestant);
    const counted = opened.kind === "opened" ? await room.ask({ kind: "count", place: 0 }) : opened;
    if (counted.kind === "counted") {
      const { functions, callbacks, calls } = counted;
      return { functions, callbacks, calls };
    }
    throw new Error(
      `${contestant} was not counted: ${counted.kind === "failed" ? counted.why : counted.kind}`,
    );
  } finally {
    room.end();
  }
}
