/**
 * Changes of the naive twin, without asking whether they are allowed. `attempt` asks afterwards and takes everything
 * back if not: that is how a refused verb changes nothing here.
 */
import { settleNames } from "./collisions.ts";
import type { Refusal, SlowTerm, Twin } from "./rules.ts";
import { fieldRulesOf, mixed } from "./values.ts";
import type { SlowEntity, SlowWorld, Storage } from "./world.ts";
import { beingOf, meantBy, siblingsBelow } from "./world.ts";

/** Everybody is touched before being changed: `attempt` and those who tell differences need the former state. */
export function touch(world: SlowWorld, entity: Twin): SlowEntity {
  const being = beingOf(world, entity);
  if (!world.undo.has(entity)) world.undo.set(entity, copyOf(being));
  return being;
}

function copyOf(being: SlowEntity): SlowEntity {
  const { tags, schemas, objects, pairs, children } = being;
  return {
    ...being,
    tags: new Set(tags),
    schemas: new Map(schemas),
    objects: new Map(objects),
    pairs: new Map([...pairs].map(([relation, targets]) => [relation, new Map(targets)])),
    children: [...children],
  };
}

/** Does all of it, or nothing if `change` or, afterwards, `rule` says no. */
export function attempt(
  world: SlowWorld,
  rule: (world: SlowWorld, touched: readonly Twin[]) => Refusal | undefined,
  change: () => Refusal | undefined,
): Refusal | undefined {
  const roots = [...world.roots];
  const stands = [...world.stands];
  const { nextPlace } = world;
  const undo: SlowWorld["undo"] = new Map();
  world.undo = undo;
  let code = change();
  if (code === undefined) {
    settleNames(world);
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
  world.stands.clear();
  for (const [definition, standing] of stands) world.stands.set(definition, standing);
  world.nextPlace = nextPlace;
  return code;
}

// ---- births and deaths -------------------------------------------------------------------------------------------

/** A root without anything. */
export function bear(world: SlowWorld, newborn: Twin): void {
  world.undo.set(newborn, undefined);
  world.living.set(newborn, {
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
  world.roots.push(newborn);
}

/** The dead leave, and nobody points at them any more. */
export function bury(world: SlowWorld, dead: ReadonlySet<Twin>): void {
  for (const [entity, being] of world.living) {
    if (dead.has(entity)) continue;
    for (const [relation, targets] of being.pairs) {
      for (const target of targets.keys()) if (dead.has(target)) dropPair(world, entity, relation, target);
    }
    if (being.children.some((child) => dead.has(child))) {
      touch(world, entity).children = being.children.filter((child) => !dead.has(child));
    }
  }
  for (const entity of dead) {
    touch(world, entity);
    world.living.delete(entity);
  }
  world.roots = world.roots.filter((root) => !dead.has(root));
  for (const [definition, standing] of world.stands) if (dead.has(standing)) world.stands.delete(definition);
}

// ---- families ----------------------------------------------------------------------------------------------------

/** Gives a parent, as the last child unless it has that parent; then only the storage may change. */
export function attach(world: SlowWorld, child: Twin, parent: Twin, storage: Storage): void {
  const being = touch(world, child);
  if (being.parent !== parent) {
    leaveFamily(world, child);
    being.parent = parent;
    being.place = world.nextPlace++;
    touch(world, parent).children.push(child);
  }
  being.storage = storage;
}

/** Makes a root of a child. */
export function detach(world: SlowWorld, child: Twin): void {
  const being = touch(world, child);
  if (being.parent === undefined) return;
  leaveFamily(world, child);
  being.parent = undefined;
  being.storage = "ChildOf";
  being.place = world.nextPlace++;
  world.roots.push(child);
}

function leaveFamily(world: SlowWorld, child: Twin): void {
  const { parent } = beingOf(world, child);
  if (parent !== undefined) touch(world, parent);
  const family = siblingsBelow(world, parent);
  family.splice(family.indexOf(child), 1);
}

// ---- what they have ----------------------------------------------------------------------------------------------

/** Adds what a term says, or writes its value if it is there. */
export function put(world: SlowWorld, entity: Twin, term: SlowTerm): void {
  const { tags, schemas, objects, relations } = world.rules;
  const { what, target } = meantBy(world, term);
  const { value } = term;
  const being = touch(world, entity);
  if (what === "ChildOf" || what === "Parent") attach(world, entity, target as Twin, what);
  else if (tags.includes(what)) being.tags.add(what);
  else if (objects.includes(what)) being.objects.set(what, value);
  else if (schemas[what] !== undefined) {
    being.schemas.set(what, mixed(schemas[what], being.schemas.get(what), value));
  } else if (what === "Is" || relations[what] !== undefined)
    putPair(world, entity, what, target as Twin, value);
  else throw new Error(`no rule for ${what}`);
}

function putPair(world: SlowWorld, entity: Twin, relation: string, target: Twin, value: unknown): void {
  const rules = world.rules.relations[relation];
  const held = touch(world, entity).pairs.get(relation)?.get(target);
  if (held === undefined && rules?.exclusive === true) {
    dropPairs(world, entity, relation);
    if (rules.symmetric === true) dropPairs(world, target, relation);
  }
  setPair(world, entity, relation, target, mixed(fieldRulesOf(world.rules, relation), held, value));
  if (rules?.symmetric === true) setPair(world, target, relation, entity, {});
}

/** A pair that is there keeps its place in the order of adding. */
function setPair(world: SlowWorld, entity: Twin, relation: string, target: Twin, fields: object): void {
  const { pairs } = touch(world, entity);
  const targets = pairs.get(relation) ?? new Map();
  pairs.set(relation, targets.set(target, fields));
}

function dropPairs(world: SlowWorld, entity: Twin, relation: string): void {
  for (const target of [...(beingOf(world, entity).pairs.get(relation)?.keys() ?? [])]) {
    dropPair(world, entity, relation, target);
  }
}

/** Takes a pair off, and of a symmetric relation the other side's pair too. */
export function dropPair(world: SlowWorld, entity: Twin, relation: string, target: Twin): void {
  forgetPair(world, entity, relation, target);
  if (world.rules.relations[relation]?.symmetric === true) forgetPair(world, target, relation, entity);
}

function forgetPair(world: SlowWorld, entity: Twin, relation: string, target: Twin): void {
  const { pairs } = touch(world, entity);
  pairs.get(relation)?.delete(target);
  if (pairs.get(relation)?.size === 0) pairs.delete(relation);
}

/** Takes a tag or component off, or what pairs there are of a relation. */
export function dropDefinition(world: SlowWorld, entity: Twin, what: string): void {
  const being = touch(world, entity);
  being.tags.delete(what);
  being.schemas.delete(what);
  being.objects.delete(what);
  dropPairs(world, entity, what);
}
