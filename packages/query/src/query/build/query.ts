// Which query equal terms return (`query`; `KEPT` recent ones that name entities), `bind`, `unbind`, `dispose`; `disposed` later.
import { type Entity, type Term, TreelineError, type Variable, type World } from "@treeline/core";
import { ANY, archetypesOfDefinition, clockOf, Life, shown, worldState } from "@treeline/core/internal";
import { matchesArchetype } from "../../match/evaluate.ts";
import { isVariable, nameOfVariable, type PassedOf, type QueryTerm } from "../../term/operators.ts";
import type { Plan, Reading } from "../../term/plan.ts";
import { readTerms, refuse, requireHandle } from "../../term/read.ts";
import { textOfTerms } from "../../term/text.ts";
import { Watch } from "../lists/watch.ts";
import { warnOnce } from "../outputs/warn-once.ts";
import { engine } from "../state/iteration-state.ts";
import { matchedArchetypes, type Query, type QueryOf, wholeOf } from "../state/query-state.ts";

interface QueryCache {
  /** Queries that name no entity and do not match changes. */
  readonly byKey: Map<string, Query>;
  /** All cached queries, and all that match changes. */
  readonly kept: Set<Query>;
  readonly recent: Query[];
  /** The plan read last: while it is referenced, garbage collection does not drop code compiled for plans. */
  latest: Plan | undefined;
}

/** The queries of a world. */
export const cacheOf: (world: World) => QueryCache = /* @__PURE__ */ worldState((world, extension) => {
  const cache: QueryCache = { byKey: new Map(), kept: new Set(), recent: [], latest: undefined };
  CHECK: extension.invariants.push(() => verifyQueries(world, cache));
  return cache;
});

/** How many queries of equal terms a world may have before development builds warn. */
const MANY = 100;

/** Development builds: warns if queries that are not shared accumulate. */
function warnOfMany(world: World, kept: ReadonlySet<Query>, { key, terms }: Query): void {
  if (kept.size < MANY || kept.size % MANY !== 0) return;
  let like = 0;
  for (const one of kept) if (one.key === key) like++;
  if (like < MANY) return;
  const text = (): string =>
    `this world has ${like} queries of the same terms, query(${textOfTerms(world, terms)}), which are not shared since they match ` +
    "changes: call query once and keep it, or dispose(query) of each";
  warnOnce(world, `many ${key}`, text);
}

/** I11: a query lists exactly the archetypes that match its terms. */
function verifyQueries(world: World, { kept }: QueryCache): string[] {
  const wrong = [...kept].filter((query) => {
    const listed = matchedArchetypes(query);
    const right = archetypesOfDefinition(world, Life).filter((archetype) =>
      matchesArchetype(query.plan, archetype),
    );
    return right.length !== listed.length || right.some((archetype, at) => archetype !== listed[at]);
  });
  return wrong.map(({ key }) => `I11: query (${key}) lists other archetypes than those that match`);
}

/**
 * Returns the query for a list of terms. The same terms in the same order return the same query while it is in use; the world
 * keeps it current as archetypes are created. Queries that name an entity are not cached and cost about as much as an array,
 * except for the lists of `up`, `selfOrUp` and `cascade`; they hold the handle of the entity, and no entity has a pair with it
 * once it is destroyed.
 *
 * Queries that match changes are not shared, and functions and variables that are created inline make a new query on each call.
 * If you call `query` with them in each frame, queries accumulate until they are disposed: call it once, and keep the query.
 *
 * `ChildOf` covers both storages of parents, `Parent` only its own. `Any(ship)` matches any pair whose target is ship,
 * `Any(Any)` any pair at all; an entity matches once, however many such pairs it has. `asTag(ship)` matches entities that have the
 * ship as a tag. With a target, a reflexive relation also matches the target. Disabled entities
 * match only if a term names `Disabled` or `DisabledTree`, also inside `not`, `maybe`, `or` or `all`, but not where the term is
 * about other entities: `up`, `selfOrUp`, `cascade`, `on`, `singleton`.
 *
 * A pair with a variable, which `bind` sets, matches once for each target that fits all terms with the variable.
 *
 * @cost a few look-ups for terms that were used recently; else the terms are read, and the archetypes of the rarest definition are
 *   searched. A query caches the archetypes that match; the number of tables does not matter.
 * @throws TreelineError `bad-query` for what is not a term, a relation without target, and operators with operands that they do
 *   not accept; `bad-term` for an entity without `asTag`; `dead-entity` for a target that does not have the form of a handle, such as
 *   `undefined`.
 *
 * @example
 * const moving = query(world, Position, Velocity, not(Frozen));
 */
