import { bringChanges } from "../term/changes.ts";
import { arrange } from "./arrange.ts";
import { stopOrdering } from "./arrangement.ts";
import { engine } from "./engine.ts";

/** From now on answers can be put in order, and cut into parts. */
export function bringOrder(): void {
  bringChanges();
  engine.arrange = arrange;
  engine.stopOrdering = stopOrdering;
}
