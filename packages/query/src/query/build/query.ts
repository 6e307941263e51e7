import { type Entity, type Term, TreelineError, type Variable, type World } from "@treeline/core";
import { ANY, archetypesOfDefinition, clockOf, Life, shown, worldState } from "@treeline/core/internal";
import { matchesArchetype } from "../../match/evaluate.ts";
import { cursorsOf } from "../../match/pairs.ts";
import { isVariable, nameOfVariable, type QueryTerm } from "../../term/operators.ts";
import type { Plan, Reading } from "../../term/plan.ts";
import { readTerms, refuse, requireHandle } from "../../term/read.ts";
import { Watch } from "../lists/watch.ts";
import { engine } from "../state/iteration-state.ts";
import { matchedArchetypes, type Query, wholeOf } from "../state/query-state.ts";

interface QueryCache {
  /** Those that name no entity and do not ask for changes. */
  readonly byKey: Map<string, Query>;
  /** All that are kept, watching ones included. */
  readonly kept: Set<Query>;
  readonly recent: Query[];
  /** The one read last: while one lives, what is compiled for plans outlives collections of garbage. */
  latest: Plan | undefined;
}

const cacheOf = /* @__PURE__ */ worldState<QueryCache>((world, { invariants }) => {
  const cache: QueryCache = { byKey: new Map(), kept: new Set(), recent: [], latest: undefined };
  CHECK: invariants.push(() => verifyQueries(world, cache));
  return cache;
});

/** L11: a query lists exactly the archetypes that match its terms. */
function verifyQueries(world: World, { kept }: QueryCache): string[] {
  const wrong = [...kept].filter((query) => {
    const listed = matchedArchetypes(query);
    const right = archetypesOfDefinition(world, Life).filter((archetype) =>
      matchesArchetype(query.plan, archetype),
    );
    return right.length !== listed.length || right.some((archetype, at) => archetype !== listed[at]);
  });
  return wrong.map(({ key }) => `L11: query (${key}) lists other archetypes than those that match`);
}

/**
 * Asks a question. The same terms in the same order give the same query while it is in use; the world keeps it
 * current as archetypes are founded. Queries that name an entity are not kept and cost about as much as an array, but for the
 * lists of `up` and its like; they hold its handle; nobody has a pair with it once it is dead.
 *
 * Queries that ask for changes are nobody else's, and functions and variables that are made on the spot make another
 * question: asked in each frame, such queries pile up until they are disposed. Ask once, and keep the query.
 *
 * `ChildOf` covers both storages of parents, `Parent` its own only. `Any(ship)` asks for any pair that points at ship,
 * `Any(Any)` for any pair at all; an entity answers once, however many such pairs it has. An entity means the
 * definition it stands for, or itself as a tag. With a target, a reflexive relation is answered by the target too. Who is
 * disabled answers only if a term names `Disabled` or `DisabledTree`, within `not`, `maybe`, `or` or `all` too, but not where it
 * is about others: `up` and its like, `on`, `singleton`.
 *
 * A pair with a variable, which `bind` sets, answers once for each target that fits all terms with the variable.
 *
 * Cost: for what was asked lately, some look-ups; else the terms are read, and the archetypes of the rarest definition looked
 * through. Kept are the archetypes that answer; tables cost it nothing.
 *
 * @throws TreelineError `bad-query` for what is no term, a relation without target, and operators about what they cannot
 *   be about; `dead-entity` for an entity or target that has not the form of a handle, such as `undefined`.
 *
 * @example
 * const moving = query(world, Position, Velocity, not(Frozen));
 */
export function query<const Terms extends readonly QueryTerm[]>(world: World, ...terms: Terms): Query<Terms> {
  const { states } = (world ?? {}) as { readonly states?: unknown }; // which core sees
  if (states === undefined) refuse(`query(world, ...terms) takes the world first, not ${shown(world)}`);
  const cache = cacheOf(world);
  const like = recall(cache.recent, terms);
  if (like !== undefined) return like as Query<Terms>;
  const reading = readTerms(world, terms);
  const { plan, key } = reading;
  cache.latest = plan;
  const known = cache.byKey.get(key);
  if (known !== undefined) {
    known.users++;
    return known as Query<Terms>;
  }
  const fresh = createQuery(world, reading);
  if (plan.isWatching) engine.watch!(fresh, true);
  else if (plan.namesEntity) remember(cache.recent, fresh);
  else cache.byKey.set(key, fresh);
  if (!plan.namesEntity) cache.kept.add(fresh);
  return fresh as Query<Terms>;
}

/**
 * A query of its own, which nobody else is given.
 *
 * @param like differs in its targets only: all but terms and targets is shared with it.
 */
export function createQuery(world: World, { plan, terms, targets, key }: Reading, like?: Query): Query {
  const readsRemoved = plan.leaves.some((leaf) => leaf.kind === "changed" && leaf.track === "removed");
  return {
    world,
    plan,
    terms,
    targets: [...targets],
    key,
    cursors: cursorsOf(world),
    bound: like?.bound ?? plan.variables.map(() => 0),
    users: 1,
    lastRead: 0,
    // What was lost before the query was made is no news to it; gains and changes are.
    began: readsRemoved ? clockOf(world).now++ : 0,
    spares: like?.spares ?? { rows: [], lists: [] },
    matches: like?.matches ?? { byArchetype: new Int32Array(16), listed: [], founded: 0 },
    watch: like?.watch ?? new Watch(),
    part: undefined,
    ordering: undefined,
    inner: like?.inner ?? [],
  };
}

