/**
 * The naive twin of a world: maps of maps, with every rule written in the plainest way and nothing cached. The code is written to
 * be verified by reading, and walks compare the real world with it. This file contains its state and what can be read; the verbs
 * are in the other files of this folder.
 */
import type { Fields, FieldValue, NaiveId, NameRules, Rules, Twin } from "./rules.ts";
import { fieldRulesOf } from "./values.ts";

/** How an entity stores its parent. */
export type Storage = "ChildOf" | "Parent";

export interface NaiveEntity {
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
  /** Grows with every spawn and every new parent; subjects of a target are ordered by it. */
  place: number;
  /** Grows with every name that arrives in a scope: of those that share one, the first to arrive is found. */
  arrival: number;
}

/** Entities as they were before; `undefined` for those that were not spawned yet. */
export type Former = Map<Twin, NaiveEntity | undefined>;

export interface NaiveWorld {
  readonly rules: Rules;
  /**
   * An entity that was to get a parent that is destroyed before the end of the iteration lives on without it, instead of being
   * destroyed too.
   */
  readonly dropsOrphans: boolean;
  readonly living: Map<Twin, NaiveEntity>;
  /** In the order in which they were spawned or lost their parents. */
  roots: Twin[];
  /** Definition -> its component entity. */
  readonly componentEntities: Map<string, Twin>;
  nextPlace: number;
  nextArrival: number;
  names: NameRules;
  /** The default parent of spawns, and where lookups begin; `undefined`: the roots. */
  scope: Twin | undefined;
  /** Entities spawned in an iteration that has not ended: they are alive, and have nothing yet. */
  readonly pending: Set<Twin>;
  /** By number, what command buffers contain. */
  readonly buffers: Map<number, NaiveBuffer>;
  /** The entity index in the real world: paths use it for entities without a name. */
  indexOf: (entity: Twin) => number;
  /** What the current verb has touched so far, to undo it if it is refused. */
  undo: Former;
  /** What was touched since this was last cleared, to find the differences. */
  readonly before: Former;
  /** Entity and definition, of what was added since then only because something else requires it. */
  readonly completed: Set<string>;
}

/** A command buffer: what was recorded, and what it will spawn. */
export interface NaiveBuffer {
  /** Each is a command, of which the twin itself knows nothing. */
  readonly commands: unknown[];
  /** Alive inside every `record`, and when the buffer is applied. */
  readonly spawned: Set<Twin>;
}

const PLAIN_NAMES: NameRules = { collisions: "error", separator: "::", search: [] };

export function createNaiveWorld(
  rules: Rules,
  dropsOrphans = false,
  names: NameRules = PLAIN_NAMES,
): NaiveWorld {
  return {
    rules,
    dropsOrphans,
    living: new Map(),
    roots: [],
    componentEntities: new Map(),
    nextPlace: 0,
    nextArrival: 0,
    names,
    scope: undefined,
    pending: new Set(),
    buffers: new Map(),
    indexOf: (entity) => entity,
    undo: new Map(),
    before: new Map(),
    completed: new Set(),
  };
}

// ---- one entity --------------------------------------------------------------------------------------------------

export function isAlive(world: NaiveWorld, entity: Twin): boolean {
  return world.living.has(entity);
}

export function isThere(world: NaiveWorld, entity: Twin): boolean {
  return isAlive(world, entity) || world.pending.has(entity);
}

export function recordOf(world: NaiveWorld, entity: Twin): NaiveEntity {
  const record = world.living.get(entity);
  if (record === undefined) throw new Error(`twin ${entity} is not alive`);
  return record;
}

/** Has the tag, the component, the entity as a tag or the pair; wildcards match stored pairs only. */
export function has(world: NaiveWorld, entity: Twin, what: string, target?: Twin | "Any"): boolean {
  const record = recordOf(world, entity);
  const isItself = target === entity && world.rules.relations[what]?.reflexive === true;
  return isItself || hasId(record, resolveId(world, { what, ...(target === undefined ? {} : { target }) }));
}

/** A component entity as a tag means its definition, and for a relation any pair of it. */
export function resolveId(world: NaiveWorld, id: NaiveId): NaiveId {
  if (id.what !== "Is") return id;
  for (const [definition, componentEntity] of world.componentEntities) {
    if (componentEntity !== id.target) continue;
    return world.rules.relations[definition] === undefined
      ? { what: definition }
      : { what: definition, target: "Any" };
  }
  return id;
}

