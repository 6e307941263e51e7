import type { Answer, Order } from "./serve.ts";

/** Where cells run: a version of Node, or a browser. */
export interface Host {
  readonly name: string;
  /** A process of its own. */
  readonly start: () => Promise<Room>;
  readonly close: () => Promise<void>;
}

/** One process. */
export interface Room {
  /** Answers `failed` if the process dies, or takes longer than it may. */
  readonly ask: (order: Order) => Promise<Answer>;
  readonly end: () => void;
}

/** Longer than this nobody is waited for, in milliseconds. */
export const PATIENCE = 60_000;

export const TOO_LONG: Answer = { kind: "failed", why: "over 60 s" };
