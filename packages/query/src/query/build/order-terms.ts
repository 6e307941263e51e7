// `orderBy`, `inOrder`, `groupBy`, `group`, `page`, `shard`: what they accept; finds one group by its pair (`groupByItself`).
import type { AnyKindOfRelation, Definition, Entity, Numbers, Pair, Valued, Variable } from "@treeline/core";
import { Any, defer } from "@treeline/core";
import { requireOptions, shown } from "@treeline/core/internal";
import { isWrapped, type Plain, type Wrapped } from "../../term/operators.ts";
import type { Order } from "../../term/plan.ts";
import { parsedIn, type Reader, readerOf, refuse, requireHandle, wrap } from "../../term/read.ts";
import { createIntervalsFor } from "../lists/row-intervals.ts";
import { numberInOrder } from "../order/document-order.ts";
import { orderingOf, rangeOf, sortRows, stopOrdering } from "../order/sort-rows.ts";
import { listRows } from "../rows/list-rows.ts";
import { engine, IterationState } from "../state/iteration-state.ts";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";
import { all, not } from "./filter-terms.ts";
import { relationOf, variable } from "./other-entity-terms.ts";
import { bind, bindTo, query as queryOf, requireUsable } from "./query.ts";

/** The fields of a component that can be compared as numbers. */
export type NumberField<Row, Columns = unknown> = [Row] extends [object]
  ? {
      readonly [Name in keyof Row]: Row[Name] extends number | boolean ? Stored<Name, Columns> : never;
    }[keyof Row]
  : never;

/** The name of a field if typed arrays store it, as far as the columns are known: those above an entity are not. */
type Stored<Name, Columns> = unknown extends Columns
  ? Name
  : Name extends keyof Columns
    ? Columns[Name] extends Numbers
      ? Name
      : never
    : never;

/** Options of `orderBy`. */
export interface OrderOptions {
  /** Largest first. Default false. */
  readonly desc?: boolean | undefined;
}

/**
 * Iterates in the order of a field of the component, or of a comparison of two values; equal values in the order of the next
 * `orderBy` of the query, and in the end of the handles' indexes. With `groupBy` and `cascade`, groups and depth come first. It
 * does not require the component: entities without it come last, also with `desc`.
 *
 * `orderBy(up(Team), "rank")` orders by the value of the nearest ancestor that has it, `selfOrUp` by the entity's own value if it
 * has one; neither requires an ancestor. Like `up` as a term, it is a path of batches, in the order of the terms.
 *
 * Iterations, `first` and most often `count` sort again when rows moved, or when values were written in a way that `changed`
 * matches. They do not notice writes to columns that the iteration does not declare, writes through `locate`, and objects that
 * are changed in place: report those with `markChanged`. A comparison that is created inline makes another query each time:
 * keep it, or the query.
 *
 * @cost while nothing changed, a copy of the list of matches. After one change each match is read again, about a microsecond each,
 *   and the list is sorted if need be, with `up` always. Until it is disposed, the query keeps about 100 bytes a match, 20 more for
 *   each further `orderBy`, and 8 bytes a row of every archetype with the component; with `up` the lists of `up` as well. A query
 *   that names an entity keeps nothing, and sorts at each iteration.
 * @throws TreelineError `bad-query` for options that are not an object; `query` throws it for what cannot be compared.
 *
 * @example
 * const line = query(world, Player, orderBy(up(Team), "rank"), orderBy(Player, "points", { desc: true }));
 */
export function orderBy<Row, Columns>(
  what: Valued<Row, Columns> | Wrapped<"up" | "selfOrUp", Readonly<Row>>,
  by: NumberField<Row, Columns> | ((one: Readonly<Row>, other: Readonly<Row>) => number),
  options: OrderOptions = {},
): Wrapped<"orderBy", undefined> {
  if (typeof options !== "object" || options === null)
    refuse(`orderBy accepts options as an object, { desc: true }, not ${shown(options)}`);
  CHECK: requireOptions("orderBy", options, ["desc"], "bad-query");
  installOrder();
  return wrap("orderBy", orderReader, [what as Plain | Wrapped], by, options.desc === true);
}

