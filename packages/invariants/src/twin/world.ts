/**
 * The naive twin of a world: maps of maps, every rule written down the plain way, nothing kept that could be
 * worked out. It is meant to be believed by reading, and the walks hold the real world against it. This file is its
 * state and what can be asked; the verbs are in the other files here.
 */
import type { Fields, FieldValue, NameRules, Rules, SlowId, Twin } from "./rules.ts";
import { fieldRulesOf } from "./values.ts";

/** Where an entity keeps its parent. */
export type Storage = "ChildOf" | "Parent";

export interface SlowEntity {
  readonly tags: Set<string>;
  readonly schemas: Map<string, Fields>;
  readonly objects: Map<string, unknown>;
  /**
   * Relation -> target -> values, in the order of adding; a pair without values has empty ones. Entities used as
   * tags are the targets of `Is`. Parents are not in here.
   */
  readonly pairs: Map<string, Map<Twin, Fields>>;
  parent: Twin | undefined;
  /** Of a root: "ChildOf". */
  storage: Storage;
  /** In sibling order, whatever their storages. */
  children: Twin[];
  /** Grows with birth and with every new parent; sources of a target are ordered by it. */
  place: number;
  /** Grows with every name that comes to a scope: of those who share one, the first to come answers. */
  arrival: number;
}

/** How entities were before something happened; `undefined` for those who were not born. */
export type Former = Map<Twin, SlowEntity | undefined>;

export interface SlowWorld {
  readonly rules: Rules;
  /** Who was to get a parent that died before the visit's end lives on without it, instead of dying too. */
  readonly dropsOrphans: boolean;
  readonly living: Map<Twin, SlowEntity>;
  /** In the order of birth and of losing a parent. */
  roots: Twin[];
  /** Definition -> the entity that stands for it. */
  readonly stands: Map<string, Twin>;
  nextPlace: number;
  nextArrival: number;
  names: NameRules;
  /** Where births without a parent go, and look-ups begin; nobody has said so: the roots. */
  scope: Twin | undefined;
  /** Those who are born in a visit that has not ended: they live, and have nothing yet. */
  readonly limbo: Set<Twin>;
  /** The number that the real world has given to somebody who lives: steps of those without names tell it. */
  indexOf: (entity: Twin) => number;
  /** What the verb at work has touched so far: to take it back if it is refused. */
  undo: Former;
  /** What was touched since somebody emptied it: to tell what has changed. */
  readonly before: Former;
}

const PLAIN_NAMES: NameRules = { collisions: "error", separator: "::", search: [] };

export function createSlowWorld(
  rules: Rules,
  dropsOrphans = false,
  names: NameRules = PLAIN_NAMES,
): SlowWorld {
  return {
    rules,
    dropsOrphans,
    living: new Map(),
    roots: [],
    stands: new Map(),
    nextPlace: 0,
    nextArrival: 0,
    names,
    scope: undefined,
    limbo: new Set(),
    indexOf: (entity) => entity,
    undo: new Map(),
    before: new Map(),
  };
}

// ---- one entity --------------------------------------------------------------------------------------------------

export function isAlive(world: SlowWorld, entity: Twin): boolean {
  return world.living.has(entity);
}

export function isThere(world: SlowWorld, entity: Twin): boolean {
  return isAlive(world, entity) || world.limbo.has(entity);
}

export function beingOf(world: SlowWorld, entity: Twin): SlowEntity {
  const being = world.living.get(entity);
  if (being === undefined) throw new Error(`twin ${entity} is dead`);
  return being;
}

/** Has the tag, the component, the entity as a tag or the pair; wildcards ask for stored pairs only. */
export function has(world: SlowWorld, entity: Twin, what: string, target?: Twin | "Any"): boolean {
  const being = beingOf(world, entity);
  const isItself = target === entity && world.rules.relations[what]?.reflexive === true;
  return isItself || holds(being, meantBy(world, { what, ...(target === undefined ? {} : { target }) }));
}

/** An entity that stands for a definition means that definition, and of a relation any pair. */
export function meantBy(world: SlowWorld, id: SlowId): SlowId {
  if (id.what !== "Is") return id;
  for (const [definition, standing] of world.stands) {
    if (standing !== id.target) continue;
    return world.rules.relations[definition] === undefined
      ? { what: definition }
      : { what: definition, target: "Any" };
  }
  return id;
}

function holds(being: SlowEntity, { what, target }: SlowId): boolean {
  if (target === undefined) return being.tags.has(what) || being.schemas.has(what) || being.objects.has(what);
  if (what === "Any" || what === "ChildOf" || what === "Parent" || target === "Any") {
    return pairsOf(being, { what, target }).length > 0;
  }
  return being.pairs.get(what)?.has(target) === true;
}

/**
 * The stored pairs that are meant: of `ChildOf` in both storages, of `Parent` only in that one. Wildcards do not see
 * entities used as tags. A parent is told as a pair of ChildOf, whatever its storage.
 */
