import {
  add,
  asTag,
  type Component,
  componentsOf,
  type Entity,
  get,
  pairsOf,
  remove,
  set,
  tagsOf,
  type World,
} from "@treeline/core";
import { ChildOf, Parent } from "@treeline/core/internal";
import { BareIsA } from "../base/definitions.ts";
import { type InInstance, isSame, pointedValue, termOf } from "../publish/facts.ts";

/** Lets fields, pairs and entity tags of an entity point to others. @param inInstance to what instead of an entity; itself if it stays, and none. */
export function pointTo(world: World, entity: Entity, inInstance: InInstance): void {
  for (const definition of componentsOf(world, entity)) {
    if (!definition.fields.some(([, { kind }]) => kind === "entity")) continue;
    const value = get(world, entity, definition) as { readonly [field: string]: unknown };
    for (const [name, { kind }] of definition.fields) {
      const target = value[name] as Entity | undefined;
      if (kind !== "entity" || target === undefined || inInstance(target) === target) continue;
      set(world, entity, definition as Component<unknown, unknown, object>, { [name]: inInstance(target) });
    }
  }
  for (const { relation, target, value } of pairsOf(world, entity)) {
    const other = inInstance(target);
    const inside = pointedValue(relation, value, inInstance);
    if (relation === ChildOf || relation === Parent || relation === BareIsA) continue;
    if (other !== target) remove(world, entity, relation(target));
    else if (isSame(inside, value)) continue;
    if (other !== undefined) add(world, entity, termOf(relation, inside, other));
  }
  for (const used of tagsOf(world, entity)) {
    if (!("target" in used)) continue;
    const other = inInstance(used.target);
    if (other === used.target) continue;
    remove(world, entity, used);
    if (other !== undefined) add(world, entity, asTag(other));
  }
}
