import {
  type Component,
  componentsOf,
  type Definition,
  type Entity,
  get,
  has,
  pairsOf,
  tagsOf,
  type World,
} from "@treeline/core";
import { ChildOf, Is, indexOf, Parent, Prefab } from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { ownCopiesAt } from "../state/own-copies.ts";

/** What an entity has: a component, a tag or a pair. An entity that is used as a tag is a pair of `Is`. */
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
  readonly fields: Definition["fields"];
}

/** What an entity of the prefab is in an instance, and other entities; `undefined` for one that is gone. */
export type InInstance = (target: Entity) => Entity | undefined;

const NO_TARGET = 0 as Entity;

/** Do instances get it? The root of an instance has a name of its own. */
export function isGiven(definition: Definition, isRoot: boolean): boolean {
  const { identifies } = (definition.hooks ?? {}) as { readonly identifies?: "siblings" | "world" };
  const isOwn = identifies === "world" || (isRoot && identifies === "siblings");
  return !isOwn && definition.onInstantiate !== "skip" && definition !== Prefab;
}

/** The pairs of an entity, but for its place and what it is an instance of; and its own components and tags that are given to instances. */
export function factsOf(world: World, entity: Entity, isRoot: boolean): Fact[] {
  const facts: Fact[] = [];
  for (const definition of componentsOf(world, entity))
    if (isGiven(definition, isRoot)) facts.push(factOf(world, entity, definition));
  for (const tag of tagsOf(world, entity)) {
    if (typeof tag === "number") facts.push({ definition: Is, target: tag, value: undefined });
    else if (isGiven(tag, isRoot)) facts.push(factOf(world, entity, tag));
  }
  for (const { relation, target, value } of pairsOf(world, entity))
    if (relation !== ChildOf && relation !== Parent && relation !== BareIsA)
      facts.push({ definition: relation, target, value });
  return facts;
}

/** A component or tag that an entity has, or inherits. */
export function factOf(world: World, entity: Entity, definition: Definition): Fact {
  const value = definition.holds === "nothing" ? undefined : get(world, entity, definition as Component);
  return { definition, target: NO_TARGET, value };
}

/** What instances get of a part of a prefab. */
export function givenFacts(world: World, part: Entity, isRoot: boolean): Fact[] {
  const facts = factsOf(world, part, isRoot).filter(({ definition }) => definition.onInstantiate !== "skip");
  for (const definition of ownCopiesAt(world, indexOf(part)))
    if (
      isGiven(definition, isRoot) &&
      has(world, part, definition as Component) &&
      !facts.some((one) => one.definition === definition)
    )
      facts.push(factOf(world, part, definition));
  return facts;
}

/** The one that is of the same definition, with the same target. */
export function sameIn(facts: readonly Fact[], { definition, target }: Fact): Fact | undefined {
  return facts.find((one) => one.definition === definition && one.target === target);
}

/** A fact with the entities of an instance in place of those of the prefab. */
export function pointed({ definition, target, value }: Fact, inInstance: InInstance): Fact {
  const other = target === 0 ? target : (inInstance(target) ?? NO_TARGET);
  return { definition, target: other, value: pointedValue(definition, value, inInstance) };
}

export function pointedValue({ fields }: Definition, value: unknown, inInstance: InInstance): unknown {
  if (!fields.some(([, { kind }]) => kind === "entity")) return value;
  const copy = { ...(value as { [name: string]: unknown }) };
  for (const [name, { kind }] of fields)
    if (kind === "entity" && copy[name] !== undefined) copy[name] = inInstance(copy[name] as Entity);
  return copy;
}

/** A value for another entity: see the `copy` hook. */
export function copied({ hooks }: Definition, value: unknown): unknown {
  const { copy } = (hooks ?? {}) as { readonly copy?: (value: unknown) => unknown };
  return copy === undefined ? value : copy(value);
}

/** As `spawn` and `add` take it. */
export function termOf(definition: Definition, value?: unknown, target: Entity = NO_TARGET): never {
  return (definition === Is ? target : { definition, target, value }) as never;
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
export function changedFields({ definition, value }: Fact, other: Fact): Definition["fields"] {
  return definition.fields.filter(([name]) => !isSame(fieldOf(value, name), fieldOf(other.value, name)));
}

/** The only field of a component without a schema is its value. */
export function fieldOf(value: unknown, name: string): unknown {
  return name === "" ? value : (value as { readonly [name: string]: unknown })[name];
}

/**
 * The same number or value; of plain objects, lists, maps, sets and dates, the same content, whose keys are compared as they are. Iterative, since
 * values of users may be deep.
 */
export function isSame(first: unknown, second: unknown): boolean {
  if (Object.is(first, second)) return true;
  const pairs = [[first, second]];
  const met = new Set<unknown>();
  for (const [one, other] of pairs) {
    if (Object.is(one, other)) continue;
    const isKeyed = isCollection(one) && isCollection(other) && one instanceof Map === other instanceof Map;
    if (one instanceof Date && other instanceof Date && Object.is(+one, +other)) continue;
    if (!isKeyed && !(isPlain(one) && isPlain(other) && Array.isArray(one) === Array.isArray(other)))
      return false;
    if (met.has(one)) continue;
    met.add(one);
    if (isKeyed) {
      if (one.size !== other.size) return false;
      for (const [key, value] of one.entries()) {
        if (!other.has(key)) return false;
        if (other instanceof Map) pairs.push([value, other.get(key)]);
      }
      continue;
    }
    const [mine, theirs] = [one as Plain, other as Plain];
    const keys = Object.keys(mine);
    if (keys.length !== Object.keys(theirs).length) return false;
    for (const key of keys) {
      if (!(key in theirs)) return false;
      pairs.push([mine[key], theirs[key]]);
    }
  }
  return true;
}

interface Plain {
  readonly [key: string]: unknown;
}

function isCollection(value: unknown): value is Map<unknown, unknown> | Set<unknown> {
  return value instanceof Map || value instanceof Set;
}

function isPlain(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (
    prototype === Object.prototype ||
    prototype === Array.prototype ||
    prototype === null ||
    ArrayBuffer.isView(value)
  );
}
