// The record of a parsed query (`Plan`, `Draft`): clauses, tests, traversals, joins, outputs; the key of equal paths (`keyOfTraversals`).
import { Any, type Definition, type Entity, type World } from "@treeline/core";
import { ANY, type ArchetypeView, type parseTerm, type Track } from "@treeline/core/internal";
import type { QueryTerm } from "./operators.ts";

/** A term as core parses it: a definition, and for relations a target: handle or ANY. */
export type ParsedTerm = ReturnType<typeof parseTerm>;

/** One clause about the matching entities: they have it, do not have it, or may have it. The query stores its target. */
export interface Clause {
  readonly operator: "with" | "not" | "maybe";
  readonly definition: Definition;
  /** It names an entity, alive or not: the table of an entity decides, not only its archetype. */
  readonly named: boolean;
}

/** What an entity must fulfil in addition to clauses: a tree of tests. */
export type Test = Leaf | GroupTest | { readonly kind: "not"; readonly of: Test };
export type GroupTest = { readonly kind: "all" | "any"; readonly of: readonly Test[] };

/** A test without parts. */
export type Leaf =
  | HasTest
  | AboveTest
  | ChangedTest
  | ChangedAboveTest
  | ChangedBelowTest
  | FixedSourceTest
  | ExistsTest;

/** The entity has it. The target may be a variable. */
type HasTest = ParsedTerm & { readonly kind: "has" };

/** What an ancestor must have. */
export interface Above extends ParsedTerm {
  /** The place of the path in the plan's traversals. */
  readonly path: number;
  /** An entity that has it itself is its own source. */
  readonly self: boolean;
}

/** An ancestor along a path has it. */
export type AboveTest = Above & { readonly kind: "above" };

/** It was written, added, removed, or got another target since the query last read changes. */
export interface ChangedTest {
  readonly kind: "changed";
  readonly definition: Definition;
  readonly track: Track["kind"];
}

/** The value of the source along a path was written, or the source is another one. `note` is its place in `watched`. */
export type ChangedAboveTest = Above & { readonly kind: "changed above"; readonly note: number };

/** An ancestor along a relation changed. `place` differs for each in one plan. */
export interface ChangedBelowTest {
  readonly kind: "changed below";
  readonly what: ChangedTest;
  readonly definition: Definition;
  readonly relation: Definition;
  readonly place: number;
}

/** A given entity has it; `fixed` is its place in the plan's fixed sources. */
export type FixedSourceTest = ParsedTerm & { readonly kind: "on"; readonly fixed: number };

/** There are entities for some variables so that inner terms hold for the matching entity. */
export interface ExistsTest {
  readonly kind: "exists";
  /** Some tag that is stored as bits: rows of one table differ. */
  readonly definition: Definition;
  /** The variables that no other term names. */
  readonly variables: readonly number[];
  /** Evaluates the entity of a match context. */
  readonly holds: (context: object, archetype: ArchetypeView) => boolean;
}

/** A path from entities to their sources: the nearest ancestor along a relation that has something. */
export interface Traversal {
  readonly relation: Definition;
  readonly what: ParsedTerm;
  /** The first term with this path is `selfOrUp`: where no term is named, an entity that has it itself is its own source. */
  readonly self: boolean;
}

/** What one given entity must have, the same for all rows. */
export interface FixedSource extends ParsedTerm {
  /** A handle; a variable; or 0, for the component entity of the definition. */
  readonly source: number;
  /** If set, the nearest ancestor along this relation that has it is meant. */
  readonly relation: Definition | undefined;
  readonly self: boolean;
}

/** A pair or component that a variable must have, or a pair with a variable as target. */
interface Join extends ParsedTerm {
  /** A variable or handle; 0 for the matching entities. */
  readonly subject: number;
  /** The place of the clause that requires the same of archetypes; -1 if there is none. */
  readonly clause: number;
  /** If set, an ancestor along this relation must have it; with `self`, or the subject itself. */
  readonly above?: Definition;
  readonly self?: boolean;
}

/** What `each` passes for one term: what the test finds, whether a test holds, or the entity bound to a variable. */
export type Output = HasTest | AboveTest | FixedSourceTest | VariableOutput | FlagOutput | FirstOutput;

export type VariableOutput = { readonly kind: "variable"; readonly variable: number };
export type FlagOutput = { readonly kind: "flag"; readonly test: Test };

/** The value of the first alternative that holds; undefined for one that has no values. */
export interface FirstOutput {
  readonly kind: "first";
  readonly tests: readonly Test[];
  readonly of: readonly (Output | undefined)[];
}

/** One key of the order of iteration. */
export interface Order extends ParsedTerm {
  /** The place of the path to the ancestors whose values decide; -1 for values of the matches themselves. */
  readonly path: number;
  /** Of a path: an entity that has a value itself is ordered by that. */
  readonly self: boolean;
  /** A field, or a comparison of two values. */
  readonly by: string | ((one: unknown, other: unknown) => number);
  readonly isDescending: boolean;
}

/** Groups by the target of an exclusive relation, or by what a function returns. */
export type Grouping =
  | { readonly by: "target"; readonly relation: Definition }
  | { readonly by: "key"; readonly keyOf: (entity: Entity) => unknown };