function hasId(record: NaiveEntity, { what, target }: NaiveId): boolean {
  if (target === undefined)
    return record.tags.has(what) || record.schemas.has(what) || record.objects.has(what);
  if (what === "Any" || what === "ChildOf" || what === "Parent" || target === "Any") {
    return pairsOf(record, { what, target }).length > 0;
  }
  return record.pairs.get(what)?.has(target) === true;
}

/**
 * The stored pairs that match: for `ChildOf` in both storages, for `Parent` only in that one. Wildcards do not match entities
 * used as tags. A parent is returned as a pair of ChildOf, whatever its storage.
 */
export function pairsOf(record: NaiveEntity, { what, target }: NaiveId): (readonly [string, Twin])[] {
  const found: (readonly [string, Twin])[] = [];
  for (const [relation, targets] of record.pairs) {
    if (what === "Any" ? relation === "Is" : relation !== what) continue;
    for (const pairTarget of targets.keys())
      if (target === "Any" || target === pairTarget) found.push([relation, pairTarget]);
  }
  const { parent, storage } = record;
  if (parent === undefined || (target !== "Any" && target !== parent)) return found;
  if (what === "Any" || what === "ChildOf" || what === storage) found.push(["ChildOf", parent]);
  return found;
}

/** Fields of a schema component or a pair (entity fields whose entity is not alive read `undefined`), or an object. */
export function get(world: NaiveWorld, entity: Twin, what: string, target?: Twin): unknown {
  const record = recordOf(world, entity);
  if (record.objects.has(what)) return record.objects.get(what);
  const fields = target === undefined ? record.schemas.get(what) : record.pairs.get(what)?.get(target);
  if (fields === undefined) return undefined;
  const rules = fieldRulesOf(world.rules, what);
  const seen: Record<string, FieldValue> = {};
  for (const [field, value] of Object.entries(fields)) {
    const isDestroyed = rules[field] === "entity" && value !== undefined && !isAlive(world, value as Twin);
    seen[field] = isDestroyed ? undefined : value;
  }
  return seen;
}

export function nameOf(world: NaiveWorld, entity: Twin): string | undefined {
  return recordOf(world, entity).objects.get("Name") as string | undefined;
}

export function parentOf(world: NaiveWorld, entity: Twin): Twin | undefined {
  return recordOf(world, entity).parent;
}

/** In the order of adding. */
export function targetsOf(world: NaiveWorld, entity: Twin, relation: string): Twin[] {
  return pairsOf(recordOf(world, entity), { what: relation, target: "Any" }).map(([, target]) => target);
}

/** Disabled by itself, or by what is above it. */
export function isDisabled(world: NaiveWorld, entity: Twin): boolean {
  const { tags } = recordOf(world, entity);
  if (tags.has("Disabled") || tags.has("DisabledTree")) return true;
  return containersOf(world, entity).some((above) => recordOf(world, above).tags.has("DisabledTree"));
}

/** All entities that are reachable through parents and targets of relations that DisabledTree follows. Also ends if there are cycles. */
export function containersOf(world: NaiveWorld, entity: Twin): Twin[] {
  const found = new Set<Twin>();
  const addAbove = (one: Twin): void => {
    const { parent, pairs } = recordOf(world, one);
    if (parent !== undefined) found.add(parent);
    for (const relation of world.rules.disabling)
      for (const target of pairs.get(relation)?.keys() ?? []) found.add(target);
  };
  addAbove(entity);
  for (const at of found) addAbove(at); // a growing set
  return [...found];
}

// ---- siblings ----------------------------------------------------------------------------------------------------

/** In sibling order; `undefined` means the roots. */
export function childrenOf(world: NaiveWorld, parent: Twin | undefined): Twin[] {
  return [...siblingsBelow(world, parent)];
}

/** The list itself. */
export function siblingsBelow(world: NaiveWorld, parent: Twin | undefined): Twin[] {
  return parent === undefined ? world.roots : recordOf(world, parent).children;
}

/** The entity among whose names an entity has its own: its parent, or its target along the first relation that names follow. */
export function scopeOf(world: NaiveWorld, entity: Twin): Twin | undefined {
  return scopeOfRecord(world, recordOf(world, entity));
}

