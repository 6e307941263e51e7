import type { Variable } from "@treeline/core";
import { ANY } from "@treeline/core/internal";

/** Numbers variables downwards from the wildcard; handles are positive. Names serve messages only. */
const names: string[] = [];

/**
 * A target that a question leaves open: `ChildOf(parent)`. Set it with `bind`, or leave it free: then it stands for each
 * target in turn. Make it once, at module level, as definitions; the same variable in several terms is the same entity.
 *
 * @example
 * const parent = variable("parent");
 * const childrenOf = query(world, Position, ChildOf(parent));
 * for (const ship of ships) eachRun(bind(childrenOf, parent, ship), draw);
 */
export function variable(name = "variable"): Variable {
  names.push(name);
  return (ANY - names.length) as Variable;
}

/** Takes anything. */
export function isVariable(what: unknown): what is Variable {
  return typeof what === "number" && what < ANY && what >= ANY - names.length && Number.isInteger(what);
}

export function nameOfVariable(what: Variable): string {
  return names[ANY - what - 1] ?? "variable";
}
