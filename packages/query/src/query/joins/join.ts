import { hasAt, indexIfAlive } from "../../match/pairs.ts";
import type { Bond } from "../../term/plan.ts";
import { isVariable } from "../../term/variable.ts";
import { currentStretches } from "../batches/stretches.ts";
import type { Spans } from "../lists/spans.ts";
import { climb, noteHolders } from "../rows/above.ts";
import { boundTo, type Query } from "../state/query-state.ts";
import type { Scene } from "../state/scene.ts";
import { solveInto } from "./solve.ts";

/** Answers with what the variables stand for in each, and with ancestors, which are looked up one by one. Tests are still to be asked. */
export function gatherJoined(query: Query, scene: Scene, spans: Spans): void {
  const { world, plan } = query;
  if (plan.watched.length > 0) noteHolders(query, currentStretches(world, plan.traversals, plan.waysKey));
  solveInto(query, scene, spans);
  if (plan.traversals.length > 0) climb(query, scene, spans);
}

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
