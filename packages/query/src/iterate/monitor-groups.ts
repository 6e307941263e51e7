// `monitorGroups`: when a group of `groupBy` begins or ends; counts the matches of each.
import { defer, type Entity, isAlive, targetOf } from "@treeline/core";
import { ANY, callObserver, indexOf, requireOptions } from "@treeline/core/internal";
import { matchesAt } from "../match/evaluate.ts";
import { requireUsable, runOnce } from "../query/build/query.ts";
import type { Query } from "../query/state/query-state.ts";
import { isWrapped, type QueryTerm } from "../term/operators.ts";
import { readTerms, refuse } from "../term/read.ts";
import { entities } from "./collect.ts";
import { type MonitorOptions, requireOwnTerms, termsThatDecide, watchEntities } from "./monitor.ts";

/** Observers that are called when a group of a query begins or ends. `Key` is what `group` and `groupsOf` take and return. */
export interface GroupCallbacks<Key = Entity | undefined> {
  /** The group has its first match. */
  readonly began?: (key: Key) => void;
  /** It has none any more. A target may have been destroyed: then its handle is stale, and only useful as a key of your own data. */
  readonly ended?: (key: Key) => void;
}

/**
 * Notifies observers when a group of a query with `groupBy` gets its first match, and when it has lost its last one, until the
 * returned function is called. With `yieldExisting`, `began` is called at once for each group that there is, and `ended`, when
 * the monitor ends, for each that has begun and not ended.
 *
 * Observers are called as those of `monitor`: at the end of the outermost verb or iteration, once per group, for the net change,
 * in the order in which groups were first touched. A group that only passes from one entity to another is not reported. What an
 * observer changes is made when all have been called, and is then reported in turn; an error of one does not stop the others.
 *
 * With a relation, the group of an entity is always that of its present target. A function is called for an entity that starts to
 * match, and after each change of what the terms name, `maybe` included: name what decides the key in a term. If it throws, the
 * entity stays in the group that it was in. Disposing the query does not end the monitor.
 *
 * @cost listing the matches, once; then one evaluation of the entity, and a key, for each change of what the terms name and of the
 *   relation. It keeps a key for each match.
 * @param observers `began`, `ended`, or both.
 * @returns a function that ends the monitor.
 * @throws TreelineError `bad-query` for a query without `groupBy`, if there is no observer, for parts, and for terms about
 *   anything but the entity itself; `disposed`; what the function of the query throws, and with `yieldExisting` the first error of
 *   an observer that is called at once: then the monitor does not start.
 *
 * @example
 * const stop = monitorGroups(query(world, Ship, groupBy(DockedTo)), {
 *   began: (station) => openDock(station),
 *   ended: (station) => closeDock(station),
 * });
 */
export function monitorGroups<Key = Entity | undefined>(
  query: Query,
  observers: GroupCallbacks<Key>,
  options: MonitorOptions = {},
): () => void {
  requireUsable(query);
  const { began, ended } = observers ?? {};
  CHECK: {
    requireOptions("monitorGroups", observers, ["began", "ended"], "bad-query");
    requireOptions("the options of monitorGroups", options, ["yieldExisting"], "bad-query");
  }
  const given = [began, ended].filter((one) => one !== undefined);
  if (given.length === 0 || given.some((one) => typeof one !== "function"))
    refuse("monitorGroups takes a query, and `began`, `ended` or both, which are functions");
  const { world, plan, part } = query;
  const { groups } = plan;
  if (groups === undefined) refuse("this query has no groups; add groupBy(...) to its terms");
  if (part !== undefined) refuse("monitorGroups takes a whole query, not a page, shard or group");
  requireOwnTerms(plan, "monitorGroups");

  const reading = readTerms(world, query.terms.filter(isNoOrder));
  const matchesNow = (): Entity[] => runOnce(world, reading, entities);
  const keyOf = (entity: Entity): unknown =>
    groups.by === "key" ? groups.keyOf(entity) : targetOf(world, entity, groups.relation as never);
  /** By entity that matches, as far as it was evaluated, its group; and by group, how many. */
  const keys = new Map<Entity, unknown>();
  const counts = new Map<unknown, number>();
  const add = (entity: Entity, key: unknown): void => {
    keys.set(entity, key);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  };
  const remove = (entity: Entity): void => {
    const key = keys.get(entity);
    const left = counts.get(key)! - 1;
    keys.delete(entity);
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  };

  const notify = (call: GroupCallbacks<Key>["began"], key: unknown): void => {
    if (call !== undefined) callObserver(world, { call }, key);
  };
  const callForGroups = (call: GroupCallbacks<Key>["began"]): void =>
    defer(world, () => {
      for (const key of [...counts.keys()]) notify(call, key);
    });
  /** Puts an entity into its present group. @param touched receives the groups concerned, and whether they existed before. */
  const regroup = (entity: Entity, touched: Map<unknown, boolean>): void => {
    const touch = (key: unknown): void => {
      if (!touched.has(key)) touched.set(key, counts.has(key));
    };
    const isMatch = isAlive(world, entity) && matchesAt(world, reading, indexOf(entity));
    const key = isMatch ? keyOf(entity) : undefined;
    if (keys.has(entity)) {
      touch(keys.get(entity));
      remove(entity);
    }
    if (!isMatch) return;
    touch(key);
    add(entity, key);
  };
  /** Reports the groups that began or ended. */
  const settle = (evaluated: ReadonlySet<Entity>, isStopped: () => boolean): void => {
    const touched = new Map<unknown, boolean>();
    const call = (entity: Entity): void => regroup(entity, touched);
    for (const entity of evaluated) callObserver(world, { call }, entity);
    for (const [key, existed] of touched)
      if (!isStopped() && counts.has(key) !== existed) notify(existed ? ended : began, key);
  };

  for (const entity of matchesNow()) add(entity, keyOf(entity));
  const terms = termsThatDecide(reading);
  if (groups.by === "target") terms.push({ definition: groups.relation, target: ANY });
  else
    for (const [at, { operator, definition }] of reading.plan.clauses.entries())
      if (operator === "maybe") terms.push({ definition, target: reading.targets[at]! });
  const end = watchEntities(world, terms, settle, () => [...keys.keys(), ...matchesNow()]);
  try {
    if (options.yieldExisting === true) callForGroups(began);
  } catch (error) {
    end();
    throw error;
  }
  return () => {
    if (end() && options.yieldExisting === true) callForGroups(ended);
  };
}

/** What puts matches into an order or groups does not decide whether entities match. */
function isNoOrder(term: QueryTerm): boolean {
  return !(isWrapped(term) && ["orderBy", "groupBy", "inOrder"].includes(term.operator));
}
