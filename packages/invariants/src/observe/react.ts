/**
 * Observers that change the world themselves. The twin does not predict the effects: after each step it is copied from the real
 * world, so that walks continue and still compare invariants, queries and events with it.
 */
import type { Entity } from "@treeline/core";
import { Any, asTag, ChildOf, parentOf, TreelineError } from "@treeline/core";
import { destroy } from "@treeline/query";
import type { AnyEvent } from "../base/entry-points.ts";
import { queryVerbs, verbs } from "../base/entry-points.ts";
import { isOn } from "../base/features.ts";
import type { RealWorld } from "../step/real-world.ts";
import { idOf, twinOf, twinsOf } from "../step/real-world.ts";
import { definitionOf, fieldsOf, isUsable, nameOfDefinition, rules } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import type { NaiveEntity, NaiveWorld } from "../twin/world.ts";
import type { Observers } from "./observe.ts";

/** The number of roots from which on observers no longer spawn. */
const MAX_ENTITIES = 60;

/** Observes events that occur often, and changes the world in response. */
export function attachReactions(real: RealWorld, observers: Observers): void {
  const { world } = real;
  const observed = [
    { added: definitionOf("Lit"), removed: definitionOf("Frozen") },
    { added: definitionOf("Frozen"), removed: definitionOf("Position") },
    { set: definitionOf("Clock") },
    { added: definitionOf("Sacred") },
    { added: ChildOf, removed: definitionOf("Lit") },
  ];
  for (const to of observed) verbs.observe(world, to, (event) => react(real, observers, event));
}

function react({ world }: RealWorld, observers: Observers, { kind, entity, definition }: AnyEvent): void {
  const parent = parentOf(world, entity);
  const [Frozen, Position] = [definitionOf("Frozen"), definitionOf("Position")];
  switch (`${kind} ${nameOfDefinition(definition)}`) {
    case "added Lit":
      if (queryVerbs.roots(world).length < MAX_ENTITIES) verbs.spawn(world, ChildOf(entity), Frozen);
      break;
    case "added Frozen":
      if (parent !== undefined) verbs.add(world, entity, ChildOf(parentOf(world, parent) ?? parent));
      break;
    case "added ChildOf":
      observers.narrow[0]?.stop();
      observers.narrow[0] = undefined;
      verbs.remove(world, entity, Frozen);
      break;
    case "removed Frozen":
      verbs.add(world, entity, Position);
      break;
    case "removed Position":
      if (parent !== undefined && queryVerbs.children(world, parent).length > 2) destroy(world, parent);
      break;
    case "removed Lit":
      for (const child of queryVerbs.children(world, entity).slice(1))
        verbs.remove(world, child, ChildOf(Any));
      break;
    case "added Sacred":
      observers.hasThrown = true;
      throw new TreelineError("bad-value", "an observer that throws");
    case "set Clock":
      verbs.spawn(world, ChildOf(entity));
      break;
  }
}

/**
 * @throws Error if an observer threw and the result of the step does not report it. An exception of one observer does not stop
 *   the others.
 */
export function compareThrown(observers: Observers, code: string | undefined): void {
  if (
    observers.hasThrown &&
    (code ?? "done").split(" ").every((word) => word === "done" || word === "issued")
  ) {
    throw new Error("an observer threw, but the step did not report it");
  }
  observers.hasThrown = false;
}

/** Copies the state of the real world to the twin; assigns twins to entities that have none. */
export function readBack(real: RealWorld, naive: NaiveWorld): void {
  const { world } = real;
  const roots = queryVerbs.roots(world);
  const all = roots.flatMap((root) => [root, ...queryVerbs.descendants(world, root)]);
  for (const handle of all) twinOf(real, handle);

  naive.living.clear();
  naive.componentEntities.clear();
  naive.roots = twinsOf(real, roots) as Twin[];
  for (const handle of all) naive.living.set(real.twins.get(handle)!, readEntity(real, handle, all));
  if (!isOn("definitions")) return;
  for (const handle of all) {
    const definition = verbs.definitionAt(world, handle);
    if (definition !== undefined)
      naive.componentEntities.set(nameOfDefinition(definition)!, real.twins.get(handle)!);
  }
}

function readEntity(real: RealWorld, handle: Entity, all: readonly Entity[]): NaiveEntity {
  const { world } = real;
  const has = (what: string): boolean => isUsable(what) && verbs.has(world, handle, definitionOf(what));
  const pairs: NaiveEntity["pairs"] = new Map();
  for (const relation of Object.keys(rules.relations).filter(isUsable)) {
    if (relation === "ChildOf" || relation === "Parent") continue;
    const targets = twinsOf(real, verbs.targetsOf(world, handle, definitionOf(relation))) as Twin[];
    const values = targets.map((target) => readFields(real, handle, relation, target));
    if (targets.length > 0) pairs.set(relation, new Map(targets.map((target, at) => [target, values[at]!])));
  }
  const tags = all.filter(
    (other) => verbs.definitionAt(world, other) === undefined && verbs.has(world, handle, asTag(other)),
  );
  if (tags.length > 0) pairs.set("Is", new Map((twinsOf(real, tags) as Twin[]).map((twin) => [twin, {}])));
  const schemas = Object.keys(rules.schemas).filter(has);
  const objects = rules.objects.filter(has);
  const parent = parentOf(world, handle);
  const hasValueParent = isUsable("Parent") && verbs.has(world, handle, idOf(real, "Parent", "Any"));
  return {
    tags: new Set(rules.tags.filter(has)),
    schemas: new Map(schemas.map((what) => [what, readFields(real, handle, what, undefined)])),
    objects: new Map(objects.map((what) => [what, verbs.get(world, handle, definitionOf(what))])),
    pairs,
    parent: parent && real.twins.get(parent)!,
    storage: hasValueParent ? "Parent" : "ChildOf",
    children: twinsOf(real, queryVerbs.children(world, handle)) as Twin[],
    place: 0,
    arrival: 0,
  };
}

function readFields(real: RealWorld, handle: Entity, what: string, target: Twin | undefined): Fields {
  const kinds = fieldsOf(what);
  if (kinds === undefined) return {};
  const seen = verbs.get(real.world, handle, idOf(real, what, target)) as Record<string, unknown>;
  const found: Record<string, Fields[string]> = {};
  for (const [field, kind] of Object.entries(kinds)) {
    const value = seen[field];
    if (kind === "four f32") found[field] = Array.from(value as readonly number[]);
    else
      found[field] =
        kind === "entity" && value !== undefined ? twinOf(real, value as Entity) : (value as number);
  }
  return found;
}
