// `monitor`: when an entity enters or leaves a query; one evaluation per changed entity (`watchEntities`); refuses other terms.
import { defer, type Entity, isAlive, type World } from "@treeline/core";
import {
  addObservers,
  callObserver,
  Disabled,
  DisabledFromAbove,
  DisabledTree,
  deferLast,
  indexOf,
  inheritedOf,
  Life,
  Prefab,
  requireOptions,
} from "@treeline/core/internal";
import { matchesAt } from "../match/evaluate.ts";
import { requireUsable, runOnce } from "../query/build/query.ts";
import type { Query } from "../query/state/query-state.ts";
import type { Clause, ParsedTerm, Plan, Reading } from "../term/plan.ts";
import { readTerms, refuse } from "../term/read.ts";
import { entities } from "./collect.ts";

/** Observers that are called when an entity starts or stops to match a query. */
export interface MonitorCallbacks {
  readonly entered?: (entity: Entity) => void;
  /** The entity may have been destroyed: then its handle is stale, and only useful as a key of your own data. */
  readonly left?: (entity: Entity) => void;
}

export interface MonitorOptions {
  /**
   * `entered` is called at once for each entity that matches now, and `left`, when the monitor ends, for each entity that has
   * entered and not left. Default false.
   */
  readonly yieldExisting?: boolean | undefined;
}

/**
 * Notifies observers when an entity starts or stops to match a query, until the returned function is called.
 *
 * Observers are called at the end of the outermost verb or iteration, when no change is deferred any more: once per entity, for
 * the net change, in the order in which entities were first touched. So an entity that is reported as entered matches the query.
 * What an observer changes is made when all have been called, and is then reported in turn; an error of one observer does not
 * stop the others and is thrown in the end.
 *
 * Everything that the query requires counts: pairs, wildcards, `not`, entities as tags, being disabled, also from above, and what
 * instances of prefabs inherit.
 * `maybe` and `cascade` do not filter, so they cause no calls. Disposing the query does not end the monitor.
 *
 * @cost listing the matches, once; then one evaluation of the entity for each change of what the terms name. A query that only
 *   excludes evaluates each entity that is spawned or destroyed.
 * @throws TreelineError `bad-query` if there is no observer, for a part other than a group by relation without an order, and for
 *   terms about anything but the entity itself; `disposed`; and with `yieldExisting` the first error of an observer that is
 *   called at once: then the monitor does not start.
 *
 * @example
 * const stop = monitor(query(world, Position, not(Frozen)), {
 *   entered: (entity) => grid.insert(entity),
 *   left: (entity) => grid.remove(entity),
 * });
 */
export function monitor(query: Query, observers: MonitorCallbacks, options: MonitorOptions = {}): () => void {
  requireUsable(query);
  const { entered, left } = observers ?? {};
  CHECK: {
    requireOptions("monitor", observers, ["entered", "left"], "bad-query");
    requireOptions("the options of monitor", options, ["yieldExisting"], "bad-query");
  }
  const given = [entered, left].filter((one) => one !== undefined);
  if (given.length === 0 || given.some((one) => typeof one !== "function"))
    refuse("monitor takes a query, and `entered`, `left` or both, which are functions");
  const { world, part } = query;
  if (part !== undefined && (part.kind !== "group" || query.plan === part.whole.plan))
    refuse("monitor takes a whole query, or a group by relation without an order; not a page or shard");
  const { plan, terms, targets, key } = part === undefined ? query : readTerms(world, query.terms);
  requireOwnTerms(plan, "monitor");

  const reading: Reading = { plan, terms, targets: [...targets], key };
  const yields = options.yieldExisting === true;
  const matchesNow = (): Entity[] => runOnce(world, reading, entities);
  /** The entities that match, as far as observers have been notified. */
  const matching = new Set(matchesNow());

  const notify = (call: MonitorCallbacks["entered"], entity: Entity): void => {
    if (call !== undefined) callObserver(world, { call }, entity);
  };
  const callForMatches = (call: MonitorCallbacks["entered"]): void =>
    defer(world, () => {
      for (const entity of [...matching]) notify(call, entity);
    });
  /** Reports the entities that entered or left. */
  const settle = (touched: ReadonlySet<Entity>, isStopped: () => boolean): void => {
    for (const entity of touched) {
      if (isStopped()) return;
      const isMatch = isAlive(world, entity) && matchesAt(world, reading, indexOf(entity));
      if (isMatch === matching.has(entity)) continue;
      if (isMatch) matching.add(entity);
      else matching.delete(entity);
      notify(isMatch ? entered : left, entity);
    }
  };
  const all = (): Entity[] => [...matching, ...matchesNow()];
  const end = watchEntities(world, termsThatDecide(reading), settle, all);
  try {
    if (yields) callForMatches(entered);
  } catch (error) {
    end();
    throw error;
  }
  return () => {
    if (end() && yields) callForMatches(left);
  };
}

