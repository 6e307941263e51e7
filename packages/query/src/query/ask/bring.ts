import { bringChanges } from "../../term/changes.ts";
import { forgetStretches } from "../batches/stretches.ts";
import { gatherJoined } from "../joins/join.ts";
import { stopOrdering } from "../lists/arrangement.ts";
import { arrange } from "../order/arrange.ts";
import { gatherStretched } from "../rows/beside.ts";
import { noteCurrentHolders } from "../rows/note-holders.ts";
import { engine } from "../state/engine.ts";

/** From now on ancestors can be asked for. */
export function bringStretches(): void {
  engine.gatherStretched = gatherStretched;
  engine.forgetStretches = forgetStretches;
  engine.noteCurrentHolders = noteCurrentHolders;
}

/** From now on variables can be searched for. */
export function bringJoins(): void {
  bringStretches();
  engine.gatherJoined = gatherJoined;
}

/** From now on answers can be put in order, and cut into parts. */
export function bringOrder(): void {
  bringChanges();
  engine.arrange = arrange;
  engine.stopOrdering = stopOrdering;
}
