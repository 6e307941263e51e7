import { Any, type Definition, type Entity, type World } from "@treeline/core";
import { ANY, type parseTerm, type Track } from "@treeline/core/internal";
import type { QueryTerm } from "./operators.ts";

/** What users ask for, as core reads it: a definition, and for relations a target: handle or ANY. */
export type ParsedTerm = ReturnType<typeof parseTerm>;

/** One clause about those who are visited: they have it, have it not, or may have it. Its target stands with the query. */
export interface Clause {
  readonly operator: "with" | "not" | "maybe";
  readonly definition: Definition;
  /** It names an entity, alive or not: which table an entity is in decides, not its archetype alone. */
  readonly named: boolean;
}

/** What is asked of an entity besides clauses: a tree of questions. */
export type Test = Leaf | GroupTest | { readonly kind: "not"; readonly of: Test };
export type GroupTest = { readonly kind: "all" | "any"; readonly of: readonly Test[] };

/** A test without parts. */
export type Leaf = HasTest | AboveTest | ChangedTest | ChangedAboveTest | FixedSourceTest;

/** The entity has it. The target may be a variable. */
type HasTest = ParsedTerm & { readonly kind: "has" };

/** What is looked for above somebody. */
export interface Above extends ParsedTerm {
  /** The place of the way in the plan's traversals. */
  readonly path: number;
  /** An entity that has it itself is its own source. */
  readonly self: boolean;
}

/** An ancestor along a way has it. */
export type AboveTest = Above & { readonly kind: "above" };

/** It was written, came or went since the query last looked. */
export interface ChangedTest {
  readonly kind: "changed";
  readonly definition: Definition;
  readonly track: Track["kind"];
}

/** The value of the source along a way was written, or another one is the source. The note is its place among the watched. */
export type ChangedAboveTest = Above & { readonly kind: "changed above"; readonly note: number };

/** A given entity has it; its place in the plan's asides. */
export type FixedSourceTest = ParsedTerm & { readonly kind: "on"; readonly fixed: number };

/** A way from entities to their sources: the nearest ancestor along a relation that has something. */
export interface Traversal {
  readonly relation: Definition;
  readonly what: ParsedTerm;
  /** The first term that goes this way is `selfOrUp`: who has it itself is its own source, wherever no term is named. */
  readonly self: boolean;
}

/** What is asked of one given entity, whoever is visited. */
export interface FixedSource extends ParsedTerm {
  /** A handle; a variable; or 0, for the entity that stands for the definition. */
  readonly source: number;
  /** Then the nearest ancestor that has it is meant: along this relation. */
  readonly relation: Definition | undefined;
  readonly self: boolean;
}

/** A pair or component asked of a variable, or with a variable as target. */
interface Join extends ParsedTerm {
  /** A variable or handle; 0 for those who are visited. */
  readonly subject: number;
  /** The place of the clause that asks archetypes for the same; -1 if there is none. */
  readonly clause: number;
}

/** What `each` hands over for one term: what the test finds, whether one holds, or who a variable stands for. */
export type Output = HasTest | AboveTest | FixedSourceTest | VariableOutput | FlagOutput | FirstOutput;

export type VariableOutput = { readonly kind: "variable"; readonly variable: number };
export type FlagOutput = { readonly kind: "mark"; readonly test: Test };

/** The value of the first alternative that holds; undefined for one that has no values. */
export interface FirstOutput {
  readonly kind: "first";
  readonly tests: readonly Test[];
  readonly of: readonly (Output | undefined)[];
}

/** The order of visits. */
export interface Order extends ParsedTerm {
  /** A field, or a comparison of two values. */
  readonly by: string | ((one: unknown, other: unknown) => number);
  readonly isDescending: boolean;
}

/** Groups by the target of an exclusive relation, or by what a function gives. */
export type Grouping =
  | { readonly by: "target"; readonly relation: Definition }
  | { readonly by: "key"; readonly keyOf: (entity: Entity) => unknown };

