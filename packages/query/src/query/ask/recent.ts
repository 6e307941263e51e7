import type { Definition } from "@treeline/core";
import type { QueryTerm } from "../../term/operators.ts";
import type { Clause } from "../../term/plan.ts";
import type { Query } from "../state/query-state.ts";

/** Questions that name entities and were asked lately, for those that differ in nothing but their targets. */
export interface Recent {
  readonly queries: Query[];
  next: number;
}

const KEPT = 4;

/** Only of plain terms, each of which is one clause. */
export function remember(recent: Recent, query: Query): void {
  const { plan, terms } = query;
  if (plan.variables.length > 0 || plan.tests.length > 0 || !areLike(query, terms)) return;
  if (plan.readsPairs) return; // what is handed over hangs on the target
  recent.queries[recent.next] = query;
  recent.next = (recent.next + 1) % KEPT;
}

/** A query that differs from what is asked in its targets only. */
export function recall({ queries }: Recent, terms: readonly QueryTerm[]): Query | undefined {
  for (let at = 0; at < queries.length; at++) if (areLike(queries[at]!, terms)) return queries[at];
  return undefined;
}

function areLike({ plan }: Query, terms: readonly QueryTerm[]): boolean {
  const { clauses } = plan;
  if (clauses.length !== terms.length) return false;
  for (let at = 0; at < terms.length; at++) if (!isLike(clauses[at]!, terms[at]!)) return false;
  return true;
}

function isLike({ operator, definition, named }: Clause, term: QueryTerm): boolean {
  if (operator !== "with") return false;
  if (typeof term === "function") return (term as unknown as Definition) === definition;
  if (typeof term !== "object" || term === null) return false;
  const pair = term as unknown as { definition: Definition; target: number };
  return named && pair.definition === definition && pair.target > 0;
}
