// `Label`, `labelOf`, `findLabelled`: texts for users, not unique; throws `bad-name` for what is not a string.
import {
  component,
  type Entity,
  get,
  type ObjectComponent,
  TreelineError,
  type World,
  withHooks,
} from "@treeline/core";
import { entitiesIn, handleOf, hasDefinition, indexOf, shown } from "@treeline/core/internal";
import { stepOfIndex } from "../text/step.ts";
import { Name } from "./name.ts";

/**
 * A text for users: siblings, and any other entities, may share it. Paths do not use it. A clone has it too.
 *
 * `spawn`, `add` and `set` throw TreelineError `bad-name` unless the label is a string; nothing has changed then.
 */
export const Label: ObjectComponent<string> = /* @__PURE__ */ withHooks(
  /* @__PURE__ */ component<string>("Label"),
  {
    check: (_world, _entity, label) => requireString(label),
  },
);

/** @throws TreelineError `bad-name`. */
function requireString(label: unknown): void {
  if (typeof label === "string") return;
  throw new TreelineError(
    "bad-name",
    `a label is a string, not ${shown(label)}; give a text, or remove Label`,
  );
}

/**
 * The text to show for an entity: its label unless that is empty, or else its name, or else `#` and its index.
 *
 * @cost constant.
 * @throws TreelineError `dead-entity` if the entity is not alive.
 */
export function labelOf(world: World, entity: Entity): string {
  return get(world, entity, Label) || (get(world, entity, Name) ?? stepOfIndex(indexOf(entity)));
}

/**
 * All entities with this label, in the order in which they were spawned or last reparented. A fresh list.
 *
 * @cost all entities that have labels.
 * @throws TreelineError `bad-name` unless the label is a string.
 */
export function findLabelled(world: World, label: string): Entity[] {
  requireString(label);
  return entitiesIn(
    world,
    (archetype) => hasDefinition(archetype, Label),
    (index) => get(world, handleOf(world, index), Label) === label,
  ).map((index) => handleOf(world, index));
}
