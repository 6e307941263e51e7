import type { ChangeWork, Slots } from "../state/world.ts";
import { losePair } from "./change-entity.ts";
import { symmetricWork } from "./effects.ts";
import { eventWork } from "./events.ts";
import { destroyInOrder } from "./free-entity.ts";
import { callRemoved, checkParent } from "./hook-calls.ts";
import { insertOne } from "./insert.ts";
import { installTree } from "./pair.ts";
import { keepAddingOrder } from "./terms.ts";

const changeWork: ChangeWork = { insert: insertOne, checkParent, losePair, callRemoved };

/** Entities with builtins, in lists, or with pairs of relations of the program's own may need more than a row. */
export function installChanges(slots: object): void {
  (slots as Slots).changes ??= changeWork;
}

/** The same of relations of the program's own, which may be symmetric or keep depths. */
export function installRelations(slots: object): void {
  installChanges(slots);
  installTree(slots);
  (slots as Slots).symmetric ??= symmetricWork;
  (slots as Slots).keepAddingOrder ??= keepAddingOrder;
}

/** Where hooks are called, or somebody listens, births and deaths are told. */
export function installHookCalls(slots: object): void {
  installChanges(slots);
  (slots as Slots).destroyInOrder ??= destroyInOrder;
}

/** Somebody listens from now on. */
export function installEvents(slots: object): void {
  installHookCalls(slots);
  (slots as Slots).events ??= eventWork;
}
