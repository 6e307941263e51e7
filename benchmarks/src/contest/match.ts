import { medianOf } from "../interleave.ts";
import { fullOrQuick, isQuick } from "../settings.ts";
import { FIELD } from "./field.ts";
import type { Host, Room } from "./host.ts";
import type { Answer, Cell } from "./serve.ts";
import { WORKLOADS, type WorkloadName } from "./workloads.ts";

/** What came out for one contestant in one cell. */
export interface Result {
  readonly contestant: string;
  readonly place: number;
  /** In a process of its own, and in one that had all other cells of the row before. */
  readonly alone: Outcome;
  readonly seasoned: Outcome;
}

/** Milliseconds a run, or why there are none. */
export type Outcome =
  | {
      readonly kind: "measured";
      readonly median: number;
      readonly low: number;
      readonly rounds: readonly number[];
    }
  | { readonly kind: "failed"; readonly why: string }
  | { readonly kind: "cannot" };

const ROUNDS = fullOrQuick(15, 3);
/** Milliseconds a contestant gets in a round, and in all rounds. */
const TURN = fullOrQuick(12, 5);
const WARM_UP = fullOrQuick(300, 30);
const SHARE = fullOrQuick(6_000, 400);

/** A contestant that has proved to do the work. */
interface Player {
  readonly contestant: string;
  readonly room: Room;
  readonly samples: number[][];
  failure: string | undefined;
  spent: number;
}

export interface Choice {
  readonly workload: WorkloadName;
  /** Keys of the field; the first one says what is right. */
  readonly contestants: readonly string[];
  readonly tell: (line: string) => void;
}

/** Plays all cells of a workload. */
export async function play(host: Host, { workload, contestants, tell }: Choice): Promise<readonly Result[]> {
  const results: Result[] = [];
  const { quick, cells } = WORKLOADS[workload];
  const count = (isQuick ? quick : cells).length;
  for (let place = 0; place < count; place++) {
    tell(`${workload} ${place + 1} of ${count}, ${host.name}`);
    const alone = await playCell(host, workload, place, contestants, false);
    const seasoned =
      isQuick || count === 1 ? alone : await playCell(host, workload, place, contestants, true);
    for (const contestant of contestants) {
      results.push({
        contestant,
        place,
        alone: alone.get(contestant) ?? { kind: "cannot" },
        seasoned: seasoned.get(contestant) ?? { kind: "cannot" },
      });
    }
  }
  return results;
}

async function playCell(
  host: Host,
  workload: WorkloadName,
  place: number,
  contestants: readonly string[],
  isSeasoned: boolean,
): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const players: Player[] = [];
  let expected: number | undefined;
  for (const contestant of contestants) {
    const room = await host.start();
    const cell: Cell = { workload, contestant, place, isQuick };
    const opened = await room.ask({ kind: "open", cell, isSeasoned });
    const proved = opened.kind === "opened" ? await room.ask({ kind: "prove" }) : opened;
    if (proved.kind === "proved") expected ??= proved.sum;
    const outcome = refusalOf(proved, expected);
    if (outcome === undefined) {
      // For the compiler: the first runs are far off.
      await room.ask({ kind: "sample", time: WARM_UP, calls: 1 });
      players.push({ contestant, room, samples: [], failure: undefined, spent: 0 });
      continue;
    }
    outcomes.set(contestant, outcome);
    room.end();
  }
  await playRounds(players);
  for (const { contestant, room, samples, failure } of players) {
    outcomes.set(contestant, failure === undefined ? outcomeOf(samples) : { kind: "failed", why: failure });
    room.end();
  }
  return outcomes;
}

function refusalOf(answer: Answer, expected: number | undefined): Outcome | undefined {
  if (answer.kind === "proved") {
    return answer.sum === expected ? undefined : { kind: "failed", why: "wrong result" };
  }
  return answer.kind === "failed" ? { kind: "failed", why: answer.why } : { kind: "cannot" };
}

/** In turns, forwards and backwards. Who needs long for a run gets fewer rounds, but three at least. */
async function playRounds(players: readonly Player[]): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const inTurn = round % 2 === 0 ? players : [...players].reverse();
    for (const player of inTurn) {
      if (player.failure !== undefined || (round >= 3 && player.spent > SHARE)) continue;
      const begin = performance.now();
      const answer = await player.room.ask({ kind: "sample", time: TURN, calls: 1 });
      player.spent += performance.now() - begin;
      if (answer.kind === "sampled") player.samples.push([...answer.times]);
      else player.failure = answer.kind === "failed" ? answer.why : "gave no times";
    }
  }
}

function outcomeOf(samples: readonly (readonly number[])[]): Outcome {
  const all = samples.flat().sort((one, other) => one - other);
  if (all.length === 0) return { kind: "failed", why: "was not measured" };
  return {
    kind: "measured",
    median: medianOf(all),
    low: all[Math.floor(all.length / 10)]!,
    rounds: samples.map(medianOf),
  };
}

/** How a contestant is called in tables. */
export function titleOf(contestant: string): string {
  const { name, isHandKept } = FIELD[contestant]!;
  return isHandKept === true ? `${name} (child list by hand)` : name;
}
