// The storages of definitions, and the code that each brings: `bits`, `sparse`.
import { refuseDefinition } from "../base/error.ts";
import { cutRows } from "../cursor/cut-rows.ts";
import { SparseCursor } from "../cursor/sparse.ts";
import { PairCursor } from "../cursor/sparse-pairs.ts";
import type { Component, Definition, SpawnTerm, Term } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { setBits } from "../storage/bits.ts";
import { type Stores, sparseWork } from "../storage/sparse.ts";
import { installChanges } from "../world/change/install.ts";
import { addAlone, pairStoreFor, pairStoreWork, sparsePairWork } from "../world/change/sparse-pairs.ts";
import { bitWork, turnTag } from "../world/change/turn-bit.ts";
import type { Slots, World } from "../world/state/world.ts";
import { addList } from "../world/verb/add.ts";
import { addSparse } from "../world/verb/add-sparse.ts";
import { SparseAccess } from "../world/verb/sparse-field.ts";

/**
 * Stores a tag as one bit per row, beside the rows: an entity that gets or loses it stays in its table. For tags that change
 * often, such as `Selected`. Queries find and skip rows by these bits. Components with values and relations
 * are refused.
 *
 * @throws TreelineError `bad-definition` for a component with values, and for a relation.
 *
 * @example
 * const Selected = tag("Selected", { storage: bits });
 */
export function bits(definition: Definition): void {
  const { name, kind, holds } = definition;
  if (kind === "relation" || holds !== "nothing")
    refuseDefinition(`${name}: only tags are stored as \`bits\`; leave out \`storage\`, or use \`sparse\``);
  definition.storage = "bits";
  definition.installs = installBits;
}

/**
 * Stores a component, a tag, or the pairs of a relation by entity, apart from the tables: an entity that gets or loses it stays in
 * its table, and its value never moves with the row. Adding and removing a pair takes the same time however many pairs there are.
 * For what comes and goes, or is mostly read and written by handle. In loops of `each` and `rows` a value is one look-up away from the row; the columns of runs, batches and kernels do not have it.
 *
 * @throws TreelineError `bad-definition` for a relation that is acyclic or symmetric.
 *
 * @example
 * const Target = component("Target", { x: 0, y: 0 }, { storage: sparse });
 * const Sees = relation("Sees", { storage: sparse });
 */
export function sparse(definition: Definition): void {
  const { name, kind, acyclic, symmetric } = definition;
  const isRelation = kind === "relation";
  if (acyclic || symmetric)
    refuseDefinition(
      `${name}: acyclic and symmetric relations are stored in tables; leave out \`storage\`, or use \`Parent\` for a tree`,
    );
  definition.storage = "sparse";
  definition.store = isRelation
    ? { ...pairStoreWork, add: addPair, cursor: pairCursor }
    : { ...sparseWork, add: addSparse, access, cursor };
  definition.installs = isRelation ? installSparsePairs : installBits;
}

function installSparsePairs(slots: object): void {
  installBits(slots);
  (slots as Slots).sparsePairs ??= sparsePairWork;
}

function access(definition: Definition, at: number, item: number | undefined): object {
  return new SparseAccess(definition as Component, at, item);
}

function cursor({ graph }: { readonly graph: Stores }, definition: Definition): SparseCursor {
  return new SparseCursor(graph, definition);
}

function addPair(
  world: object,
  entity: number,
  definition: Definition,
  value: unknown,
  target: number,
): void {
  if (value !== undefined || !addAlone(world as World, entity, definition, target))
    addList(world as World, entity as Entity, [{ definition, target, value } as Term as SpawnTerm]);
}

function pairCursor(world: object, definition: Definition): PairCursor {
  return new PairCursor(world as World, definition, pairStoreFor((world as World).graph, definition));
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