/** @throws TreelineError `bad-query` for terms about anything but the entity itself. */
export function requireOwnTerms({ joins, leaves }: Plan, verb: string): void {
  if (joins.length > 0 || leaves.some(({ kind }) => kind !== "has"))
    refuse(
      `${verb} takes terms about what entities have; for ancestors there is observeAbove, for values observe`,
    );
}

/**
 * Observes terms of entities, and calls `settle` with those that were touched when no change is deferred any more, in order of
 * the first change.
 *
 * @param all entities that may have been touched before; read when no change is deferred.
 * @returns a function that ends this; it returns false if it had ended.
 */
export function watchEntities(
  world: World,
  terms: Iterable<ParsedTerm>,
  settle: (touched: ReadonlySet<Entity>, isStopped: () => boolean) => void,
  all: () => Iterable<Entity>,
): () => boolean {
  let touched = new Set<Entity>();
  let isStopped = false;
  const settleNow = (): void => {
    const settled = touched;
    touched = new Set();
    defer(world, () => settle(settled, () => isStopped));
  };
  const call = ({ entity }: { readonly entity: Entity }): void => {
    if (touched.size === 0) deferLast(world, settleNow);
    touched.add(entity);
  };
  // Any entity may have been touched.
  const touchAll = (): void => {
    if (isStopped) return;
    for (const entity of all()) touched.add(entity);
    settleNow();
  };
  const observers: Observer[] = [
    { kind: "restored", definition: Life, target: 0, call: touchAll, isStopped: false },
  ];
  for (const what of terms)
    for (const kind of ["added", "removed"] as const)
      observers.push({ kind, ...what, call, isStopped: false });
  const stop = addObservers(world, observers);
  deferLast(world, touchAll); // if this began during a change
  return () => {
    if (isStopped) return false;
    isStopped = true;
    stop();
    return true;
  };
}

type Observer = Parameters<typeof addObservers>[1][number];

/** Everything that decides whether an entity matches, and nothing else. */
export function termsThatDecide({ plan, targets }: Reading): ParsedTerm[] {
  const { clauses, leaves } = plan;
  const terms = new Map<string, ParsedTerm>();
  const collect = ({ definition, target }: ParsedTerm): void => {
    terms.set(`${definition.id} ${target}`, { definition, target });
    // An instance of a prefab that inherits it matches as well.
    if (definition.onInstantiate === "inherit") collect({ definition: inheritedOf(definition), target: 0 });
  };
  for (const [at, { operator, definition }] of clauses.entries())
    if (operator !== "maybe") collect({ definition, target: targets[at]! });
  for (const leaf of leaves) if (leaf.kind === "has") collect(leaf);
  if (!plan.namesDisabled) {
    for (const definition of [Disabled, DisabledTree, DisabledFromAbove]) collect({ definition, target: 0 });
  }
  if (!plan.namesPrefab) collect({ definition: Prefab, target: 0 });
  // No entity that matches is spawned or destroyed without gaining or losing what a clause demands.
  const demands = ({ operator, definition, named }: Clause): boolean =>
    operator === "with" && !(definition.reflexive && named);
  if (!clauses.some(demands)) collect({ definition: Life, target: 0 });
  return [...terms.values()];
}
