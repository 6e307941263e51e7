/** Simple queries of the naive twin: tests one entity after the other. */
import type { NaiveId, Twin } from "./rules.ts";
import type { NaiveWorld } from "./world.ts";
import { has, isDisabled } from "./world.ts";

/** One term of a query that both worlds evaluate. */
export interface SimpleTerm extends NaiveId {
  readonly kind: "with" | "not" | "maybe" | "cascade";
}

/** Does the entity match? A disabled entity matches only if a term names a tag that disables. */
export function matches(world: NaiveWorld, entity: Twin, terms: readonly SimpleTerm[]): boolean {
  const namesDisabled = terms.some(({ what }) => what === "Disabled" || what === "DisabledTree");
  if (!namesDisabled && isDisabled(world, entity)) return false;
  return terms.every(({ kind, what, target }) => {
    if (kind === "with") return has(world, entity, what, target);
    return kind === "not" ? !has(world, entity, what, target) : true;
  });
}
