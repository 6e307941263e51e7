/** Bytes of those that make so much garbage in one run that some of it is always collected before the run ends. */
import type { Host } from "../processes/host.ts";
import type { Cell } from "../processes/serve.ts";
import type { Outcome } from "./outcome.ts";

/** Room for all that runs may make, so that nothing is collected while we count; in megabytes. */
const YOUNG = 256;
/** Milliseconds. */
const WARM_UP = 400;

/** The same again, in a process with more room, if the bytes are missing. Times stay as they were. */
export async function withBytes(host: Host, cell: Cell, outcome: Outcome): Promise<Outcome> {
  if (outcome.kind !== "measured" || outcome.garbage === undefined || outcome.garbage.bytes !== undefined)
    return outcome;
  const room = await host.start(YOUNG);
  const { place } = cell;
  await room.ask({ kind: "open", cell });
  await room.ask({ kind: "warm", place, time: WARM_UP });
  const answer = await room.ask({ kind: "litter", place });
  room.end();
  if (answer.kind !== "littered") return outcome;
  const { bytes, mean, clean } = answer.garbage;
  if (bytes === undefined || mean === undefined) return outcome;
  return { ...outcome, garbage: { ...outcome.garbage, bytes, mean, clean } };
}
