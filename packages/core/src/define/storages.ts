import type { Definition } from "../id/definition.ts";
import { setBits } from "../storage/bits.ts";
import { installChanges } from "../world/change/install.ts";
import { turnBit, turnTag } from "../world/change/turn-bit.ts";
import type { Slots } from "../world/state/world.ts";

/**
 * Stores a tag as one bit per row, beside the rows: an entity that gets or loses it stays in its table. For tags that change
 * often, such as `Selected`. Queries find and skip rows by these bits.
 *
 * @example
 * const Selected = tag("Selected", { storage: bits });
 */
export function bits(definition: Definition): void {
  definition.storage = "bits";
  definition.installs = installBits;
}

/** What changes tags that are stored as bits. */
export function installBits(slots: object): void {
  installChanges(slots);
  const filled = slots as Slots;
  filled.setBits ??= setBits;
  filled.turnBit ??= turnBit;
  filled.turnTag ??= turnTag;
}
