/**
 * Changes of the naive twin, without checking whether they are allowed. `attempt` checks afterwards and undoes the change if it
 * is not: that is how a refused verb changes nothing here.
 */
import { settleNames } from "./collisions.ts";
import type { NaiveTerm, Refusal, Twin } from "./rules.ts";
import { mixed } from "./values.ts";
import type { NaiveEntity, NaiveWorld, Storage } from "./world.ts";
import { recordOf, resolveId, siblingsBelow } from "./world.ts";

/** Call this before changing an entity: `attempt` and the differences need the former state. */
export function touch(world: NaiveWorld, entity: Twin): NaiveEntity {
  const record = recordOf(world, entity);
  if (!world.undo.has(entity)) world.undo.set(entity, copyOf(record));
  return record;
}

function copyOf(record: NaiveEntity): NaiveEntity {
  const { tags, schemas, objects, pairs, children } = record;
  return {
    ...record,
    tags: new Set(tags),
    schemas: new Map(schemas),
    objects: new Map(objects),
    pairs: new Map([...pairs].map(([relation, targets]) => [relation, new Map(targets)])),
    children: [...children],
  };
}

/**
 * Does all of it, or nothing if `change` or, afterwards, `rule` returns a refusal.
 *
 * @param order of the entities that change, in which they arrive in scopes. Default: as siblings are ordered afterwards.
 */
export function attempt(
  world: NaiveWorld,
  rule: (world: NaiveWorld, touched: readonly Twin[]) => Refusal | undefined,
  change: () => Refusal | undefined,
  order?: readonly Twin[],
): Refusal | undefined {
  const roots = [...world.roots];
  const componentEntities = [...world.componentEntities];
  const { nextPlace } = world;
  const undo: NaiveWorld["undo"] = new Map();
  world.undo = undo;
  let code = change();
  if (code === undefined) {
    settleNames(world, order);
    code = rule(world, [...undo.keys()]);
  }
  if (code === undefined) {
    for (const [entity, former] of undo) {
      if (!world.before.has(entity)) world.before.set(entity, former);
    }
    return undefined;
  }
  for (const [entity, former] of undo) {
    if (former === undefined) world.living.delete(entity);
    else world.living.set(entity, former);
  }
  world.roots = roots;
  world.componentEntities.clear();
  for (const [definition, componentEntity] of componentEntities)
    world.componentEntities.set(definition, componentEntity);
  world.nextPlace = nextPlace;
  return code;
}

// ---- spawn and destroy -------------------------------------------------------------------------------------------

/** A root with nothing. */
export function insertRoot(world: NaiveWorld, entity: Twin): void {
  world.undo.set(entity, undefined);
  world.living.set(entity, {
    tags: new Set(),
    schemas: new Map(),
    objects: new Map(),
    pairs: new Map(),
    parent: undefined,
    storage: "ChildOf",
    children: [],
    place: world.nextPlace++,
    arrival: 0,
  });
  world.roots.push(entity);
}

/** Removes destroyed entities, and all pairs that point at them. */
export function freeEntities(world: NaiveWorld, destroyed: ReadonlySet<Twin>): void {
  for (const [entity, record] of world.living) {
    if (destroyed.has(entity)) continue;
    for (const [relation, targets] of record.pairs) {
      for (const target of targets.keys())
        if (destroyed.has(target)) dropPair(world, entity, relation, target);
    }
    if (record.children.some((child) => destroyed.has(child))) {
      touch(world, entity).children = record.children.filter((child) => !destroyed.has(child));
    }
  }
  for (const entity of destroyed) {
    touch(world, entity);
    world.living.delete(entity);
  }
  world.roots = world.roots.filter((root) => !destroyed.has(root));
  for (const [definition, componentEntity] of world.componentEntities)
    if (destroyed.has(componentEntity)) world.componentEntities.delete(definition);
}

// ---- siblings ----------------------------------------------------------------------------------------------------

/** Sets a parent, as its last child; if it is the parent already, only the storage changes. */
export function attach(world: NaiveWorld, child: Twin, parent: Twin, storage: Storage): void {
  const record = touch(world, child);
  if (record.parent !== parent) {
    leaveSiblings(world, child);
    record.parent = parent;
    record.place = world.nextPlace++;
    touch(world, parent).children.push(child);
  }
  record.storage = storage;
}

