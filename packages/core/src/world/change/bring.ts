import type { Slots } from "../state/world.ts";
import { announce } from "./announce.ts";
import { destroyInOrder } from "./destroy-order.ts";
import { insertWithNeeds } from "./insert.ts";

/** Entities with builtins, in lists, or with pairs of relations of the program's own may need more than a row. */
export function bringInsert(slots: object): void {
  (slots as Slots).insert ??= insertWithNeeds;
}

/** Where somebody listens, or hooks are called, births and deaths are told. */
export function bringTelling(slots: object): void {
  bringInsert(slots);
  (slots as Slots).announce ??= announce;
  (slots as Slots).destroyInOrder ??= destroyInOrder;
}
