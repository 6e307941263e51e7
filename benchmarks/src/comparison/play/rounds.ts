// How many rounds and how much time each contestant gets (`ROUNDS`, `TURN`, `SHARE`), in turns (`playRounds`).
import { fullOrQuick } from "../../measure/settings.ts";
import type { Runner } from "../processes/host.ts";
import type { Reply } from "../processes/serve.ts";
import { WORKLOADS, type WorkloadName } from "../workloads/workloads.ts";
import { measuredOf, type Outcome } from "./outcome.ts";

const ROUNDS = fullOrQuick(11, 2);
/** Every contestant gets at least this many, however long a run takes. */
const FEWEST = fullOrQuick(3, 2);
/** Milliseconds a contestant gets in a round, and in all rounds. */
const TURN = fullOrQuick(10, 4);
const SHARE = fullOrQuick(800, 60);
/** The same where the slowest of many runs are reported. */
const LARGE_SHARE = fullOrQuick(5_000, 200);

/** A contestant that has a cell open and is warm. */
export interface Player {
  readonly contestant: string;
  readonly place: number;
  readonly runner: Runner;
  /** Milliseconds a call takes. */
  readonly call: number;
}

/** A player, and its runs until now. */
interface Turns extends Player {
  readonly samples: number[][];
  readonly rounds: number;
  /** In each round, at least. */
  readonly calls: number;
  failure: string | undefined;
}

/** In turns, forwards and backwards; nothing else runs meanwhile. @returns the outcomes, in the order of players. */
export async function playRounds(workload: WorkloadName, players: readonly Player[]): Promise<Outcome[]> {
  const { calls = 1, countsGarbage } = WORKLOADS[workload] as { calls?: number; countsGarbage?: true };
  const share = calls > 1 ? LARGE_SHARE : SHARE;
  const all = players.map((player): Turns => {
    const rounds = Math.max(FEWEST, Math.min(ROUNDS, Math.floor(share / player.call)));
    const affordable = Math.max(1, Math.floor(share / rounds / player.call));
    return { ...player, samples: [], rounds, calls: Math.min(calls, affordable), failure: undefined };
  });
  for (let round = 0; round < ROUNDS; round++) {
    const inTurn = round % 2 === 0 ? all : [...all].reverse();
    for (const turns of inTurn) if (round < turns.rounds) await playTurn(turns);
  }
  const outcomes: Outcome[] = [];
  for (const turns of all) outcomes.push(await outcomeOf(turns, countsGarbage === true));
  return outcomes;
}

async function playTurn(turns: Turns): Promise<void> {
  const { runner, place, calls, samples } = turns;
  if (turns.failure !== undefined) return;
  const reply = await runner.send({ kind: "sample", place, time: TURN, calls });
  if (reply.kind === "sampled") samples.push([...reply.times]);
  else turns.failure = failureOf(reply);
}

async function outcomeOf({ runner, place, samples, failure }: Turns, counts: boolean): Promise<Outcome> {
  if (failure !== undefined) return { kind: "failed", why: failure };
  if (!counts) return measuredOf(samples);
  const reply = await runner.send({ kind: "litter", place });
  return measuredOf(samples, reply.kind === "littered" ? reply.garbage : undefined);
}

export function failureOf(reply: Reply): string {
  return reply.kind === "failed" ? reply.why : `replied "${reply.kind}"`;
}
