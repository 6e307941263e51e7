import { Any, type Asked, type Definition, defer, type Entity, type Pair } from "@treeline/core";
import { shown } from "@treeline/core/internal";
import { isWrapped } from "../../term/operators.ts";
import { refuse, requireHandle } from "../../term/read.ts";
import { createSpansFor } from "../lists/spans.ts";
import { arrangementOf, rangeOf } from "../order/arrange.ts";
import { gather } from "../rows/gather.ts";
import { type Part, type Query, wholeOf } from "../state/query-state.ts";
import { Seen } from "../state/sight.ts";
import { all, not } from "./filter-terms.ts";
import { partOf } from "./part.ts";
import { query as ask, bind, requireUsable } from "./query.ts";
import { variable } from "./variable-terms.ts";

/** Stands for the target of a group, in all queries: each group has a setting of its own. */
const TARGET = /* @__PURE__ */ variable("target of the group");

/**
 * One group of a query with `groupBy`, as a part of it that every visit takes. With a relation: those whose target is `key`;
 * `undefined` for those who have none. With a function: those for whom it gave `key`, as a Map compares. Nobody, if there is
 * no such group. Variables stand for what they stood for when the group was asked for. Like pages, groups do not look for
 * changes themselves.
 *
 * Cost: with a relation as asking for that pair; the rest is not looked at. With a function, an order, terms about
 * changes, and of a page or shard, the whole is listed, and looked at if anything moved; then one look-up.
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
    if (plan.order === undefined && !plan.isWatching && part === undefined) {
      return groupByItself(query, plan.groups.relation, key as Entity | undefined) as Q;
    }
  }
  return partOf(query, "group", 0, 0, key);
}

/**
 * The groups that there are, as `group` takes them, in the order in which visits come to them: with a relation the targets of
 * answering entities by their indexes, and `undefined` behind them if somebody has none; with a function the keys in the
 * order in which they came up.
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
  const spans = createSpansFor(query);
  defer(world, () => gather(query, new Seen(query), spans));
  if (spans.length === 0) return [];
  const arrangement = arrangementOf(query, spans);
  const { groups, starts } = arrangement;
  const { from, to } = rangeOf(part, starts.at(-1)!, arrangement);
  return groups.filter((_, number) => starts[number]! < to && starts[number + 1]! > from) as Key[];
}

function requireGroups(query: Query): void {
  requireUsable(query);
  for (let part: Part | undefined = query.part; part !== undefined; part = part.of) {
    if (part.kind === "group")
      refuse(`a group has no groups of its own; ask the whole query for ${shown(part.key)}`);
  }
  if (query.plan.groups === undefined) refuse("this query has no groups; ask for it with groupBy(...)");
}

/** Asks for the pair in place of all groups. What the variables stand for is the group's own from now on. */
function groupByItself(query: Query, relation: Definition, target: Entity | undefined): Query {
  const inner = innerOf(query, relation, target === undefined ? 1 : 0);
  const { plan, bound } = query;
  const own: Query = {
    ...inner,
    targets: [...inner.targets],
    bound: [...inner.bound],
  };
  for (let place = 0; place < bound.length; place++) {
    bind(
      own,
      plan.variables[place] as typeof TARGET,
      bound[place] === 0 ? undefined : (bound[place] as Entity),
    );
  }
  if (target !== undefined) bind(own, TARGET, target);
  return {
    ...own,
    part: { whole: wholeOf(query), of: undefined, kind: "group", first: 0, second: 0, key: target },
  };
}

/** Both are asked for at once, and disposed with the query. */
function innerOf(query: Query, relation: Definition, place: 0 | 1): Query {
  const { world, terms: asked, inner } = wholeOf(query);
  if (inner.length === 0) {
    const terms = asked.filter((term) => !(isWrapped(term) && term.operator === "groupBy"));
    inner.push(
      ask(world, ...terms, all(pair(relation, TARGET))),
      ask(world, ...terms, not(pair(relation, Any))),
    );
  }
  return inner[place]!;
}

function pair(relation: Definition, target: unknown): Asked {
  return (relation as unknown as (target: unknown) => Pair)(target);
}
