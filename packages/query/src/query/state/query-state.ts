import type { World } from "@treeline/core";
import { type ArchetypeView, archetypesOfDefinition, grownInt32, Life } from "@treeline/core/internal";
import { findArchetypes, matchesArchetype } from "../../match/evaluate.ts";
import type { Cursors } from "../../match/pairs.ts";
import type { QueryTerm } from "../../term/operators.ts";
import type { Plan, Reading } from "../../term/plan.ts";
import type { Ordering } from "../lists/ordering.ts";
import type { Watch } from "../lists/watch.ts";

/** What visits keep between each other, so that steady frames allocate nothing; owned by `visit/`. */
interface Spares {
  /** By desk: what is handed over there. */
  readonly rows: object[];
  /** Of visits that have ended. */
  readonly lists: object[];
}

/** A question with its kept list of answering archetypes. `Terms` are the types of its terms. */
export interface Query<Terms extends readonly QueryTerm[] = readonly QueryTerm[]> {
  /** Never there; carries the types. */
  readonly types?: Terms;
}

/** What this package sees of it; left out of the declarations that users get. @internal */
export interface Query<Terms extends readonly QueryTerm[] = readonly QueryTerm[]> extends Reading {
  readonly types?: Terms;
  readonly world: World;
  /** Shared, with the key, by queries that differ in the targets of clauses only; terms and targets are its own. */
  readonly plan: Plan;
  /** By clause; of a pair with a variable that is set, the handle that it stands for now. */
  readonly targets: number[];
  /** Those of the world. */
  readonly cursors: Cursors;
  /** What the plan's variables stand for, in their order: handles, or 0. */
  readonly bound: number[];
  /** How many `query` calls gave it, less those disposed; always 1 if it names an entity and asks for no changes. */
  users: number;
  /** The tick up to which it has seen changes, and the one at which it began. */
  lastRead: number;
  readonly began: number;
  readonly spares: Spares;
  /** By archetype number: 1 if it answers as far as archetypes tell, -1 if not, 0 while nobody asked; shared with the plan. */
  readonly matches: {
    byArchetype: Int32Array<ArrayBuffer>;
    /** Archetypes that answer, in order of founding, as far as they were founded when somebody asked last. */
    listed: ArchetypeView[];
    founded: number;
  };
  /** Only if it asks for changes: what it remembers of its last look. */
  readonly watch: Watch;
  /** Which of the answers are meant: undefined for all. */
  readonly part: Part | undefined;
  /** Its answers in order, and their groups, as last arranged; of the whole. */
  ordering: Ordering | undefined;
  /** Queries that it asks for single groups: of those who have a target, of those who have none; empty until then. */
  readonly inner: Query[];
}

/** A part of the answers. */
export interface Part {
  /** The query that it is a part of; never a part itself. */
  readonly whole: Query;
  /** The part that it is a part of. */
  readonly of: Part | undefined;
  readonly kind: "page" | "shard" | "group";
  /** Page: answers to leave out, answers to take. Shard: which of how many. */
  readonly first: number;
  readonly second: number;
  /** Group: which. */
  readonly key: unknown;
}

/** The query itself, or that which it is a part of. */
export function wholeOf(query: Query): Query {
  return query.part === undefined ? query : query.part.whole;
}

/** Does an archetype answer, as far as archetypes tell? Asked of matching once per archetype. @internal */
export function isMatchOf({ plan, matches }: Query, archetype: ArchetypeView): boolean {
  const known = matches.byArchetype[archetype.number];
  if (known !== undefined && known !== 0) return known === 1;
  const isMatch = matchesArchetype(plan, archetype);
  matches.byArchetype = grownInt32(matches.byArchetype, archetype.number + 1);
  matches.byArchetype[archetype.number] = isMatch ? 1 : -1;
  return isMatch;
}

/**
 * Archetypes that answer as far as they can tell, in order of founding. Cost: a look at each founded since it was asked last.
 * @internal
 */
export function matchedArchetypes({ world, plan, matches }: Query): readonly ArchetypeView[] {
  const founded = archetypesOfDefinition(world, Life);
  if (matches.founded === 0) matches.listed = findArchetypes(world, plan);
  else
    for (let at = matches.founded; at < founded.length; at++)
      if (matchesArchetype(plan, founded[at]!)) matches.listed.push(founded[at]!);
  matches.founded = founded.length;
  return matches.listed;
}
