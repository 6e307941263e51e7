/** The order of the matches of a query, naively: sorts the whole list, or compares any two of it. */

import type { Twin } from "../twin/rules.ts";
import type { NaiveWorld } from "../twin/world.ts";
import { aboveOf, childrenOf, get, has, subjectsOf, targetsOf } from "../twin/world.ts";
import type { OrderBy, QueryContext, QueryDescription } from "./twin.ts";
import { depthFor, entityFor } from "./twin.ts";

/** By depth, if there is a cascade; then by one value after the other, entities without it last; then by index. */
export function inOrder(
  context: Pick<QueryContext, "naive" | "indexOf">,
  description: QueryDescription,
  orderBy: readonly OrderBy[],
  twins: readonly Twin[],
): Twin[] {
  const { naive, indexOf } = context;
  const cascade = description.terms.find((term) => term.kind === "cascade");
  const sign = cascade?.desc === true ? -1 : 1;
  const comparedByDepth = (one: Twin, other: Twin): number =>
    compared(sign * depthFor(naive, description, one), sign * depthFor(naive, description, other));
  const comparedByValues = (one: Twin, other: Twin): number =>
    orderBy.reduce((before, by) => before || comparedBy(context, by, one, other), 0);
  return [...twins].sort(
    (one, other) =>
      comparedByDepth(one, other) || comparedByValues(one, other) || compared(indexOf(one), indexOf(other)),
  );
}

function comparedBy(
  context: Pick<QueryContext, "naive" | "indexOf">,
  by: OrderBy,
  one: Twin,
  other: Twin,
): number {
  const { naive } = context;
  const [first, second] = [ownerFor(context, by, one), ownerFor(context, by, other)];
  if (first === undefined || second === undefined)
    return Number(first === undefined) - Number(second === undefined);
  const ascending = compared(
    sortedBy(get(naive, first, by.what), by),
    sortedBy(get(naive, second, by.what), by),
  );
  return by.desc ? -ascending : ascending;
}

/** Who has the value. */
function ownerFor(
  context: Pick<QueryContext, "naive" | "indexOf">,
  { what, above }: OrderBy,
  twin: Twin,
): Twin | undefined {
  if (above !== undefined) return entityFor(context, twin, { ...above, what });
  return has(context.naive, twin, what) ? twin : undefined;
}

/** By depth, if there is a cascade; then by the place in the trees of a relation. */
export function inTreeOrder(
  naive: NaiveWorld,
  description: QueryDescription,
  relation: string,
  twins: readonly Twin[],
): Twin[] {
  const cascade = description.terms.find((term) => term.kind === "cascade");
  const sign = cascade?.desc === true ? -1 : 1;
  const all = rootsAlong(naive, relation).flatMap((root) => subtree(naive, root, relation));
  return [...twins].sort(
    (one, other) =>
      compared(sign * depthFor(naive, description, one), sign * depthFor(naive, description, other)) ||
      compared(all.indexOf(one), all.indexOf(other)),
  );
}

function rootsAlong(naive: NaiveWorld, relation: string): Twin[] {
  if (relation === "ChildOf") return childrenOf(naive, undefined);
  const found = [...naive.living].filter(([twin]) => targetsOf(naive, twin, relation).length === 0);
  return found.sort(([, one], [, other]) => one.place - other.place).map(([twin]) => twin);
}

function subtree(naive: NaiveWorld, top: Twin, relation: string): Twin[] {
  return [top, ...subjectsOf(naive, top, relation).flatMap((one) => subtree(naive, one, relation))];
}

/** The sort key of a value: a number, or the text of an object. */
export function sortedBy(value: unknown, { field }: Pick<OrderBy, "field">): number | string {
  return field === "" ? String(value) : Number((value as Record<string, number | boolean>)[field]);
}

export function compared<Key extends number | string>(one: Key, other: Key): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The first two in the wrong order: ancestors come before the entities below them, or with `desc` after them. */
export function wrongOrder(
  naive: NaiveWorld,
  { terms }: QueryDescription,
  matched: readonly Twin[],
): readonly [first: Twin, second: Twin] | undefined {
  const cascade = terms.find((term) => term.kind === "cascade");
  if (cascade === undefined) return undefined;
  for (const twin of matched) {
    for (const above of aboveOf(naive, twin, cascade.relation)) {
      if (!matched.includes(above)) continue;
      const [first, second] = cascade.desc ? [twin, above] : [above, twin];
      if (matched.lastIndexOf(first) > matched.indexOf(second)) return [second, first];
    }
  }
  return undefined;
}

/** Functions that return the key of a group: by index, or by the tag Lit; `queries` iterates another query in the function. */
export const GROUPINGS = ["by index", "by light", "queries"] as const;
export type Grouping = (typeof GROUPINGS)[number];

export function isGrouping(by: string): by is Grouping {
  return GROUPINGS.some((one) => one === by);
}

/** The key of an entity's group: its target of an exclusive relation, or nothing; or what a function returns. */
export function groupOf(
  { naive, indexOf }: Pick<QueryContext, "naive" | "indexOf">,
  twin: Twin,
  by: string,
): Twin | string | undefined {
  if (!isGrouping(by)) return targetsOf(naive, twin, by)[0];
  return keyBy(by, indexOf(twin), () => has(naive, twin, "Lit"));
}

/** Small integers and texts. */
export function keyBy(by: Grouping, index: number, isLit: () => boolean): number | string {
  if (by === "by light") return isLit() ? "lit" : "dark";
  return index % (by === "queries" ? 2 : 3);
}

/** The key of a group that is not contiguous. */
export function splitGroup(
  matched: readonly Twin[],
  keyOf: (twin: Twin) => Twin | string | undefined,
): Twin | string | undefined {
  const ended = new Set<Twin | string | undefined>();
  let at: Twin | string | undefined;
  let isFirst = true;
  for (const twin of matched) {
    const group = keyOf(twin);
    if (!isFirst && group === at) continue;
    if (!isFirst) ended.add(at);
    if (ended.has(group)) return group ?? "none";
    at = group;
    isFirst = false;
  }
  return undefined;
}
