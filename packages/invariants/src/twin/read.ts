/** Questions to the naive twin: everybody is asked, one by one. */
import type { NaiveId, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { has, isDisabled } from "./world.ts";

/** One clause of a question asked of both worlds. */
export interface SimpleTerm extends NaiveId {
  readonly kind: "with" | "not" | "maybe" | "cascade";
}

/** Does the entity answer the question? The hidden answer only if somebody asks for what hides. */
export function matches(world: NaiveWorld, entity: Twin, terms: readonly SimpleTerm[]): boolean {
  const namesDisabled = terms.some(({ what }) => what === "Disabled" || what === "DisabledTree");
  if (!namesDisabled && isDisabled(world, entity)) return false;
  return terms.every(({ kind, what, target }) => {
    if (kind === "with") return has(world, entity, what, target);
    return kind === "not" ? !has(world, entity, what, target) : true;
  });
}