/**
 * Puts entities into groups: by their target of an exclusive relation, or by what a function of the entity returns. Iterations
 * go group by group; `group(query, key)` is one of them. `monitorGroups` reports groups that begin or end.
 *
 * A function is called again when any row was added, removed or moved, but not when a value was written, nor when an entity
 * that matches before and after was disabled or enabled, or got or lost what is stored as bits or sparse: such changes move no
 * entity into another group.
 * Whatever lists matches may call it, `first` and `count` too. A function that is created inline makes another query each time:
 * keep it.
 *
 * @cost as `orderBy`, without reading values; `group` by relation reads that group only.
 * @throws TreelineError `bad-query` for what is neither; `query` throws it for a relation that is not exclusive.
 */
export function groupBy(
  by: AnyKindOfRelation | ((entity: Entity) => unknown),
): Wrapped<"groupBy", undefined> {
  if (typeof by !== "function") refuse(`groupBy(${shown(by)}) needs a relation or function`);
  installOrder();
  return wrap("groupBy", groupsReader, [], by);
}

/** Options of `inOrder`. */
export interface InOrderOptions {
  /** The relation whose trees are followed; it must be traversable and exclusive. Default ChildOf, in both storages of parents. */
  readonly relation?: AnyKindOfRelation | undefined;
}

/**
 * Iterates in document order: each entity before those below it, siblings in the order of `children`, and roots in the order of
 * `roots`. With a parent in the query, `query(world, Item, ChildOf(bag), inOrder())`, that is sibling order. It does not filter,
 * and ancestors that do not match still decide the order.
 *
 * With `groupBy`, it is the order inside each group. With `cascade`, depth comes first, then document order. With `orderBy`,
 * which is another order, `query` throws `bad-query`.
 *
 * @cost while nothing moved and no siblings were reordered, a copy of the list of matches. After one change all matches are read
 *   and sorted again, about a microsecond each, with their ancestors; where several of these have one parent, all its children are
 *   read, and where several are roots, all roots. It keeps what `orderBy` keeps. A query that names an entity keeps nothing, and
 *   does this at each iteration.
 * @throws TreelineError `bad-query` for options that are not an object; `query` throws it for a relation that cannot be followed.
 *
 * @example
 * const items = query(world, Item, ChildOf(bag), inOrder());
 */
export function inOrder(options: InOrderOptions = {}): Wrapped<"inOrder", undefined> {
  if (typeof options !== "object" || options === null || "kind" in options)
    refuse(`inOrder accepts options as an object, { relation: DockedTo }, not ${shown(options)}`);
  CHECK: requireOptions("inOrder", options, ["relation"], "bad-query");
  installOrder();
  engine.numberInOrder = numberInOrder;
  return wrap("inOrder", inOrderReader, [], options.relation);
}

/** Installs what ordered queries and parts need. */
function installOrder(): void {
  engine.sortRows = sortRows;
  engine.stopOrdering = stopOrdering;
}

const orderReader: Reader = {
  demand(draft, { of, by, isDescending }) {
    if (draft.siblings !== undefined) refuse(TWO_ORDERS);
    const what = of[0];
    const isAbove = isWrapped(what) && (what.operator === "up" || what.operator === "selfOrUp");
    const above = isAbove ? readerOf(what).path!(draft, what) : undefined;
    const { definition, target } = above ?? parsedIn(draft, what);
    const field = definition.fields.find(([name]) => name === by)?.[1];
    const { kind, holds, name } = definition;
    if (kind !== "component" || holds === "nothing") refuse("orderBy needs a component that has values");
    if (
      typeof by !== "function" &&
      (field === undefined || field.isList || field.kind === "entity" || field.kind === "value")
    )
      refuse(
        `orderBy(${name}, ${shown(by)}) needs the name of a field that holds one number, or a comparison`,
      );
    const { path, self } = above ?? { path: -1, self: false };
    draft.isSorted = true;
    draft.orders.push({ definition, target, path, self, by: by as Order["by"], isDescending });
  },
};

