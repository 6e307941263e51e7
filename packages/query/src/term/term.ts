import {
  type Asked,
  type Component,
  type Definition,
  Disabled,
  DisabledTree,
  type Entity,
  type Tag,
  type Term,
  TreelineError,
  type World,
} from "@treeline/core";
import { ANY, isInternal, type Question, questionOf, shown } from "@treeline/core/internal";

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
  readonly what: Asked;
  /** Never there; carries the type. */
  readonly [operatorBrand]?: Row;
}

/**
 * What `query` takes: what entities must have, or a wrapped form of it. An entity means the definition it stands for, or
 * itself as a tag.
 */
export type QueryTerm = Asked | Wrapped;

/** Only entities that do not have it. With a target: that have not this pair. */
export function not(what: Asked): Wrapped<"not", undefined> {
  return { operator: "not", what };
}

/**
 * Entities with it or without; `each` hands over `undefined` for those without, and for tags nothing. It names what it
 * is about: `maybe(Disabled)` asks for disabled entities as well.
 */
export function maybe(what: Tag): Wrapped<"maybe", undefined>;
export function maybe<Row>(what: Component<Row>): Wrapped<"maybe", Row | undefined>;
export function maybe(what: Component | Tag): Wrapped<"maybe"> {
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

type Given<T> = T extends Entity
  ? []
  : T extends Wrapped<"not", unknown>
    ? []
    : T extends Wrapped<"maybe" | "cascade", infer Row>
      ? Handed<Row>
      : T extends { readonly types?: { readonly row: infer Row } }
        ? Handed<Row>
        : [];
type Handed<Row> = [Row] extends [undefined] ? [] : [Row];

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

function refuse(why: string): never {
  throw new TreelineError("bad-query", why);
}

function questionIn(world: World, what: Asked | undefined | null): Question {
  if (typeof what === "number") return questionOf(world, what);
  const definition = (typeof what === "function" ? what : (what as Term | undefined | null)?.definition) as
    | Definition
    | undefined;
  if (definition?.kind === undefined || isInternal(definition)) {
    return refuse(`${shown(what)} is no component, tag, pair or entity; is it imported in a circle?`);
  }
  if (definition.kind === "relation" && typeof what === "function") {
    refuse(`${definition.name} needs a target: ${definition.name}(entity) or ${definition.name}(Any)`);
  }
  return questionOf(world, what as Asked);
}

function clauseOf(world: World, term: QueryTerm): Clause {
  const operator = isWrapped(term) ? term.operator : "with";
  const { definition, target } = questionIn(world, isWrapped(term) ? term.what : term);
  const { kind, name, holds } = definition;
  if (operator === "maybe" && kind === "relation") refuse(`maybe(${name}) needs a component or tag`);
  if (operator === "cascade" && (kind !== "component" || holds === "nothing")) {
    refuse(`cascade(${name}) needs a component that has values`);
  }
  return { operator, definition, target };
}

/**
 * Reads terms into clauses.
 *
 * @throws TreelineError `bad-query` for what is no term, a relation without target, `maybe` of a pair, `cascade` of what
 *   has no values, and two cascades; `dead-entity` for an entity or target that has not the form of a handle.
 */
export function clausesOf(world: World, terms: readonly QueryTerm[]): Clause[] {
  const clauses = terms.map((term) => clauseOf(world, term));
  if (clauses.filter(({ operator }) => operator === "cascade").length > 1) {
    refuse("a query takes one cascade term");
  }
  return clauses;
}

/** The clause names an entity, alive or not: its answer depends on tables, not on shapes alone. */
export function namesTarget({ definition, target }: Clause): boolean {
  return definition.kind === "relation" && target !== ANY;
}

/** Does it ask for values of a pair? They lie in other columns in every table. */
export function readsPairs(clause: Clause): boolean {
  return clause.operator === "with" && namesTarget(clause) && clause.definition.holds !== "nothing";
}

/** Does one of the clauses say something about who is disabled? Else nobody disabled is meant. */
export function namesDisabled(clauses: readonly Clause[]): boolean {
  return clauses.some(({ definition }) => definition === Disabled || definition === DisabledTree);
}

/** Equal questions have equal keys. The order of terms counts, since `each` hands values over in it. */
export function keyOf(clauses: readonly Clause[]): string {
  return clauses
    .map(({ operator, definition, target }) => `${operator} ${definition.id} ${target}`)
    .join(", ");
}
