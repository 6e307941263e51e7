import { engine } from "./engine.ts";
import { gatherStretched } from "./gather-stretches.ts";
import { noteCurrentHolders } from "./note-holders.ts";
import { forgetStretches } from "./stretches.ts";

/** From now on ancestors can be asked for. */
export function bringStretches(): void {
  engine.gatherStretched = gatherStretched;
  engine.forgetStretches = forgetStretches;
  engine.noteCurrentHolders = noteCurrentHolders;
}
