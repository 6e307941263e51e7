// What a host is; the time limit of a reply, longer on a busy machine (`timeLimitNow`, `TIME_LIMIT`).
import { availableParallelism, loadavg } from "node:os";
import { fullOrQuick } from "../../measure/settings.ts";
import type { Order, Reply } from "./serve.ts";

/** Where cells run: a version of Node, or a browser. */
export interface Host {
  readonly name: string;
  /** The name of the clock of its processes. */
  readonly clock: string;
  /**
   * Starts a process.
   *
   * @param young megabytes of the young generation; the default size, or where the host has no such option.
   */
  readonly start: (young?: number) => Promise<Runner>;
  readonly close: () => Promise<void>;
}

/** One process. */
export interface Runner {
  /**
   * Replies `failed` if the process ends, or exceeds the time limit: `timeLimitNow`, unless one is given. One order at a time.
   */
  readonly send: (order: Order, timeLimit?: number) => Promise<Reply>;
  readonly isAlive: () => boolean;
  readonly end: () => void;
}

/** The time limit in milliseconds, on a machine that is otherwise idle. */
const TIME_LIMIT: number = fullOrQuick(60_000, 3_000);
const MOST_NEIGHBOURS = 12;

/** The time limit on a busy machine, so that no contestant fails because it had to wait for a processor. */
export function timeLimitNow(): number {
  const queue = loadavg()[0]! / availableParallelism();
  return TIME_LIMIT * Math.min(Math.max(queue, 1), MOST_NEIGHBOURS);
}

export const TOO_LONG: Extract<Reply, { kind: "failed" }> = {
  kind: "failed",
  why: `over ${TIME_LIMIT / 1_000} s`,
};
