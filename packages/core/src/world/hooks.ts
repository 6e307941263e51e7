import { TreelineError } from "../base/error.ts";
import type { Component, Definition } from "../id/definition.ts";
import type { Entity } from "../id/entity.ts";
import { handleAt } from "../records/entity-index.ts";
import type { Shape } from "../storage/shape.ts";
import { enterVisit, leaveVisit } from "./lock.ts";
import { parentAt } from "./targets.ts";
import { readValue } from "./values.ts";
import type { World } from "./world.ts";

/**
 * What a component's definition asks to be told, in every world and without registration. Hooks may read the world;
 * changing its structure is refused with `visiting` while one runs.
 */
export interface Hooks<Value> {
  /**
   * Before an entity gets the value, or keeps it and gets another parent. Throw to refuse: nothing has changed yet.
   *
   * @param entity `undefined` for one that is about to be spawned.
   * @param value the whole new value, or the one it keeps.
   * @param parent the parent it will have.
   */
  readonly check?: (
    world: World,
    entity: Entity | undefined,
    value: Value,
    parent: Entity | undefined,
  ) => void;
  /** After it. May not throw. */
  readonly written?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** Before the component is taken off or the entity dies; its ancestors are alive. May not throw. */
  readonly removed?: (world: World, entity: Entity, value: Value, parent: Entity | undefined) => void;
  /** `removed` does not care for the order in which entities die, nor for which are gone already. Default false. */
  readonly anyOrder?: boolean;
}

/** A component with hooks, and the value that an entity is about to have of it. */
export interface Change {
  readonly definition: Definition;
  readonly value: unknown;
}

/**
 * Attaches hooks to a component, once and before the component is used.
 *
 * @throws TreelineError `bad-definition` if it has hooks already.
 */
export function withHooks<Row, C extends Component<Row>>(
  definition: C & Component<Row>,
  hooks: Hooks<Row>,
): C {
  if (definition.hooks !== undefined) {
    throw new TreelineError(
      "bad-definition",
      `${definition.name} has hooks already; pass all of them in one call`,
    );
  }
  definition.hooks = hooks;
  return definition;
}

export function hooksOf(definition: { readonly hooks: object | undefined }): Hooks<unknown> {
  return (definition.hooks ?? {}) as Hooks<unknown>;
}

/** The components with hooks that an entity keeps while it gets another parent. */
export function keptChanges(world: World, shape: Shape, index: number): Change[] {
  return shape.hooked.map((definition) => ({ definition, value: readValue(world, index, definition) }));
}

/** Asks all `check` hooks, with the parent that the entity will have. */
export function askHooks(
  world: World,
  entity: Entity | undefined,
  changes: readonly Change[],
  parent: Entity | undefined,
): void {
  enterVisit(world);
  try {
    for (const { definition, value } of changes) hooksOf(definition).check?.(world, entity, value, parent);
  } finally {
    leaveVisit(world);
  }
}

/** Tells the `written` hooks of what has changed, with the values and the parent that the entity has now. */
export function tellWritten(world: World, index: number, changes: readonly Change[]): void {
  enterVisit(world);
  try {
    const entity = handleAt(world.entities, index);
    for (const { definition } of changes) {
      const { written } = hooksOf(definition);
      written?.(world, entity, readValue(world, index, definition), parentAt(world, index));
    }
  } finally {
    leaveVisit(world);
  }
}

/** Tells the `removed` hooks of components that are about to go. */
export function tellRemoved(world: World, index: number, definitions: readonly Definition[]): void {
  enterVisit(world);
  try {
    const entity = handleAt(world.entities, index);
    for (const definition of definitions) {
      const { removed } = hooksOf(definition);
      removed?.(world, entity, readValue(world, index, definition), parentAt(world, index));
    }
  } finally {
    leaveVisit(world);
  }
}
