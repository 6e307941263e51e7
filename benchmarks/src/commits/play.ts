/**
 * Plays one row, a cell of the comparison or a gate, with two versions of the packages. The random unit is a process: compiler and memory layout
 * give each process its own speed, which it keeps, so that more rounds of the same processes add no information (Kalibera and
 * Jones, "Rigorous benchmarking in reasonable time", 2013; Mytkowicz and others, "Producing wrong data without doing anything
 * obviously wrong!", 2009). So the unit of every test is a block of fresh processes, which yields one number.
 *
 * A block has three of them: the old version, the old version again, and the new one. They take turns, forwards and backwards, in
 * an order drawn again each time, so that a machine that changes its speed does so for all. The new one is compared with the mean
 * of both old ones, and the second old one with the first: two orthogonal contrasts, so that the second is a measure of noise
 * that is independent of the first. Its variance is a bit larger (2 to 1.5), so it overestimates noise.
 *
 * Where the first run of a process is measured, each turn is a separate process as well, and a block has more of them. Where a
 * world is weighed, a block has three processes, which do nothing else.
 */

import type { Task } from "../comparison/memory/task.ts";
import type { Host, Runner } from "../comparison/processes/host.ts";
import type { AnyCell, Reply } from "../comparison/processes/serve.ts";
import { type Dice, shuffled } from "../fixtures/dice.ts";
import { medianOf } from "../measure/interleave.ts";

export const ARMS = ["old", "again", "new"] as const;
export type Arm = (typeof ARMS)[number];
export type ByArm<Value> = { readonly [Name in Arm]: Value };

/** What a block plays. */
export type Match =
  /** `runs` is how many there are before the first turn, at least; "early": exactly so many, and then EARLY_RUNS. */
  | {
      readonly mode: "warm" | "early";
      readonly cells: ByArm<AnyCell>;
      readonly runs: number;
    }
  | { readonly mode: "first"; readonly cells: ByArm<AnyCell> }
  | { readonly mode: "bytes"; readonly task: Task };

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
/** Milliseconds that an order may take: nothing here is expected to fail by being slow, and machines are busy. */
const TIME_LIMIT = 600_000;
/** Runs of a turn where early ones are measured, of which there are two. */
const EARLY_RUNS = 30;
const EARLY_ROUNDS = 2;

export type Block =
  /** Natural logarithms: new against old, and old against old; and milliseconds a run, or bytes. */
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

/** @param hosts make processes of one version each; some may be the same. */
export async function playBlock(hosts: ByArm<Host>, match: Match, pace: Pace, dice: Dice): Promise<Block> {
  const until = performance.now() + pace.block;
  try {
    if (match.mode === "bytes") return await weighBlock(hosts, match.task, dice);
    if (match.mode === "first") return await playFreshBlock(hosts, match.cells, until, dice);
    return await playWarmBlock(hosts, match, pace, until, dice);
  } catch (error) {
    if (error instanceof Refusal) return error.block;
    throw error;
  }
}

/** One after the other: each process weighs a world of its own. */
async function weighBlock(hosts: ByArm<Host>, task: Task, dice: Dice): Promise<Block> {
  const weighed: Arrived[] = [];
  for (const at of shuffled(ARMS.length, dice)) {
    const arm = ARMS[at]!;
    const runner = await hosts[arm].start();
    try {
      const reply = await runner.send({ kind: "weigh", task }, TIME_LIMIT).then(passed(arm));
      if (reply.kind !== "found" || reply.finding.kind !== "weighed")
        throw new Refusal({ kind: "cannot", arm });
      const { count, weight } = reply.finding;
      weighed.push({ arm, sum: count, rounds: [weight.held] });
    } finally {
      runner.end();
    }
  }
  requireSameSum(weighed);
  return contrastsOf(weighed);
}

async function playWarmBlock(
  hosts: ByArm<Host>,
  { mode, cells, runs }: Extract<Match, { runs: number }>,
  pace: Pace,
  until: number,
  dice: Dice,
): Promise<Block> {
  const isEarly = mode === "early";
  const warmUp = isEarly ? 0 : pace.warmUp;
  const runners: Runner[] = [];
  try {
    // All at once: nothing is measured yet. The first one is drawn as well.
    const players = await Promise.all(
      [...shuffled(ARMS.length, dice)].map(async (at) => {
        const arm = ARMS[at]!;
        const runner = await hosts[arm].start();
        runners.push(runner);
        return prepare(arm, runner, cells[arm], { time: warmUp, runs });
      }),
    );
    requireSameSum(players);
    const turn = isEarly ? { time: 0, calls: EARLY_RUNS } : { time: pace.turn, calls: 1 };
    const rounds = isEarly ? { fewest: EARLY_ROUNDS, most: EARLY_ROUNDS } : undefined;
    await playRounds(players, until, (player) => takeTurn(player, cells[player.arm], turn), dice, rounds);
    return contrastsOf(players);
  } finally {
    for (const runner of runners) runner.end();
  }
}

async function playFreshBlock(
  hosts: ByArm<Host>,
  cells: ByArm<AnyCell>,
  until: number,
  dice: Dice,
): Promise<Block> {
  const arrived = ARMS.map((arm) => ({ arm, sum: Number.NaN, rounds: [] as number[] }));
  await playRounds(
    arrived,
    until,
    async (player) => {
      const runner = await hosts[player.arm].start();
      try {
        const cell = cells[player.arm];
        await openCell(player.arm, runner, cell);
        const timed = await runner
          .send({ kind: "first", place: cell.place }, TIME_LIMIT)
          .then(passed(player.arm));
        if (timed.kind !== "timed") return;
        player.rounds.push(timed.time);
        player.sum = timed.sum;
      } finally {
        runner.end();
      }
    },
    dice,
    { fewest: MIN_FRESH_ROUNDS, most: MAX_ROUNDS },
  );
  requireSameSum(arrived);
  return contrastsOf(arrived);
}

async function prepare(
  arm: Arm,
  runner: Runner,
  cell: AnyCell,
  warmUp: { readonly time: number; readonly runs: number },
): Promise<Player> {
  const { place } = cell;
  await openCell(arm, runner, cell);
  const proved = await runner.send({ kind: "prove", place }, TIME_LIMIT).then(passed(arm));
  await runner.send({ kind: "warm", place, ...warmUp }, TIME_LIMIT).then(passed(arm));
  return { arm, runner, sum: proved.kind === "proved" ? proved.sum : Number.NaN, rounds: [] };
}

async function openCell(arm: Arm, runner: Runner, cell: AnyCell): Promise<void> {
  const { kind } = await runner.send({ kind: "open", cell }, TIME_LIMIT).then(passed(arm));
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
  { fewest, most } = { fewest: MIN_ROUNDS, most: MAX_ROUNDS },
): Promise<void> {
  for (let round = 0; round < most; round += 2) {
    if (round >= fewest && performance.now() > until) return;
    const order = [...shuffled(players.length, dice)];
    for (const at of [...order, ...order.reverse()]) await take(players[at]!);
  }
}

async function takeTurn(
  { arm, runner, rounds }: Player,
  { place }: AnyCell,
  turn: { readonly time: number; readonly calls: number },
): Promise<void> {
  const reply = await runner.send({ kind: "sample", place, ...turn }, TIME_LIMIT).then(passed(arm));
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
