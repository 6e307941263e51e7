// Components, tags and pairs of an entity as one list (`factsOf`), what instances get of it (`isGiven`); how two lists differ.
import {
  type Component,
  type Definition,
  type Entity,
  get,
  has,
  pairsOf,
  type Relation,
  targetsOf,
  type World,
} from "@treeline/core";
import type { DefinitionState } from "@treeline/core/internal";
import {
  archetypeViewAt,
  ChildOf,
  definitionsAt,
  Is,
  indexOf,
  isInternal,
  Parent,
  Prefab,
} from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { ownCopiesAt } from "../state/own-copies.ts";
import { ownerOf } from "../state/owners.ts";

/** What an entity has: a component, a tag or a pair. An entity as a tag is a pair of `Is`. */
export interface Fact {
  readonly definition: Definition;
  /** Of a pair; 0 for others, and for an entity that is gone. */
  readonly target: Entity;
  /** As `get` returns it; `undefined` for what has none. */
  readonly value: unknown;
}

/** How a fact was and is; `undefined` if it was not or is not. */
export interface Change {
  readonly before: Fact | undefined;
  readonly now: Fact | undefined;
  /** Those in which the values differ. */
  readonly fields: DefinitionState["fields"];
}

/**
 * What an entity of the prefab is in an instance, and other entities; `undefined` for one that is gone.
 * @param isInherited the value may be one of a base of the prefab: what that calls a part is a part of the prefab.
 */
export type InInstance = (target: Entity, isInherited?: boolean) => Entity | undefined;

const NO_TARGET = 0 as Entity;

/** Do instances get it? The root of an instance has a name of its own. */
export function isGiven(definition: Definition, isRoot: boolean): boolean {
  const { identifies } = (definition.hooks ?? {}) as { readonly identifies?: "siblings" | "world" };
  const isOwn = identifies === "world" || (isRoot && identifies === "siblings");
  return !isOwn && definition.onInstantiate !== "skip" && definition !== Prefab;
}

/** The pairs of an entity, but for its place and what it is an instance of; and its own components and tags that are given to instances. */
export function factsOf(world: World, entity: Entity, isRoot: boolean): Fact[] {
  const own = ownDefinitions(world, entity).filter((one) => isGiven(one, isRoot));
  return [...own.map((one) => factOf(world, entity, one)), ...pairFacts(world, entity)];
}

/** The components that an entity has, then the tags. */
export function ownDefinitions(world: World, entity: Entity): Definition[] {
  const order = ({ holds }: Definition): number => Number(holds === "nothing");
  return definitionsAt(world, indexOf(entity))
    .filter((one) => one.kind !== "relation" && !isInternal(one))
    .sort((one, other) => order(one) - order(other));
}

/** Those of them that are pairs. */
export function pairFacts(world: World, entity: Entity): Fact[] {
  const facts = targetsOf(world, entity, Is as Relation).map(
    (target): Fact => ({ definition: Is, target, value: undefined }),
  );
  for (const { relation, target, value } of pairsOf(world, entity))
    if (!isTree(relation)) facts.push({ definition: relation, target, value });
  return facts;
}

/** Do its pairs make trees, or instances? */
export function isTree(relation: Definition): boolean {
  return relation === ChildOf || relation === Parent || relation === BareIsA;
}

/** A component or tag that an entity has, or inherits. */
export function factOf(world: World, entity: Entity, definition: Definition): Fact {
  const value = definition.holds === "nothing" ? undefined : get(world, entity, definition as Component);
  return { definition, target: NO_TARGET, value };
}

/** What instances get of a part of a prefab, or inherit by way of it. */
export function givenFacts(world: World, part: Entity, isRoot: boolean): Fact[] {
  const facts = factsOf(world, part, isRoot).filter(({ definition }) => definition.onInstantiate !== "skip");
  const index = indexOf(part);
  for (const definition of archetypeViewAt(world, index).inherited)
    if (isGiven(definition, isRoot) && ownerOf(world, index, definition) !== 0)
      facts.push(factOf(world, part, definition));
  for (const definition of ownCopiesAt(world, index)) {
    const fact = isGiven(definition, isRoot) ? givenFact(world, part, definition) : undefined;
    if (fact !== undefined && sameIn(facts, fact) === undefined) facts.push(fact);
  }
  return facts;
}

/** A component or tag that a part has or inherits; or of which instances get a default of their own: see `autoOverride`. */
export function givenFact(world: World, part: Entity, definition: Definition): Fact | undefined {
  if (has(world, part, definition as Component)) return factOf(world, part, definition);
  if (!ownCopiesAt(world, indexOf(part)).includes(definition)) return undefined;
  const { holds, fields } = definition;
  const defaults = fields.map(([name, { kind, initial }]) => [name, kind === "entity" ? undefined : initial]);
  const value = holds === "fields" ? Object.fromEntries(defaults) : defaults[0]?.[1];
  return holds === "values" && value === undefined ? undefined : { definition, target: NO_TARGET, value };
}