/** Asks a question once: whatever is kept of it goes when `read` has looked. */
export function runOnce<Found>(world: World, reading: Reading, read: (query: Query) => Found): Found {
  const query = createQuery(world, reading);
  try {
    return read(query);
  } finally {
    dispose(query);
  }
}

// ---- asked lately -------------------------------------------------------------------------------------------------

/** So many questions that name entities are kept, the latest first, for those that differ in nothing but their targets. */
const KEPT = 4;

/** Only of plain terms, each of which is one clause. */
export function remember(recent: Query[], query: Query): void {
  const { plan, terms } = query;
  if (plan.variables.length > 0 || plan.tests.length > 0 || targetsLike(plan, terms) === undefined) return;
  if (plan.readsPairs) return; // what is handed over hangs on the target
  recent.unshift(query);
  if (recent.length > KEPT) recent.pop();
}

/** Asks what was asked lately of other targets. Undefined if it was not. */
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

/** The targets of terms that differ from those of a plan in nothing else. */
function targetsLike({ clauses }: Plan, terms: readonly QueryTerm[]): number[] | undefined {
  if (clauses.length !== terms.length) return undefined;
  const targets: number[] = [];
  for (let at = 0; at < terms.length; at++) {
    const { operator, definition, named } = clauses[at]!;
    const term: unknown = terms[at];
    const isBare = typeof term === "function";
    const asked = (isBare ? { definition: term, target: 0, value: undefined } : term) as Term | undefined;
    if (operator !== "with" || asked?.definition !== definition || isBare === named) return undefined;
    if (asked.value !== undefined || (named && !(asked.target > 0))) return undefined;
    targets.push(asked.target);
  }
  return targets;
}

// ---- variables ----------------------------------------------------------------------------------------------------

/**
 * Sets what a variable stands for, until it is set anew: visits that begin from now on answer for this entity only.
 * `undefined` sets it free: visits answer for each entity that it may stand for. Nobody answers for a dead one.
 *
 * A shared query has one setting: a variable of your own makes a query of your own. Cost: a few nanoseconds.
 *
 * @returns the query.
 * @throws TreelineError `bad-query` if the query does not have the variable; `dead-entity` for what has not the form of a
 *   handle; `disposed`.
 *
 * @example
 * each(bind(childrenOf, parent, ship), draw);
 */
export function bind<Q extends Query>(query: Q, variable: Variable, entity: Entity | undefined): Q {
  requireUsable(query);
  const { plan, bound, targets } = query; // those of the whole, but for groups with a plan of their own
  const place = plan.variables.indexOf(variable);
  if (place < 0) {
    const text = isVariable(variable) ? nameOfVariable(variable) : shown(variable);
    refuse(`no term of this query has the variable ${text}; make it one: ChildOf(${text})`);
  }
  if (entity !== undefined) requireHandle(query.world, entity);
  bound[place] = entity ?? 0;
  for (let at = 0; at < plan.joins.length; at++) {
    const { subject, target, clause } = plan.joins[at]!;
    if (subject === 0 && target === variable && clause >= 0) targets[clause] = entity ?? ANY;
  }
  return query;
}

// ---- the end ------------------------------------------------------------------------------------------------------

/**
 * Ends one use of a query. With the last use the world forgets it; visiting it then is an error. Queries that name an
 * entity need no disposing, unless they ask for changes; nor do parts: nothing happens to the query they are of.
 *
 * Cost: little; a query that goes up to ancestors is compared with all that are kept.
 *
 * @throws TreelineError `bad-query` for what is no query.
 */
export function dispose(query: Query): void {
  requireQuery(query);
  if (query.part !== undefined) return; // what was asked is the whole
  const { world, plan, ordering } = query;
  if ((plan.namesEntity && !plan.isWatching) || query.users === 0) return;
  query.users--;
  if (query.users > 0) return;
  const { byKey, kept } = cacheOf(world);
  if (byKey.get(query.key) === query) byKey.delete(query.key);
  kept.delete(query);
  if (plan.isWatching) engine.watch!(query, false);
  if (ordering !== undefined) engine.stopOrdering!(query);
  for (const inner of query.inner.splice(0)) dispose(inner);
  // Batches that no kept query asks for any more are not kept either.
  for (const key of [plan.pathsKey, plan.freePath?.pathsKey ?? ""]) {
    const usesPaths = (one: Query): boolean =>
      one.plan.pathsKey === key || one.plan.freePath?.pathsKey === key;
    if (key !== "" && ![...kept].some(usesPaths)) engine.forgetBatches!(world, key);
  }
}

/** @throws TreelineError `disposed` if the world has forgotten the query; `bad-query` for what is none. */
export function requireUsable(query: Query): void {
  requireQuery(query);
  if (wholeOf(query).users > 0) return;
  throw new TreelineError("disposed", "this query was disposed; ask for it anew with query(world, ...)");
}

/** @throws TreelineError `bad-query` for what is no query. */
export function requireQuery(query: Query | undefined | null): void {
  if (query?.spares === undefined) refuse(`${shown(query)} is no query; ask for one with query(world, ...)`);
}
