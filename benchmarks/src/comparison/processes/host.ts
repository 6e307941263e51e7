import { availableParallelism, loadavg } from "node:os";
import { fullOrQuick } from "../../measure/settings.ts";
import type { Match, Order } from "./serve.ts";

/** Where cells run: a version of Node, or a browser. */
export interface Host {
  readonly name: string;
  /** How the clock of its processes is called. */
  readonly clock: string;
  /**
   * A process of its own.
   *
   * @param young megabytes for what was made last, before any of it is collected: the usual ones, or where nobody can say.
   */
  readonly start: (young?: number) => Promise<Room>;
  readonly close: () => Promise<void>;
}

/** One process. */
export interface Room {
  /** Answers `failed` if the process dies, or takes longer than it may: `patienceNow`, unless told otherwise. One order at a time. */
  readonly ask: (order: Order, patience?: number) => Promise<Match>;
  readonly isAlive: () => boolean;
  readonly end: () => void;
}

/** Longer than this nobody is waited for, in milliseconds, on a machine that has nothing else to do. */
const PATIENCE: number = fullOrQuick(60_000, 3_000);
const MOST_NEIGHBOURS = 12;

/** What it comes to where others want the processors as well, so that nobody is told to be slow for having waited. */
export function patienceNow(): number {
  const queue = loadavg()[0]! / availableParallelism();
  return PATIENCE * Math.min(Math.max(queue, 1), MOST_NEIGHBOURS);
}

export const TOO_LONG: Extract<Match, { kind: "failed" }> = {
  kind: "failed",
  why: `over ${PATIENCE / 1_000} s`,
};
