import type { Definition } from "@treeline/core";
import type { QueryTerm } from "../term/operators.ts";
import { namesTarget } from "../term/plan.ts";
import type { Query } from "./query-state.ts";

/** Questions that name entities and were asked lately, for those that differ in nothing but their targets. */
export interface Recent {
  readonly queries: Query[];
  next: number;
}

const KEPT = 4;

/** Only of plain terms, each of which is one clause. */
export function remember(recent: Recent, query: Query, terms: readonly QueryTerm[]): void {
  const { plan } = query;
  if (plan.clauses.length !== terms.length || plan.variables.length > 0 || plan.tests.length > 0) return;
  if (plan.readsPairs) return; // what is handed over hangs on the target
  for (let at = 0; at < terms.length; at++) if (!isLike(plan.clauses[at]!, terms[at]!)) return;
  recent.queries[recent.next] = query;
  recent.next = (recent.next + 1) % KEPT;
}

/** A query that differs from what is asked in its targets only. */
export function recall({ queries }: Recent, terms: readonly QueryTerm[]): Query | undefined {
  for (let at = 0; at < queries.length; at++) {
    const query = queries[at]!;
    if (areLike(query, terms)) return query;
  }
  return undefined;
}

function areLike({ clauses }: Query, terms: readonly QueryTerm[]): boolean {
  if (clauses.length !== terms.length) return false;
  for (let at = 0; at < terms.length; at++) if (!isLike(clauses[at]!, terms[at]!)) return false;
  return true;
}

function isLike(clause: Query["clauses"][number], term: QueryTerm): boolean {
  if (clause.operator !== "with") return false;
  if (typeof term === "function") return (term as unknown as Definition) === clause.definition;
  if (typeof term !== "object" || term === null) return false;
  const { definition, target } = term as unknown as { definition: Definition; target: number };
  return definition === clause.definition && target > 0 && namesTarget(clause);
}
