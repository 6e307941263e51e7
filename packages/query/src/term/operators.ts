// The operators (`Operator`), what `each` passes for a term (`ValueOf`), and the numbers of variables (`numberVariable`).
import type { Entity, TermPattern, Typed, Variable, VariablePair } from "@treeline/core";
import { ANY } from "@treeline/core/internal";

/** What a wrapped term does with its operands. */
export type Operator =
  | "not"
  | "maybe"
  | "or"
  | "all"
  | "up"
  | "selfOrUp"
  | "cascade"
  | "on"
  | "changed"
  | "added"
  | "removed"
  | "below"
  | "orderBy"
  | "groupBy"
  | "inOrder";

declare const operatorBrand: unique symbol;

/** What the operators return. `Row` is what `each` passes for it; `undefined` for nothing. */
export interface Wrapped<Op extends Operator = Operator, Row = unknown> {
  /** Never set; carries the types. */
  readonly [operatorBrand]: { readonly operator: Op; readonly row: Row };
}

/** The internal part; left out of the declarations that users get. All have one form. @internal */
export interface Wrapped<Op extends Operator = Operator, Row = unknown> {
  readonly [operatorBrand]: { readonly operator: Op; readonly row: Row };
  readonly operator: Op;
  /** The operands: one term, or several alternatives or parts. */
  readonly of: readonly QueryTerm[];
  /** Up, selfOrUp, cascade: the relation, if not ChildOf. On: the entity or variable. OrderBy, groupBy: the key. */
  readonly by: unknown;
  readonly isDescending: boolean;
}

/** A component, a tag, a pair, or an entity as a tag: `asTag(entity)`. */
export type Plain = TermPattern | VariablePair<unknown, unknown, unknown>;

/** What `query` accepts: what entities must have, a wrapped form of it, or a variable, whose entity is passed to callbacks. */
export type QueryTerm = Plain | Wrapped | Variable;

/** What `not`, `or` and `all` accept. */
export type Filter =
  | Plain
  | Wrapped<"not" | "or" | "all" | "up" | "selfOrUp" | "on" | "changed" | "added" | "removed" | "below">;

/** What `each` passes for a term; `undefined` for nothing. */
export type ValueOf<T> =
  T extends Wrapped<Operator, infer Row> ? Row : T extends Typed<infer Row> ? Row : undefined;

export type ReadOf<T> = [ValueOf<T>] extends [undefined] ? undefined : Readonly<ValueOf<T>>;

/** What `each` passes for a list of terms, in their order; anything if the list has no static types. */
export type RowsOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : TupleRows<Terms>;

/** The same, followed by the entity: the arguments of the callback of `each`, and what `rows` and `collect` return. */
export type ResultOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : [...TupleRows<Terms>, Entity];

/** What `each` passes. The optional last part is passed never: it is for the texts of type errors. */
export type PassedOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : [Extract<Terms[number], Wrapped<"up" | "selfOrUp", undefined>>] extends [never]
    ? ResultOf<Terms>
    : [
        ...ResultOf<Terms>,
        { readonly "nothing is passed for up(Tag) and selfOrUp(Tag): a tag has no value": never }?,
      ];
/** As an alias, it would hide its text in errors. */
type Note = { readonly "nothing is passed for up(Tag) and selfOrUp(Tag): a tag has no value": never };
/** The same, of which callbacks decide nothing. */
export type ArgumentsOf<Passed extends unknown[]> = Passed extends unknown[] ? Passed : never;
/** The same without that part. */
export type RowOfPassed<Passed extends readonly unknown[]> =
  Required<Passed> extends [...infer Row, Note] ? Row : Passed;

type TupleRows<Terms extends readonly QueryTerm[]> = Terms extends readonly [
  infer First,
  ...infer Rest extends readonly QueryTerm[],
]
  ? [...PassedFor<First>, ...TupleRows<Rest>]
  : [];
type PassedFor<T> = T extends Variable ? [Entity] : [ValueOf<T>] extends [undefined] ? [] : [ValueOf<T>];

/** Accepts any value. */
export function isWrapped(term: unknown): term is Wrapped {
  return typeof term === "object" && term !== null && "operator" in term && "of" in term;
}

/** Numbers variables downwards from the wildcard; handles are positive. Only messages use the names. */
const names: string[] = [];

/** The next number; users call `variable`. */
export function numberVariable(name: string): Variable {
  names.push(name);
  return (ANY - names.length) as Variable;
}

/** Accepts any value. */
export function isVariable(what: unknown): what is Variable {
  return typeof what === "number" && what < ANY && what >= ANY - names.length && Number.isInteger(what);
}

export function nameOfVariable(what: Variable): string {
  return names[ANY - what - 1] ?? "variable";
}
