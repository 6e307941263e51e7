import { insertWithNeeds } from "../world/change/insert.ts";
import type { Slots } from "../world/state/world.ts";

/** Entities with hooks, builtins, lists or pairs of relations of the program's own may need more than a row. */
export function bringInsert(slots: object): void {
  (slots as Slots).insert ??= insertWithNeeds;
}
