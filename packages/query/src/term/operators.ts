import type {
  AnyKindOfRelation,
  Asked,
  Component,
  Entity,
  Tag,
  Valued,
  Variable,
  VariablePair,
} from "@treeline/core";
import { TreelineError } from "@treeline/core";
import { shown } from "@treeline/core/internal";

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
  /** Up, selfOrUp and cascade: the relation, if not ChildOf. On: the source. Order and groups: by what. */
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
type ReadOf<T> = [ValueOf<T>] extends [undefined] ? undefined : Readonly<ValueOf<T>>;

/** What `each` hands over for a list of terms, in their order. */
export type RowsOf<Terms extends readonly QueryTerm[]> = Terms extends readonly [
  infer First,
  ...infer Rest extends readonly QueryTerm[],
]
  ? [...Given<First>, ...RowsOf<Rest>]
  : [];
type Given<T> = T extends Variable ? [Entity] : [ValueOf<T>] extends [undefined] ? [] : [ValueOf<T>];

function wrap<Op extends Operator, Row>(
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
 * Only entities that do not have it: `not(Frozen)`, `not(ChildOf(ship))`. Of a group, those for whom the group as a whole
 * does not hold: `not(all(Frozen, Heavy))`, `not(or(Frozen, Heavy))`, `not(up(Frozen))`.
 */
export function not(what: Filter): Wrapped<"not", undefined> {
  return wrap("not", [what]);
}

/**
 * With it or without: hands over what the term would, or `undefined`; for tags and pairs without values `true` or
 * `undefined`. It names what it is about: `maybe(Disabled)` asks for disabled entities as well.
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
 * @example
 * const drawn = query(world, Position, or(Sprite, Model), not(or(Hidden, up(Hidden))));
 */
export function or<const Terms extends readonly [Filter, ...Filter[]]>(
  ...of: Terms
): Wrapped<"or", ValueOf<Terms[number]>> {
  return wrap("or", of);
}

/** All of several, as one part of `or` and `not`. Hands over nothing. */
export function all(...of: readonly [Filter, ...Filter[]]): Wrapped<"all", undefined> {
  return wrap("all", of);
}

/** Along which relation `up`, `selfOrUp` and `cascade` go. */
export interface UpOptions {
  /** A traversable relation. Default ChildOf, which covers both storages of parents. */
  readonly relation?: AnyKindOfRelation;
}

/**
 * The nearest ancestor that has it, the entity itself excluded; only entities that have such an ancestor. Hands over its
 * value, read-only. `maybe(up(C))` does not filter, `not(up(C))` takes the others.
 *
 * Along a relation with many targets, the line of the target that has the lowest index is followed to its end before
 * that of the next.
 *
 * @example
 * const lit = query(world, Mesh, up(Light));
 */
export function up<const T extends Asked>(what: T, options: UpOptions = {}): Wrapped<"up", ReadOf<T>> {
  return wrap("up", [what], options?.relation);
}

/** The same, but an entity that has it itself is its own source. */
export function selfOrUp<const T extends Asked>(
  what: T,
  options: UpOptions = {},
): Wrapped<"selfOrUp", ReadOf<T>> {
  return wrap("selfOrUp", [what], options?.relation);
}

/** Along which relation `cascade` goes, and from which end. */
export interface CascadeOptions extends UpOptions {
  /** Children before their parents. Default false. */
  readonly desc?: boolean;
}

/**
 * Visits parents before their children, and hands over the component of the nearest ancestor that has it, read-only;
 * `undefined` where no ancestor has it, as for roots. It does not filter: the component itself is asked for by a term of
 * its own, and `up` filters. Depth along a relation with many targets is that of the longest way.
 *
 * A query takes several, if they go along one relation in one direction.
 *
 * @example
 * const placed = query(world, Local, World, cascade(World));
 */
export function cascade<Row>(
  what: Component<Row>,
  options: CascadeOptions = {},
): Wrapped<"cascade", Readonly<Row> | undefined> {
  return wrap("cascade", [what], options?.relation, options?.desc === true);
}

/**
 * A term about one given entity, or about a variable, instead of those who are visited: `on(game, Paused)`. If it does not
 * hold, nobody is visited. Hands over that entity's value, read-only. `up` and `selfOrUp` may be inside.
 *
 * With a variable, terms are joined: `query(world, DockedTo(ship), on(ship, MemberOf(team)), MemberOf(team))`.
 */
export function on<const T extends Plain | Wrapped<"up" | "selfOrUp">>(
  source: Entity | Variable,
  what: T,
): Wrapped<"on", ReadOf<T>> {
  return wrap("on", [what], source);
}

/**
 * A component on the entity that stands for it: one value for the whole world. `add(world, entityOf(world, Time), Time)` makes
 * it. Hands over the value, read-only; while it is not there, nobody is visited.
 */
export function singleton<const T extends Component | Tag>(what: T): Wrapped<"on", ReadOf<T>> {
  return wrap("on", [what], what);
}

/**
 * Only entities whose value was written since this query last looked: by `set`, `patch`, row views, runs with declared
 * writes, `markChanged`, and by getting it. `changed(up(C))` and `changed(cascade(C))` tell of the value of the nearest
 * ancestor, and of another ancestor being the nearest.
 *
 * Such a query is nobody else's: the same question gives a new one. Its visits look; `first`, `count` and `isEmpty` do
 * not. The first look sees everything. What the visit itself writes through its row views and declared writes is not
 * news to it.
 *
 * Cost: eight bytes a row of every shape with the component, once somebody asks.
 */
export function changed(
  what: Component | Wrapped<"up" | "selfOrUp" | "cascade">,
): Wrapped<"changed", undefined> {
  return wrap("changed", [what]);
}

/** Only entities that got it since this query last looked, and have it. See `changed`. */
export function added(what: Component | Tag): Wrapped<"added", undefined> {
  return wrap("added", [what]);
}

/** Only living entities that lost it since this query last looked, and have it not. Deaths are told by `monitor`. */
export function removed(what: Component | Tag): Wrapped<"removed", undefined> {
  return wrap("removed", [what]);
}

/** The fields of a component that can be compared as numbers. */
export type NumberField<Row> = [Row] extends [object]
  ? { readonly [Name in keyof Row]: Row[Name] extends number | boolean ? Name : never }[keyof Row]
  : never;

/** In which direction `orderBy` sorts. */
export interface OrderOptions {
  /** Largest first. Default false. */
  readonly desc?: boolean;
}

/**
 * Visits in the order of a field of the component, or of a comparison of two values; equal ones in the order of their
 * handles' indexes. Sorted anew only when rows or values changed. With `cascade`, depth comes first.
 *
 * It does not ask for the component: those without it come last.
 */
export function orderBy<Row>(
  what: Valued<Row>,
  by: NumberField<Row> | ((one: Readonly<Row>, other: Readonly<Row>) => number),
  options: OrderOptions = {},
): Wrapped<"orderBy", undefined> {
  return wrap("orderBy", [what as Plain], by, options?.desc === true);
}

/**
 * Puts entities into groups: by their target of an exclusive relation, or by what a function of the entity gives. Visits come
 * group by group; `group(query, key)` is one of them.
 *
 * A function is asked again when rows came, went or moved, not when a value was written.
 */
export function groupBy(
  by: AnyKindOfRelation | ((entity: Entity) => unknown),
): Wrapped<"groupBy", undefined> {
  if (typeof by !== "function")
    throw new TreelineError("bad-query", `groupBy(${shown(by)}) needs a relation or function`);
  return wrap("groupBy", [], by);
}