export function query<const Terms extends readonly QueryTerm[]>(
  world: World,
  ...terms: Terms
): QueryOf<PassedOf<Terms>> {
  const { states } = (world ?? {}) as { readonly states?: unknown }; // core's internal property
  if (states === undefined) {
    let text = `query needs the world first, not ${shown(world)}`;
    CHECK: text = `query(world, ...terms) needs the world first, not ${shown(world)}`;
    refuse(text);
  }
  const cache = cacheOf(world);
  const like = recall(cache.recent, terms);
  if (like !== undefined) return like as QueryOf<PassedOf<Terms>>;
  const reading = readTerms(world, terms);
  const { plan, key } = reading;
  cache.latest = plan;
  const known = cache.byKey.get(key);
  if (known !== undefined) {
    known.users++;
    return known as QueryOf<PassedOf<Terms>>;
  }
  const fresh = createQuery(world, reading);
  if (plan.namesEntity && !plan.isWatching) remember(cache.recent, fresh);
  else {
    cache.kept.add(fresh);
    if (plan.isWatching) engine.watch!(fresh, true);
    else cache.byKey.set(key, fresh);
  }
  CHECK: warnOfMany(world, cache.kept, fresh);
  return fresh as QueryOf<PassedOf<Terms>>;
}

/**
 * Creates a query that is not shared.
 *
 * @param like a query that differs only in its targets: all but terms and targets is shared with it.
 */
export function createQuery(world: World, { plan, terms, targets, key }: Reading, like?: Query): Query {
  return {
    world,
    plan,
    terms,
    targets: [...targets],
    key,
    bound: like?.bound ?? plan.variables.map(() => 0),
    users: 1,
    lastRead: 0,
    // Removals before the query was made count as read; additions and changes do not.
    began: plan.tracked.some(({ kind }) => kind === "removed") ? clockOf(world).now++ : 0,
    spares: like?.spares ?? { rows: [], lists: [] },
    matches: like?.matches ?? { byArchetype: new Int32Array(16) },
    watch: like?.watch ?? new Watch(),
    part: undefined,
    ordering: undefined,
    inner: like?.inner ?? [],
  };
}

/** Will the world say when the query is not needed any more? Otherwise others may have what it keeps. */
export function isCached(query: Query): boolean {
  const { kept, recent } = cacheOf(query.world);
  return kept.has(wholeOf(query)) || recent.some(({ spares }) => spares === query.spares);
}

/** Runs a query once: it is disposed when `read` returns. */
export function runOnce<Found>(world: World, reading: Reading, read: (query: Query) => Found): Found {
  const query = createQuery(world, reading);
  try {
    return read(query);
  } finally {
    dispose(query);
  }
}

// ---- recent queries -----------------------------------------------------------------------------------------------

/** How many queries that name entities are kept, the latest first, for queries that differ only in their targets. */
const KEPT = 4;

/** Only queries of plain terms, each of which is one clause. */
export function remember(recent: Query[], query: Query): void {
  const { plan, terms } = query;
  if (plan.variables.length > 0 || plan.tests.length > 0 || targetsLike(plan, terms) === undefined) return;
  if (plan.readsPairs) return; // the outputs depend on the target
  recent.unshift(query);
  if (recent.length > KEPT) engine.dropLoops?.(recent.pop()!.spares.rows as never[]);
}

/** A query like a recent one, with other targets. Undefined if there is none. */
export function recall(recent: readonly Query[], terms: readonly QueryTerm[]): Query | undefined {
  for (const like of recent) {
    const { world, plan, key } = like;
    const targets = targetsLike(plan, terms);
    if (targets === undefined) continue;
    for (const target of targets) if (target !== 0) requireHandle(world, target);
    return createQuery(world, { plan, terms, targets, key }, like);
  }
  return undefined;
}

/** The targets of terms that otherwise equal those of a plan; undefined if they do not. */
function targetsLike({ clauses }: Plan, terms: readonly QueryTerm[]): number[] | undefined {
  if (clauses.length !== terms.length) return undefined;
  const targets: number[] = [];
  for (let at = 0; at < terms.length; at++) {
    const { operator, definition, named } = clauses[at]!;
    const term: unknown = terms[at];
    const isBare = typeof term === "function";
    const parsed = (isBare ? { definition: term, target: 0, value: undefined } : term) as Term | undefined;
    if (operator !== "with" || parsed?.definition !== definition || isBare === named) return undefined;
    if (parsed.value !== undefined || (named && !(parsed.target > 0))) return undefined;
    targets.push(parsed.target);
  }
  return targets;
}

