// The record of a query and its parts; caches which archetypes match (`isMatchOf`, `matchedArchetypes`).
import type { World } from "@treeline/core";
import { type ArchetypeView, archetypesOfDefinition, grownInt32, Life } from "@treeline/core/internal";
import { findArchetypes, matchesArchetype } from "../../match/evaluate.ts";
import type { PassedOf, QueryTerm } from "../../term/operators.ts";
import type { Plan, Reading } from "../../term/plan.ts";
import type { Ordering } from "../lists/ordering.ts";
import type { Watch } from "../lists/watch.ts";

/** What iterations keep between each other, so that steady frames allocate nothing; owned by `iterate/`. */
interface Spares {
  /** By iterator slot: its outputs. */
  readonly rows: object[];
  /** Lists of iterations that have ended. */
  readonly lists: object[];
}

declare const passedBrand: unique symbol;

/** A query description with its cached list of matching archetypes. `Passed` is what `each` passes for a row. */
export interface QueryOf<Passed extends readonly unknown[] = unknown[]> {
  /** Never set; carries the types. */
  readonly [passedBrand]?: Passed;
}

/** The same by its terms: `Query<[typeof Position, typeof Velocity]>`. */
export type Query<Terms extends readonly QueryTerm[] = readonly QueryTerm[]> = QueryOf<PassedOf<Terms>>;

/** The internal part; left out of the declarations that users get. @internal */
export interface QueryOf<Passed extends readonly unknown[] = unknown[]> extends Reading {
  readonly [passedBrand]?: Passed;
  readonly world: World;
  /** Shared, with the key, by queries that differ only in the targets of clauses; terms and targets are not shared. */
  readonly plan: Plan;
  /** By clause; of a pair with a bound variable, the handle that it is bound to now. */
  readonly targets: number[];
  /** The bindings of the plan's variables, in their order: handles, or 0. */
  readonly bound: number[];
  /** How many `query` calls returned it, less those disposed; always 1 if it names an entity and does not match changes. */
  users: number;
  /** The tick up to which it has read changes, and the one at which it began. */
  lastRead: number;
  readonly began: number;
  readonly spares: Spares;
  /** By archetype number: 1 if it matches as far as archetypes decide, -1 if not, 0 if unknown; shared with the plan. */
  readonly matches: {
    byArchetype: Int32Array<ArrayBuffer>;
    /** Archetypes that match, in order of founding, as of the last call; and the number of archetypes founded by then. */
    listed?: ArchetypeView[];
    checked?: number;
    /** The list of those: another one after a snapshot was restored in which they were founded in another order. */
    of?: readonly ArchetypeView[];
  };
  /** Only if it matches changes: the state of its last read. */
  readonly watch: Watch;
  /** Which of the matches are meant: undefined for all. */
  readonly part: Part | undefined;
  /** Its matches in order, and their groups, as last sorted; of the whole. */
  ordering: Ordering | undefined;
  /** Queries for single groups: of entities with a target, of entities without one; empty until then. */
  readonly inner: Query[];
}

/** A part of the matches. */
export interface Part {
  /** The query that it is a part of; never a part itself. */
  readonly whole: Query;
  /** The part that it is a part of. */
  readonly of: Part | undefined;
  readonly kind: "page" | "shard" | "group";
  /** Page: matches to leave out, matches to keep. Shard: which of how many. */
  readonly first: number;
  readonly second: number;
  /** Group: which. */
  readonly key: unknown;
}

/** The query itself, or the one that it is a part of. */
export function wholeOf(query: Query): Query {
  return query.part === undefined ? query : query.part.whole;
}

/** Does an archetype match, as far as archetypes decide? Evaluated once per archetype. @internal */
export function isMatchOf({ plan, matches }: Query, archetype: ArchetypeView): boolean {
  const known = matches.byArchetype[archetype.number];
  if (known !== undefined && known !== 0) return known === 1;
  const isMatch = matchesArchetype(plan, archetype);
  matches.byArchetype = grownInt32(matches.byArchetype, archetype.number + 1);
  matches.byArchetype[archetype.number] = isMatch ? 1 : -1;
  return isMatch;
}

/**
 * Archetypes that match as far as they decide, in order of founding.
 *
 * @cost a test of each one founded since the last call.
 * @internal
 */
export function matchedArchetypes({ world, plan, matches }: Query): readonly ArchetypeView[] {
  const archetypes = archetypesOfDefinition(world, Life);
  if (matches.of !== archetypes) matches.listed = findArchetypes(world, plan);
  else
    for (let at = matches.checked!; at < archetypes.length; at++)
      if (matchesArchetype(plan, archetypes[at]!)) matches.listed!.push(archetypes[at]!);
  matches.checked = (matches.of = archetypes).length;
  return matches.listed!;
}
