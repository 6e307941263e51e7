/** Bytes of contestants that make so much garbage in one run that some of it is always collected before the run ends. */
import type { Host } from "../processes/host.ts";
import type { Cell } from "../processes/serve.ts";
import type { Outcome } from "./outcome.ts";

/** Enough for the garbage of all runs, so that nothing is collected during the count; in megabytes. */
const YOUNG = 256;
/** Milliseconds. */
const WARM_UP = 400;

/** Repeats the measurement in a process with more memory, if the bytes are missing. Times stay unchanged. */
export async function withBytes(host: Host, cell: Cell, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== "measured" || outcome.garbage === undefined || outcome.garbage.bytes !== undefined)
    return outcome;
  const runner = await host.start(YOUNG);
  const { place } = cell;
  await runner.send({ kind: "open", cell });
  await runner.send({ kind: "warm", place, time: WARM_UP });
  const reply = await runner.send({ kind: "litter", place });
  runner.end();
  if (reply.kind !== "littered") return outcome;
  const { bytes, mean, clean } = reply.garbage;
  if (bytes === undefined || mean === undefined) return outcome;
  return { ...outcome, garbage: { ...outcome.garbage, bytes, mean, clean } };
}
