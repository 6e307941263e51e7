import type { Variable } from "@treeline/core";
import { readers } from "../../term/draft.ts";
import { variableReader } from "../../term/read-variables.ts";
import { numberVariable } from "../../term/variable.ts";
import { bringJoins } from "./bring.ts";

/**
 * A target that a question leaves open: `ChildOf(parent)`. Set it with `bind`, or leave it free: then it stands for each
 * target in turn. Make it once, at module level, as definitions: each one makes questions of its own, and stays known for
 * good. The same variable in several terms is the same entity.
 *
 * @example
 * const parent = variable("parent");
 * const childrenOf = query(world, Position, ChildOf(parent));
 * for (const ship of ships) eachRun(bind(childrenOf, parent, ship), draw);
 */
export function variable(name = "variable"): Variable {
  bringJoins();
  readers.variable = variableReader;
  return numberVariable(name);
}
