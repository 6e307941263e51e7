import type { Entity, SpawnTerm } from "@treeline/core";
import * as core from "@treeline/core";

/** A way to keep the parent of an entity. */
export interface Storage {
  readonly name: "ChildOf" | "Parent";
  readonly below: (parent: Entity) => SpawnTerm;
}

/** Looked up by name, so that the rows of a storage appear as soon as core has it. */
const { Parent } = core as { readonly Parent?: Storage["below"] };

/** ChildOf, which is part of the type, and Parent, which is a value, if core has it. */
export const STORAGES: readonly Storage[] = [
  { name: "ChildOf", below: core.ChildOf },
  ...(Parent === undefined ? [] : [{ name: "Parent", below: Parent } as const]),
];
