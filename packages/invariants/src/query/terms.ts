/** Questions as the real world is asked them. */
import type { Entity } from "@treeline/core";
import * as engine from "@treeline/query";
import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { verbs } from "../base/entry-points.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { handleOf, idOf } from "../step/fast-world.ts";
import { callableOf, definitionOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { Above, Question, QuestionTerm, Variable } from "./twin.ts";
import { isVariable } from "./twin.ts";
import type { Grouping } from "./twin-order.ts";
import { compared, isGrouping, keyBy, sortedBy } from "./twin-order.ts";

/** Indexes of entities are below. */
export const INDEXES: number = 2 ** 24;

type Told = readonly unknown[];
type Visitor<Part> = (
  query: object,
  visit: (part: Part) => void,
  options?: { readonly writes: Told },
) => void;

interface LooseLevel {
  readonly depth: number;
  readonly count: number;
  eachBatch(visit: (batch: AnyBatch) => void): void;
}

/** The verbs of questions without their types: walks know only by name what they ask for. */
interface QuestionVerbs {
  readonly query: (world: unknown, ...terms: Told) => object;
  readonly dispose: (query: object) => void;
  readonly not: (what: unknown) => unknown;
  readonly maybe: (what: unknown) => unknown;
  readonly or: (...of: Told) => unknown;
  readonly all: (...of: Told) => unknown;
  readonly up: (what: unknown, options?: object) => unknown;
  readonly selfOrUp: (what: unknown, options?: object) => unknown;
  readonly cascade: (what: unknown, options?: object) => unknown;
  readonly on: (source: unknown, what: unknown) => unknown;
  readonly singleton: (what: unknown) => unknown;
  readonly changed: (what: unknown) => unknown;
  readonly added: (what: unknown) => unknown;
  readonly removed: (what: unknown) => unknown;
  readonly orderBy: (what: unknown, by: unknown, options?: object) => unknown;
  readonly groupBy: (by: unknown) => unknown;
  readonly variable: (name?: string) => unknown;
  readonly bind: (query: object, variable: unknown, entity: Entity | undefined) => object;
  readonly each: (query: object, visit: (...args: unknown[]) => void) => void;
  readonly eachRun: Visitor<AnyRun>;
  readonly eachBatch: Visitor<AnyBatch>;
  readonly eachLevel: Visitor<LooseLevel>;
  readonly monitor: (
    query: object,
    listeners: { readonly entered: (entity: Entity) => void; readonly left: (entity: Entity) => void },
    options: { readonly yieldExisting: boolean },
  ) => () => void;
  readonly rows: (query: object) => Iterable<unknown[]>;
  readonly collect: (query: object) => unknown[][];
  readonly entities: (query: object) => Entity[];
  readonly first: (query: object) => Entity | undefined;
  readonly count: (query: object) => number;
  readonly isEmpty: (query: object) => boolean;
  readonly explain: (query: object) => string;
  readonly page: (query: object, offset: number, limit: number) => object;
  readonly shard: (query: object, place: number, of: number) => object;
  readonly group: (query: object, key: unknown) => object;
}

export const questions: QuestionVerbs = engine as unknown as QuestionVerbs;

/** The terms of a question, in its order, and then its order and groups. */
export function toldQuestion(fast: FastWorld, { terms, orderBy, groupBy }: Question): unknown[] {
  const told = terms.map((term) => toldTerm(fast, term));
  if (orderBy !== undefined) {
    const { what, field, desc } = orderBy;
    const by = orderBy.compares === true || field === "" ? comparisonBy(field) : field;
    told.push(questions.orderBy(definitionOf(what), by, { desc }));
  }
  if (groupBy !== undefined) {
    told.push(questions.groupBy(isGrouping(groupBy) ? keysBy(fast, groupBy) : definitionOf(groupBy)));
  }
  return told;
}

const comparisons = new Map<string, (one: unknown, other: unknown) => number>();

/** Made once each, so that equal questions are equal ones. */
function comparisonBy(field: string): (one: unknown, other: unknown) => number {
  const known = comparisons.get(field);
  if (known !== undefined) return known;
  const made = (one: unknown, other: unknown): number =>
    compared(sortedBy(one, { field }), sortedBy(other, { field }));
  comparisons.set(field, made);
  return made;
}

const keys = new WeakMap<FastWorld, Map<Grouping, (entity: Entity) => unknown>>();

function keysBy(fast: FastWorld, by: Grouping): (entity: Entity) => unknown {
  const known = keys.get(fast) ?? new Map<Grouping, (entity: Entity) => unknown>();
  keys.set(fast, known);
  const made = known.get(by) ?? keyFunction(fast, by);
  known.set(by, made);
  return made;
}

function keyFunction({ world }: FastWorld, by: Grouping): (entity: Entity) => unknown {
  const Lit = definitionOf("Lit");
  const all =
    by === "asks"
      ? questions.query(world, Lit, questions.orderBy(definitionOf("Clock"), "ticks"))
      : undefined;
  return (entity) => {
    if (all !== undefined) questions.each(all, () => undefined);
    return keyBy(by, entity % INDEXES, () => verbs.has(world, entity, Lit));
  };
}

function toldTerm(fast: FastWorld, term: QuestionTerm): unknown {
  switch (term.kind) {
    case "has":
      return isVariable(term.target)
        ? callableOf(term.what)(variableOf(term.target))
        : idOf(fast, term.what, term.target);
    case "up":
    case "selfOrUp":
    case "cascade":
      return toldAbove(fast, term);
    case "changedAbove":
      return questions.changed(toldAbove(fast, term.of));
    case "changed":
    case "added":
    case "removed":
      return questions[term.kind](definitionOf(term.what));
    case "variable":
      return variableOf(term.variable);
    case "on":
      return questions.on(describedSubject(fast, term.source), toldTerm(fast, term.term));
    case "singleton":
      return questions.singleton(definitionOf(term.what));
    case "not":
    case "maybe":
      return questions[term.kind](toldTerm(fast, term.term));
    case "or":
    case "all":
      return questions[term.kind](...term.terms.map((part) => toldTerm(fast, part)));
  }
}

/** Along ChildOf nothing is told: that is what is meant then. */
export function toldAbove(fast: FastWorld, term: Above): unknown {
  const relation = term.relation === "ChildOf" ? {} : { relation: definitionOf(term.relation) };
  if (term.kind === "cascade") {
    return questions.cascade(definitionOf(term.what), { ...relation, ...(term.desc ? { desc: true } : {}) });
  }
  return questions[term.kind](idOf(fast, term.what, term.target), relation);
}

function describedSubject(fast: FastWorld, source: Twin | Variable): unknown {
  return isVariable(source) ? variableOf(source) : handleOf(fast, source);
}

const variables = new Map<Variable, unknown>();

/** Made once each, as definitions are. */
export function variableOf(name: Variable): unknown {
  const known = variables.get(name);
  if (known !== undefined) return known;
  const made = questions.variable(name);
  variables.set(name, made);
  return made;
}
