import type { AnyKindOfRelation, Definition, Entity, Pair, Valued, Variable } from "@treeline/core";
import { Any, defer } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import { isWrapped, type Plain, type Wrapped } from "../../term/operators.ts";
import type { Order } from "../../term/plan.ts";
import { parsedIn, type Reader, refuse, requireHandle, wrap } from "../../term/read.ts";
import { createIntervalsFor } from "../lists/row-intervals.ts";
import { orderingOf, rangeOf, sortRows, stopOrdering } from "../order/sort-rows.ts";
import { listRows } from "../rows/list-rows.ts";
import { engine, IterationState } from "../state/iteration-state.ts";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";
import { all, not } from "./filter-terms.ts";
import { variable } from "./other-entity-terms.ts";
import { query as ask, bind, requireUsable } from "./query.ts";

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
 * handles' indexes. With `cascade`, depth comes first. It does not ask for the component: those without it come last.
 *
 * Sorted anew, by `first` and most often `count` too, when rows moved, or when values were written in a way that `changed` sees.
 * Not noticed are writes to columns that the visit does not declare, or through `locate`, and objects that are changed in place:
 * `markChanged` tells of those. A comparison made on the spot makes another query each time: keep it, or the query.
 *
 * Cost: while nothing changed, a copy of the list of answers. After one change each answer is read again, about a
 * microsecond each, and they are sorted if that matters. Kept until it is disposed: about 100 bytes an answer, and 8 bytes a
 * row of every archetype with the component. A query that names an entity keeps nothing, and sorts at each visit.
 *
 * @throws TreelineError `bad-query` for options that are no object; `query` throws it for what cannot be compared.
 */
export function orderBy<Row>(
  what: Valued<Row>,
  by: NumberField<Row> | ((one: Readonly<Row>, other: Readonly<Row>) => number),
  options: OrderOptions = {},
): Wrapped<"orderBy", undefined> {
  if (typeof options !== "object" || options === null)
    refuse(`orderBy takes its options as an object, { desc: true }, not ${shown(options)}`);
  installOrder();
  return wrap("orderBy", orderReader, [what as Plain], by, options.desc === true);
}

/**
 * Puts entities into groups: by their target of an exclusive relation, or by what a function of the entity gives. Visits come
 * group by group; `group(query, key)` is one of them.
 *
 * A function is asked again when rows of anybody came, went or moved, not when a value was written, nor when somebody was
 * disabled or enabled who answers before and after: that puts nobody into another group.
 * Whatever lists answers may ask it, `first` and `count` too. One made on the spot makes another query each time: keep it.
 *
 * Cost: as `orderBy`, without looking at values; `group` by relation looks at that group only.
 *
 * @throws TreelineError `bad-query` for what is neither; `query` throws it for a relation that is not exclusive.
 */
export function groupBy(
  by: AnyKindOfRelation | ((entity: Entity) => unknown),
): Wrapped<"groupBy", undefined> {
  if (typeof by !== "function") refuse(`groupBy(${shown(by)}) needs a relation or function`);
  installOrder();
  return wrap("groupBy", groupsReader, [], by);
}

/** From now on answers can be put in order, and cut into parts. */
function installOrder(): void {
  engine.sortRows = sortRows;
  engine.stopOrdering = stopOrdering;
}

const orderReader: Reader = {
  demand(draft, { of, by, isDescending }) {
    if (draft.order !== undefined) refuse("a query takes one orderBy");
    const { definition, target } = parsedIn(draft, of[0]);
    const field = definition.fields.find(([name]) => name === by)?.[1];
    const { kind, holds, name } = definition;
    if (kind !== "component" || holds === "nothing") refuse("orderBy takes a component that has values");
    if (typeof by !== "function" && (field === undefined || field.isList || field.kind === "entity"))
      refuse(
        `orderBy(${name}, ${shown(by)}) needs the name of a field that holds one number, or a comparison`,
      );
    draft.order = { definition, target, by: by as Order["by"], isDescending };
  },
};

const groupsReader: Reader = {
  demand(draft, { by }) {
    if (draft.groups !== undefined) refuse("a query takes one groupBy");
    const relation = by as Definition;
    const { kind, exclusive, name } = relation;
    if (kind === undefined) draft.groups = { by: "key", keyOf: by as () => unknown };
    else if (kind === "relation" && exclusive && by !== Any) draft.groups = { by: "target", relation };
    else refuse(`groupBy(${name}) needs an exclusive relation, or a function of the entity`);
  },
};

