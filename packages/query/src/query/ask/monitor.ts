import { defer, type Entity, isAlive, type World } from "@treeline/core";
import {
  addListeners,
  callListener,
  Disabled,
  DisabledTree,
  enqueueLast,
  Hidden,
  handleOf,
  indexOf,
  Life,
} from "@treeline/core/internal";
import { answersAt } from "../../match/entity.ts";
import type { Clause, Plan, Question, Reading } from "../../term/plan.ts";
import { refuse } from "../../term/read.ts";
import type { Query } from "../state/query-state.ts";
import { answersTo } from "./answers.ts";
import { requireUsable } from "./query.ts";

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

interface Monitor {
  readonly world: World;
  readonly reading: Reading;
  readonly listeners: MonitorListeners;
  /** Who answers, as far as listeners have been told. */
  readonly answering: Set<Entity>;
  /** Who may have changed sides since then, in order of the first change. */
  touched: Set<Entity>;
  /** Anybody may have: it began in the midst of changes. */
  isUnsure: boolean;
  isStopped: boolean;
}

/**
 * Tells when an entity starts or stops to answer a query, until the function that is returned is called.
 *
 * It is told at the end of the outermost verb or visit, when no change waits any more: of each entity once, for the net
 * change, in the order in which entities were first touched. So the world is at rest, and an entity that is told as
 * entered answers the query. One that died is told as left; its handle is stale by then. What a listener changes is made
 * when all have been told, and told in turn; an error of one stops none of the others and is thrown in the end.
 *
 * Whatever the query asks for counts: pairs, wildcards, `not`, entities as tags, and being disabled, also by something
 * above. `maybe` and `cascade` do not filter, so they tell nothing. The monitor keeps the question, not the query:
 * disposing the query does not end it.
 *
 * Cost: the answers, once; then, for each change of what the terms name, one look at the entity. A query that only says
 * what entities have not looks at every birth and death.
 *
 * @throws TreelineError `bad-query` if nobody listens, for a page or shard, and for terms about others than the entity itself;
 *   `disposed` for a disposed query; and with `yieldExisting` the first error of who is told at once: then nobody listens.
 *
 * @example
 * const stop = monitor(query(world, Position, not(Frozen)), {
 *   entered: (entity) => grid.insert(entity),
 *   left: (entity) => grid.remove(entity),
 * });
 */
export function monitor(query: Query, listeners: MonitorListeners, options: MonitorOptions = {}): () => void {
  requireUsable(query);
  requireListeners(listeners);
  const { world } = query;
  requireWhole(query);
  const { plan, terms, key } = query;
  requireOwnTests(plan);
  const reading: Reading = { plan, terms, targets: [...query.targets], key };
  const yields = options.yieldExisting === true;
  const answering = answersTo(world, reading).map((index) => handleOf(world, index));
  const own: Monitor = {
    world,
    reading,
    listeners,
    answering: new Set(answering),
    touched: new Set(),
    isUnsure: false,
    isStopped: false,
  };
  const stop = addListeners(world, hearingOf(own));
  own.isUnsure = enqueueLast(world, () => settle(own));
  const end = (): void => {
    own.isStopped = true;
    stop();
  };
  if (yields) {
    try {
      tellAll(own, listeners.entered, answering);
    } catch (error) {
      end();
      throw error;
    }
  }
  return () => {
    if (own.isStopped) return;
    end();
    if (yields) tellAll(own, listeners.left, [...own.answering]);
  };
}

function requireListeners(listeners: MonitorListeners | undefined | null): void {
  const { entered, left } = listeners ?? {};
  const given = [entered, left].filter((one) => one !== undefined);
  if (given.length > 0 && given.every((one) => typeof one === "function")) return;
  refuse("monitor takes a query, and `entered`, `left` or both, which are functions");
}

type Listener = Parameters<typeof addListeners>[1][number];

/** Listens to all that decides whether an entity answers, and to nothing else. */
function hearingOf(own: Monitor): Listener[] {
  const { world, reading } = own;
  const { plan, targets } = reading;
  const { clauses, leaves } = plan;
  const touch = ({ entity }: { readonly entity: Entity }): void => {
    if (own.touched.size === 0) enqueueLast(world, () => settle(own));
    own.touched.add(entity);
  };
  const heard = new Map<string, Listener[]>();
  const hear = ({ definition, target }: Question): void => {
    const rest = { definition, target, call: touch };
    heard.set(`${definition.id} ${target}`, [
      { kind: "added", ...rest, isStopped: false },
      { kind: "removed", ...rest, isStopped: false },
    ]);
  };
  for (const [at, { operator, definition }] of clauses.entries())
    if (operator !== "maybe") hear({ definition, target: targets[at]! });
  for (const leaf of leaves) if (leaf.kind === "has") hear(leaf);
  if (!plan.namesDisabled) {
    for (const definition of [Disabled, DisabledTree, Hidden]) hear({ definition, target: 0 });
  }
  if (!clauses.some(tellsOfLife)) hear({ definition: Life, target: 0 });
  return [...heard.values()].flat();
}

/** @throws TreelineError `bad-query` for places among the answers: who is there hangs on all the others. */
function requireWhole({ plan, part }: Query): void {
  if (part === undefined || plan !== part.whole.plan) return;
  refuse("monitor takes a whole query, or a group by relation without an order; not a page or shard");
}

/** @throws TreelineError `bad-query` for terms whose answer hangs on others than the entity itself. */
function requireOwnTests({ leaves, bonds }: Plan): void {
  if (bonds.length === 0 && leaves.every(({ kind }) => kind === "has")) return;
  refuse(
    "monitor takes terms about what entities have; for ancestors there is observeAbove, for values observe",
  );
}

/** Nobody who answers is born or dies without getting or losing this. */
function tellsOfLife({ operator, definition, named }: Clause): boolean {
  return operator === "with" && !(definition.reflexive && named);
}

/** The world is at rest: tells who has changed sides. */
function settle(own: Monitor): void {
  const { world, reading, answering, listeners } = own;
  const touched = own.touched;
  own.touched = new Set();
  if (own.isStopped) return;
  if (own.isUnsure) {
    own.isUnsure = false;
    for (const entity of answering) touched.add(entity);
    for (const index of answersTo(world, reading)) touched.add(handleOf(world, index));
  }
  defer(world, () => {
    for (const entity of touched) {
      if (own.isStopped) return;
      const isAnswer = isAlive(world, entity) && answersAt(world, reading, indexOf(entity));
      if (isAnswer === answering.has(entity)) continue;
      if (isAnswer) answering.add(entity);
      else answering.delete(entity);
      tellOne(world, isAnswer ? listeners.entered : listeners.left, entity);
    }
  });
}

function tellAll({ world }: Monitor, call: MonitorListeners["entered"], entities: readonly Entity[]): void {
  defer(world, () => {
    for (const entity of entities) tellOne(world, call, entity);
  });
}

function tellOne(world: World, call: MonitorListeners["entered"], entity: Entity): void {
  if (call !== undefined) callListener(world, { call }, entity);
}
