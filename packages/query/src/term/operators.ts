import type { Entity, TermPattern, Variable, VariablePair } from "@treeline/core";
import { ANY } from "@treeline/core/internal";

/** What a wrapped term does with what it is about. */
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
  | "orderBy"
  | "groupBy";

declare const operatorBrand: unique symbol;

/** What the operators give. `Row` is what `each` hands over for it; `undefined` for nothing. All have one form. */
export interface Wrapped<Op extends Operator = Operator, Row = unknown> {
  readonly operator: Op;
  /** What it is about: one term, or several alternatives or parts. */
  readonly of: readonly QueryTerm[];
  /** Up, selfOrUp and cascade: the relation, if not ChildOf. On: the entity or variable. Order and groups: by what. */
  readonly by: unknown;
  readonly isDescending: boolean;
  /** Never there; carries the type. */
  readonly [operatorBrand]?: Row;
}

/** What asks for something an entity has. An entity means the definition it stands for, or itself as a tag. */
export type Plain = TermPattern | VariablePair<unknown, unknown, unknown>;

/** What `query` takes: what entities must have, a wrapped form of it, or a variable, to be handed over. */
export type QueryTerm = Plain | Wrapped | Variable;

/** What may stand inside `not`, `or` and `all`. */
export type Filter =
  | Plain
  | Wrapped<"not" | "or" | "all" | "up" | "selfOrUp" | "on" | "changed" | "added" | "removed">;

/** What `each` hands over for a term; `undefined` for nothing. */
export type ValueOf<T> = T extends Entity
  ? undefined
  : T extends Wrapped<Operator, infer Row>
    ? Row
    : T extends { readonly types?: { readonly row: infer Row } }
      ? Row
      : undefined;

export type ReadOf<T> = [ValueOf<T>] extends [undefined] ? undefined : Readonly<ValueOf<T>>;

/** What `each` hands over for a list of terms, in their order; of a list that types do not tell, anything. */
export type RowsOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : TupleRows<Terms>;

/** The same with the entity behind it: what `each` calls its visitor with, and `rows` and `collect` give. */
export type ResultOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : [...TupleRows<Terms>, Entity];

type TupleRows<Terms extends readonly QueryTerm[]> = Terms extends readonly [
  infer First,
  ...infer Rest extends readonly QueryTerm[],
]
  ? [...Given<First>, ...TupleRows<Rest>]
  : [];
type Given<T> = T extends Variable ? [Entity] : [ValueOf<T>] extends [undefined] ? [] : [ValueOf<T>];

/** Takes anything. */
export function isWrapped(term: unknown): term is Wrapped {
  return typeof term === "object" && term !== null && "operator" in term && "of" in term;
}

/** Numbers variables downwards from the wildcard; handles are positive. Names serve messages only. */
const names: string[] = [];

/** The next number; for users there is `variable`. */
export function numberVariable(name: string): Variable {
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