export function pairsOf(being: SlowEntity, { what, target }: SlowId): (readonly [string, Twin])[] {
  const found: (readonly [string, Twin])[] = [];
  for (const [relation, targets] of being.pairs) {
    if (what === "Any" ? relation === "Is" : relation !== what) continue;
    for (const held of targets.keys()) if (target === "Any" || target === held) found.push([relation, held]);
  }
  const { parent, storage } = being;
  if (parent === undefined || (target !== "Any" && target !== parent)) return found;
  if (what === "Any" || what === "ChildOf" || what === storage) found.push(["ChildOf", parent]);
  return found;
}

/** Fields of a schema component or a pair (entity fields whose entity is dead read `undefined`), or an object. */
export function get(world: SlowWorld, entity: Twin, what: string, target?: Twin): unknown {
  const being = beingOf(world, entity);
  if (being.objects.has(what)) return being.objects.get(what);
  const fields = target === undefined ? being.schemas.get(what) : being.pairs.get(what)?.get(target);
  if (fields === undefined) return undefined;
  const rules = fieldRulesOf(world.rules, what);
  const seen: Record<string, FieldValue> = {};
  for (const [field, value] of Object.entries(fields)) {
    const isDead = rules[field] === "entity" && value !== undefined && !isAlive(world, value as Twin);
    seen[field] = isDead ? undefined : value;
  }
  return seen;
}

export function nameOf(world: SlowWorld, entity: Twin): string | undefined {
  return beingOf(world, entity).objects.get("Name") as string | undefined;
}

export function parentOf(world: SlowWorld, entity: Twin): Twin | undefined {
  return beingOf(world, entity).parent;
}

/** In the order of adding. */
export function targetsOf(world: SlowWorld, entity: Twin, relation: string): Twin[] {
  return pairsOf(beingOf(world, entity), { what: relation, target: "Any" }).map(([, target]) => target);
}

/** Hidden by itself, or by somebody above. */
export function isDisabled(world: SlowWorld, entity: Twin): boolean {
  const { tags, parent } = beingOf(world, entity);
  if (tags.has("Disabled") || tags.has("DisabledTree")) return true;
  return parent !== undefined && isBelowDisabled(world, parent);
}

function isBelowDisabled(world: SlowWorld, above: Twin): boolean {
  const { tags, parent } = beingOf(world, above);
  return tags.has("DisabledTree") || (parent !== undefined && isBelowDisabled(world, parent));
}

// ---- families ----------------------------------------------------------------------------------------------------

/** In sibling order; `undefined` asks for the roots. */
export function childrenOf(world: SlowWorld, parent: Twin | undefined): Twin[] {
  return [...siblingsBelow(world, parent)];
}

/** The list itself. */
export function siblingsBelow(world: SlowWorld, parent: Twin | undefined): Twin[] {
  return parent === undefined ? world.roots : beingOf(world, parent).children;
}

/** Nearest first. */
export function ancestorsOf(world: SlowWorld, entity: Twin): Twin[] {
  const found: Twin[] = [];
  for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at)) found.push(at);
  return found;
}

/** Pre-order, siblings in order. */
export function descendantsOf(world: SlowWorld, entity: Twin): Twin[] {
  return childrenOf(world, entity).flatMap((child) => [child, ...descendantsOf(world, child)]);
}

// ---- along any relation ------------------------------------------------------------------------------------------

/** Children in sibling order; sources of other relations in the order of birth and of getting a parent. */
export function subjectsOf(world: SlowWorld, target: Twin, relation: string): Twin[] {
  if (relation === "ChildOf") return childrenOf(world, target);
  if (relation === "Parent") {
    return childrenOf(world, target).filter((child) => beingOf(world, child).storage === "Parent");
  }
  const found = [...world.living].filter(([, being]) => being.pairs.get(relation)?.has(target) === true);
  return found.sort(([, one], [, other]) => one.place - other.place).map(([source]) => source);
}

/** Everybody whom the targets lead to, each once, nearest first. Ends in circles too. */
export function aboveOf(world: SlowWorld, entity: Twin, relation: string): Twin[] {
  const found = new Set(targetsOf(world, entity, relation));
  for (const at of found) for (const target of targetsOf(world, at, relation)) found.add(target); // a growing set
  return [...found];
}

/** Everybody who is led to the entity, each once. */
export function belowOf(world: SlowWorld, entity: Twin, relation: string): Twin[] {
  return [...world.living.keys()].filter((other) => aboveOf(world, other, relation).includes(entity));
}

/** Steps of the longest way along an acyclic relation. */
export function depthOf(world: SlowWorld, entity: Twin, relation: string): number {
  const targets = targetsOf(world, entity, relation);
  return targets.length === 0
    ? 0
    : 1 + Math.max(...targets.map((target) => depthOf(world, target, relation)));
}
