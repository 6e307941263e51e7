import { hasAt, indexIfAlive } from "../../match/pairs.ts";
import type { Bond } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import { boundTo, type Query } from "../state/query-state.ts";

/** With all variables set: does what is asked of others than those who are visited hold? */
export function bondsHold(query: Query): boolean {
  const { world, plan, bound } = query;
  for (let at = 0; at < bound.length; at++) if (indexIfAlive(world, bound[at]!) === 0) return false;
  for (let at = 0; at < plan.bonds.length; at++) {
    const bond = plan.bonds[at]!;
    if (bond.source !== 0 && !holds(query, bond)) return false;
  }
  return true;
}

/** Asks the one entity that is meant. */
function holds(query: Query, { source, definition, target }: Bond): boolean {
  const { world } = query;
  const from = isVariable(source) ? boundTo(query, source) : source;
  const to = isVariable(target) ? boundTo(query, target) : target;
  const index = indexIfAlive(world, from);
  return index !== 0 && hasAt(world, index, definition, to);
}