/** The one that is of the same definition, with the same target. */
export function sameIn(
  facts: readonly Fact[],
  { definition, target }: Omit<Fact, "value">,
): Fact | undefined {
  return facts.find((one) => one.definition === definition && one.target === target);
}

/** A fact with the entities of an instance in place of those of the prefab. */
export function pointed({ definition, target, value }: Fact, inInstance: InInstance): Fact {
  const other = target === 0 ? target : (inInstance(target) ?? NO_TARGET);
  return { definition, target: other, value: pointedValue(definition, value, inInstance) };
}

export function pointedValue(
  { fields, onInstantiate }: DefinitionState,
  value: unknown,
  inInstance: InInstance,
): unknown {
  if (!fields.some(([, { kind }]) => kind === "entity")) return value;
  const copy = { ...(value as { [name: string]: unknown }) };
  for (const [name, { kind }] of fields)
    if (kind === "entity" && copy[name] !== undefined)
      copy[name] = inInstance(copy[name] as Entity, onInstantiate === "inherit");
  return copy;
}

/** A value for another entity: see the `copy` hook. */
export function copied({ hooks }: DefinitionState, value: unknown): unknown {
  const { copy } = (hooks ?? {}) as { readonly copy?: (value: unknown) => unknown };
  return copy === undefined ? value : copy(value);
}

/** As `spawn` and `add` take it. */
export function termOf(definition: Definition, value?: unknown, target: Entity = NO_TARGET): never {
  return { definition, target, value } as never;
}

export function changesOf(before: readonly Fact[], now: readonly Fact[]): Change[] {
  const changes: Change[] = [];
  for (const old of before) {
    const next = sameIn(now, old);
    const fields = next === undefined ? [] : changedFields(old, next);
    if (next === undefined || fields.length > 0) changes.push({ before: old, now: next, fields });
  }
  for (const one of now)
    if (sameIn(before, one) === undefined) changes.push({ before: undefined, now: one, fields: [] });
  return changes;
}

/** The fields in which the values of two facts of one definition differ. */
export function changedFields({ definition, value }: Fact, other: Fact): DefinitionState["fields"] {
  return definition.fields.filter(([name]) => !isSame(fieldOf(value, name), fieldOf(other.value, name)));
}

/** The only field of a component without a schema is its value. */
export function fieldOf(value: unknown, name: string): unknown {
  return name === "" ? value : (value as { readonly [name: string]: unknown })[name];
}

/**
 * The same number or value; of plain objects, lists, maps, sets, dates and typed arrays, the same content, whose keys are compared as they are.
 * Iterative, since values of users may be deep.
 */
export function isSame(first: unknown, second: unknown): boolean {
  if (Object.is(first, second)) return true;
  const pairs: [unknown, unknown][] = [[first, second]];
  const met = new Map<unknown, Set<unknown>>(); // an object may be met again, beside another one
  for (const [one, other] of pairs) {
    if (Object.is(one, other)) continue;
    const kind = kindOf(one);
    if (kind === undefined || kind !== kindOf(other)) return false;
    const others = met.get(one) ?? new Set();
    if (others.has(other)) continue;
    met.set(one, others.add(other));
    if (!compareContent(one, other, pairs)) return false;
  }
  return true;
}

/** What has the same content if its parts have; `undefined` for everything else. */
function kindOf(value: unknown): object | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: object | null = Object.getPrototypeOf(value);
  if (prototype === null) return Object.prototype;
  const isKind =
    ArrayBuffer.isView(value) ||
    [Object, Array, Map, Set, Date].some((one) => (one.prototype as object) === prototype);
  return isKind ? prototype : undefined;
}

/** Compares two objects of one kind, but not the objects in them: they are added to `pairs`. */
function compareContent(one: unknown, other: unknown, pairs: [unknown, unknown][]): boolean {
  if (one instanceof Date) return Object.is(+one, +(other as Date));
  if (one instanceof DataView) return compareContent(bytesOf(one), bytesOf(other as DataView), pairs);
  if (ArrayBuffer.isView(one)) {
    const [mine, theirs] = [one as Uint8Array, other as Uint8Array];
    return mine.length === theirs.length && mine.every((number, at) => Object.is(number, theirs[at]));
  }
  if (one instanceof Map || one instanceof Set) {
    const theirs = other as Map<unknown, unknown>;
    if (one.size !== theirs.size) return false;
    for (const [key, value] of one.entries()) {
      if (!theirs.has(key)) return false;
      if (one instanceof Map) pairs.push([value, theirs.get(key)]);
    }
    return true;
  }
  const [mine, theirs] = [one, other] as [Plain, Plain];
  const keys = Object.keys(mine);
  for (const key of keys) {
    if (!Object.hasOwn(theirs, key)) return false;
    pairs.push([mine[key], theirs[key]]);
  }
  return keys.length === Object.keys(theirs).length;
}

interface Plain {
  readonly [key: string]: unknown;
}

function bytesOf({ buffer, byteOffset, byteLength }: DataView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
