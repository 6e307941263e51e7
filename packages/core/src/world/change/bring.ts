import type { ChangeWork, Slots } from "../state/world.ts";
import { losePair } from "./change-entity.ts";
import { symmetricWork } from "./effects.ts";
import { eventWork } from "./events.ts";
import { destroyInOrder } from "./free-entity.ts";
import { askForParent, tellRemoved } from "./hook-calls.ts";
import { insertOne } from "./insert.ts";
import { bringTree } from "./pair.ts";
import { keepAddingOrder } from "./terms.ts";

const changeWork: ChangeWork = { insert: insertOne, askForParent, losePair, tellRemoved };

/** Entities with builtins, in lists, or with pairs of relations of the program's own may need more than a row. */
export function bringChanges(slots: object): void {
  (slots as Slots).changes ??= changeWork;
}

/** The same of relations of the program's own, which may be symmetric or keep depths. */
export function bringRelations(slots: object): void {
  bringChanges(slots);
  bringTree(slots);
  (slots as Slots).symmetric ??= symmetricWork;
  (slots as Slots).keepAddingOrder ??= keepAddingOrder;
}

/** Where hooks are called, or somebody listens, births and deaths are told. */
export function bringTelling(slots: object): void {
  bringChanges(slots);
  (slots as Slots).destroyInOrder ??= destroyInOrder;
}

/** Somebody listens from now on. */
export function bringEvents(slots: object): void {
  bringTelling(slots);
  (slots as Slots).events ??= eventWork;
}