const inOrderReader: Reader = {
  demand(draft, { by }) {
    if (draft.siblings !== undefined) refuse("a query accepts one inOrder");
    const relation = relationOf(by);
    if (!relation.exclusive)
      refuse(`inOrder needs an exclusive relation; ${relation.name} allows many targets`);
    draft.isSorted = true;
    draft.siblings = relation;
    if (draft.orders.length > 0) refuse(TWO_ORDERS);
  },
};

const TWO_ORDERS = "a query accepts orderBy or inOrder, not both: each is an order of all matches";

const groupsReader: Reader = {
  demand(draft, { by }) {
    if (draft.groups !== undefined) refuse("a query accepts one groupBy");
    draft.isSorted = true;
    const relation = by as Definition;
    const { kind, exclusive, name } = relation;
    if (kind === undefined) draft.groups = { by: "key", keyOf: by as () => unknown };
    else if (kind === "relation" && exclusive && by !== Any) draft.groups = { by: "target", relation };
    else refuse(`groupBy(${name}) needs an exclusive relation, or a function of the entity`);
  },
};

/**
 * A part of a query: `limit` of its matches after the first `offset`, in the order of iteration. Every function that iterates a
 * query accepts it. It has fewer matches, or none, if there are not as many; each iteration computes them again. Pages of
 * unordered queries fit together while nothing moves. Unread changes stay unread until the whole query is iterated.
 *
 * @cost an iteration lists what the whole would iterate, and cuts it.
 * @returns a light object, valid as long as the query is; you need not dispose it.
 * @throws TreelineError `bad-query` unless both are whole numbers, not below 0; `disposed`.
 *
 * @example
 * const ranked = query(world, Score, orderBy(Score, "points", { desc: true }));
 * each(page(ranked, 0, 10), showLine);
 */
export function page<Q extends Query>(query: Q, offset: number, limit: number): Q {
  requireUsable(query);
  requireCounts("page", { offset, limit });
  return partOf(query, { kind: "page", first: offset, second: limit, key: undefined });
}

/**
 * One of `count` parts of a query of about equal size, `index` from 0: for work that is done in several portions, or by several
 * workers. Together they contain every match once, in the order of iteration, as long as nothing moves in between. Otherwise
 * they are like pages, and cost as much.
 *
 * @throws TreelineError `bad-query` unless both are whole numbers, `index` not below 0 and below `count`; `disposed`.
 *
 * @example
 * each(shard(thinking, frame % 4, 4), think);
 */
export function shard<Q extends Query>(query: Q, index: number, count: number): Q {
  requireUsable(query);
  requireCounts("shard", { index, count });
  if (index >= count) refuse(`shard ${index} of ${count} does not exist: the index counts from 0`);
  return partOf(query, { kind: "shard", first: index, second: count, key: undefined });
}

function requireCounts(verb: string, counts: Readonly<Record<string, number>>): void {
  const call = `${verb}(query, ${Object.keys(counts).join(", ")})`;
  for (const [name, number] of Object.entries(counts))
    if (!Number.isInteger(number) || number < 0)
      refuse(`${call} needs a whole number from 0 as ${name}, not ${shown(number)}`);
}

/** A part of a query, or of a part. All but the part itself is shared. */
function partOf<Q extends Query>(query: Q, part: Pick<Part, "kind" | "first" | "second" | "key">): Q {
  installOrder();
  return { ...query, part: { whole: wholeOf(query), of: query.part, ...part } };
}

