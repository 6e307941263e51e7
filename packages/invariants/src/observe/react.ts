/**
 * Listeners that change the world themselves. What becomes of that is not foretold: the twin is read back from the real
 * world after each step, so that walks go on and invariants, queries and what is told can still be held against it.
 */
import type { Entity } from "@treeline/core";
import { Any, ChildOf, parentOf, TreelineError } from "@treeline/core";
import { destroy } from "@treeline/query";
import type { AnyEvent } from "../base/entry-points.ts";
import { verbs, visitors } from "../base/entry-points.ts";
import { isOn } from "../base/features.ts";
import type { FastWorld } from "../step/fast-world.ts";
import { idOf, twinOf, twinsOf } from "../step/fast-world.ts";
import { definitionOf, fieldsOf, isUsable, nameOfDefinition, rules } from "../step/vocabulary.ts";
import type { Fields, Twin } from "../twin/rules.ts";
import type { SlowEntity, SlowWorld } from "../twin/world.ts";
import type { Ears } from "./observe.ts";

/** So many are enough: listeners stop giving birth. */
const CROWDED = 60;

/** Listens to what happens often, and does something about it. */
export function attachReactions(fast: FastWorld, ears: Ears): void {
  const { world } = fast;
  const heard = [
    { added: definitionOf("Lit"), removed: definitionOf("Frozen") },
    { added: definitionOf("Frozen"), removed: definitionOf("Position") },
    { set: definitionOf("Clock") },
    { added: definitionOf("Sacred") },
    { added: ChildOf, removed: definitionOf("Lit") },
  ];
  for (const to of heard) verbs.observe(world, to, (event) => react(fast, ears, event));
}

function react({ world }: FastWorld, ears: Ears, { kind, entity, definition }: AnyEvent): void {
  const parent = parentOf(world, entity);
  const [Frozen, Position] = [definitionOf("Frozen"), definitionOf("Position")];
  switch (`${kind} ${nameOfDefinition(definition)}`) {
    case "added Lit":
      if (visitors.children(world, undefined).length < CROWDED) verbs.spawn(world, ChildOf(entity), Frozen);
      break;
    case "added Frozen":
      if (parent !== undefined) verbs.add(world, entity, ChildOf(parentOf(world, parent) ?? parent));
      break;
    case "added ChildOf":
      ears.narrow[0]?.stop();
      ears.narrow[0] = undefined;
      verbs.remove(world, entity, Frozen);
      break;
    case "removed Frozen":
      verbs.add(world, entity, Position);
      break;
    case "removed Position":
      if (parent !== undefined && visitors.children(world, parent).length > 2) destroy(world, parent);
      break;
    case "removed Lit":
      for (const child of visitors.children(world, entity).slice(1)) verbs.remove(world, child, ChildOf(Any));
      break;
    case "added Sacred":
      ears.hasThrown = true;
      throw new TreelineError("bad-value", "a listener that cannot bear it");
    case "set Clock":
      verbs.spawn(world, ChildOf(entity));
      break;
  }
}

/** @throws Error if a listener threw, which stops nobody, and the step has not told so in its end. */
export function compareThrown(ears: Ears, code: string | undefined): void {
  if (ears.hasThrown && (code ?? "done").split(" ").every((word) => word === "done" || word === "issued")) {
    throw new Error("a listener threw, and nobody was told");
  }
  ears.hasThrown = false;
}

/** Makes the twin what the real world is; whoever has no name yet gets one. */
export function readBack(fast: FastWorld, slow: SlowWorld): void {
  const { world } = fast;
  const roots = visitors.children(world, undefined);
  const all = roots.flatMap((root) => [root, ...visitors.descendants(world, root)]);
  for (const handle of all) twinOf(fast, handle);

  slow.living.clear();
  slow.stands.clear();
  slow.roots = twinsOf(fast, roots) as Twin[];
  for (const handle of all) slow.living.set(fast.twins.get(handle)!, readEntity(fast, handle, all));
  if (!isOn("definitions")) return;
  for (const handle of all) {
    const definition = verbs.definitionAt(world, handle);
    if (definition !== undefined) slow.stands.set(nameOfDefinition(definition)!, fast.twins.get(handle)!);
  }
}

function readEntity(fast: FastWorld, handle: Entity, all: readonly Entity[]): SlowEntity {
  const { world } = fast;
  const has = (what: string): boolean => isUsable(what) && verbs.has(world, handle, definitionOf(what));
  const pairs: SlowEntity["pairs"] = new Map();
  for (const relation of Object.keys(rules.relations).filter(isUsable)) {
    if (relation === "ChildOf" || relation === "Parent") continue;
    const targets = twinsOf(fast, verbs.targetsOf(world, handle, definitionOf(relation))) as Twin[];
    const values = targets.map((target) => readFields(fast, handle, relation, target));
    if (targets.length > 0) pairs.set(relation, new Map(targets.map((target, at) => [target, values[at]!])));
  }
  const tags = all.filter(
    (other) => verbs.definitionAt(world, other) === undefined && verbs.has(world, handle, other),
  );
  if (tags.length > 0) pairs.set("Is", new Map((twinsOf(fast, tags) as Twin[]).map((twin) => [twin, {}])));
  const schemas = Object.keys(rules.schemas).filter(has);
  const objects = rules.objects.filter(has);
  const parent = parentOf(world, handle);
  const hasValueParent = isUsable("Parent") && verbs.has(world, handle, idOf(fast, "Parent", "Any"));
  return {
    tags: new Set(rules.tags.filter(has)),
    schemas: new Map(schemas.map((what) => [what, readFields(fast, handle, what, undefined)])),
    objects: new Map(objects.map((what) => [what, verbs.get(world, handle, definitionOf(what))])),
    pairs,
    parent: parent && fast.twins.get(parent)!,
    storage: hasValueParent ? "Parent" : "ChildOf",
    children: twinsOf(fast, visitors.children(world, handle)) as Twin[],
    place: 0,
    arrival: 0,
  };
}

function readFields(fast: FastWorld, handle: Entity, what: string, target: Twin | undefined): Fields {
  const kinds = fieldsOf(what);
  if (kinds === undefined) return {};
  const seen = verbs.get(fast.world, handle, idOf(fast, what, target)) as Record<string, unknown>;
  const found: Record<string, Fields[string]> = {};
  for (const [field, kind] of Object.entries(kinds)) {
    const value = seen[field];
    if (kind === "four f32") found[field] = Array.from(value as readonly number[]);
    else
      found[field] =
        kind === "entity" && value !== undefined ? twinOf(fast, value as Entity) : (value as number);
  }
  return found;
}