// ---- variables ----------------------------------------------------------------------------------------------------

/**
 * Binds a variable to an entity, until it is bound again or `unbind` frees it: iterations that begin from now on match with this
 * entity only. With an entity that is not alive, nothing matches.
 *
 * A shared query has one binding: use a separate variable to get a separate query.
 *
 * @cost a few nanoseconds.
 * @returns the query.
 * @throws TreelineError `bad-query` if the query does not have the variable; `dead-entity` for what does not have the form of
 *   a handle, such as `undefined`; `disposed`.
 *
 * @example
 * each(bind(childrenOf, parent, ship), draw);
 */
export function bind<Q extends Query>(query: Q, variable: Variable, entity: Entity): Q {
  requireUsable(query);
  requireHandle(query.world, entity, "pass a handle, or call unbind(query, variable) to free the variable");
  return bindTo(query, variable, entity);
}

/**
 * Frees a variable that is bound: iterations that begin from now on match with each entity that fits. A variable that is free
 * stays free.
 *
 * @cost a few nanoseconds.
 * @returns the query.
 * @throws TreelineError `bad-query` if the query does not have the variable; `disposed`.
 *
 * @example
 * each(unbind(childrenOf, parent), draw);
 */
export function unbind<Q extends Query>(query: Q, variable: Variable): Q {
  requireUsable(query);
  return bindTo(query, variable, 0);
}

/**
 * @param handle 0 frees the variable.
 * @throws TreelineError `bad-query` if the query does not have the variable.
 */
export function bindTo<Q extends Query>(query: Q, variable: Variable, handle: number): Q {
  const { plan, bound, targets } = query; // those of the whole, except for groups with their own plan
  const place = plan.variables.indexOf(variable);
  if (place < 0) {
    const text = isVariable(variable) ? nameOfVariable(variable) : shown(variable);
    refuse(`no term of this query has the variable ${text}; add one: ChildOf(${text})`);
  }
  bound[place] = handle;
  for (let at = 0; at < plan.joins.length; at++) {
    const { subject, target, clause } = plan.joins[at]!;
    if (subject === 0 && target === variable && clause >= 0) targets[clause] = handle === 0 ? ANY : handle;
  }
  return query;
}

// ---- disposal -----------------------------------------------------------------------------------------------------

/**
 * Ends one use of a query. With the last use the world forgets it; iterating it then is an error. You need not dispose queries
 * that name an entity, unless they match changes, nor parts: disposing a part does not affect the query that it belongs to.
 *
 * @cost little; a query about ancestors is compared with all cached ones.
 * @throws TreelineError `bad-query` for what is not a query.
 */
export function dispose(query: Query): void {
  requireQuery(query);
  if (query.part !== undefined) return; // `query` returned the whole
  const { world, plan, ordering } = query;
  if ((plan.namesEntity && !plan.isWatching) || query.users === 0) return;
  query.users--;
  if (query.users > 0) return;
  const { byKey, kept } = cacheOf(world);
  if (byKey.get(query.key) === query) byKey.delete(query.key);
  kept.delete(query);
  engine.dropLoops?.(query.spares.rows as never[]);
  if (plan.isWatching) engine.watch!(query, false);
  if (ordering !== undefined) engine.stopOrdering!(query);
  for (const inner of query.inner.splice(0)) dispose(inner);
  // Batches that no cached query needs any more are dropped.
  for (const key of [plan.pathsKey, plan.freePath?.pathsKey ?? ""]) {
    const usesPaths = (one: Query): boolean =>
      one.plan.pathsKey === key || one.plan.freePath?.pathsKey === key;
    if (key !== "" && ![...kept].some(usesPaths)) engine.forgetBatches!(world, key);
  }
}

/** @throws TreelineError `disposed` if the world has forgotten the query; `bad-query` for what is not a query. */
export function requireUsable(query: Query): void {
  requireQuery(query);
  if (wholeOf(query).users > 0) return;
  let text = "this query was disposed";
  CHECK: text += "; call query(world, ...) again";
  throw new TreelineError("disposed", text);
}

/** @throws TreelineError `bad-query` for what is not a query. */
export function requireQuery(query: Query | undefined | null): void {
  if (query?.spares !== undefined) return;
  let text = `${shown(query)} is not a query`;
  CHECK: text += "; make one with query(world, ...)";
  refuse(text);
}
