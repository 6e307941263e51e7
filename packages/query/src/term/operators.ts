import type { Asked, Component, Entity, Tag, Variable, VariablePair } from "@treeline/core";
import { bringChanges } from "./changes.ts";

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
export type Plain = Asked | VariablePair<unknown, unknown, unknown>;

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

type MaybeOf<T> = [ValueOf<T>] extends [undefined] ? true | undefined : ValueOf<T> | undefined;
export type ReadOf<T> = [ValueOf<T>] extends [undefined] ? undefined : Readonly<ValueOf<T>>;

/** What `each` hands over for a list of terms, in their order; of a list that types do not tell, anything. */
export type RowsOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : TupleRows<Terms>;

/** The same with the entity behind it: what `each` calls its visitor with, and `rows` and `collect` give. */
export type AnswerOf<Terms extends readonly QueryTerm[]> = number extends Terms["length"]
  ? unknown[]
  : [...TupleRows<Terms>, Entity];

type TupleRows<Terms extends readonly QueryTerm[]> = Terms extends readonly [
  infer First,
  ...infer Rest extends readonly QueryTerm[],
]
  ? [...Given<First>, ...TupleRows<Rest>]
  : [];
type Given<T> = T extends Variable ? [Entity] : [ValueOf<T>] extends [undefined] ? [] : [ValueOf<T>];

/** What the operators make. */
export function wrap<Op extends Operator, Row>(
  operator: Op,
  of: readonly QueryTerm[],
  by: unknown = undefined,
  isDescending = false,
): Wrapped<Op, Row> {
  return { operator, of, by, isDescending };
}

/** Takes anything. */
export function isWrapped(term: unknown): term is Wrapped {
  return typeof term === "object" && term !== null && "operator" in term && "of" in term;
}

/**
 * Only entities that do not have it: `not(Frozen)`, `not(ChildOf(ship))`. Of a term with parts, those for whom it does not
 * hold as a whole: `not(all(Frozen, Heavy))`, `not(or(Frozen, Heavy))`, `not(up(Frozen))`.
 *
 * Cost: components and tags nothing, shapes tell them; a pair with a target the tables and loose sources of the pair. Inside
 * `or`, `all` and another `not`, pairs are asked for table by table, loose ones and changes row by row. What cannot stand
 * inside is refused by `query` with `bad-query`, here and in all operators.
 */
export function not(what: Filter): Wrapped<"not", undefined> {
  return wrap("not", [what]);
}

/**
 * With it or without: hands over what the term would, or `undefined`; for tags and pairs without values `true` or
 * `undefined`. It names what it is about: `maybe(Disabled)` asks for disabled entities as well.
 *
 * Cost: a look at each shape, run or table; for `up` and `selfOrUp` what those cost.
 */
export function maybe<const T extends Plain | Wrapped<"up" | "selfOrUp" | "on">>(
  what: T,
): Wrapped<"maybe", MaybeOf<T>> {
  return wrap("maybe", [what]);
}

/**
 * At least one of several. Hands over the value of the first alternative that holds; `undefined` if that has no values. If no
 * alternative has any, it hands over nothing.
 *
 * Cost: nothing if shapes tell all alternatives; those that they leave open are asked for as in `not`. If all are pairs with
 * targets, only the sources of those are looked at, but for queries with ancestors or variables.
 *
 * @example
 * const drawn = query(world, Position, or(Sprite, Model), not(or(Hidden, up(Hidden))));
 */
export function or<const Terms extends readonly [Filter, ...Filter[]]>(
  ...of: Terms
): Wrapped<"or", ValueOf<Terms[number]>> {
  return wrap("or", of);
}

/** All of several, as one part of `or` and `not`. Hands over nothing. Cost: that of its parts. */
export function all(...of: readonly [Filter, ...Filter[]]): Wrapped<"all", undefined> {
  return wrap("all", of);
}

/**
 * A term about one given entity, or about a variable, instead of those who are visited: `on(game, Paused)`. If it does not
 * hold, nobody is visited. Hands over that entity's value, read-only. `up` and `selfOrUp` may be inside.
 *
 * With a variable, terms are joined: `query(world, DockedTo(ship), on(ship, MemberOf(team)), MemberOf(team))`.
 *
 * Cost: one look at the entity before each visit; of a variable that is free, one for each that it may stand for. With `up`
 * inside, each look goes up step by step.
 */
export function on<const T extends Plain | Wrapped<"up" | "selfOrUp">>(
  entity: Entity | Variable,
  what: T,
): Wrapped<"on", ReadOf<T>> {
  return wrap("on", [what], entity);
}

/**
 * A component on the entity that stands for it: one value for the whole world. `add(world, entityOf(world, Time), Time)` makes
 * it. Hands over the value, read-only; while it is not there, nobody is visited. Cost: as `on`.
 */
export function singleton<const T extends Component | Tag>(what: T): Wrapped<"on", ReadOf<T>> {
  return wrap("on", [what], what);
}

/**
 * Only entities whose value was written since this query last looked: by `set`, `patch`, row views, runs with declared
 * writes, `markChanged`, and by getting it. `changed(up(C))` and `changed(cascade(C))` tell of the value of the nearest
 * ancestor, and of another ancestor being the nearest. Components without values are refused by `query` with `bad-query`.
 *
 * Such a query is nobody else's: the same question gives a new one, to be disposed. Its visits look; `first`, `count` and
 * `isEmpty` do not. The first look sees everything. What the visit itself writes through its row views and declared writes
 * is not news to it, unless a query for changes was visited inside it: what is written after that is.
 *
 * Cost: eight bytes a row of every shape with the component, once somebody asks; a visit passes over what is old by shapes
 * and by blocks of 64 rows. 1 % of all rows, scattered, takes about 0.3 of a visit of all. Of ancestors: 36 bytes for each
 * entity index of the world and each query, and room to grow; after structural changes, a pass over all who are below
 * somebody.
 */
export function changed(
  what: Component | Wrapped<"up" | "selfOrUp" | "cascade">,
): Wrapped<"changed", undefined> {
  bringChanges();
  return wrap("changed", [what]);
}

/** Only entities that got it since this query last looked, and have it. Cost, and who disposes: as `changed`. */
export function added(what: Component | Tag): Wrapped<"added", undefined> {
  bringChanges();
  return wrap("added", [what]);
}

/**
 * Only living entities that lost it since this query last looked, and have it not. Deaths are told by `monitor`.
 *
 * Cost: as `changed`; eight bytes a row of the shapes into which those came who lost it.
 */
export function removed(what: Component | Tag): Wrapped<"removed", undefined> {
  bringChanges();
  return wrap("removed", [what]);
}
