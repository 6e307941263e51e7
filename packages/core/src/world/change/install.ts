// Which functions go into a world's slots for builtins, relations, hooks and observers.
import { installPending } from "../state/lock.ts";
import type { CallWork, ChangeWork, Slots } from "../state/world.ts";
import { losePair } from "./change-entity.ts";
import { symmetricWork } from "./effects.ts";
import { eventWork } from "./events.ts";
import { destroyInOrder } from "./free-entity.ts";
import { callRemoved, checkParent, dropValues, requiredFirst } from "./hook-calls.ts";
import { changesOfSpawn, insertOne } from "./insert.ts";
import { installTree } from "./pair.ts";
import { keepAddingOrder } from "./terms.ts";

const changeWork: ChangeWork = { insert: insertOne, checkParent, losePair, callRemoved };

const callWork: CallWork = { destroyInOrder, dropValues, requiredFirst };

/**
 * Installs changes that need more than moving a row: for entities with builtins, or with pairs of user-defined
 * relations.
 */
export function installChanges(slots: object): void {
  (slots as Slots).changes ??= changeWork;
}

/** Also installs what user-defined relations need, which may be symmetric or record depths. */
export function installRelations(slots: object): void {
  installChanges(slots);
  installTree(slots);
  (slots as Slots).symmetric ??= symmetricWork;
  (slots as Slots).keepAddingOrder ??= keepAddingOrder;
}

/** Also installs destruction in order, for hooks and observers. */
export function installHookCalls(slots: object): void {
  installChanges(slots);
  (slots as Slots).calls ??= callWork;
}

/** Also installs what only entities with hooks need when they are spawned. */
export function installHooks(slots: object): void {
  installHookCalls(slots);
  installPending(slots as Slots);
  (slots as Slots).changesOfSpawn ??= changesOfSpawn;
}

/** As `installHookCalls`, and change events: for observers. */
export function installEvents(slots: object): void {
  installHookCalls(slots);
  (slots as Slots).events ??= eventWork;
}