export function scopeOfRecord(world: NaiveWorld, { parent, pairs }: NaiveEntity): Twin | undefined {
  const relation = containing(world, pairs);
  return parent ?? (relation === undefined ? undefined : [...pairs.get(relation)!.keys()][0]);
}

/** The first relation that names follow of which there is a pair. */
function containing(world: NaiveWorld, pairs: NaiveEntity["pairs"]): string | undefined {
  return world.names.along?.find((relation) => pairs.has(relation));
}

/** Children in sibling order, then what the entity contains, relation by relation. */
export function namedBelow(world: NaiveWorld, scope: Twin | undefined): Twin[] {
  if (scope === undefined) return world.roots.filter((root) => scopeOf(world, root) === undefined);
  const found = childrenOf(world, scope);
  for (const relation of world.names.along ?? []) {
    const subjects = subjectsOf(world, scope, relation).map((twin) => [twin, recordOf(world, twin)] as const);
    for (const [twin, { parent, pairs }] of subjects)
      if (parent === undefined && containing(world, pairs) === relation) found.push(twin);
  }
  return found;
}

/** The entity and the scopes above it, nearest first, up to the roots or until they repeat. */
export function scopesAbove(world: NaiveWorld, entity: Twin): Twin[] {
  const found = new Set<Twin>();
  for (let at: Twin | undefined = entity; at !== undefined && !found.has(at); at = scopeOf(world, at))
    found.add(at);
  return [...found];
}

/** An entity and everything in its scope, in the scopes of that, and so on; each once, parents first. */
export function allNamedBelow(world: NaiveWorld, entity: Twin, passed: Set<Twin> = new Set()): Twin[] {
  if (passed.has(entity)) return [];
  passed.add(entity);
  return [entity, ...namedBelow(world, entity).flatMap((next) => allNamedBelow(world, next, passed))];
}

/** Nearest first. */
export function ancestorsOf(world: NaiveWorld, entity: Twin): Twin[] {
  const found: Twin[] = [];
  for (let at = parentOf(world, entity); at !== undefined; at = parentOf(world, at)) found.push(at);
  return found;
}

/** Pre-order, siblings in order. */
export function descendantsOf(world: NaiveWorld, entity: Twin): Twin[] {
  return childrenOf(world, entity).flatMap((child) => [child, ...descendantsOf(world, child)]);
}

// ---- along any relation ------------------------------------------------------------------------------------------

/** Children in sibling order; subjects of other relations in the order in which they were spawned or got their parents. */
export function subjectsOf(world: NaiveWorld, target: Twin, relation: string): Twin[] {
  if (relation === "ChildOf") return childrenOf(world, target);
  if (relation === "Parent") {
    return childrenOf(world, target).filter((child) => recordOf(world, child).storage === "Parent");
  }
  const found = [...world.living].filter(([, record]) => record.pairs.get(relation)?.has(target) === true);
  return found.sort(([, one], [, other]) => one.place - other.place).map(([source]) => source);
}

/** All entities that are reachable through targets, each once, nearest first. Also ends if there are cycles. */
export function aboveOf(world: NaiveWorld, entity: Twin, relation: string): Twin[] {
  const found = new Set(targetsOf(world, entity, relation));
  for (const at of found) for (const target of targetsOf(world, at, relation)) found.add(target); // a growing set
  return [...found];
}

/** All entities from which the entity is reachable, each once. */
export function belowOf(world: NaiveWorld, entity: Twin, relation: string): Twin[] {
  return [...world.living.keys()].filter((other) => aboveOf(world, other, relation).includes(entity));
}

/** Along a relation that is a tree: each entity after what is below it, siblings in order. */
export function postOrderOf(world: NaiveWorld, entity: Twin, relation: string): Twin[] {
  return subjectsOf(world, entity, relation).flatMap((one) => [...postOrderOf(world, one, relation), one]);
}

/** Along a relation that is a tree: level by level. */
export function levelOrderOf(world: NaiveWorld, entity: Twin, relation: string): Twin[] {
  const found: Twin[] = [];
  for (let level = [entity]; level.length > 0; found.push(...level))
    level = level.flatMap((one) => subjectsOf(world, one, relation));
  return found;
}

/** The length of the longest path along an acyclic relation. */
export function depthOf(world: NaiveWorld, entity: Twin, relation: string): number {
  const targets = targetsOf(world, entity, relation);
  return targets.length === 0
    ? 0
    : 1 + Math.max(...targets.map((target) => depthOf(world, target, relation)));
}
