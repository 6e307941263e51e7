/** Turns query descriptions into terms of the real world. */
import type { Entity } from "@treeline/core";
import * as queryPackage from "@treeline/query";
import type { AnyBatch, AnyRun } from "../base/entry-points.ts";
import { verbs } from "../base/entry-points.ts";
import type { RealWorld } from "../step/real-world.ts";
import { handleOf, idOf } from "../step/real-world.ts";
import { callableOf, definitionOf } from "../step/vocabulary.ts";
import type { Twin } from "../twin/rules.ts";
import type { Above, QueryDescription, QueryTerm, Variable } from "./twin.ts";
import { isVariable } from "./twin.ts";
import type { Grouping } from "./twin-order.ts";
import { compared, isGrouping, keyBy, sortedBy } from "./twin-order.ts";

/** Entity indexes are below this number. */
export const INDEXES: number = 2 ** 24;

type TermList = readonly unknown[];
type IterateVerb<Part> = (
  query: object,
  callback: (part: Part) => void,
  options?: { readonly writes: TermList },
) => void;

interface AnyLevel {
  readonly depth: number;
  readonly count: number;
  eachBatch(callback: (batch: AnyBatch) => void): void;
}

/** The functions of the query package without their types: walks refer to definitions by name only. */
interface EngineVerbs {
  readonly query: (world: unknown, ...terms: TermList) => object;
  readonly dispose: (query: object) => void;
  readonly not: (what: unknown) => unknown;
  readonly maybe: (what: unknown) => unknown;
  readonly or: (...of: TermList) => unknown;
  readonly all: (...of: TermList) => unknown;
  readonly up: (what: unknown, options?: object) => unknown;
  readonly selfOrUp: (what: unknown, options?: object) => unknown;
  readonly cascade: (what: unknown, options?: object) => unknown;
  readonly on: (source: unknown, what: unknown) => unknown;
  readonly singleton: (what: unknown) => unknown;
  readonly changed: (what: unknown) => unknown;
  readonly added: (what: unknown) => unknown;
  readonly removed: (what: unknown) => unknown;
  readonly below: (what: unknown, options?: object) => unknown;
  readonly orderBy: (what: unknown, by: unknown, options?: object) => unknown;
  readonly groupBy: (by: unknown) => unknown;
  readonly inOrder: (options?: object) => unknown;
  readonly $this: unknown;
  readonly variable: (name?: string) => unknown;
  readonly bind: (query: object, variable: unknown, entity: Entity) => object;
  readonly unbind: (query: object, variable: unknown) => object;
  readonly each: (query: object, callback: (...args: unknown[]) => void) => void;
  readonly eachRun: IterateVerb<AnyRun>;
  readonly eachBatch: IterateVerb<AnyBatch>;
  readonly eachLevel: IterateVerb<AnyLevel>;
  readonly monitor: (
    query: object,
    observers: { readonly entered: (entity: Entity) => void; readonly left: (entity: Entity) => void },
    options: { readonly yieldExisting: boolean },
  ) => () => void;
  readonly monitorGroups: (
    query: object,
    observers: { readonly began: (key: unknown) => void; readonly ended: (key: unknown) => void },
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

export const engine: EngineVerbs = queryPackage as unknown as EngineVerbs;

/** The terms in the order of the description, then its order and groups. */
export function realQuery(
  real: RealWorld,
  { terms, orderBy, groupBy, inOrder }: QueryDescription,
): unknown[] {
  const converted = terms.map((term) => realTerm(real, term));
  for (const { what, field, desc, compares, above } of orderBy ?? []) {
    const by = compares === true || field === "" ? comparisonBy(field) : field;
    const owner = above === undefined ? definitionOf(what) : realUpTerm(real, { ...above, what });
    converted.push(engine.orderBy(owner, by, { desc }));
  }
  if (groupBy !== undefined) {
    converted.push(engine.groupBy(isGrouping(groupBy) ? keysBy(real, groupBy) : definitionOf(groupBy)));
  }
  if (inOrder !== undefined)
    converted.push(engine.inOrder(inOrder === "ChildOf" ? {} : { relation: definitionOf(inOrder) }));
  return converted;
}

const comparisons = new Map<string, (one: unknown, other: unknown) => number>();

/** Created once each, so that equal descriptions give equal queries. */
function comparisonBy(field: string): (one: unknown, other: unknown) => number {
  const known = comparisons.get(field);
  if (known !== undefined) return known;
  const made = (one: unknown, other: unknown): number =>
    compared(sortedBy(one, { field }), sortedBy(other, { field }));
  comparisons.set(field, made);
  return made;
}

const keys = new WeakMap<RealWorld, Map<Grouping, (entity: Entity) => unknown>>();

function keysBy(real: RealWorld, by: Grouping): (entity: Entity) => unknown {
  const known = keys.get(real) ?? new Map<Grouping, (entity: Entity) => unknown>();
  keys.set(real, known);
  const made = known.get(by) ?? keyFunction(real, by);
  known.set(by, made);
  return made;
}

function keyFunction({ world }: RealWorld, by: Grouping): (entity: Entity) => unknown {
  const Lit = definitionOf("Lit");
  const all =
    by === "queries" ? engine.query(world, Lit, engine.orderBy(definitionOf("Clock"), "ticks")) : undefined;
  return (entity) => {
    if (all !== undefined) engine.each(all, () => undefined);
    return keyBy(by, entity % INDEXES, () => verbs.has(world, entity, Lit));
  };
}

function realTerm(real: RealWorld, term: QueryTerm): unknown {
  switch (term.kind) {
    case "has":
      return isVariable(term.target)
        ? callableOf(term.what)(variableOf(term.target))
        : idOf(real, term.what, term.target);
    case "up":
    case "selfOrUp":
    case "cascade":
      return realUpTerm(real, term);
    case "changedAbove":
      return engine.changed(realUpTerm(real, term.of));
    case "changed":
    case "added":
    case "removed":
      return engine[term.kind](definitionOf(term.what));
    case "below": {
      const relation = term.relation === "ChildOf" ? {} : { relation: definitionOf(term.relation) };
      return engine.below(engine[term.change](definitionOf(term.what)), relation);
    }
    case "variable":
      return variableOf(term.variable);
    case "on":
      return engine.on(realSource(real, term.source), realTerm(real, term.term));
    case "singleton":
      return engine.singleton(definitionOf(term.what));
    case "not":
    case "maybe":
      return engine[term.kind](realTerm(real, term.term));
    case "none":
      return engine.not(engine.all(...term.terms.map((part) => realTerm(real, part))));
    case "upTo": {
      const relation = term.relation === "ChildOf" ? {} : { relation: definitionOf(term.relation) };
      return engine.up(callableOf(term.what)(variableOf(term.variable)), relation);
    }
    case "or":
    case "all":
      return engine[term.kind](...term.terms.map((part) => realTerm(real, part)));
  }
}

/** Without the option for ChildOf, which is the default. */
export function realUpTerm(real: RealWorld, term: Above): unknown {
  const relation = term.relation === "ChildOf" ? {} : { relation: definitionOf(term.relation) };
  if (term.kind === "cascade") {
    return engine.cascade(definitionOf(term.what), { ...relation, ...(term.desc ? { desc: true } : {}) });
  }
  return engine[term.kind](idOf(real, term.what, term.target), relation);
}

function realSource(real: RealWorld, source: Twin | Variable): unknown {
  return isVariable(source) ? variableOf(source) : handleOf(real, source);
}

const variables = new Map<Variable, unknown>();

/** Created once each, like definitions. */
export function variableOf(name: Variable): unknown {
  const known = variables.get(name);
  if (name === "$this") return engine.$this;
  if (known !== undefined) return known;
  const made = engine.variable(name);
  variables.set(name, made);
  return made;
}
