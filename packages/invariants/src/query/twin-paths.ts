/** The upward paths that a query names: each once, those of `cascade` first. */

import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { depthOf } from "../twin/world.ts";
import type { Above, QueryDescription, QueryTerm } from "./twin.ts";

/** The source that a batch shows: the nearest ancestor; of `selfOrUp` the entity itself, if it has the term. */
export type UpPath = Extract<Above, { kind: "up" | "selfOrUp" }>;

export function pathsIn(terms: readonly QueryTerm[]): UpPath[] {
  const all = [...terms.filter(({ kind }) => kind === "cascade"), ...terms].flatMap(aboveIn).map(upPathOf);
  const isFirst = (path: UpPath, at: number): boolean =>
    all.findIndex((one) => keyOf(one) === keyOf(path)) === at;
  return all.filter(isFirst);
}

/** The depth in iterations by depth: the longest path along the relation of the first upward path. */
export function depthAlong(naive: NaiveWorld, { terms }: QueryDescription, twin: Twin): number {
  const [first] = pathsIn(terms);
  return first === undefined ? 0 : depthOf(naive, twin, first.relation);
}

function aboveIn(term: QueryTerm): Above[] {
  switch (term.kind) {
    case "up":
    case "selfOrUp":
    case "cascade":
      return [term];
    case "changedAbove":
      return [term.of];
    case "not":
    case "maybe":
      return aboveIn(term.term);
    case "or":
    case "all":
      return term.terms.flatMap(aboveIn);
    default:
      return []; // concerns other entities
  }
}

function upPathOf(above: Above): UpPath {
  const { what, relation } = above;
  return above.kind === "cascade" ? { kind: "up", what, relation } : above;
}

/** Equal paths have equal keys. */
export function keyOf(above: Above): string {
  const { kind, what, target, relation } = upPathOf(above);
  return `${kind} ${what} ${target} ${relation}`;
}
