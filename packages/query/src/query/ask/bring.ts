import { tellAbove } from "../../match/tell-above.ts";
import { tellChanged, tellChangedAbove } from "../../match/tell-changes.ts";
import { tellers } from "../../match/tests.ts";
import { forgetStretches } from "../batches/stretches.ts";
import { bondsHold } from "../joins/bonds-hold.ts";
import { gatherJoined } from "../joins/join.ts";
import { stopOrdering } from "../lists/arrangement.ts";
import { arrange } from "../order/arrange.ts";
import { aboveGiving } from "../outputs/give-above.ts";
import { variableGiving } from "../outputs/give-variable.ts";
import { givings } from "../outputs/givers.ts";
import { gatherStretched } from "../rows/beside.ts";
import { filterNews } from "../rows/filter-news.ts";
import { noteCurrentHolders } from "../rows/note-holders.ts";
import { engine } from "../state/engine.ts";
import { beside } from "../state/scene.ts";
import { turnToChunk, turnToJoined } from "../state/scene-beside.ts";
import { beginLook, endLook, watch } from "./watch.ts";

/** From now on changes can be asked for. */
export function bringChanges(): void {
  tellers.changed = tellChanged;
  tellers.changedAbove = tellChangedAbove;
  engine.filterNews = filterNews;
  engine.watch = watch;
  engine.beginLook = beginLook;
  engine.endLook = endLook;
}

/** From now on ancestors can be asked for. */
export function bringAncestors(): void {
  bringStretches();
  tellers.above = tellAbove;
  givings.above = aboveGiving;
}

function bringStretches(): void {
  engine.gatherStretched = gatherStretched;
  engine.forgetStretches = forgetStretches;
  engine.noteCurrentHolders = noteCurrentHolders;
  beside.turnToChunk = turnToChunk;
  beside.turnToJoined = turnToJoined;
}

/** From now on variables can be searched for. */
export function bringJoins(): void {
  bringStretches();
  engine.gatherJoined = gatherJoined;
  engine.bondsHold = bondsHold;
  givings.variable = variableGiving;
}

/** From now on answers can be put in order, and cut into parts. */
export function bringOrder(): void {
  engine.arrange = arrange;
  engine.stopOrdering = stopOrdering;
}
