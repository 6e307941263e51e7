// `hashOf`: the bytes of a tree in which -0 is 0, hashed.
import type { Entity, World } from "@treeline/core";
import { hashOfWords } from "./bytes.ts";
import { writeBinary } from "./to-binary.ts";

/**
 * A number for all that a tree is: its entities with their components, tags, pairs and names, and the order of siblings. Handles do
 * not count, so copies have the same hash, in whichever format they were saved and loaded. References count by the place of the
 * target in the tree; those to entities outside by their path. -0 equals 0, and all NaN are one.
 *
 * The parent of the root does not count. Trees with different hashes differ; those with one hash are the same but for a chance of 1 to
 * 2 ** 53. Hashes of programs with other definitions, or of other versions of Treeline, cannot be compared.
 *
 * @cost that of `toBinary`, each time.
 * @throws TreelineError `dead-entity` if the root is not alive; `bad-value` for a component entity, and on a machine that is not
 *   little-endian; `iterating` for a root that is pending until an iteration ends; `bad-document` for a JavaScript value that is no
 *   plain data and has no codec, and for a reference to an entity outside that no path leads to alone.
 */
export function hashOf(world: World, root: Entity): number {
  const bytes = writeBinary(world, { root }, true);
  return hashOfWords(bytes, 0) * 2 ** 21 + (hashOfWords(bytes, 0x5bd1e995) >>> 11);
}
