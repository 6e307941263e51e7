// Measures contestants in turns (`interleave`); medians, ratios and differences by round; the usual pace (`USUAL`).
import { Bench } from "tinybench";
import { type Clock, clock } from "./clock.ts";
import { fullOrQuick } from "./settings.ts";

/** One of the programs that are compared. */
export interface Contestant {
  readonly name: string;
  readonly run: () => void;
  /** Runs outside the clock, before every call of `run`. */
  readonly before?: () => void;
}

/** The duration of a measurement. Each round gives every contestant `time` milliseconds, and at least `calls` calls. */
export interface Pace {
  readonly rounds: number;
  readonly time: number;
  readonly calls: number;
  /** Rounds that do not count, for the compiler and the caches. */
  readonly warmUp: number;
  readonly clock: Clock;
  /** Runs outside the clock, before each round. */
  readonly beforeRound?: (round: number) => void;
}

/** The result of one contestant, in milliseconds per call. */
export interface Timing {
  /** Of all samples. */
  readonly median: number;
  /** A tenth of all samples took less: an estimate for an idle machine. */
  readonly low: number;
  /** By round. */
  readonly medians: readonly number[];
}

const USUAL: Pace = { rounds: fullOrQuick(25, 8), time: fullOrQuick(12, 5), calls: 2, warmUp: 2, clock };

/**
 * Measures contestants in turns: many short runs, forwards and backwards through the list, so that a machine that is slow for a
 * second is slow for all of them.
 *
 * @returns a timing per contestant, in their order.
 */
export function interleave<const Contestants extends readonly Contestant[]>(
  contestants: Contestants,
  pace: Partial<Pace> = {},
): { -readonly [Place in keyof Contestants]: Timing } {
  const full = { ...USUAL, ...pace };
  const { rounds, warmUp, beforeRound } = full;
  const samples = contestants.map((): number[][] => []);
  for (let round = -warmUp; round < rounds; round++) {
    beforeRound?.(round);
    for (let turn = 0; turn < contestants.length; turn++) {
      const at = round % 2 === 0 ? turn : contestants.length - 1 - turn;
      const taken = sample(contestants[at]!, full);
      if (round >= 0) samples[at]!.push(taken);
    }
  }
  const timings = samples.map((byRound): Timing => {
    const all = byRound.flat().sort((one, other) => one - other);
    return { median: medianOf(all), low: all[Math.floor(all.length / 10)]!, medians: byRound.map(medianOf) };
  });
  return timings as { -readonly [Place in keyof Contestants]: Timing };
}

function sample({ name, run, before }: Contestant, { time, calls, clock: { now } }: Pace): number[] {
  const bench = new Bench({ now, time, iterations: calls, warmup: false, retainSamples: true, throws: true });
  bench.add(name, run, { async: false, ...(before === undefined ? {} : { beforeEach: before }) });
  const result = bench.runSync()[0]?.result;
  if (result?.state !== "completed" || result.latency.samples === undefined) {
    throw new Error(`"${name}" was not measured`);
  }
  return [...result.latency.samples];
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** How many times as long as the other: the median over the rounds, each of which compares samples that are close in time. */
export function ratioOf(one: Timing, other: Timing): number {
  return medianOf(one.medians.map((median, round) => median / other.medians[round]!));
}

/** How much longer than the other, in milliseconds per call: the median over the rounds. */
export function differenceOf(one: Timing, other: Timing): number {
  return medianOf(one.medians.map((median, round) => median - other.medians[round]!));
}
