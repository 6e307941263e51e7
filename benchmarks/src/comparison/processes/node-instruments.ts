// How long the main thread waited for a processor, on Linux (`waited`).
import { readFileSync } from "node:fs";
import { countCalls } from "./count-calls.ts";
import type { Instruments } from "./serve.ts";

/**
 * Linux reports for the main thread: nanoseconds it ran, nanoseconds it waited for a processor, and how often it began to run.
 */
const SCHEDULE = "/proc/self/schedstat";

/** The second number; 0 where it is not available. */
function waited(): number {
  try {
    return Number(readFileSync(SCHEDULE, "utf8").split(" ")[1]) / 1e6;
  } catch {
    return 0;
  }
}

export const instruments: Instruments = { countCalls, waited };
