import type { Definition } from "@treeline/core";
import { Disabled, DisabledTree } from "@treeline/core";
import { ANY, type Question } from "@treeline/core/internal";
import type { QueryTerm } from "./operators.ts";
import type { Traversal } from "./traversal.ts";

/** One clause about those who are visited, as plain data: they have it, have it not, or may have it. */
export interface Clause {
  readonly operator: "with" | "not" | "maybe";
  readonly definition: Definition;
  /** Handle of a pair's target; -1 for any target; 0 for components and tags. */
  readonly target: number;
}

/** What is asked of an entity besides clauses: a tree of questions. All have one form; what a kind has no use for is empty. */
export interface Test {
  readonly kind: "has" | "above" | "on" | "changed" | "all" | "any" | "not";
  /** Has, changed: what. Of a target: a handle, ANY, or a variable. */
  readonly definition: Definition;
  readonly target: number;
  /** Above, and changed of an ancestor: which traversal; else -1. On: which aside. Changed: see `track`. */
  readonly place: number;
  /** Above: an entity that has it itself is its own holder. */
  readonly self: boolean;
  /** Changed: CHANGED, ADDED or REMOVED. */
  readonly track: number;
  /** Changed of an ancestor: its place among those that are watched. */
  readonly note: number;
  readonly of: readonly Test[];
}

/** What is asked of one given entity, whoever is visited. */
export interface Aside {
  /** A handle; a variable; or 0, for the entity that stands for the definition. */
  readonly source: number;
  readonly question: Question;
  /** Then the nearest ancestor that has it is meant: along this relation. */
  readonly relation: Definition | undefined;
  readonly self: boolean;
}

/** A pair or component asked of a variable, or with a variable as target. */
export interface Bond {
  /** A variable; 0 for those who are visited. */
  readonly source: number;
  readonly definition: Definition;
  /** A variable, a handle, ANY; 0 for components and tags. */
  readonly target: number;
  /** The place of the clause that asks shapes for the same; -1 if there is none. */
  readonly clause: number;
}

/** What `each` hands over for one term. */
export interface Gift {
  /** Whose value: of those who are visited, of an ancestor, of a given entity; a variable's entity; or only whether the test holds. */
  readonly from: "own" | "above" | "on" | "variable" | "mark" | "first";
  readonly definition: Definition;
  readonly target: number;
  /** Above: which traversal. On: which aside. Variable: the variable; of `on` a variable: that too. */
  readonly place: number;
  readonly self: boolean;
  /** Mark: what holds or not. */
  readonly test: Test | undefined;
  /** First: alternatives, each with its test; undefined for one that has no values. */
  readonly of: readonly (Gift | undefined)[];
}

/** The order of visits. */
export interface Order {
  readonly definition: Definition;
  readonly target: number;
  /** A field, or a comparison of two values. */
  readonly by: string | ((one: never, other: never) => number);
  readonly isDescending: boolean;
}

/** A way to holders of which changes are asked. */
export interface Watched {
  readonly place: number;
  readonly self: boolean;
  readonly definition: Definition;
}

/**
 * A variable that is nothing but the one target of everybody who is visited, such as their parent: it needs no search, since
 * it is the nearest ancestor that has anything at all.
 */
export interface FreeWay {
  readonly variable: number;
  /** Those of the plan, and the one to the target behind them. */
  readonly traversals: readonly Traversal[];
  readonly key: string;
  /** What the target must have. */
  readonly gates: readonly Definition[];
}

/** A question, read: plain data. */
export interface Plan {
  /** As they were given. */
  readonly terms: readonly QueryTerm[];
  /** What all must hold. */
  readonly clauses: readonly Clause[];
  readonly tests: readonly Test[];
  /** Ways to ancestors; that of cascade comes first. */
  readonly traversals: readonly Traversal[];
  readonly waysKey: string;
  /** Places of the ways along which `selfOrUp` looks for a pair with a target: rows of one archetype differ in having it. */
  readonly ownPairs: readonly number[];
  /** 1: parents first; -1: children first; 0: no cascade. */
  readonly cascade: -1 | 0 | 1;
  readonly asides: readonly Aside[];
  readonly bonds: readonly Bond[];
  /** While its variable is free: how it is found without a search. */
  readonly freeWay: FreeWay | undefined;
  /** Variables in order of appearance. */
  readonly variables: readonly number[];
  readonly gifts: readonly Gift[];
  readonly order: Order | undefined;
  /** A relation, or a function of the entity. */
  readonly groups: unknown;
  /** Somebody disabled is meant as well. */
  readonly namesDisabled: boolean;
  /** Asks for nothing that hangs on more than shapes: all rows of those that answer are meant. */
  readonly isPlain: boolean;
  /** The places of clauses that ask for a target, named or variable. Without any, no clause has to be looked at. */
  readonly targeted: readonly number[];
  /**
   * The place of the only clause with a target, named or variable, if nothing but clauses is asked for: the sources of
   * that pair answer, as far as their shapes do. -1 if there is none.
   */
  readonly direct: number;
  /** Names an entity. */
  readonly namesEntity: boolean;
  readonly watched: readonly Watched[];
  /** Asks for what changed since it last looked. */
  readonly isWatching: boolean;
  /** Values of pairs are handed over: they lie in other columns in every table. */
  readonly readsPairs: boolean;
  /** Equal questions have equal keys. The order of terms counts, since `each` hands values over in it. */
  readonly key: string;
}

/** The clause names an entity, alive or not: its answer depends on tables, not on shapes alone. */
export function namesTarget({ definition, target }: Pick<Clause, "definition" | "target">): boolean {
  return definition.kind === "relation" && target !== ANY;
}

/** Does it say something about who is disabled? Else nobody disabled is meant. */
export function isAboutDisabled({ definition }: Pick<Clause, "definition">): boolean {
  return definition === Disabled || definition === DisabledTree;
}
