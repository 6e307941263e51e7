// Scopes along relations (`createAlong`): what contains an entity (`above`), paths in circles (`cutPath`).
import { type Relation, targetOf, type World } from "@treeline/core";
import { type EntityIndex, handleOf, indexOf } from "@treeline/core/internal";
import { stepOfIndex } from "../text/step.ts";
import { type Along, scopeAt, stepAt } from "./world-names.ts";

/** Scopes along these relations. */
export function createAlong(relations: readonly Relation[]): Along | undefined {
  if (relations.length === 0) return undefined;
  const above = (world: World, index: EntityIndex): EntityIndex => {
    const entity = handleOf(world, index);
    for (const relation of relations) {
      const target = targetOf(world, entity, relation);
      if (target !== undefined) return indexOf(target);
    }
    return 0;
  };
  const wayUp = (): typeof scopeAt => {
    const passed = new Set<EntityIndex>();
    return (world, names, index) => {
      passed.add(index);
      const next = scopeAt(world, names, index);
      return passed.has(next) ? 0 : next;
    };
  };
  return {
    relations,
    frees: () => false,
    above,
    wayUp,
    cutPath: (world, names, index, separator, path) => {
      const scopeAbove = wayUp();
      let top = index;
      for (let at = index; at !== 0; at = scopeAbove(world, names, at)) top = at;
      if (scopeAt(world, names, top) === 0) return path;
      return stepOfIndex(top) + path.slice(stepAt(names, top, separator).length);
    },
  };
}