/** A variable that is nothing but the one target of all who are visited, such as their parent: the nearest ancestor at all. */
export interface FreePath {
  readonly variable: number;
  /** Those of the plan, and the one to the target behind them. */
  readonly traversals: readonly Traversal[];
  readonly pathsKey: string;
  /** What the target must have. */
  readonly gates: readonly Definition[];
}

/** Where rows have to be looked at one by one: not where their tables tell all; where parents are values; everywhere. */
export type ByRow = "never" | "loose" | "always";

/** How a question is answered, whatever targets its clauses have: queries that differ in those alone share one. */
export type Plan = {
  readonly [Field in Exclude<keyof Draft, "world" | "targets">]: Draft[Field] extends (infer One)[]
    ? readonly One[]
    : Draft[Field];
};

/** A plan while it is read. */
export class Draft {
  /** What all must hold. */
  clauses: Clause[] = [];
  tests: Test[] = [];
  /** All tests without parts that stand in them. */
  leaves: Leaf[] = [];
  /** Ways to ancestors; that of cascade comes first. */
  traversals: Traversal[] = [];
  pathsKey = "";
  /** Places of the ways along which `selfOrUp` looks for a pair with a target or a tag in bits: rows of one archetype differ. */
  ownPairs: number[] = [];
  /** 1: parents first; -1: children first; 0: no cascade. */
  cascade: -1 | 0 | 1 = 0;
  fixedSources: FixedSource[] = [];
  joins: Join[] = [];
  /** While its variable is free: how it is found without a search. */
  freePath: FreePath | undefined = undefined;
  /** In order of appearance. */
  variables: number[] = [];
  outputs: Output[] = [];
  order: Order | undefined = undefined;
  groups: Grouping | undefined = undefined;
  /** Somebody disabled is meant as well. */
  namesDisabled = false;
  namesEntity = false;
  /** Asks for nothing that hangs on more than archetypes: all rows of those that answer are meant. */
  isPlain = false;
  /** The places of clauses that ask for a target, named or variable. Without any, no clause has to be looked at. */
  targeted: number[] = [];
  /** Where rows have to be looked at one by one, if those clauses are asked of rows. */
  byRow: ByRow = "never";
  /** The only clause with a target, named or variable, if nothing but clauses is asked for: those with that pair answer; or -1. */
  direct = -1;
  /** What is asked of changes above. */
  watched: Above[] = [];
  /** Asks for what changed since it last looked. */
  isWatching = false;
  /** Values of pairs are handed over: they lie in other columns in every table. */
  readsPairs = false;
  readonly world: World;
  /** Of the question that is read: see `Reading`. */
  readonly targets: number[] = [];

  constructor(world: World) {
    this.world = world;
  }
}

/** A question, read: a plan, and what is the question's own. */
export interface Reading {
  /** As they were given. */
  readonly terms: readonly QueryTerm[];
  readonly plan: Plan;
  /** By clause: the handle of a pair's target; ANY for any target, or a variable that is free; 0 for components and tags. */
  readonly targets: readonly number[];
  /** Equal questions have equal keys. The order of terms counts, since `each` hands values over in it. */
  readonly key: string;
}

/** A pair with a target, which may be a variable. */
export function namesTarget({ definition, target }: ParsedTerm): boolean {
  return definition.kind === "relation" && target !== ANY;
}

/** What is handed over for what is tested; undefined for nothing. */
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

/** The tests without parts that stand in a test. A fresh list. */
export function leavesOf(test: Test): Leaf[] {
  if (!("of" in test)) return [test];
  return test.kind === "not" ? leavesOf(test.of) : test.of.flatMap(leavesOf);
}

/** Equal lists of ways have equal keys. */
export function keyOfTraversals(traversals: readonly Traversal[]): string {
  return traversals
    .map(({ relation, what }) => `${relation.id} ${what.definition.id} ${what.target}`)
    .join(", ");
}