/**
 * A part of a query: `limit` of its answers, leaving out the first `offset`, in the order of its visits. Every visit takes
 * it. Fewer or none if there are not so many; whom it holds is found out anew at each visit. Pages of unordered queries
 * fit together while nothing moves. What is new to a query that asks for changes stays so until the whole is visited.
 *
 * Cost: a visit lists what the whole would visit, and cuts it.
 *
 * @returns a light object, good as long as the query is; it needs no disposing.
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
 * One of `count` parts of about equal size into which a query falls, `index` from 0: for work that is done in several
 * portions, or by several workers. Together they hold every answer once, in the order of the query's visits, while nothing
 * moves in between. Otherwise they are as pages, and cost as much.
 *
 * @throws TreelineError `bad-query` unless both are whole numbers, `index` not below 0 and below `count`; `disposed`.
 *
 * @example
 * each(shard(thinking, frame % 4, 4), think);
 */
export function shard<Q extends Query>(query: Q, index: number, count: number): Q {
  requireUsable(query);
  requireCounts("shard", { index, count });
  if (index >= count) refuse(`shard ${index} of ${count} is none: the index counts from 0`);
  return partOf(query, { kind: "shard", first: index, second: count, key: undefined });
}

function requireCounts(verb: string, counts: Readonly<Record<string, number>>): void {
  const call = `${verb}(query, ${Object.keys(counts).join(", ")})`;
  for (const [name, number] of Object.entries(counts))
    if (!Number.isInteger(number) || number < 0)
      refuse(`${call} needs a whole number from 0 as ${name}, not ${shown(number)}`);
}

/** A part of a query, or of a part of one. All but the part itself is shared. */
function partOf<Q extends Query>(query: Q, part: Pick<Part, "kind" | "first" | "second" | "key">): Q {
  installOrder();
  return { ...query, part: { whole: wholeOf(query), of: query.part, ...part } };
}

/**
 * One group of a query with `groupBy`, as a part of it that every visit takes. With a relation: those whose target is `key`;
 * `undefined` for those who have none. With a function: those for whom it gave `key`, as a Map compares. Nobody, if there is
 * no such group. Like pages, groups do not look for changes themselves.
 *
 * Cost: with a relation as asking for that pair; the rest is not looked at, and variables are the group's own: they stand for
 * what they stood for when it was asked for, until `bind` sets them for it. With a function, an order, terms about changes, a
 * reflexive relation, and of a page or shard, the whole is listed, and looked at if anything moved; then one look-up.
 *
 * @returns a light object, good as long as the query is; it needs no disposing.
 * @throws TreelineError `bad-query` for a query without `groupBy`, and for a group; `dead-entity` for a target that has not
 *   the form of a handle; `disposed`.
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
    // A question for a reflexive pair is answered by its target too.
    if (plan.order === undefined && !plan.isWatching && part === undefined && !relation.reflexive)
      return groupByItself(query, relation, key as Entity | undefined) as Q;
  }
  return partOf(query, { kind: "group", first: 0, second: 0, key });
}

/**
 * The groups that there are, as `group` takes them, in the order in which visits come to them: with a relation the targets of
 * answering entities by their indexes, and `undefined` behind them if somebody has none; with a function keys as they came up.
 *
 * Cost: lists what the whole would visit, and looks at it if anything moved.
 *
 * @returns a fresh list.
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
      refuse(`a group has no groups of its own; ask the whole query for ${shown(part.key)}`);
  if (query.plan.groups === undefined) refuse("this query has no groups; ask for it with groupBy(...)");
}

/** Stands for the target of a group, in all queries: each group has a setting of its own. */
const TARGET = /* @__PURE__ */ variable("target of the group");

/**
 * Asks for the pair in place of all groups: by one query for those who have a target and one for the others, which are disposed
 * with the whole. What the variables stand for is the group's own from now on.
 */
function groupByItself(query: Query, relation: Definition, target: Entity | undefined): Query {
  const { world, plan, bound, inner } = query;
  const rest = query.terms.filter((term) => !(isWrapped(term) && term.operator === "groupBy"));
  const pairOf = relation as unknown as (target: unknown) => Pair;
  if (inner.length === 0)
    inner.push(ask(world, ...rest, all(pairOf(TARGET))), ask(world, ...rest, not(pairOf(Any))));
  const like = inner[target === undefined ? 1 : 0]!;
  const terms = target === undefined ? like.terms : [...rest, all(pairOf(target))]; // for who reads them anew
  const own: Query = { ...like, terms, targets: [...like.targets], bound: [...like.bound] };
  for (const [place, handle] of bound.entries())
    bind(own, plan.variables[place] as Variable, handle === 0 ? undefined : (handle as Entity));
  if (target !== undefined) bind(own, TARGET, target);
  return { ...own, part: partOf(query, { kind: "group", first: 0, second: 0, key: target }).part };
}