/** Turns a child into a root. */
export function detach(world: NaiveWorld, child: Twin): void {
  const record = touch(world, child);
  if (record.parent === undefined) return;
  leaveSiblings(world, child);
  record.parent = undefined;
  record.storage = "ChildOf";
  record.place = world.nextPlace++;
  world.roots.push(child);
}

function leaveSiblings(world: NaiveWorld, child: Twin): void {
  const { parent } = recordOf(world, child);
  if (parent !== undefined) touch(world, parent);
  const siblings = siblingsBelow(world, parent);
  siblings.splice(siblings.indexOf(child), 1);
}

// ---- tags, components and pairs ----------------------------------------------------------------------------------

/** Adds what the term describes; if it exists, writes its value. */
export function put(world: NaiveWorld, entity: Twin, term: NaiveTerm): void {
  const { tags, schemas, objects, relations, defaults } = world.rules;
  const { what, target } = resolveId(world, term);
  const { value } = term;
  const record = touch(world, entity);
  const isGained = !owns(record, what);
  world.completed.delete(`${entity} ${what}`);
  if (what === "ChildOf" || what === "Parent") attach(world, entity, target as Twin, what);
  else if (tags.includes(what)) record.tags.add(what);
  else if (objects.includes(what)) {
    const isKept = value === undefined && record.objects.has(what);
    if (!isKept) record.objects.set(what, value === undefined ? defaults[what] : value);
  } else if (schemas[what] !== undefined) {
    record.schemas.set(what, mixed(world.rules, what, record.schemas.get(what), value));
  } else if (what === "Is" || relations[what] !== undefined)
    putPair(world, entity, what, target as Twin, value);
  else throw new Error(`no rule for ${what}`);
  if (isGained) putRequired(world, entity, what);
}

function owns({ tags, schemas, objects }: NaiveEntity, what: string): boolean {
  return tags.has(what) || schemas.has(what) || objects.has(what);
}

/** Adds what is required by something that an entity gets, and by that in turn, with defaults where it is missing. */
export function putRequired(
  world: NaiveWorld,
  entity: Twin,
  what: string,
  met: Set<string> = new Set(),
): void {
  if (met.has(what)) return;
  met.add(what);
  for (const needed of world.rules.requires[what] ?? []) {
    if (!owns(touch(world, entity), needed)) {
      put(world, entity, { what: needed });
      world.completed.add(`${entity} ${needed}`);
    }
    putRequired(world, entity, needed, met);
  }
}

function putPair(world: NaiveWorld, entity: Twin, relation: string, target: Twin, value: unknown): void {
  const rules = world.rules.relations[relation];
  const before = touch(world, entity).pairs.get(relation)?.get(target);
  if (before === undefined && rules?.exclusive === true) {
    dropPairs(world, entity, relation);
    if (rules.symmetric === true) dropPairs(world, target, relation);
  }
  setPair(world, entity, relation, target, mixed(world.rules, relation, before, value));
  if (rules?.symmetric === true) setPair(world, target, relation, entity, {});
}

/** An existing pair keeps its place in the order of adding. */
function setPair(world: NaiveWorld, entity: Twin, relation: string, target: Twin, fields: object): void {
  const { pairs } = touch(world, entity);
  const targets = pairs.get(relation) ?? new Map();
  pairs.set(relation, targets.set(target, fields));
}

function dropPairs(world: NaiveWorld, entity: Twin, relation: string): void {
  for (const target of [...(recordOf(world, entity).pairs.get(relation)?.keys() ?? [])]) {
    dropPair(world, entity, relation, target);
  }
}

/** Removes a pair; of a symmetric relation also the pair on the other side. */
export function dropPair(world: NaiveWorld, entity: Twin, relation: string, target: Twin): void {
  deletePair(world, entity, relation, target);
  if (world.rules.relations[relation]?.symmetric === true) deletePair(world, target, relation, entity);
}

function deletePair(world: NaiveWorld, entity: Twin, relation: string, target: Twin): void {
  const { pairs } = touch(world, entity);
  pairs.get(relation)?.delete(target);
  if (pairs.get(relation)?.size === 0) pairs.delete(relation);
}

/** Removes a tag, a component, or all pairs of a relation. */
export function dropDefinition(world: NaiveWorld, entity: Twin, what: string): void {
  const record = touch(world, entity);
  record.tags.delete(what);
  record.schemas.delete(what);
  record.objects.delete(what);
  dropPairs(world, entity, what);
}
