import { cutRows } from "../cursor/cut-rows.ts";
import { SparseCursor } from "../cursor/sparse.ts";
import type { Component, Definition } from "../id/definition.ts";
import { setBits } from "../storage/bits.ts";
import { type Stores, sparseWork } from "../storage/sparse.ts";
import { installChanges } from "../world/change/install.ts";
import { bitWork, turnTag } from "../world/change/turn-bit.ts";
import type { Slots } from "../world/state/world.ts";
import { addSparse } from "../world/verb/add-sparse.ts";
import { SparseAccess } from "../world/verb/sparse-field.ts";

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

/**
 * Stores a component or tag by entity, apart from the tables: an entity that gets or loses it stays in its table, and its value
 * never moves with the row. For what comes and goes, or is mostly read and written by handle. In loops of `each` and `rows` a value is
 * one look-up away from the row; the columns of runs, batches and kernels do not have it.
 *
 * @example
 * const Target = component("Target", { x: 0, y: 0 }, { storage: sparse });
 */
export function sparse(definition: Definition): void {
  bits(definition);
  definition.storage = "sparse";
  definition.store = { ...sparseWork, add: addSparse, access, cursor };
}

function access(definition: Definition, at: number, item: number | undefined): object {
  return new SparseAccess(definition as Component, at, item);
}

function cursor(stores: Stores, definition: Definition): SparseCursor {
  return new SparseCursor(stores, definition);
}

/** What changes tags that are stored as bits. */
export function installBits(slots: object): void {
  installChanges(slots);
  const filled = slots as Slots;
  filled.setBits ??= setBits;
  filled.bits ??= bitWork;
  filled.cutRows ??= cutRows;
  filled.turnTag ??= turnTag;
}
