import { TreelineError, type World } from "@treeline/core";
import { listen, nextNumber, type Shape, shown, stateOf } from "@treeline/core/internal";
import { matchesShape, matchingShapes } from "../match/match-shape.ts";
import { type Clause, clausesOf, keyOf, namesTarget, type QueryTerm } from "../term/term.ts";
import { forgetStretches } from "./stretches.ts";

/** A question with its kept list of answering shapes. `Terms` are the types of its terms. */
export interface Query<Terms extends readonly QueryTerm[] = readonly QueryTerm[]> {
  readonly world: World;
  readonly clauses: readonly Clause[];
  readonly key: string;
  /** Names an entity: not kept by the world, its rows are looked up at each visit. */
  readonly isTargeted: boolean;
  readonly cascade: Clause | undefined;
  /** Answering shapes in order of founding; empty if targeted. */
  readonly shapes: Shape[];
  /** How many `query` calls gave it, less those disposed. */
  users: number;
  /** Spare objects of visits that have ended, so that steady frames allocate nothing; owned by `visit/`. */
  readonly spares: { runs: object[]; rows: object[]; stretches: object[] };
  /** Never there; carries the types. */
  readonly types?: Terms;
}

interface QueryBook {
  readonly byKey: Map<string, Query>;
}

const BOOK: number = nextNumber();

function bookOf(world: World): QueryBook {
  return stateOf(world, BOOK, (own) => {
    const book: QueryBook = { byKey: new Map() };
    listen(own.graph.shapeFounded, (shape) => {
      for (const query of book.byKey.values())
        if (matchesShape(query.clauses, shape)) query.shapes.push(shape);
    });
    CHECK: own.laws.push(() => verifyQueries(own, book));
    return book;
  });
}

/** L11: a query lists exactly the shapes that match its terms. */
function verifyQueries(world: World, book: QueryBook): string[] {
  const broken: string[] = [];
  for (const query of book.byKey.values()) {
    const right = new Set(
      world.graph.shapes.filter((shape) => shape.founded && matchesShape(query.clauses, shape)),
    );
    const same = right.size === query.shapes.length && query.shapes.every((shape) => right.has(shape));
    if (!same) broken.push(`L11: query (${query.key}) lists other shapes than those that match`);
  }
  return broken;
}

/**
 * Asks a question. The same terms in the same order give the same query while it is in use; the world keeps it
 * current as shapes are founded. Queries that name a target are not kept and cost about as much as an array; they
 * hold the target's handle; nobody has a pair with it once it is dead.
 *
 * `ChildOf` covers both storages of parents, `Parent` its own only. `Any(ship)` asks for any pair that points at ship,
 * `Any(Any)` for any pair at all. An entity means the definition it stands for, or itself as a tag. With a target, a
 * reflexive relation is answered by the target too. Who is disabled answers only if a term names `Disabled` or
 * `DisabledTree`, with any operator.
 *
 * @throws TreelineError `bad-query` for what is no term, a relation without target, `maybe` of a pair, `cascade` of what
 *   has no values, and two cascades; `dead-entity` for an entity or target that has not the form of a handle, such as
 *   `undefined`.
 *
 * @example
 * const moving = query(world, Position, Velocity, not(Frozen));
 */
export function query<const Terms extends readonly QueryTerm[]>(world: World, ...terms: Terms): Query<Terms> {
  const clauses = clausesOf(world, terms);
  if (clauses.some(namesTarget)) return createQuery(world, clauses, "", true) as Query<Terms>;

  const { byKey } = bookOf(world);
  const key = keyOf(clauses);
  let known = byKey.get(key);
  if (known === undefined) {
    known = createQuery(world, clauses, key, false);
    byKey.set(key, known);
  }
  known.users++;
  return known as Query<Terms>;
}

function createQuery(world: World, clauses: readonly Clause[], key: string, isTargeted: boolean): Query {
  return {
    world,
    clauses,
    key,
    isTargeted,
    cascade: clauses.find(({ operator }) => operator === "cascade"),
    shapes: isTargeted ? [] : matchingShapes(world.graph, clauses),
    users: 0,
    spares: { runs: [], rows: [], stretches: [] },
  };
}

/**
 * Ends one use of a query. With the last use the world forgets it; visiting it then is an error. Queries that name a
 * target need no disposing.
 *
 * @throws TreelineError `bad-query` for what is no query.
 */
export function dispose(query: Query): void {
  requireQuery(query);
  if (query.isTargeted || query.users === 0) return;
  query.users--;
  if (query.users > 0) return;
  const { byKey } = bookOf(query.world);
  byKey.delete(query.key);
  const component = query.cascade?.definition;
  if (component === undefined) return;
  for (const other of byKey.values()) if (other.cascade?.definition === component) return;
  forgetStretches(query.world, component);
}

/** @throws TreelineError `disposed` if the world has forgotten the query; `bad-query` for what is none. */
export function requireUsable(query: Query): void {
  requireQuery(query);
  if (query.users === 0 && !query.isTargeted) {
    throw new TreelineError("disposed", "this query was disposed; ask for it anew with query(world, ...)");
  }
}

function requireQuery(query: Query | undefined | null): void {
  if (query?.spares === undefined) {
    throw new TreelineError("bad-query", `${shown(query)} is no query; ask for one with query(world, ...)`);
  }
}
