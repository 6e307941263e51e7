import {
  type AnyPair,
  type Component,
  type Definition,
  type Pair,
  type Tag,
  type Term,
  TreelineError,
} from "@treeline/core";
import { ANY } from "@treeline/core/internal";

/** How a clause asks: has it, has it not, may have it, or has it along the way up, parents first. */
export type Operator = "with" | "not" | "maybe" | "cascade";

/** One clause of a question, as plain data. */
export interface Clause {
  readonly operator: Operator;
  readonly definition: Definition;
  /** Handle of a pair's target; -1 for any target; 0 for components and tags. */
  readonly target: number;
}

declare const operatorBrand: unique symbol;

/** What `not`, `maybe` and `cascade` give. `Row` is what `each` hands over for it; `undefined` for nothing. */
export interface Wrapped<Op extends Operator = Operator, Row = unknown> {
  readonly operator: Op;
  readonly what: Component | Tag | Pair<unknown, unknown, unknown> | AnyPair;
  /** Never there; carries the type. */
  readonly [operatorBrand]?: Row;
}

/** What `query` takes: what entities must have, or a wrapped form of it. */
export type QueryTerm = Component | Tag | Pair<unknown, unknown, unknown> | AnyPair | Wrapped;

/** Only entities that do not have it. With a target: that have not this pair. */
export function not(
  what: Component | Tag | Pair<unknown, unknown, unknown> | AnyPair,
): Wrapped<"not", undefined> {
  return { operator: "not", what };
}

/** Entities with it or without; `each` hands over `undefined` for those without. */
export function maybe<Row>(what: Component<Row>): Wrapped<"maybe", Row | undefined> {
  return { operator: "maybe", what };
}

/**
 * Visits parents before their children, and hands over the component of the nearest ancestor that has it, read-only;
 * `undefined` where no ancestor has it, as for roots. It does not filter: the component itself is asked for by a
 * term of its own.
 *
 * @example
 * const placed = query(world, Local, World, cascade(World));
 */
export function cascade<Row>(what: Component<Row>): Wrapped<"cascade", Readonly<Row> | undefined> {
  return { operator: "cascade", what };
}

type Given<T> =
  T extends Wrapped<"not", unknown>
    ? []
    : T extends Wrapped<"maybe" | "cascade", infer Row>
      ? [Row]
      : T extends { readonly types?: { readonly row: infer Row } }
        ? [Row] extends [undefined]
          ? []
          : [Row]
        : [];

/** What `each` hands over for a list of terms, in their order. */
export type RowsOf<Terms extends readonly QueryTerm[]> = Terms extends readonly [
  infer First,
  ...infer Rest extends readonly QueryTerm[],
]
  ? [...Given<First>, ...RowsOf<Rest>]
  : [];

function isWrapped(term: QueryTerm | undefined | null): term is Wrapped {
  return typeof term === "object" && term !== null && "operator" in term;
}

function definitionIn(what: QueryTerm | undefined | null): Definition {
  const definition = (
    typeof what === "function" ? what : (what as Term | undefined | null)?.definition
  ) as Definition;
  if (definition?.kind === undefined) {
    throw new TreelineError(
      "bad-query",
      `${String(what)} is no component, tag or pair; is it imported in a circle?`,
    );
  }
  return definition;
}

/**
 * Reads terms into clauses.
 *
 * @throws TreelineError `bad-query` for what is no term, a relation without target, `maybe` and `cascade` of what has
 *   no values, and two cascades.
 */
export function clausesOf(terms: readonly QueryTerm[]): Clause[] {
  const clauses = terms.map((term): Clause => {
    const operator = isWrapped(term) ? term.operator : "with";
    const what = isWrapped(term) ? term.what : term;
    const definition = definitionIn(what);
    if (definition.kind === "relation" && typeof what === "function") {
      throw new TreelineError(
        "bad-query",
        `${definition.name} needs a target: ${definition.name}(entity) or ${definition.name}(Any)`,
      );
    }
    const target = typeof what === "function" ? 0 : (what as Term).target;
    const isComponent = definition.kind === "component" && definition.holds !== "nothing";
    if ((operator === "maybe" || operator === "cascade") && !isComponent) {
      throw new TreelineError(
        "bad-query",
        `${operator}(${definition.name}) needs a component that has values`,
      );
    }
    return { operator, definition, target };
  });
  if (clauses.filter(({ operator }) => operator === "cascade").length > 1) {
    throw new TreelineError("bad-query", "a query takes one cascade term");
  }
  return clauses;
}

/** The clause names an entity, alive or not: its answer depends on tables, not on shapes alone. */
export function namesTarget({ definition, target }: Clause): boolean {
  return definition.kind === "relation" && target !== ANY;
}

/** Equal questions have equal keys. The order of terms counts, since `each` hands values over in it. */
export function keyOf(clauses: readonly Clause[]): string {
  return clauses
    .map(({ operator, definition, target }) => `${operator} ${definition.id} ${target}`)
    .join(", ");
}