/** A variable that is only the single target of all matches, such as their parent: simply the nearest ancestor. */
export interface FreePath {
  readonly variable: number;
  /** Those of the plan, followed by the one to the target. */
  readonly traversals: readonly Traversal[];
  readonly pathsKey: string;
  /** What the target must have. */
  readonly gates: readonly Definition[];
}

/** Tags that are stored as bits: matches have all that are required, and none that is excluded. */
export interface Cut {
  /** For core, which sets it when the cut is first used. */
  key: string;
  readonly required: Definition[];
  readonly excluded: Definition[];
  /** What it leaves of archetypes without any bits: all rows, 1, or none, 0. */
  bare: 0 | 1;
}

/** How matches are found, for any targets of the clauses: queries that differ only in those share one plan. */
export type Plan = {
  readonly [Field in Exclude<
    keyof Draft,
    "world" | "targets" | "terms" | "given"
  >]: Draft[Field] extends (infer One)[] ? readonly One[] : Draft[Field];
};

/** A plan under construction. */
export class Draft {
  /** What all matches must fulfil. */
  clauses: Clause[] = [];
  tests: Test[] = [];
  /** All tests without parts in them. */
  leaves: Leaf[] = [];
  /** Paths to ancestors; that of cascade comes first. */
  traversals: Traversal[] = [];
  pathsKey = "";
  /** Places of the paths on which `selfOrUp` names a pair with a target or a tag in bits: rows of one archetype differ. */
  ownPairs: number[] = [];
  /** 1: parents first; -1: children first; 0: no cascade. */
  cascade: -1 | 0 | 1 = 0;
  fixedSources: FixedSource[] = [];
  joins: Join[] = [];
  /** How the variable is found without a search while it is free. */
  freePath: FreePath | undefined = undefined;
  /** In order of appearance. */
  variables: number[] = [];
  outputs: Output[] = [];
  /** The first key decides, equal ones the next. */
  orders: Order[] = [];
  groups: Grouping | undefined = undefined;
  /** Matches are in document order along this relation. */
  siblings: Definition | undefined = undefined;
  /** One of these three is set: matches are sorted after they were listed. */
  isSorted = false;
  readonly cut: Cut = { key: "", required: [], excluded: [], bare: 1 };
  /** Disabled entities match as well. */
  namesDisabled = false;
  /** Prefabs and what is below them match as well. */
  namesPrefab = false;
  namesEntity = false;
  /** Only archetypes decide: all rows of those that match are matches. */
  isPlain = false;
  /** The places of clauses with a target, named or variable. Without any, no clause must be evaluated. */
  targeted: number[] = [];
  /** The only clause with a target, named or variable, if there are only clauses: entities with that pair match; or -1. */
  direct = -1;
  /** The terms about changes of ancestors. */
  watched: Above[] = [];
  /** The query matches what changed since it last read changes. */
  isWatching = false;
  /** The kinds of ticks that this needs: one for each use. */
  tracked: { readonly definition: Definition; readonly kind: Track["kind"] }[] = [];
  /** Values of pairs are passed to callbacks: every table stores them in other columns. */
  readsPairs = false;
  readonly world: World;
  /** Of the query description that is read: see `Reading`. */
  readonly targets: number[] = [];

  /** For inner terms, the variables that outer ones find. */
  given: readonly number[] = [];
  readonly terms: readonly QueryTerm[];

  constructor(world: World, terms: readonly QueryTerm[]) {
    this.world = world;
    this.terms = terms;
  }
}

/** A query description that was read: a plan, and what belongs to this query only. */
export interface Reading {
  /** As passed to `query`. */
  readonly terms: readonly QueryTerm[];
  readonly plan: Plan;
  /** By clause: the handle of a pair's target; ANY for any target, or a variable that is free; 0 for components and tags. */
  readonly targets: readonly number[];
  /** Equal query descriptions have equal keys. The order of terms counts, since `each` passes values in that order. */
  readonly key: string;
}

/** A pair with a target, which may be a variable. */
export function namesTarget({ definition, target }: ParsedTerm): boolean {
  return definition.kind === "relation" && target !== ANY;
}

/** The output for a test; undefined for nothing. */
export function outputOf(test: Test): Output | undefined {
  if (test.kind === "any") {
    const of = test.of.map(outputOf);
    return of.some((output) => output !== undefined) ? { kind: "first", tests: test.of, of } : undefined;
  }
  if (test.kind !== "has" && test.kind !== "above" && test.kind !== "on") return undefined;
  const { definition, target } = test;
  if (definition.kind === "tag" || definition === Any || target === ANY) return undefined;
  return definition.kind === "relation" && definition.holds === "nothing" ? undefined : test;
}

/** The tests without parts in a test. A new list. */
export function leavesOf(test: Test): Leaf[] {
  if (!("of" in test)) return [test];
  return test.kind === "not" ? leavesOf(test.of) : test.of.flatMap(leavesOf);
}

/** Equal lists of paths have equal keys. */
export function keyOfTraversals(traversals: readonly Traversal[]): string {
  return traversals
    .map(({ relation, what }) => `${relation.id} ${what.definition.id} ${what.target}`)
    .join(", ");
}
