/**
 * Plays one cell of the comparison with two versions of the packages. The random unit is a process: compiler and memory layout
 * give each process its own speed, which it keeps, so that more rounds of the same processes add no information (Kalibera and
 * Jones, "Rigorous benchmarking in reasonable time", 2013; Mytkowicz and others, "Producing wrong data without doing anything
 * obviously wrong!", 2009). So the unit of every test is a block of fresh processes, which yields one number.
 *
 * A block has three of them: the old version, the old version again, and the new one. They take turns, forwards and backwards, in
 * an order drawn again each time, so that a machine that changes its speed does so for all. The new one is compared with the mean
 * of both old ones, and the second old one with the first: two orthogonal contrasts, so that the second is a measure of noise
 * that is independent of the first. Its variance is a bit larger (2 to 1.5), so it overestimates noise.
 *
 * Where the first run of a process is measured, each turn is a separate process as well, and a block has more of them.
 */
import type { Host, Runner } from "../comparison/processes/host.ts";
import type { Cell, Reply } from "../comparison/processes/serve.ts";
import { kindOf } from "../comparison/workloads/workloads.ts";
import { type Dice, shuffled } from "../fixtures/dice.ts";
import { medianOf } from "../measure/interleave.ts";

export const ARMS = ["old", "again", "new"] as const;
export type Arm = (typeof ARMS)[number];
type ByArm<Value> = { readonly [Name in Arm]: Value };

/** The duration of a block, in milliseconds. */
export interface Pace {
  /** Of each process, before it is measured. */
  readonly warmUp: number;
  /** A process runs for this long in each round, and once at least. */
  readonly turn: number;
  /** After this time no more rounds begin, if there have been MIN_ROUNDS; there are never more than MAX_ROUNDS. */
  readonly block: number;
}

const MIN_ROUNDS = 4;
const MAX_ROUNDS = 12;
/** The same where each turn needs a process. */
const MIN_FRESH_ROUNDS = 2;

export type Block =
  /** Natural logarithms: new against old, and old against old; and milliseconds a run. */
  | {
      readonly kind: "measured";
      readonly effect: number;
      readonly noise: number;
      readonly times: ByArm<number>;
    }
  | { readonly kind: "failed"; readonly arm: Arm; readonly why: string }
  | { readonly kind: "cannot"; readonly arm: Arm };

interface Arrived {
  readonly arm: Arm;
  readonly sum: number;
  /** Milliseconds a run, by round. */
  readonly rounds: number[];
}

interface Player extends Arrived {
  readonly runner: Runner;
}

class Refusal extends Error {
  readonly block: Block;
  constructor(block: Block) {
    super(block.kind);
    this.block = block;
  }
}

/** @param hosts make processes of one version each; both old ones may be the same. */
export async function playBlock(hosts: ByArm<Host>, cell: Cell, pace: Pace, dice: Dice): Promise<Block> {
  const until = performance.now() + pace.block;
  try {
    const isFresh = kindOf(cell.workload) === "fresh";
    return isFresh
      ? await playFreshBlock(hosts, cell, until, dice)
      : await playWarmBlock(hosts, cell, pace, until, dice);
  } catch (error) {
    if (error instanceof Refusal) return error.block;
    throw error;
  }
}

async function playWarmBlock(
  hosts: ByArm<Host>,
  cell: Cell,
  pace: Pace,
  until: number,
  dice: Dice,
): Promise<Block> {
  const runners: Runner[] = [];
  try {
    // All at once: nothing is measured yet. The first one is drawn as well.
    const players = await Promise.all(
      [...shuffled(ARMS.length, dice)].map(async (at) => {
        const arm = ARMS[at]!;
        const runner = await hosts[arm].start();
        runners.push(runner);
        return prepare(arm, runner, cell, pace);
      }),
    );
    requireSameSum(players);
    await playRounds(players, until, (player) => takeTurn(player, cell, pace), dice);
    return contrastsOf(players);
  } finally {
    for (const runner of runners) runner.end();
  }
}

async function playFreshBlock(hosts: ByArm<Host>, cell: Cell, until: number, dice: Dice): Promise<Block> {
  const arrived = ARMS.map((arm) => ({ arm, sum: Number.NaN, rounds: [] as number[] }));
  await playRounds(
    arrived,
    until,
    async (player) => {
      const runner = await hosts[player.arm].start();
      try {
        await openCell(player.arm, runner, cell);
        const timed = await runner.send({ kind: "first", place: cell.place }).then(passed(player.arm));
        if (timed.kind !== "timed") return;
        player.rounds.push(timed.time);
        player.sum = timed.sum;
      } finally {
        runner.end();
      }
    },
    dice,
    MIN_FRESH_ROUNDS,
  );
  requireSameSum(arrived);
  return contrastsOf(arrived);
}

async function prepare(arm: Arm, runner: Runner, cell: Cell, { warmUp }: Pace): Promise<Player> {
  const { place } = cell;
  await openCell(arm, runner, cell);
  const proved = await runner.send({ kind: "prove", place }).then(passed(arm));
  await runner.send({ kind: "warm", place, time: warmUp }).then(passed(arm));
  return { arm, runner, sum: proved.kind === "proved" ? proved.sum : Number.NaN, rounds: [] };
}

async function openCell(arm: Arm, runner: Runner, cell: Cell): Promise<void> {
  const { kind } = await runner.send({ kind: "open", cell }).then(passed(arm));
  if (kind === "cannot") throw new Refusal({ kind, arm });
}

function passed(arm: Arm): (reply: Reply) => Reply {
  return (reply) => {
    if (reply.kind === "failed") throw new Refusal({ kind: "failed", arm, why: reply.why });
    return reply;
  };
}

function requireSameSum(players: readonly Arrived[]): void {
  const { sum } = players.find(({ arm }) => arm === "old")!;
  const odd = players.find((player) => player.sum !== sum);
  if (odd !== undefined) {
    throw new Refusal({
      kind: "failed",
      arm: odd.arm,
      why: `its sum is ${odd.sum}, that of the old version is ${sum}`,
    });
  }
}

/** Forwards and backwards: rounds come in pairs. */
async function playRounds<One>(
  players: readonly One[],
  until: number,
  take: (player: One) => Promise<void>,
  dice: Dice,
  fewest = MIN_ROUNDS,
): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round += 2) {
    if (round >= fewest && performance.now() > until) return;
    const order = [...shuffled(players.length, dice)];
    for (const at of [...order, ...order.reverse()]) await take(players[at]!);
  }
}

async function takeTurn({ arm, runner, rounds }: Player, { place }: Cell, { turn }: Pace): Promise<void> {
  const reply = await runner.send({ kind: "sample", place, time: turn, calls: 1 }).then(passed(arm));
  if (reply.kind === "sampled") rounds.push(medianOf(reply.times));
}

/**
 * Estimates what a process needs without disturbance: a tenth of its rounds took less. Other processes on this machine make
 * rounds longer, never shorter, by up to several times; the cost of a version is in each of its rounds.
 */
function lowOf(rounds: readonly number[]): number {
  const sorted = [...rounds].sort((one, other) => one - other);
  const place = (sorted.length - 1) / 10;
  const [below, above] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  return below + (above - below) * (place % 1);
}

function contrastsOf(players: readonly Arrived[]): Block {
  const lows = Object.fromEntries(players.map(({ arm, rounds }) => [arm, lowOf(rounds)])) as Record<
    Arm,
    number
  >;
  const { old, again, new: fresh } = lows;
  return {
    kind: "measured",
    effect: Math.log(fresh / Math.sqrt(old * again)),
    noise: Math.log(again / old),
    times: lows,
  };
}
