import { defer, type Entity, isAlive } from "@treeline/core";
import {
  addListeners,
  callListener,
  Disabled,
  DisabledFromAbove,
  DisabledTree,
  deferLast,
  indexOf,
  Life,
} from "@treeline/core/internal";
import { matchesAt } from "../match/evaluate.ts";
import { requireUsable, runOnce } from "../query/build/query.ts";
import type { Query } from "../query/state/query-state.ts";
import type { Clause, ParsedTerm, Reading } from "../term/plan.ts";
import { readTerms, refuse } from "../term/read.ts";
import { entities } from "./collect.ts";

/** Who is told when an entity starts or stops to answer a query. */
export interface MonitorListeners {
  readonly entered?: (entity: Entity) => void;
  /** The entity may have died: then its handle is stale, and only good for finding what you keep under it. */
  readonly left?: (entity: Entity) => void;
}

export interface MonitorOptions {
  /**
   * `entered` is told at once of everybody who answers now, and `left`, when the monitor ends, of everybody whose leaving
   * was not told yet. Default false.
   */
  readonly yieldExisting?: boolean;
}

/**
 * Tells when an entity starts or stops to answer a query, until the function that is returned is called.
 *
 * It is told at the end of the outermost verb or visit, when no change waits any more: of each entity once, for the net change,
 * in the order in which entities were first touched. So an entity that is told as entered answers the query. What a listener
 * changes is made when all have been told, and told in turn; an error of one stops none of the others and is thrown in the end.
 *
 * Whatever the query asks for counts: pairs, wildcards, `not`, entities as tags, and being disabled, also by something above.
 * `maybe` and `cascade` do not filter, so they tell nothing. Disposing the query does not end the monitor.
 *
 * Cost: the answers, once; then, for each change of what the terms name, one look at the entity. A query that only says
 * what entities have not looks at every birth and death.
 *
 * @throws TreelineError `bad-query` if nobody listens, for a part other than a group by relation without an order, and for terms
 *   about others than the entity itself; `disposed`; and with `yieldExisting` the first error of who is told at once: then
 *   nobody listens.
 *
 * @example
 * const stop = monitor(query(world, Position, not(Frozen)), {
 *   entered: (entity) => grid.insert(entity),
 *   left: (entity) => grid.remove(entity),
 * });
 */
export function monitor(query: Query, listeners: MonitorListeners, options: MonitorOptions = {}): () => void {
  requireUsable(query);
  const { entered, left } = listeners ?? {};
  const given = [entered, left].filter((one) => one !== undefined);
  if (given.length === 0 || given.some((one) => typeof one !== "function"))
    refuse("monitor takes a query, and `entered`, `left` or both, which are functions");
  const { world, part } = query;
  if (part !== undefined && (part.kind !== "group" || query.plan === part.whole.plan))
    refuse("monitor takes a whole query, or a group by relation without an order; not a page or shard");
  const { plan, terms, targets, key } = part === undefined ? query : readTerms(world, query.terms);
  if (plan.joins.length > 0 || plan.leaves.some(({ kind }) => kind !== "has"))
    refuse(
      "monitor takes terms about what entities have; for ancestors there is observeAbove, for values observe",
    );

  const reading: Reading = { plan, terms, targets: [...targets], key };
  const yields = options.yieldExisting === true;
  const matchesNow = (): Entity[] => runOnce(world, reading, entities);
  /** Who answers, as far as listeners have been told. */
  const matching = new Set(matchesNow());
  /** Who may have changed sides since then, in order of the first change. */
  let touched = new Set<Entity>();
  let isStopped = false;

  const tell = (call: MonitorListeners["entered"], entity: Entity): void => {
    if (call !== undefined) callListener(world, { call }, entity);
  };
  const callForMatches = (call: MonitorListeners["entered"]): void =>
    defer(world, () => {
      for (const entity of [...matching]) tell(call, entity);
    });
  /** The world is at rest: tells who has changed sides. */
  const settle = (): void => {
    const looked = touched;
    touched = new Set();
    defer(world, () => {
      for (const entity of looked) {
        if (isStopped) return;
        const isMatch = isAlive(world, entity) && matchesAt(world, reading, indexOf(entity));
        if (isMatch === matching.has(entity)) continue;
        if (isMatch) matching.add(entity);
        else matching.delete(entity);
        tell(isMatch ? entered : left, entity);
      }
    });
  };
  const touch = ({ entity }: { readonly entity: Entity }): void => {
    if (touched.size === 0) deferLast(world, settle);
    touched.add(entity);
  };
  const stop = addListeners(world, listenersOf(reading, touch));
  const end = (): void => {
    isStopped = true;
    stop();
  };
  // Anybody may have changed sides if it began in the midst of changes.
  deferLast(world, () => {
    if (isStopped) return;
    for (const entity of [...matching, ...matchesNow()]) touched.add(entity);
    settle();
  });
  try {
    if (yields) callForMatches(entered);
  } catch (error) {
    end();
    throw error;
  }
  return () => {
    if (isStopped) return;
    end();
    if (yields) callForMatches(left);
  };
}

type Listener = Parameters<typeof addListeners>[1][number];

/** Listens to all that decides whether an entity answers, and to nothing else. */
function listenersOf({ plan, targets }: Reading, call: Listener["call"]): Listener[] {
  const { clauses, leaves } = plan;
  const terms = new Map<string, ParsedTerm>();
  const collect = ({ definition, target }: ParsedTerm): void => {
    terms.set(`${definition.id} ${target}`, { definition, target });
  };
  for (const [at, { operator, definition }] of clauses.entries())
    if (operator !== "maybe") collect({ definition, target: targets[at]! });
  for (const leaf of leaves) if (leaf.kind === "has") collect(leaf);
  if (!plan.namesDisabled) {
    for (const definition of [Disabled, DisabledTree, DisabledFromAbove]) collect({ definition, target: 0 });
  }
  // Nobody who answers is born or dies without getting or losing what a clause demands.
  const demands = ({ operator, definition, named }: Clause): boolean =>
    operator === "with" && !(definition.reflexive && named);
  if (!clauses.some(demands)) collect({ definition: Life, target: 0 });
  return [...terms.values()].flatMap((what) => [
    { kind: "added", ...what, call, isStopped: false },
    { kind: "removed", ...what, call, isStopped: false },
  ]);
}