/**
 * One group of a query with `groupBy`, as a part that every function that iterates a query accepts. With a relation: entities
 * whose target is `key`; `undefined` for entities without a target. With a function: entities for which it returned `key`,
 * compared as in a Map. The group is empty if there is none with this key. Like pages, groups do not mark changes as read.
 *
 * @cost with a relation as a query for that pair; other entities are not read, and the group has its own variables: they keep the
 *   bindings from when `group` was called, until `bind` sets them for the group. With a function, an order, terms about changes, a
 *   reflexive relation, and of a page or shard, the whole is listed, and read if anything moved; then one look-up.
 * @returns a light object, valid as long as the query is; you need not dispose it.
 * @throws TreelineError `bad-query` for a query without `groupBy`, and for a group; `dead-entity` for a target that does not
 *   have the form of a handle; `disposed`.
 *
 * @example
 * const sold = query(world, Goods, groupBy(SoldIn));
 * each(group(sold, market), showPrice);
 */
export function group<Q extends Query>(query: Q, key: unknown): Q {
  requireGroups(query);
  const { world, plan, part } = query;
  if (plan.groups?.by === "target") {
    if (key !== undefined) requireHandle(world, key as Entity);
    const { relation } = plan.groups;
    // A query for a reflexive pair matches its target too.
    const isOrdered = plan.orders.length > 0 || plan.siblings !== undefined;
    if (!isOrdered && !plan.isWatching && part === undefined && !relation.reflexive)
      return groupByItself(query, relation, key as Entity | undefined) as Q;
  }
  return partOf(query, { kind: "group", first: 0, second: 0, key });
}

/**
 * The keys of all existing groups, as `group` accepts them, in the order of iteration: with a relation the targets of matches by
 * their indexes, then `undefined` if a match has no target; with a function the keys in the order in which they first came up.
 *
 * @cost lists what the whole would iterate, and reads it if anything moved.
 * @returns a new list.
 * @throws TreelineError `bad-query` for a query without `groupBy`, and for a group; `disposed`; what the function throws.
 *
 * @example
 * for (const market of groupsOf(sold)) each(group(sold, market), showPrice);
 */
export function groupsOf<Key = Entity | undefined>(query: Query): Key[] {
  requireGroups(query);
  const { world, part } = query;
  const intervals = createIntervalsFor(query);
  defer(world, () => listRows(query, new IterationState(query), intervals));
  if (intervals.length === 0) return [];
  const ordering = orderingOf(query, intervals);
  const { numbers, starts } = ordering;
  const { from, to } = rangeOf(part, starts.at(-1)!, ordering);
  const isIn = (_: unknown, number: number): boolean => starts[number]! < to && starts[number + 1]! > from;
  return [...numbers.keys()].filter(isIn) as Key[];
}

function requireGroups(query: Query): void {
  requireUsable(query);
  for (let part: Part | undefined = query.part; part !== undefined; part = part.of)
    if (part.kind === "group")
      refuse(`a group has no groups; call group(query, ${shown(part.key)}) with the whole query`);
  if (query.plan.groups === undefined) refuse("this query has no groups; add groupBy(...) to its terms");
}

/** The target of a group, in all queries: each group has its own binding. */
const TARGET = /* @__PURE__ */ variable("target of the group");

/**
 * Finds one group by its pair: with one query for entities that have a target and one for the others, which are disposed with
 * the whole. The group has its own bindings of variables from now on.
 */
function groupByItself(query: Query, relation: Definition, target: Entity | undefined): Query {
  const { world, plan, bound, inner } = query;
  const rest = query.terms.filter((term) => !(isWrapped(term) && term.operator === "groupBy"));
  const pairOf = relation as unknown as (target: unknown) => Pair;
  if (inner.length === 0)
    inner.push(queryOf(world, ...rest, all(pairOf(TARGET))), queryOf(world, ...rest, not(pairOf(Any))));
  const like = inner[target === undefined ? 1 : 0]!;
  const terms = target === undefined ? like.terms : [...rest, all(pairOf(target))]; // for functions that read them again
  const own: Query = { ...like, terms, targets: [...like.targets], bound: [...like.bound] };
  for (const [place, handle] of bound.entries()) bindTo(own, plan.variables[place] as Variable, handle);
  if (target !== undefined) bind(own, TARGET, target);
  return { ...own, part: partOf(query, { kind: "group", first: 0, second: 0, key: target }).part };
}
