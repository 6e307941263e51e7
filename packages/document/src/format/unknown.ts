// `Unknown`: what an entity keeps of what a program does not know (`UnknownData`).
import { component, type Entity, type ObjectComponent } from "@treeline/core";
import type { Json, Reference } from "./document.ts";

/** A kept pair: its target in the world, or one outside of the document that was not looked up. */
export interface UnknownPair {
  readonly relation: string;
  readonly target: Entity | Reference;
  /** `undefined` if it had none. */
  readonly value: Json | undefined;
}

/** What an entity had in a document and the program does not know. In values `{ $entity }` is the handle of an entity of the world. */
export interface UnknownData {
  /** By name, for all that is named here. */
  readonly versions: ReadonlyMap<string, number>;
  readonly components: ReadonlyMap<string, Json>;
  /** Fields of components that the program knows without them: written again while the entity has the component. */
  readonly fields: ReadonlyMap<string, { readonly [name: string]: Json }>;
  readonly tags: readonly string[];
  readonly pairs: readonly UnknownPair[];
  /** Fields of pairs that the program knows without them: written again while the entity has the pair. */
  readonly pairFields: readonly UnknownPair[];
}

/**
 * What `unknown: "keep"` keeps of an entity: components, tags and relations that the program does not know. Documents that are
 * saved later have it again. Remove it to lose that data. A clone shares it.
 */
export const Unknown: ObjectComponent<UnknownData> = /* @__PURE__ */ component<UnknownData>(
  "Unknown",
  undefined,
  {
    onInstantiate: "skip", // instances have it from their prefab, of which it is written
  },
);
