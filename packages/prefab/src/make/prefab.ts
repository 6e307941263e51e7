// `Prefab`, `IsA`, and `prefab`; what they install.
import { type Entity, has, type Relation, type SpawnTerm, spawn, type Tag, type World } from "@treeline/core";
import { Prefab as BarePrefab, NEEDS_BUILTIN, textOf } from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { installTemplates } from "./template-work.ts";

/**
 * Marks prefabs, and everything below them: queries leave these out unless they name it. What is attached below a prefab gets it, and what
 * is moved out of one loses it.
 */
export const Prefab: Tag = /* @__PURE__ */ installing(BarePrefab, installTemplates);

/**
 * The root of an instance has it, with its prefab as target. Adding it makes an entity an instance: what it has stays, what it lacks is added, and the parts of
 * the prefab are spawned below it. Removing it leaves all that, without what was inherited. Its target may also be a plain entity: then
 * there are no parts.
 *
 * @example
 * add(world, wreck, IsA(tank));
 */
export const IsA: Relation = /* @__PURE__ */ installing(BareIsA, (slots, archetype) => {
  installTemplates(slots);
  if (archetype !== undefined) archetype.fixedNeeds |= NEEDS_BUILTIN;
  // Documents without `prefabs` would spawn the parts twice.
  BareIsA.stored = { refusal };
});

function refusal(world: World, target: Entity): string | undefined {
  if (!has(world, target, BarePrefab as Tag)) return undefined;
  let text = `it is an instance of the prefab ${textOf(world, target)}`;
  CHECK: text +=
    "; pass { prefabs } of @treeline/prefab/document to toDocument to save instances; toBinary and hashOf take none";
  return text;
}

/** The definition itself, with what it installs in addition. */
function installing<D extends Tag | Relation>(definition: D, added: NonNullable<Tag["installs"]>): D {
  const { installs } = definition;
  definition.installs = (slots, archetype) => {
    installs?.(slots, archetype);
    added(slots, archetype);
  };
  return definition;
}

/**
 * Spawns a prefab: a template for instances, which no query matches unless it names `Prefab`. Spawn its parts below it, as usual. With
 * `IsA(other)` among the terms it is a variant of another prefab.
 *
 * @cost as `spawn`.
 * @throws TreelineError as `spawn`; `cycle` if it would contain itself.
 *
 * @example
 * const tank = prefab(world, Name("Tank"), Health({ points: 100 }));
 * spawn(world, Name("Turret"), ChildOf(tank), Damage);
 */
export function prefab(world: World, ...terms: SpawnTerm[]): Entity {
  return spawn(world, Prefab, ...terms);
}
