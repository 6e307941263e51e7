// The definition of a relation by its number (`relationOf`).
import type { Graph } from "../graph/graph.ts";
import { CHILD_OF, ChildOf } from "../id/builtins.ts";
import type { Definition } from "../id/definition.ts";

/** The definition of a relation that entities have, by its number. */
export function relationOf({ sparse, componentIndex }: Graph, relation: number): Definition {
  if (relation === CHILD_OF) return ChildOf;
  const known = sparse[relation]?.definition;
  return known ?? componentIndex.get(relation)![0]!.definitions.find(({ id }) => id === relation)!;
}
